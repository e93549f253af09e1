// Package vectors answers requests for embeddings, which need no script: the vector of a text depends
// on the text alone. The same text has the same one, and texts that share words or parts of words
// have near ones.
//
//	asked, bad := vectors.Read(nil, body)
//	fields := asked.Write([]scenarios.Vector{vectors.Embed(asked.Texts[0], asked.Usual)})
package vectors

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// The limits of OpenAI's embeddings:
// https://platform.openai.com/docs/api-reference/embeddings/create
const (
	maxEmbeddingInputs = 2048
	maxDimensions      = 8192
)

// maxNumbers is how many numbers all vectors of an answer may have. It is what the largest request
// for the largest model gets, about 75 MB, and keeps a server from running out of memory.
const maxNumbers = maxEmbeddingInputs * 3072

// dimensionsOf are the sizes of the vectors of known models, as their pages on openai.com, mistral.ai
// and huggingface.co say; of all others it is that of text-embedding-3-small.
var dimensionsOf = map[string]int{
	"text-embedding-3-large": 3072, "text-embedding-3-small": 1536, "text-embedding-ada-002": 1536,
	"mistral-embed": 1024, "bge-m3": 1024, "BAAI/bge-m3": 1024, "mxbai-embed-large": 1024,
	"nomic-embed-text": 768, "all-minilm": 384,
}

// BadRequest is why a request is refused, in the form of OpenAI.
type BadRequest struct {
	Param, Message string
	Code           *string
}

// Request is a request for embeddings, in whichever form it came.
type Request struct {
	Model string
	Texts []string

	Size  int // of the vectors; 0: it is not said
	Usual int // size of the vectors, where it is not said

	// Write returns the answer with the vectors of the texts, in their order.
	Write func([]scenarios.Vector) wire.Fields

	// VectorsIn finds the vectors of the texts in an answer, in their order.
	VectorsIn func(answer *wire.Node) []*wire.Node
}

// Read reads a request for embeddings in the form of a dialect or, without one, in that
// of OpenAI.
func Read(form *wire.EmbeddingsForm, req *wire.Node) (*Request, *BadRequest) {
	if form != nil {
		return readIn(form, req)
	}
	inputs, bad := embeddingInputs(req.Get("input"))
	if bad != nil {
		return nil, bad
	}
	model := req.Get("model").Text()
	size, bad := dimensionsFor(req.Get("dimensions"))
	if bad != nil {
		return nil, bad
	}
	format := req.Get("encoding_format").Text()
	if format != "" && format != "float" && format != "base64" {
		return nil, &BadRequest{Param: "encoding_format", Message: fmt.Sprintf("Invalid value: '%s'. Supported values are: 'float' and 'base64'.", format)}
	}
	usual := cmp.Or(dimensionsOf[model], dimensionsOf["text-embedding-3-small"])
	if problem := tooMany(len(inputs), cmp.Or(size, usual)); problem != "" {
		return nil, &BadRequest{Param: "input", Message: "Invalid 'input': " + problem}
	}
	return &Request{Model: model, Texts: inputs, Size: size, Usual: usual, Write: func(vectors []scenarios.Vector) wire.Fields {
		data, tokens := []wire.Fields{}, 0
		for i, v := range vectors {
			tokens += 1 + len(inputs[i])/scenarios.BytesPerToken
			data = append(data, wire.Fields{{Key: "object", Value: "embedding"}, {Key: "index", Value: i}, {Key: "embedding", Value: written(v, format)}})
		}
		usage := wire.Fields{{Key: "prompt_tokens", Value: tokens}, {Key: "total_tokens", Value: tokens}}
		return wire.Fields{{Key: "object", Value: "list"}, {Key: "data", Value: data}, {Key: "model", Value: model}, {Key: "usage", Value: usage}}
	}, VectorsIn: vectorsIn}, nil
}

// readIn reads a request for embeddings in the form of a dialect.
func readIn(form *wire.EmbeddingsForm, req *wire.Node) (*Request, *BadRequest) {
	texts, size, problem := form.Read(req)
	if problem == "" && (size < 0 || size > maxDimensions) {
		problem = fmt.Sprintf("The size of a vector has to be between 1 and %d.", maxDimensions)
	}
	if problem == "" {
		problem = tooMany(len(texts), cmp.Or(size, form.Dimensions))
	}
	if problem != "" {
		return nil, &BadRequest{Message: problem, Code: &form.BadRequest}
	}
	return &Request{Texts: texts, Size: size, Usual: form.Dimensions, Write: func(vectors []scenarios.Vector) wire.Fields {
		all := make([]any, len(vectors))
		for i, v := range vectors {
			all[i] = written(v, "float")
		}
		return form.Write(req, all)
	}, VectorsIn: form.ReadAnswer}, nil
}

// tooMany says that the vectors of so many texts, of this size, are more than an answer may have, or
// returns "".
func tooMany(texts, size int) string {
	if texts*size <= maxNumbers {
		return ""
	}
	return fmt.Sprintf("%d vectors of %d numbers are too many for one request. Please send at most %d texts.", texts, size, maxNumbers/size)
}

// vectorsIn finds the vectors in an answer in the form of OpenAI.
func vectorsIn(answer *wire.Node) (vectors []*wire.Node) {
	data := slices.Clone(answer.Get("data").All())
	place := func(one *wire.Node) int { n, _ := one.Get("index").Int(); return n }
	slices.SortStableFunc(data, func(a, b *wire.Node) int { return place(a) - place(b) })
	for _, one := range data {
		if vector := one.Get("embedding"); vector != nil {
			vectors = append(vectors, vector)
		}
	}
	return vectors
}

// embeddingInputs returns the texts of an input: a text, texts, or tokens instead of either.
func embeddingInputs(input *wire.Node) ([]string, *BadRequest) {
	bad := &BadRequest{Param: "input", Message: "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference."}
	switch {
	case input == nil || input.Is(wire.Null):
		return nil, &BadRequest{Param: "input", Message: "you must provide an input parameter"}
	case input.Is(wire.String):
		return []string{input.Text()}, nil
	case !input.Is(wire.Array) || len(input.Items) == 0 || len(input.Items) > maxEmbeddingInputs:
		return nil, bad
	case input.Items[0].Is(wire.Number):
		return []string{string(input.Raw)}, nil
	}
	var texts []string
	for _, item := range input.Items {
		switch {
		case item.Is(wire.String):
			texts = append(texts, item.Text())
		case item.Is(wire.Array):
			texts = append(texts, string(item.Raw))
		default:
			return nil, bad
		}
	}
	return texts, nil
}

func dimensionsFor(wanted *wire.Node) (int, *BadRequest) {
	if wanted == nil || wanted.Is(wire.Null) {
		return 0, nil
	}
	n, ok := wanted.Int()
	if !ok || n < 1 || n > maxDimensions {
		return 0, &BadRequest{Param: "dimensions", Message: fmt.Sprintf("Invalid value for 'dimensions' = %s. Must be an integer from 1 to %d.", wanted.Raw, maxDimensions)}
	}
	return n, nil
}

// Embed returns a vector of length 1 for a text: each word, and each three letters of one, counts
// at a place that its hash says.
func Embed(text string, dimensions int) scenarios.Vector {
	vector := make([]float64, dimensions)
	count := func(feature string, weight float64) {
		h := fnv.New64a()
		h.Write([]byte(feature))
		sum := h.Sum64()
		if sum>>63 == 1 {
			weight = -weight
		}
		vector[sum%uint64(dimensions)] += weight
	}
	count("", 0.01) // so that an empty text has a direction, too
	for _, word := range strings.Fields(strings.ToLower(text)) {
		count(word, 1)
		letters := []rune(" " + word + " ")
		for i := 0; i+3 <= len(letters); i++ {
			count(string(letters[i:i+3]), 0.5)
		}
	}
	length := 0.0
	for _, v := range vector {
		length += v * v
	}
	unit := make(scenarios.Vector, dimensions)
	if length == 0 { // what counted cancelled itself out
		unit[0] = 1
		return unit
	}
	for i, v := range vector {
		unit[i] = float32(v / math.Sqrt(length))
	}
	return unit
}

// written returns a vector in the form that a client asks for.
func written(vector scenarios.Vector, format string) any {
	if format == "base64" {
		return vector.Base64()
	}
	list := []byte{'['} // and not a value for each number: a request may ask for millions
	for i, v := range vector {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendFloat(list, float64(v), 'g', -1, 32)
	}
	return wire.Raw(append(list, ']'))
}
