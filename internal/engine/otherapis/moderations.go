package otherapis

import (
	"encoding/hex"
	"strings"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/wire"
)

// moderated are OpenAI's categories:
// https://platform.openai.com/docs/api-reference/moderations/object
var moderated = []string{
	"harassment", "harassment/threatening", "hate", "hate/threatening", "illicit", "illicit/violent", "self-harm",
	"self-harm/intent", "self-harm/instructions", "sexual", "sexual/minors", "violence", "violence/graphic",
}

// Moderations answers a request for a moderation in the form of OpenAI. A text is flagged for the
// categories that it names itself, as in [flag:violence], so that a test decides what is flagged;
// every other text is harmless. The secret makes the id of the answer.
func Moderations(secret string, req *wire.Node) (wire.Fields, *BadRequest) {
	inputs, bad := moderationInputs(req.Get("input"))
	if bad != nil {
		return nil, bad
	}
	results := []wire.Fields{}
	for _, text := range inputs {
		results = append(results, moderation(text))
	}
	model := req.Get("model").Text()
	if model == "" {
		model = "omni-moderation-latest"
	}
	id := "modr-" + hexID(secret, inputs)
	return wire.Fields{{Key: "id", Value: id}, {Key: "model", Value: model}, {Key: "results", Value: results}}, nil
}

// moderationInputs returns the texts of an input: a text, texts, or parts, whose texts are
// moderated as one.
func moderationInputs(input *wire.Node) ([]string, *BadRequest) {
	bad := &BadRequest{Param: "input", Message: "Invalid type for 'input': expected one of an array of strings or a string."}
	switch {
	case input != nil && input.Is(wire.String):
		return []string{input.Text()}, nil
	case input == nil || !input.Is(wire.Array) || len(input.Items) == 0:
		return nil, bad
	}
	var texts, parts []string
	for _, item := range input.Items {
		switch {
		case item.Is(wire.String):
			texts = append(texts, item.Text())
		case item.Is(wire.Object):
			parts = append(parts, item.Get("text").Text())
		default:
			return nil, bad
		}
	}
	if len(parts) > 0 {
		texts = append(texts, strings.Join(parts, "\n"))
	}
	return texts, nil
}

// hexID returns an id that is the same for the same texts.
func hexID(secret string, texts []string) string {
	source, id := digest.New(secret, append([]string{"moderation"}, texts...)...), make([]byte, 12)
	for i := range id {
		id[i] = source.Next()
	}
	return hex.EncodeToString(id)
}

func moderation(text string) wire.Fields {
	var categories, scores, types wire.Fields
	flagged := false
	for _, category := range moderated {
		hit := strings.Contains(text, "[flag:"+category+"]")
		score := wire.Raw("0.0001")
		if hit {
			score, flagged = wire.Raw("0.99"), true
		}
		categories = append(categories, wire.Field{Key: category, Value: hit})
		scores = append(scores, wire.Field{Key: category, Value: score})
		types = append(types, wire.Field{Key: category, Value: []any{"text"}})
	}
	return wire.Fields{{Key: "flagged", Value: flagged}, {Key: "categories", Value: categories}, {Key: "category_scores", Value: scores}, {Key: "category_applied_input_types", Value: types}}
}
