package transcript

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/wire"
)

// readOTel reads the spans of a run, by OpenTelemetry's conventions for generative AI, into the
// conversation that they tell of: each request adds what its input has after the last turn of the
// model, and the output is the next turn. Spans below the run of a tool are those of sub-agents,
// and are passed over.
func readOTel(r *Record) {
	fold := otelFold{record: r}
	for _, span := range mainSpans(r.Doc.Items) {
		switch operation := attribute(span, "gen_ai.operation.name").Text(); {
		case operation == "execute_tool":
			id, tool := attribute(span, "gen_ai.tool.call.id").Text(), attribute(span, "gen_ai.tool.name").Text()
			r.Events = append(r.Events, Event{Node: span, Kind: EndTool, ID: id, Tool: tool, Results: attribute(span, "gen_ai.tool.call.result")})
		case attribute(span, "gen_ai.input.messages") != nil && operation != "invoke_agent":
			fold.takeRequest(span)
		}
	}
	fold.takeOpenResults()
}

// mainSpans returns the spans in the order of their start, without those below the run of a tool.
func mainSpans(all []*wire.Node) []*wire.Node {
	byID := map[string]*wire.Node{}
	for _, span := range all {
		if id := span.Get("spanId").Text(); id != "" {
			byID[id] = span
		}
	}
	known := map[*wire.Node]bool{}
	var below func(span *wire.Node) bool
	below = func(span *wire.Node) bool {
		if is, seen := known[span]; seen {
			return is
		}
		known[span] = true // so that a circle of parents ends, too
		parent := byID[span.Get("parentSpanId").Text()]
		known[span] = parent != nil && (attribute(parent, "gen_ai.operation.name").Text() == "execute_tool" || below(parent))
		return known[span]
	}
	spans := slices.DeleteFunc(slices.Clone(all), below)
	slices.SortStableFunc(spans, func(a, b *wire.Node) int { return cmp.Compare(startOf(a), startOf(b)) })
	return spans
}

// startOf returns when a span was started, in nanoseconds, which OTLP writes as a text.
func startOf(span *wire.Node) int64 {
	n, _ := strconv.ParseInt(span.Get("startTimeUnixNano").TextOrJSON(), 10, 64)
	return n
}

// attribute returns an attribute of a span, or nil: from the list of OTLP, or from an object. A text
// that is JSON is returned as that.
func attribute(span *wire.Node, key string) *wire.Node {
	value := span.Get("attributes").Get(key)
	for _, a := range span.Get("attributes").All() {
		if a.Get("key").Text() == key {
			value = plain(a.Get("value"))
		}
	}
	if text := value.Text(); text != "" && (text[0] == '[' || text[0] == '{') {
		if parsed, err := wire.ParseNode([]byte(text)); err == nil {
			return parsed
		}
	}
	return value
}

// plain returns the value in an AnyValue of OTLP.
func plain(value *wire.Node) *wire.Node {
	var buffer bytes.Buffer
	writePlain(&buffer, value)
	parsed, err := wire.ParseNode(buffer.Bytes())
	if err != nil {
		return value
	}
	return parsed
}

func writePlain(to *bytes.Buffer, value *wire.Node) {
	if list := value.Get("arrayValue"); list != nil {
		to.WriteByte('[')
		for i, item := range list.Get("values").All() {
			if i > 0 {
				to.WriteByte(',')
			}
			writePlain(to, item)
		}
		to.WriteByte(']')
		return
	}
	if object := value.Get("kvlistValue"); object != nil {
		to.WriteByte('{')
		for i, member := range object.Get("values").All() {
			if i > 0 {
				to.WriteByte(',')
			}
			to.WriteString(strconv.Quote(member.Get("key").Text()) + ":")
			writePlain(to, member.Get("value"))
		}
		to.WriteByte('}')
		return
	}
	for _, key := range []string{"stringValue", "intValue", "doubleValue", "boolValue"} {
		if n := value.Get(key); n != nil {
			to.Write(n.Raw)
			return
		}
	}
	to.WriteString("null")
}

// otelFold is the conversation so far.
type otelFold struct {
	record *Record
	begun  int // messages of the input that were added since the last turn of the model
}

// takeRequest adds what the input of a request has after the last turn of the model, and the turns
// of the output. A request that is sent again adds only what the one before did not have.
func (f *otelFold) takeRequest(span *wire.Node) {
	input := f.messages(span, "gen_ai.input.messages", "role", "parts")
	last := -1
	for i, m := range input {
		if m.Get("role").Text() == "assistant" {
			last = i
		}
	}
	fresh := input[last+1:]
	for _, m := range fresh[min(f.begun, len(fresh)):] {
		f.record.addOTel(m)
	}
	f.begun = max(f.begun, len(fresh))
	for _, m := range f.messages(span, "gen_ai.output.messages", "role", "parts", "finish_reason") {
		f.record.addOTel(m)
		f.begun = 0
	}
}

// messages returns the messages of an attribute. What they lack of the JSON Schema of the conventions
// is a problem of the record: the schema of the record does not see into a text.
func (f *otelFold) messages(span *wire.Node, key string, required ...string) []*wire.Node {
	list := attribute(span, key)
	problem := func(format string, values ...any) {
		f.record.Problems = append(f.record.Problems, Problem{span.Pointer(), fmt.Sprintf(format, values...) + " in " + key})
	}
	if list != nil && !list.Is(wire.Array) {
		problem("got %s, want a list of messages", list.Type())
	}
	for i, m := range list.All() {
		for _, property := range required {
			if m.Get(property) == nil {
				problem("missing property '%s' at /%d", property, i)
			}
		}
		for n, part := range m.Get("parts").All() {
			for _, property := range append([]string{"type"}, otelParts[part.Get("type").Text()]...) {
				if part.Get(property) == nil {
					problem("missing property '%s' at /%d/parts/%d", property, i, n)
				}
			}
		}
	}
	return list.All()
}

// otelParts are the properties that the parts of a type need. The key of a result is response in the
// JSON Schema, and result in an example of the same page: either is read.
var otelParts = map[string][]string{"text": {"content"}, "reasoning": {"content"}, "tool_call": {"name"}}

// takeOpenResults adds the results of the last turn where no request followed that has them.
func (f *otelFold) takeOpenResults() {
	messages := f.record.Conversation.Messages
	if len(messages) == 0 {
		return
	}
	last := messages[len(messages)-1]
	for _, e := range f.record.Events {
		if e.Results != nil && slices.ContainsFunc(last.Calls, func(c wire.Call) bool { return c.ID == e.ID }) {
			result := wire.Result{Node: e.Node, CallID: e.ID, IDNode: attribute(e.Node, "gen_ai.tool.call.id"), Content: otelContent(e.Results)}
			f.record.add(wire.Message{Node: e.Node, Role: wire.Tool, RoleWord: "tool", Results: []wire.Result{result}}, Note{})
		}
	}
}

// addOTel adds a message of parts. One with results and with text is read as two, results first.
func (r *Record) addOTel(n *wire.Node) {
	m := wire.Message{Node: n, RoleWord: n.Get("role").Text(), Content: wire.Content{Node: n.Get("parts")}}
	for _, part := range n.Get("parts").All() {
		switch part.Get("type").Text() {
		case "text":
			said := part.Get("content").Text()
			m.Content.Parts = append(m.Content.Parts, wire.Part{Node: part, Type: "text", Text: said})
			m.Content.Text += said
		case "tool_call":
			args := part.Get("arguments")
			m.Calls = append(m.Calls, wire.Call{Node: part, ID: part.Get("id").Text(), Name: part.Get("name").Text(), Arguments: args.TextOrJSON(), ArgsNode: args})
		case "tool_call_response":
			id, result := part.Get("id"), part.Get("response")
			if result == nil {
				result = part.Get("result")
			}
			m.Results = append(m.Results, wire.Result{Node: part, CallID: id.Text(), IDNode: id, Content: otelContent(result)})
		}
	}
	switch m.RoleWord {
	case "system", "developer":
		m.Role = wire.System
	case "user":
		m.Role = wire.User
	case "assistant":
		m.Role = wire.Assistant
	}
	if len(m.Results) > 0 {
		r.add(wire.Message{Node: n, Role: wire.Tool, RoleWord: m.RoleWord, Results: m.Results}, Note{})
		if m.Results = nil; m.Content.Text == "" {
			return
		}
	}
	r.add(m, Note{})
}

// otelContent reads a result, which may be any JSON.
func otelContent(n *wire.Node) wire.Content {
	c := content(n)
	if c.Text == "" {
		c.Text = n.TextOrJSON()
	}
	return c
}
