package otherapis

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
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

// dimensionsOf are the sizes of the vectors of known models; of all others it is that of
// text-embedding-3-small.
var dimensionsOf = map[string]int{"text-embedding-3-large": 3072, "text-embedding-3-small": 1536, "text-embedding-ada-002": 1536}

// Embeddings answers a request for embeddings in the form of OpenAI.
func Embeddings(req *wire.Node) (wire.Fields, *BadRequest) {
	inputs, bad := embeddingInputs(req.Get("input"))
	if bad != nil {
		return nil, bad
	}
	model := req.Get("model").Text()
	dimensions, bad := dimensionsFor(model, req.Get("dimensions"))
	if bad != nil {
		return nil, bad
	}
	format := req.Get("encoding_format").Text()
	if format != "" && format != "float" && format != "base64" {
		return nil, &BadRequest{Param: "encoding_format", Message: fmt.Sprintf("Invalid value: '%s'. Supported values are: 'float' and 'base64'.", format)}
	}
	data, tokens := []wire.Fields{}, 0
	for i, text := range inputs {
		tokens += 1 + len(text)/scenarios.BytesPerToken
		data = append(data, wire.Fields{{Key: "object", Value: "embedding"}, {Key: "index", Value: i}, {Key: "embedding", Value: written(embed(text, dimensions), format)}})
	}
	usage := wire.Fields{{Key: "prompt_tokens", Value: tokens}, {Key: "total_tokens", Value: tokens}}
	return wire.Fields{{Key: "object", Value: "list"}, {Key: "data", Value: data}, {Key: "model", Value: model}, {Key: "usage", Value: usage}}, nil
}

// EmbeddingsIn answers a request for embeddings in the form of a dialect, with the same vectors.
func EmbeddingsIn(form *wire.EmbeddingsForm, req *wire.Node) (wire.Fields, *BadRequest) {
	texts, dimensions, problem := form.Read(req)
	if problem == "" && (dimensions < 0 || dimensions > maxDimensions) {
		problem = fmt.Sprintf("The size of a vector has to be between 1 and %d.", maxDimensions)
	}
	if problem != "" {
		return nil, &BadRequest{Message: problem, Code: &form.BadRequest}
	}
	vectors := make([]any, len(texts))
	for i, text := range texts {
		vectors[i] = written(embed(text, cmp.Or(dimensions, form.Dimensions)), "float")
	}
	return form.Write(req, vectors), nil
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

func dimensionsFor(model string, wanted *wire.Node) (int, *BadRequest) {
	if wanted == nil || wanted.Is(wire.Null) {
		if known, ok := dimensionsOf[model]; ok {
			return known, nil
		}
		return dimensionsOf["text-embedding-3-small"], nil
	}
	n, ok := wanted.Int()
	if !ok || n < 1 || n > maxDimensions {
		return 0, &BadRequest{Param: "dimensions", Message: fmt.Sprintf("Invalid value for 'dimensions' = %s. Must be an integer from 1 to %d.", wanted.Raw, maxDimensions)}
	}
	return n, nil
}

// embed returns a vector of length 1 for a text: each word, and each three letters of one, counts
// at a place that its hash says.
func embed(text string, dimensions int) []float32 {
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
	unit := make([]float32, dimensions)
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
func written(vector []float32, format string) any {
	if format != "base64" {
		list := make([]any, len(vector))
		for i, v := range vector {
			list[i] = wire.Raw(strconv.FormatFloat(float64(v), 'g', -1, 32))
		}
		return list
	}
	raw := make([]byte, 4*len(vector))
	for i, v := range vector {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(v))
	}
	return base64.StdEncoding.EncodeToString(raw)
}
