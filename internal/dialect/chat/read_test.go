package chat_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/wire"
)

func read(t *testing.T, body string) *wire.Request {
	t.Helper()
	req, err := chat.Read([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return req
}

func TestReadWholeRequest(t *testing.T) {
	req := read(t, `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[
		{"role":"developer","content":"Be terse."},
		{"role":"user","content":[{"type":"text","text":"What is "},{"type":"image_url","image_url":{}},{"type":"text","text":"this?"}]},
		{"role":"assistant","content":null,"reasoning_content":"","reasoning":"x","reasoning_details":[{"type":"reasoning.text"}],
			"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}},{"id":"c2","function":{"name":"see","arguments":{"n":2}}}]},
		{"role":"tool","tool_call_id":"c1","content":"a cat"}],
		"tools":[{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object"}}}]}`)
	if req.Model != "m" || !req.Stream || !chat.UsageWanted(req) {
		t.Errorf("read the model %q, stream %v, usage %v", req.Model, req.Stream, chat.UsageWanted(req))
	}
	var roles []wire.Role
	for _, m := range req.Messages {
		roles = append(roles, m.Role)
	}
	if diff := cmp.Diff([]wire.Role{wire.System, wire.User, wire.Assistant, wire.Tool}, roles); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
	if m := req.Messages[0]; m.RoleWord != "developer" || m.Content.Text != "Be terse." {
		t.Errorf("the first message is %q: %q", m.RoleWord, m.Content.Text)
	}
	if c := req.Messages[1].Content; c.Text != "What is this?" || len(c.Parts) != 3 || c.Parts[1].Type != "image_url" {
		t.Errorf("the parts are %+v", c)
	}
	turn := req.Messages[2]
	if r := turn.Reasoning; r.Field != "reasoning_content" || !r.Text.Is(wire.String) || len(r.Details) != 1 {
		t.Errorf("the reasoning is %+v", r)
	}
	if a := turn.Calls[0]; a.ID != "c1" || a.Name != "look" || a.Arguments != `{"n":1}` || a.ArgsNode.Pointer() != "/messages/2/tool_calls/0/function/arguments" {
		t.Errorf("the first call is %+v at %s", a, a.ArgsNode.Pointer())
	}
	if b := turn.Calls[1]; b.Arguments != `{"n":2}` || b.ArgsNode.Is(wire.String) {
		t.Errorf("the arguments sent as an object are %s", b.Arguments)
	}
	if r := req.Messages[3].Results[0]; r.CallID != "c1" || r.Content.Text != "a cat" || r.IDNode.Pointer() != "/messages/3/tool_call_id" {
		t.Errorf("the result is %+v", r)
	}
	if d := req.Tools[0]; d.Name != "look" || d.Description != "Looks." || string(d.Parameters.Raw) != `{"type":"object"}` {
		t.Errorf("the tool is %+v", d)
	}
}

func TestReadRefusesOnlyWhatIsNoObject(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"", "it is empty"},
		{`{"model":`, "it breaks off after 9 bytes"},
		{"[]", "it is an array, not an object"},
		{"null", "it is null, not an object"},
		{`"hello"`, "it is a string, not an object"},
		{"{} {}", "more follows after the JSON value, at offset 4"},
	} {
		if _, err := chat.Read([]byte(c.body)); err == nil || err.Error() != c.want {
			t.Errorf("%q gave the error %v, want %s", c.body, err, c.want)
		}
	}
}

// Values of every JSON type. Each is in each place of a request in turn.
var anyValue = []string{"null", "true", "12", `"text"`, "[]", "{}", `[null]`, `["text"]`, `[{}]`, `[[[]]]`, `{"name":[]}`, `{"function":1}`}

// Whatever is where, reading continues, and what was sent can be found by its pointer with the
// bytes it had.
func TestReadSurvivesWrongTypesEverywhere(t *testing.T) {
	places := []struct{ body, pointer string }{
		{`{"model":%s}`, "/model"},
		{`{"stream":%s}`, "/stream"},
		{`{"stream_options":%s}`, "/stream_options"},
		{`{"stream_options":{"include_usage":%s}}`, "/stream_options/include_usage"},
		{`{"messages":%s}`, "/messages"},
		{`{"messages":[{"role":"user"},%s]}`, "/messages/1"},
		{`{"messages":[{"role":%s}]}`, "/messages/0/role"},
		{`{"messages":[{"role":"user","content":%s}]}`, "/messages/0/content"},
		{`{"messages":[{"role":"user","content":[%s]}]}`, "/messages/0/content/0"},
		{`{"messages":[{"role":"user","content":[{"type":%s}]}]}`, "/messages/0/content/0/type"},
		{`{"messages":[{"role":"user","content":[{"type":"text","text":%s}]}]}`, "/messages/0/content/0/text"},
		{`{"messages":[{"role":"assistant","reasoning_content":%s}]}`, "/messages/0/reasoning_content"},
		{`{"messages":[{"role":"assistant","reasoning_details":%s}]}`, "/messages/0/reasoning_details"},
		{`{"messages":[{"role":"assistant","tool_calls":%s}]}`, "/messages/0/tool_calls"},
		{`{"messages":[{"role":"assistant","tool_calls":[%s]}]}`, "/messages/0/tool_calls/0"},
		{`{"messages":[{"role":"assistant","tool_calls":[{"id":%s}]}]}`, "/messages/0/tool_calls/0/id"},
		{`{"messages":[{"role":"assistant","tool_calls":[{"function":%s}]}]}`, "/messages/0/tool_calls/0/function"},
		{`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":%s}}]}]}`, "/messages/0/tool_calls/0/function/name"},
		{`{"messages":[{"role":"assistant","tool_calls":[{"function":{"arguments":%s}}]}]}`, "/messages/0/tool_calls/0/function/arguments"},
		{`{"messages":[{"role":"tool","tool_call_id":%s}]}`, "/messages/0/tool_call_id"},
		{`{"tools":%s}`, "/tools"},
		{`{"tools":[%s]}`, "/tools/0"},
		{`{"tools":[{"function":%s}]}`, "/tools/0/function"},
		{`{"tools":[{"function":{"name":%s,"parameters":%[1]s}}]}`, "/tools/0/function/parameters"},
	}
	for _, p := range places {
		for _, value := range anyValue {
			body := fmt.Sprintf(p.body, value)
			var found *wire.Node
			read(t, body).Body.Walk(func(n *wire.Node) {
				if n.Pointer() == p.pointer {
					found = n
				}
			})
			if found == nil || string(found.Raw) != value {
				t.Errorf("in %s nothing is kept of %s", body, p.pointer)
			}
		}
	}
}

func TestWrongTypesAreMissingValues(t *testing.T) {
	req := read(t, `{"model":1,"stream":"true","messages":[{"role":7,"content":{"text":"a"},"tool_calls":[]},
		{"role":"assistant","tool_calls":"x","reasoning_details":{}},{"role":"tool","tool_call_id":1,"content":5}],"tools":{}}`)
	if req.Model != "" || req.Stream || len(req.Tools) != 0 || len(req.Messages) != 3 {
		t.Errorf("read %+v", req)
	}
	if m := req.Messages[0]; m.Role != wire.Unknown || m.RoleWord != "" || !m.Content.Blank() || !m.Content.Node.Is(wire.Object) {
		t.Errorf("the first message is %+v", m)
	}
	if m := req.Messages[1]; len(m.Calls) != 0 || len(m.Reasoning.Details) != 0 {
		t.Errorf("the second message is %+v", m)
	}
	if r := req.Messages[2].Results[0]; r.CallID != "" || !r.IDNode.Is(wire.Number) || !r.Content.Node.Is(wire.Number) {
		t.Errorf("the result is %+v", r)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"arguments":"\ud800"}}],"content":[{"type":"text"}]}]}`))
	f.Add([]byte(`{"tools":[{"function":{"name":null}}],"messages":[[],{"role":"tool"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		req, err := chat.Read(body)
		if err != nil {
			return
		}
		chat.UsageWanted(req)
		for i := range req.Messages {
			req.AnswersTo(i)
		}
	})
}
