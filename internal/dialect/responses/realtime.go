package responses

import (
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// realtime is OpenAI's Realtime API over a WebSocket, as text: a client adds items to a conversation
// that the connection keeps, and asks for responses, which the same scripts answer as those of
// requests over HTTP. https://platform.openai.com/docs/api-reference/realtime
var realtime = &wire.Socket{
	Session: func(model string) wire.SocketSession { return &realtimeSession{session: startOf(model)} },
	Failure: func(_ int, body []byte) []byte { return realtimeError(wire.Parsed(body).Get("error")) },
	Ends:    endsResponse, EndMark: Done,
	Life: time.Hour,
	Expired: wire.Fields{{Key: "error", Value: wire.Fields{
		{Key: "type", Value: "invalid_request_error"}, {Key: "code", Value: "session_expired"},
		{Key: "message", Value: "Your session hit the maximum duration of 60 minutes."},
	}}},
}

// realtimeSession is a connection of the Realtime API.
type realtimeSession struct {
	session wire.Fields
	items   []wire.Fields // of the conversation
	events  int           // that were sent
	named   int           // items that were given an id
	answer  string        // the id of the response that is being sent
	calls   map[string]wire.Fields
}

func startOf(model string) wire.Fields {
	return wire.Fields{
		{Key: "type", Value: "realtime"}, {Key: "object", Value: "realtime.session"}, {Key: "id", Value: "sess_loopproof"}, {Key: "model", Value: model},
		{Key: "output_modalities", Value: []any{"text"}}, {Key: "instructions", Value: ""}, {Key: "tools", Value: []any{}}, {Key: "tool_choice", Value: "auto"},
	}
}

// set returns fields with another value of a key.
func set(f wire.Fields, key string, value any) wire.Fields { return f.Without(key).With(key, value) }

// Opens returns what a client is told when it has connected.
func (s *realtimeSession) Opens() [][]byte {
	return s.says(wire.Fields{{Key: "type", Value: "session.created"}, {Key: "session", Value: s.session}})
}

// says returns an event with an id.
func (s *realtimeSession) says(event wire.Fields) [][]byte {
	s.events++
	return [][]byte{set(event, "event_id", "event_"+strconv.Itoa(s.events)).JSON()}
}

// Take takes an event of the client, and returns what it is told and, where it asks for a response,
// the request for that.
func (s *realtimeSession) Take(message []byte) (said [][]byte, asked *wire.SocketRequest) {
	n, err := wire.ParseNode(message)
	if err != nil || !n.Is(wire.Object) {
		return s.refuses("invalid_json", "We could not parse the JSON of your event."), nil
	}
	switch kind := n.Get("type").Text(); kind {
	case "session.update":
		for key, value := range n.Get("session").Fields() {
			s.session = set(s.session, key, wire.Raw(value.JSON()))
		}
		s.session = set(s.session, "output_modalities", []any{"text"})
		return s.says(wire.Fields{{Key: "type", Value: "session.updated"}, {Key: "session", Value: s.session}}), nil
	case "conversation.item.create":
		return s.create(n.Get("item")), nil
	case "conversation.item.delete":
		return s.remove(n.Get("item_id").Text()), nil
	case "response.create":
		return nil, &wire.SocketRequest{Body: s.request(n.Get("response"))}
	case "response.cancel":
		return s.refuses("response_cancel_not_active", "Cancellation failed: no active response found"), nil
	default:
		return s.refuses("invalid_value", "Invalid value: "+strconv.Quote(kind)+". The mock provider plays text: it takes session.update, conversation.item.create, conversation.item.delete, response.create and response.cancel."), nil
	}
}

func (s *realtimeSession) refuses(code, message string) [][]byte {
	return [][]byte{realtimeError(wire.NewNode(wire.Fields{{Key: "type", Value: "invalid_request_error"}, {Key: "code", Value: code}, {Key: "message", Value: message}, {Key: "param", Value: nil}}))}
}

// realtimeError is the event of an error. It is the answer to an event of the client, and so has no
// number among those of the session.
func realtimeError(said *wire.Node) []byte {
	if said == nil {
		said = wire.NewNode(wire.Fields{{Key: "type", Value: "server_error"}, {Key: "code", Value: nil}, {Key: "message", Value: "The server had an error while processing your request."}})
	}
	return wire.Fields{{Key: "type", Value: "error"}, {Key: "event_id", Value: "event_error"}, {Key: "error", Value: wire.Raw(said.JSON())}}.JSON()
}

// create adds an item of the client to the conversation.
func (s *realtimeSession) create(n *wire.Node) [][]byte {
	for _, part := range n.Get("content").All() {
		if kind := part.Get("type").Text(); strings.Contains(kind, "audio") {
			return s.refuses("invalid_value", "The mock provider plays text: it takes no part of the type "+kind+".")
		}
	}
	if !n.Is(wire.Object) {
		return s.refuses("missing_required_parameter", "Missing required parameter: 'item'.")
	}
	item := set(set(n.AsFields(), "object", "realtime.item"), "status", "completed")
	if n.Get("id").Text() == "" {
		s.named++
		item = set(item, "id", "item_"+strconv.Itoa(s.named))
	}
	s.items = append(s.items, item)
	return s.tellsItem(item)
}

func (s *realtimeSession) tellsItem(item wire.Fields) [][]byte {
	added := s.says(wire.Fields{{Key: "type", Value: "conversation.item.added"}, {Key: "previous_item_id", Value: nil}, {Key: "item", Value: item}})
	return append(added, s.says(wire.Fields{{Key: "type", Value: "conversation.item.done"}, {Key: "previous_item_id", Value: nil}, {Key: "item", Value: item}})...)
}

func (s *realtimeSession) remove(id string) [][]byte {
	for i, item := range s.items {
		if wire.NewNode(item).Get("id").Text() == id {
			s.items = append(s.items[:i:i], s.items[i+1:]...)
			return s.says(wire.Fields{{Key: "type", Value: "conversation.item.deleted"}, {Key: "item_id", Value: id}})
		}
	}
	return s.refuses("item_delete_invalid_item_id", "Error deleting item: the item with id '"+id+"' does not exist.")
}

// request returns the request over HTTP for a response. What the event says of it goes before what
// the session says.
func (s *realtimeSession) request(of *wire.Node) []byte {
	session := wire.NewNode(s.session)
	req := wire.Fields{{Key: "model", Value: session.Get("model").Text()}, {Key: "store", Value: false}, {Key: "stream", Value: true}}
	said := func(key string) *wire.Node {
		if value := of.Get(key); value != nil {
			return value
		}
		return session.Get(key)
	}
	if said("instructions").Text() != "" {
		req = req.With("instructions", said("instructions").Text())
	}
	if tools := said("tools"); len(tools.All()) > 0 {
		req = req.With("tools", wire.Raw(tools.JSON()))
		if choice := said("tool_choice"); choice != nil {
			req = req.With("tool_choice", wire.Raw(choice.JSON()))
		}
	}
	var input []any
	if own := of.Get("input"); own != nil {
		for _, item := range own.All() {
			input = append(input, asInput(item))
		}
	} else if of.Get("conversation").Text() != "none" {
		for _, item := range s.items {
			input = append(input, asInput(wire.NewNode(item)))
		}
	}
	return req.With("input", input).JSON()
}

// asInput returns an item of a conversation as one of a request over HTTP.
func asInput(item *wire.Node) wire.Fields {
	in := wire.Fields{}
	for key, value := range item.Fields() {
		switch key {
		case "id", "object", "status":
		case "content":
			var parts []any
			for _, part := range value.All() {
				kind := part.Get("type").Text()
				if kind == "text" { // as it was called before
					kind = map[bool]string{true: "output_text", false: "input_text"}[item.Get("role").Text() == "assistant"]
				}
				parts = append(parts, set(part.AsFields(), "type", kind))
			}
			in = in.With(key, parts)
		default:
			in = in.With(key, wire.Raw(value.JSON()))
		}
	}
	return in
}

// Tells returns what the client is told of an event of a response over HTTP.
func (s *realtimeSession) Tells(event *wire.Node) [][]byte {
	kind := event.Get("type").Text()
	switch {
	case kind == "error":
		return [][]byte{realtimeError(event)}
	case kind == "response.created":
		s.answer, s.calls = event.Get("response").Get("id").Text(), map[string]wire.Fields{}
		return s.says(wire.Fields{{Key: "type", Value: kind}, {Key: "response", Value: s.response("in_progress", nil, nil)}})
	case endsResponse(event):
		return s.done(event.Get("response"))
	case strings.Contains(kind, "reasoning") || event.Get("item").Get("type").Text() == "reasoning":
		return nil
	case kind == "response.output_item.added" || kind == "response.output_item.done":
		return s.item(kind, event)
	case strings.HasPrefix(kind, "response.output_text.") || strings.HasPrefix(kind, "response.content_part.") || strings.HasPrefix(kind, "response.function_call_arguments."):
		told := event.AsFields().Without("sequence_number").Without("logprobs").Without("obfuscation").With("response_id", s.answer)
		if part := event.Get("part"); part != nil {
			told = set(told, "part", wire.Fields{{Key: "type", Value: "text"}, {Key: "text", Value: part.Get("text").Text()}})
		}
		for _, f := range s.calls[event.Get("item_id").Text()] {
			told = set(told, f.Key, f.Value)
		}
		return s.says(told)
	}
	return nil
}

// item tells of an item of a response, which is then one of the conversation.
func (s *realtimeSession) item(kind string, event *wire.Node) [][]byte {
	n := event.Get("item")
	item := set(n.AsFields(), "object", "realtime.item")
	if n.Get("type").Text() == "function_call" {
		s.calls[n.Get("id").Text()] = wire.Fields{{Key: "call_id", Value: n.Get("call_id").Text()}, {Key: "name", Value: n.Get("name").Text()}}
	}
	told := s.says(wire.Fields{{Key: "type", Value: kind}, {Key: "response_id", Value: s.answer}, {Key: "output_index", Value: wire.Raw(event.Get("output_index").JSON())}, {Key: "item", Value: item}})
	if kind == "response.output_item.done" {
		s.items = append(s.items, item)
		told = append(told, s.tellsItem(item)...)
	}
	return told
}

// done tells that a response is over.
func (s *realtimeSession) done(response *wire.Node) [][]byte {
	var output []any
	for _, item := range response.Get("output").All() {
		if item.Get("type").Text() != "reasoning" {
			output = append(output, set(item.AsFields(), "object", "realtime.item"))
		}
	}
	usage := wire.Fields{}
	for key, value := range response.Get("usage").Fields() {
		usage = usage.With(strings.Replace(key, "put_tokens_details", "put_token_details", 1), wire.Raw(value.JSON()))
	}
	return s.says(wire.Fields{{Key: "type", Value: "response.done"}, {Key: "response", Value: s.response(response.Get("status").Text(), output, usage)}})
}

func (s *realtimeSession) response(status string, output []any, usage wire.Fields) wire.Fields {
	if output == nil {
		output = []any{}
	}
	told := wire.Fields{
		{Key: "object", Value: "realtime.response"}, {Key: "id", Value: s.answer}, {Key: "status", Value: status}, {Key: "status_details", Value: nil},
		{Key: "output", Value: output}, {Key: "output_modalities", Value: []any{"text"}}, {Key: "usage", Value: nil},
	}
	if usage != nil {
		told = set(told, "usage", usage)
	}
	return told
}
