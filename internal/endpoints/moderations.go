package endpoints

import (
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// moderated are OpenAI's categories:
// https://platform.openai.com/docs/api-reference/moderations/object
var moderated = []string{
	"harassment", "harassment/threatening", "hate", "hate/threatening", "illicit", "illicit/violent", "self-harm",
	"self-harm/intent", "self-harm/instructions", "sexual", "sexual/minors", "violence", "violence/graphic",
}

// moderations answers a request for a moderation in the form of OpenAI. A text is flagged for the
// categories that it names itself, as in [flag:violence], so that a test decides what is flagged;
// every other text is harmless.
func moderations(req Request) (status int, body wire.Fields) {
	inputs := moderationInputs(req.Body.Get("input"))
	if inputs == nil {
		return http.StatusBadRequest, wire.Fields{{Key: "error", Value: wire.Fields{
			{Key: "message", Value: "Invalid type for 'input': expected one of an array of strings or a string."},
			{Key: "type", Value: "invalid_request_error"}, {Key: "param", Value: "input"}, {Key: "code", Value: nil},
		}}}
	}
	results := []wire.Fields{}
	for _, text := range inputs {
		results = append(results, moderation(text))
	}
	model := req.Body.Get("model").Text()
	if model == "" {
		model = "omni-moderation-latest"
	}
	return http.StatusOK, wire.Fields{{Key: "id", Value: "modr-" + req.New}, {Key: "model", Value: model}, {Key: "results", Value: results}}
}

// moderationInputs returns the texts of an input: a text, texts, or parts, whose texts are
// moderated as one. Nil: it is none of these.
func moderationInputs(input *wire.Node) []string {
	if input.Is(wire.String) {
		return []string{input.Text()}
	}
	var texts, parts []string
	for _, item := range input.All() {
		switch {
		case item.Is(wire.String):
			texts = append(texts, item.Text())
		case item.Is(wire.Object):
			parts = append(parts, item.Get("text").Text())
		default:
			return nil
		}
	}
	if len(parts) > 0 {
		texts = append(texts, strings.Join(parts, "\n"))
	}
	return texts
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
