package scenarios

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/internal/strictyaml"
)

// Embedding is what a script says of the embeddings of some texts. The first one with a vector of
// the size that is asked says which vector a text has.
type Embedding struct {
	// Input is what the text is like, and Model the model that is asked for; without them it is any.
	Input *Text `yaml:"input"`
	Model *Text `yaml:"model"`

	// Vector is that of each such text. Table is the name of a file alongside the script that has a
	// vector for each of many texts: a JSON object a line with input, vector and, unless it is for
	// any, model.
	Vector Vector `yaml:"vector"`
	Table  string `yaml:"table"`

	// Behaviour is how the provider behaves when a request has such a text.
	Behaviour *Behaviour `yaml:"behaviour"`

	rows map[string][]EmbeddingRow
}

// EmbeddingRow is a line of a table of vectors.
type EmbeddingRow struct {
	Model  string `json:"model,omitempty"`
	Input  string `json:"input"`
	Vector Vector `json:"vector"`
}

// Vector is a list of numbers. A file may write it as OpenAI does in base64.
type Vector []float32

// maxVector is how many numbers a vector has at most.
const maxVector = 8192

// ReadYAML reads a vector.
func (v *Vector) ReadYAML(n *strictyaml.Node) error {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		return v.fromBase64(n.Value)
	}
	if n.Kind != yaml.SequenceNode {
		return errVector
	}
	for _, item := range n.Content {
		f, err := strconv.ParseFloat(item.Value, 32)
		if item.Kind != yaml.ScalarNode || err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return strictyaml.At(item, "expected a number")
		}
		*v = append(*v, float32(f))
	}
	return v.check()
}

var errVector = errors.New("expected a vector: a list of numbers, or the text in base64 that OpenAI writes for one")

func (v *Vector) fromBase64(text string) error {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw)%4 != 0 {
		return errVector
	}
	for ; len(raw) > 0; raw = raw[4:] {
		f := math.Float32frombits(binary.LittleEndian.Uint32(raw))
		if f != f || math.IsInf(float64(f), 0) {
			return errVector
		}
		*v = append(*v, f)
	}
	return v.check()
}

func (v *Vector) check() error {
	if len(*v) == 0 || len(*v) > maxVector {
		return fmt.Errorf("a vector has 1 to %d numbers, not %d", maxVector, len(*v))
	}
	return nil
}

// Base64 returns the vector as OpenAI writes it in base64.
func (v Vector) Base64() string {
	raw := make([]byte, 4*len(v))
	for i, f := range v {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(f))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// MarshalJSON writes the vector in base64.
func (v Vector) MarshalJSON() ([]byte, error) { return json.Marshal(v.Base64()) }

// UnmarshalJSON reads a list of numbers, or base64.
func (v *Vector) UnmarshalJSON(data []byte) error {
	*v = nil
	var text string
	if json.Unmarshal(data, &text) == nil {
		return v.fromBase64(text)
	}
	var list []float32
	if json.Unmarshal(data, &list) != nil {
		return errVector
	}
	*v = list
	return v.check()
}

// Says reports whether anything is said of a text that is embedded by a model.
func (e *Embedding) Says(model, text string) bool {
	if e.Model != nil && !e.Model.fits(model) {
		return false
	}
	return (e.Input == nil || e.Input.fits(text)) && (e.rows == nil || len(e.row(model, text)) > 0)
}

// VectorOf returns the vector that is given for a text and a model, or nil where there is none. size
// is how many numbers it has; 0: any.
func (e *Embedding) VectorOf(model, text string, size int) Vector {
	candidates := []Vector{e.Vector}
	if e.rows != nil {
		candidates = e.row(model, text)
	}
	for _, v := range candidates {
		if len(v) > 0 && (size == 0 || size == len(v)) {
			return v
		}
	}
	return nil
}

func (e *Embedding) row(model, text string) (all []Vector) {
	for _, row := range e.rows[text] {
		if row.Model == "" || row.Model == model {
			all = append(all, row.Vector)
		}
	}
	return all
}

// SizeFor returns the size of the vectors that it has for a model, or 0.
func (e *Embedding) SizeFor(model string) int {
	if e.Model != nil && !e.Model.fits(model) {
		return 0
	}
	if e.rows == nil {
		return len(e.Vector)
	}
	size := 0
	for _, rows := range e.rows {
		for _, row := range rows {
			if row.Model == "" || row.Model == model {
				size = max(size, len(row.Vector)) // of several the greatest: a map has no order
			}
		}
	}
	return size
}

// readTable reads the table of vectors.
func (e *Embedding) readTable(folder fs.FS) error {
	data, err := readBeside(folder, e.Table)
	if err != nil {
		return err
	}
	e.rows = map[string][]EmbeddingRow{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		row, decoder := EmbeddingRow{}, json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&row); err != nil {
			return fmt.Errorf("line %d of %s is no row of a table, such as {\"input\": \"Oslo\", \"vector\": [1, 0]}: %w", n, e.Table, err)
		}
		if len(row.Vector) == 0 {
			return fmt.Errorf("line %d of %s has no vector", n, e.Table)
		}
		e.rows[row.Input] = append(e.rows[row.Input], row)
	}
	return nil
}

// endpoints checks what is said of other endpoints.
func (c *checker) endpoints() {
	c.expect(len(c.s.Endpoints) == 0 || !c.prompted(), "/endpoints", "endpoints are for applications; only a script without a prompt has them")
	endpoints.Check(c.s.Endpoints, func(at, format string, args ...any) { c.expect(false, at, format, args...) })
}

// embeddings checks what is said of embeddings.
func (c *checker) embeddings() {
	c.expect(len(c.s.Embeddings) == 0 || !c.prompted(), "/embeddings", "embeddings are for applications; only a script without a prompt has them")
	for i := range c.s.Embeddings {
		e, here := &c.s.Embeddings[i], at("embeddings", i)
		c.blanks(here)
		c.expect(len(e.Vector) == 0 || e.Table == "", here+"/table", "the vectors are one `vector`, or in a `table`, not both")
		c.expect(len(e.Vector) > 0 || e.Table != "" || e.Behaviour != nil, here, "say which `vector` these texts have, in which `table` their vectors are, or how the provider behaves: `behaviour: {faults: [{status: 500}]}`")
		c.expect(e.Table == "" || e.Input == nil, here+"/input", "the table says for which texts it has vectors")
		c.behaviour(here+"/behaviour", e.Behaviour)
		c.expect(e.Behaviour == nil || e.Behaviour.RateLimit == nil, here+"/behaviour/rate-limit", "what is taken is not a matter of one text: say the rate-limit of the scenario")
	}
}
