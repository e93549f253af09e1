package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// document is the form of a report in report.json. Most rules pass in most cases, so lists of
// passed rules are shared between cases.
type document struct {
	plainReport
	Passed [][]string     `json:"passed"`
	Cases  []caseDocument `json:"cases"`
}

// caseDocument is a case of a document. Verdicts has all rules except those that passed; Passed is
// the index of the list of those.
type caseDocument struct {
	plainCase
	Verdicts map[string]Verdict `json:"verdicts"`
	Passed   int                `json:"passed"`
}

type (
	plainReport Report
	plainCase   Case
)

//go:embed schema.json
var schema []byte

// JSONSchema returns the JSON Schema of report.json.
func JSONSchema() []byte { return slices.Clone(schema) }

// MarshalJSON writes the report as a document.
func (r *Report) MarshalJSON() ([]byte, error) {
	d := document{plainReport: plainReport(*r), Passed: [][]string{}, Cases: make([]caseDocument, len(r.Cases))}
	if d.Rules == nil {
		d.Rules = []Rule{}
	}
	lists := map[string]int{}
	for i, c := range r.Cases {
		passed, others := []string{}, map[string]Verdict{}
		for _, id := range slices.Sorted(maps.Keys(c.Verdicts)) {
			if v := c.Verdicts[id]; v != Passed {
				others[id] = v
			} else {
				passed = append(passed, id)
			}
		}
		key := strings.Join(passed, " ")
		at, known := lists[key]
		if !known {
			at = len(d.Passed)
			lists[key] = at
			d.Passed = append(d.Passed, passed)
		}
		d.Cases[i] = caseDocument{plainCase: plainCase(c), Verdicts: others, Passed: at}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(d)
	return b.Bytes(), err
}

// UnmarshalJSON reads a document.
func (r *Report) UnmarshalJSON(data []byte) error {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	*r = Report(d.plainReport)
	r.Cases = make([]Case, len(d.Cases))
	for i, c := range d.Cases {
		if c.Passed < 0 || c.Passed >= len(d.Passed) {
			return fmt.Errorf("the case %s names the list %d of passed rules, and there are %d", c.ID, c.Passed, len(d.Passed))
		}
		r.Cases[i] = Case(c.plainCase)
		r.Cases[i].Verdicts = c.Verdicts
		if c.Verdicts == nil {
			r.Cases[i].Verdicts = map[string]Verdict{}
		}
		for _, id := range d.Passed[c.Passed] {
			r.Cases[i].Verdicts[id] = Passed
		}
	}
	return r.check()
}

// check demands of a report that was read what is taken for granted where it is rendered: a rule
// that a case fails is listed, and a finding of the case says how.
func (r *Report) check() error {
	listed := map[string]bool{}
	for _, rule := range r.Rules {
		listed[rule.ID] = true
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, id := range slices.Sorted(maps.Keys(c.Verdicts)) {
			switch {
			case c.Verdicts[id] != Failed:
			case !listed[id]:
				return fmt.Errorf("the case %s fails the rule %s, which is not listed", c.ID, id)
			case c.first(id) == nil:
				return fmt.Errorf("the case %s fails the rule %s, and no finding says how", c.ID, id)
			}
		}
	}
	return nil
}

// Write writes the report as JSON. Each member of the document and each element of its lists is on
// its own line, so that the report can be searched and compared line by line.
func (r *Report) Write(w io.Writer) error {
	data, err := r.MarshalJSON()
	if err != nil {
		return err
	}
	root, err := wire.ParseNode(bytes.TrimSpace(data))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("{\n")
	for i, m := range root.Members {
		fmt.Fprintf(&b, " %s: ", wire.Quote(m.Key))
		writeMember(&b, m.Value)
		if i < len(root.Members)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

func writeMember(b *bytes.Buffer, n *wire.Node) {
	if !n.Is(wire.Array) || len(n.Items) == 0 {
		b.Write(n.Raw)
		return
	}
	b.WriteString("[\n")
	for i, item := range n.Items {
		b.WriteString("  ")
		b.Write(item.Raw)
		if i < len(n.Items)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString(" ]")
}

// Read reads a report that was written as JSON.
func Read(from io.Reader) (*Report, error) {
	var r Report
	if err := json.NewDecoder(from).Decode(&r); err != nil {
		return nil, err
	}
	return &r, nil
}
