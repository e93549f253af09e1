// Package openai holds what the APIs of OpenAI have in common, whatever a request for a turn looks
// like:
//
//	var API = &wire.Dialect{Models: openai.Models, Errors: openai.Errors}
package openai

import (
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// Models is how models are listed: https://platform.openai.com/docs/api-reference/models/list.
var Models = wire.ModelsForm{
	List: func(models []wire.Model) wire.Fields {
		return wire.Fields{{Key: "object", Value: "list"}, {Key: "data", Value: wire.EachModel(models, model)}}
	},
	One: model,
	Unknown: func(name string) (message, kind, code string) {
		return "The model '" + name + "' does not exist", "invalid_request_error", "model_not_found"
	},
}

// Docs are the beginnings of the addresses of documentation that is about each API.
var Docs = []string{"platform.openai.com/docs/guides/", "developers.openai.com/api/docs/"}

// Errors is how errors and limits are reported.
var Errors = wire.ErrorForm{
	RateLimitHeaders: RateLimitHeaders,
	LimitMessage:     LimitMessage,
	WaitMessage:      waitMessage,
	Body:             func(said wire.Fields) wire.Fields { return wire.Fields{{Key: "error", Value: said}} },
}

func model(m wire.Model) wire.Fields {
	return wire.Fields{{Key: "id", Value: m.Name}, {Key: "object", Value: "model"}, {Key: "created", Value: m.Created.Unix()}, {Key: "owned_by", Value: m.Owner}}
}

// RateLimitHeaders returns the headers that tell a client its limits at a time:
// https://developers.openai.com/api/docs/guides/rate-limits.
func RateLimitHeaders(limits []wire.RateLimit, now time.Time) map[string]string {
	headers := map[string]string{}
	for _, l := range limits {
		headers["x-ratelimit-limit-"+l.Of] = strconv.Itoa(l.Limit)
		headers["x-ratelimit-remaining-"+l.Of] = strconv.Itoa(l.Left)
		headers["x-ratelimit-reset-"+l.Of] = l.Reset.Sub(now).Round(time.Millisecond).String()
	}
	return headers
}

// ToolChoice reads a choice of tools that is a word.
func ToolChoice(n *wire.Node) wire.ToolChoice {
	switch n.Text() {
	case "none":
		return wire.ChoiceNone
	case "required":
		return wire.ChoiceRequired
	default:
		return wire.ChoiceAuto
	}
}
