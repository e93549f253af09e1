package responses

import (
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// stored is how OpenAI keeps responses, unless a request says that they are not to be stored:
// https://platform.openai.com/docs/guides/conversation-state
var stored = &wire.KeptHistory{
	Life:      30 * 24 * time.Hour,
	Continues: continued,
	Keep:      keep,
	Extend:    extend,
	Resume:    resume,
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
	previous, conversation := req.Body.Get("previous_response_id").Text(), conversationOf(req)
	// A response in the background is kept for some ten minutes in any case:
	// https://developers.openai.com/api/docs/guides/background
	background := req.Body.Get("background").True()
	unkept := req.Body.Get("store").Is(wire.Bool) && !req.Body.Get("store").True() && !background
	ambiguous := previous != "" && conversation != ""
	if ambiguous {
		conversation = "" // the rules read a request with both as one that continues from a response
	}
	alone := previous == "" && conversation == ""
	if alone && unkept {
		return nil
	}
	return &wire.Continuation{
		Begins: alone, ByDefault: alone, Previous: previous, Conversation: conversation, NotStored: unkept,
		Ambiguous:  ambiguous,
		Background: background,
	}
}

// keep keeps the input and the response to it. One that is made in the background is also kept as
// the events of its stream, if there is one, and with its state.
func keep(before *wire.History, req *wire.Request, given wire.Given) *wire.History {
	about := wire.Fields{{Key: "response", Value: wire.Raw(given.Answer.Raw)}}
	if req.Body.Get("background").True() {
		about = about.With("state", queued)
		if req.Stream {
			about = about.With("events", payloadsOf(given.Events()))
		}
	}
	output := rawItems(given.Answer.Get("output"))
	return before.Then(append(inputOf(req), output...), len(output), about.JSON())
}

// resume puts the items that are kept before what a request says. The instructions are not kept.
func resume(kept *wire.History, short *wire.Request) (*wire.Request, error) {
	var whole wire.Fields
	for _, m := range short.Body.Members {
		if m.Key != "input" {
			whole = append(whole, wire.Field{Key: m.Key, Value: wire.Raw(m.Value.Raw)})
		}
	}
	return short.Dialect.Read(whole.With("input", append(kept.All(), inputOf(short)...)).JSON())
}

// inputOf returns the input of a request as items.
func inputOf(req *wire.Request) []wire.Raw {
	input := req.Body.Get("input")
	if input.Is(wire.String) {
		return []wire.Raw{wire.Fields{
			{Key: "type", Value: messageItem}, {Key: "role", Value: "user"},
			{Key: "content", Value: []wire.Fields{{{Key: "type", Value: "input_text"}, {Key: "text", Value: input.Text()}}}},
		}.JSON()}
	}
	return rawItems(input)
}

func rawItems(list *wire.Node) []wire.Raw {
	items := []wire.Raw{}
	if list.Is(wire.Array) {
		for _, n := range list.Items {
			items = append(items, n.Raw)
		}
	}
	return items
}

func asFields(n *wire.Node) wire.Fields {
	var f wire.Fields
	for _, m := range n.Members {
		f = f.With(m.Key, wire.Raw(m.Value.Raw))
	}
	return f
}
