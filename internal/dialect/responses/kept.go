package responses

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// stored is how OpenAI keeps responses, unless a request says that they are not to be stored:
// https://platform.openai.com/docs/guides/conversation-state
var stored = &wire.KeptHistory{
	Life:   30 * 24 * time.Hour,
	Asked:  asked,
	Keep:   keep,
	Resume: resume,
	Refer:  refer,
	Paths: []wire.KeptPath{
		{Method: http.MethodGet, Path: "/v1/responses/{id}", Answer: func(kept *wire.Node, _ url.Values) (int, wire.Fields) {
			return http.StatusOK, asFields(kept.Get("response"))
		}},
		{Method: http.MethodDelete, Path: "/v1/responses/{id}", Answer: deleted, Forgets: true},
		{Method: http.MethodGet, Path: "/v1/responses/{id}/input_items", Answer: inputItems},
		{Method: http.MethodPost, Path: "/v1/responses/{id}/cancel", Answer: cancelled},
	},
	Refusals: map[wire.HistoryProblem]wire.HistoryRefusal{
		wire.HistoryUnsupported: {Status: http.StatusBadRequest, Code: "unsupported_parameter", Message: "Unsupported parameter: 'previous_response_id'. Responses are not kept here; send the whole conversation."},
		wire.HistoryNotFound:    {Status: http.StatusBadRequest, Code: "previous_response_not_found", Message: "Previous response with id '{id}' not found."},
		wire.HistoryUnknown:     {Status: http.StatusNotFound, Message: "Response with id '{id}' not found."},
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

func asked(req *wire.Request) *wire.Continuation {
	previous := req.Body.Get("previous_response_id").Text()
	unkept := req.Body.Get("store").Is(wire.Bool) && !req.Body.Get("store").True()
	if previous == "" && unkept {
		return nil
	}
	return &wire.Continuation{Begins: previous == "", Unasked: previous == "", Previous: previous, Unkept: unkept}
}

// keep keeps the input and the response to it.
func keep(req *wire.Request, answer *wire.Node) []byte {
	return wire.Fields{{Key: "input", Value: inputOf(req)}, {Key: "response", Value: wire.Raw(answer.Raw)}}.JSON()
}

// resume puts the input and the output that are kept before what a request says. The instructions are not kept.
func resume(kept []byte, short *wire.Request) (*wire.Request, error) {
	before, err := wire.ParseNode(kept)
	if err != nil {
		return nil, err
	}
	var whole wire.Fields
	for _, m := range short.Body.Members {
		if m.Key != "input" {
			whole = append(whole, wire.Field{Key: m.Key, Value: wire.Raw(m.Value.Raw)})
		}
	}
	items := append(rawItems(before.Get("input")), rawItems(before.Get("response").Get("output"))...)
	return short.Dialect.Read(whole.With("input", append(items, inputOf(short)...)).JSON())
}

// inputOf returns the input of a request as items.
func inputOf(req *wire.Request) []any {
	input := req.Body.Get("input")
	if input.Is(wire.String) {
		return []any{wire.Fields{
			{Key: "type", Value: messageItem}, {Key: "role", Value: "user"},
			{Key: "content", Value: []wire.Fields{{{Key: "type", Value: "input_text"}, {Key: "text", Value: input.Text()}}}},
		}}
	}
	return rawItems(input)
}

func rawItems(list *wire.Node) []any {
	items := []any{}
	if list.Is(wire.Array) {
		for _, n := range list.Items {
			items = append(items, wire.Raw(n.Raw))
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

func deleted(kept *wire.Node, _ url.Values) (int, wire.Fields) {
	return http.StatusOK, wire.Fields{
		{Key: "id", Value: kept.Get("response").Get("id").Text()}, {Key: "object", Value: "response"}, {Key: "deleted", Value: true},
	}
}

// cancelled refuses, since no response here is made in the background.
func cancelled(*wire.Node, url.Values) (int, wire.Fields) {
	return http.StatusBadRequest, errorBody("Cannot cancel a synchronous response.", nil, nil)
}

// inputItems lists the items of the input, the last one first where nobody asks for another order:
// https://platform.openai.com/docs/api-reference/responses/input-items
func inputItems(kept *wire.Node, query url.Values) (int, wire.Fields) {
	id := kept.Get("response").Get("id").Text()
	var items []wire.Fields
	for i, n := range kept.Get("input").Items {
		items = append(items, named(n, id, i))
	}
	if query.Get("order") != "asc" {
		for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
			items[i], items[j] = items[j], items[i]
		}
	}
	items = behind(items, query.Get("after"))
	limit, err := strconv.Atoi(query.Get("limit"))
	if err != nil || limit < 1 || limit > 100 {
		limit = 20
	}
	more := len(items) > limit
	items = items[:min(limit, len(items))]
	list := wire.Fields{{Key: "object", Value: "list"}, {Key: "data", Value: items}}
	var first, last any
	if len(items) > 0 {
		first, last = textOf(items[0], "id"), textOf(items[len(items)-1], "id")
	}
	return http.StatusOK, append(list, wire.Field{Key: "first_id", Value: first}, wire.Field{Key: "last_id", Value: last}, wire.Field{Key: "has_more", Value: more})
}

// named returns an item of an input with an id, which the provider gives to those that came without.
func named(n *wire.Node, response string, index int) wire.Fields {
	f := asFields(n)
	if n.Get("id").Text() == "" {
		f = f.Without("id").With("id", itemID(prefixOf(n), response+" input", index))
	}
	return f
}

func prefixOf(n *wire.Node) string {
	switch typeOf(n) {
	case callItem:
		return "fc"
	case resultItem:
		return "fco"
	case reasoningItem:
		return "rs"
	default:
		return "msg"
	}
}

func behind(items []wire.Fields, id string) []wire.Fields {
	for i, f := range items {
		if id != "" && textOf(f, "id") == id {
			return items[i+1:]
		}
	}
	return items
}

func textOf(f wire.Fields, key string) string {
	n, _ := wire.ParseNode(f.JSON())
	return n.Get(key).Text()
}
