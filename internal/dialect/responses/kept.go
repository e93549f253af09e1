package responses

import (
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/dialect/stored"
	"github.com/loopproof/loopproof/internal/wire"
)

// keptResponses is how OpenAI keeps responses, unless a request says that they are not to be stored:
// https://platform.openai.com/docs/guides/conversation-state
var keptResponses = &wire.KeptHistory{
	Life:      30 * 24 * time.Hour,
	Continues: continued,
	Keep:      items.Keep,
	Extend:    extend,
	Whole:     items.Whole,
	Refer:     refer,

	Document: document,
	Refusals: map[wire.HistoryProblem]wire.HistoryRefusal{
		wire.HistoryUnsupported:    {Status: http.StatusBadRequest, Code: "unsupported_parameter", Message: "Unsupported parameter: 'previous_response_id'. Responses are not kept here; send the whole conversation."},
		wire.HistoryNotFound:       {Status: http.StatusBadRequest, Code: "previous_response_not_found", Message: "Previous response with id '{id}' not found."},
		wire.HistoryUnknown:        {Status: http.StatusNotFound, Message: "Response with id '{id}' not found."},
		wire.HistoryNoConversation: {Status: http.StatusNotFound, Message: "Conversation with id '{id}' not found."},
	},
	ErrorBody: func(r wire.HistoryRefusal) wire.Fields {
		var param, code any
		if r.Code != "" {
			param, code = "previous_response_id", r.Code
		}
		return errorBody(r.Message, param, code)
	},
}

func errorBody(message string, param, code any) wire.Fields {
	return wire.Fields{{Key: "error", Value: wire.Fields{
		{Key: "message", Value: message}, {Key: "type", Value: "invalid_request_error"}, {Key: "param", Value: param}, {Key: "code", Value: code},
	}}}
}

func continued(req *wire.Request) *wire.Continuation {
	return stored.Continues(req, req.Body.Get("previous_response_id").Text(), conversationOf(req))
}

// items is how responses are stored. The instructions are not.
var items = stored.Form{Input: "input", Output: "output", Items: func(_ *wire.History, req *wire.Request) []wire.Raw { return inputOf(req) }, Unfinished: unfinished}

// inputOf returns the input of a request as items.
func inputOf(req *wire.Request) []wire.Raw {
	input := req.Body.Get("input")
	if input.Is(wire.String) {
		return []wire.Raw{wire.Fields{
			{Key: "type", Value: messageItem}, {Key: "role", Value: "user"},
			{Key: "content", Value: []wire.Fields{{{Key: "type", Value: "input_text"}, {Key: "text", Value: input.Text()}}}},
		}.JSON()}
	}
	return wire.RawItems(input)
}
