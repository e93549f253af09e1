package messages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/wire"
)

const history = `{
 "model":"claude","stream":true,"thinking":{"type":"adaptive"},
 "system":[{"type":"text","text":"Be terse.","cache_control":{"type":"ephemeral"}}],
 "messages":[
  {"role":"user","content":"Go."},
  {"role":"assistant","content":[
    {"type":"thinking","thinking":"I look.","signature":"s"},
    {"type":"redacted_thinking","data":"d"},
    {"type":"text","text":"One "},{"type":"text","text":"moment."},
    {"type":"tool_use","id":"t1","name":"look","input":{"n": 9007199254740993}}]},
  {"role":"user","content":[
    {"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"4 C"},{"type":"image"}]},
    {"type":"text","text":"And now?"}]}],
 "tools":[{"name":"look","description":"Looks.","input_schema":{"type":"object"}},{"type":"mcp_toolset","mcp_server_name":"m"}]}`

func TestRead(t *testing.T) {
	req, err := messages.Read([]byte(history))
	if err != nil {
		t.Fatal(err)
	}
	if req.Dialect != messages.API || req.Model != "claude" || !req.Stream || !messages.ThinkingWanted(req) {
		t.Errorf("read %q, %q, %v", req.Dialect.Name, req.Model, req.Stream)
	}
	type seen struct {
		At, Text string
		Role     wire.Role
		Calls    []string
		Results  []string
		Blocks   int
	}
	var got []seen
	for _, m := range req.Messages {
		s := seen{At: m.Node.Pointer(), Text: m.Content.Text, Role: m.Role, Blocks: len(m.Reasoning.Details)}
		for _, c := range m.Calls {
			s.Calls = append(s.Calls, c.Node.Pointer()+" "+c.ID+" "+c.Name+" "+c.Arguments)
		}
		for _, r := range m.Results {
			s.Results = append(s.Results, r.Node.Pointer()+" "+r.CallID+" "+r.Content.Text+" "+r.IDNode.Pointer()+" "+fmt.Sprint(r.Failed))
		}
		got = append(got, s)
	}
	want := []seen{
		{At: "/system", Text: "Be terse.", Role: wire.System},
		{At: "/messages/0", Text: "Go.", Role: wire.User},
		{At: "/messages/1", Text: "One moment.", Role: wire.Assistant, Blocks: 2, Calls: []string{`/messages/1/content/4 t1 look {"n": 9007199254740993}`}},
		{At: "/messages/2", Text: "And now?", Role: wire.User, Results: []string{"/messages/2/content/0 t1 4 C /messages/2/content/0/tool_use_id true"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the messages (-want +got):\n%s", diff)
	}
	if len(req.Tools) != 2 || !req.Tools[1].Own || req.Tools[0].Own || req.Tools[0].Name != "look" || req.Tools[0].Description != "Looks." || req.Tools[0].Parameters.Pointer() != "/tools/0/input_schema" {
		t.Errorf("the tools are %+v", req.Tools)
	}
}

// What has a wrong type is missing in neutral words, and nothing panics.
func TestReadOdd(t *testing.T) {
	for _, c := range []struct {
		body     string
		err      string
		messages int
	}{
		{`{`, "it breaks off after 1 byte", 0},
		{`[]`, "it is an array, not an object", 0},
		{`{}`, "", 0},
		{`{"messages":{}}`, "", 0},
		{`{"messages":[1,null,"a",{}]}`, "", 4},
		{`{"system":7,"messages":[{"role":"assistant","content":[{"type":"tool_use"},{"type":"tool_result"},{"type":7},7]}]}`, "", 2},
		{`{"tools":{},"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":7,"content":7,"is_error":"yes"}]}]}`, "", 1},
		{`{"thinking":"adaptive","messages":[]}`, "", 0},
	} {
		req, err := messages.Read([]byte(c.body))
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: the error is %v, want %s", c.body, err, c.err)
			}
			continue
		}
		if err != nil || len(req.Messages) != c.messages || messages.ThinkingWanted(req) {
			t.Errorf("%s: %d messages, %v", c.body, len(req.Messages), err)
		}
	}
}

// A tool_result may hold documents and search results:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
func TestReadTextsOfAResult(t *testing.T) {
	for content, want := range map[string]string{
		`[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"4 C"}}]`:                                  "4 C",
		`[{"type":"document","source":{"type":"content","content":"4 C"}}]`:                                                      "4 C",
		`[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"4"},{"type":"text","text":" C"}]}}]`:   "4 C",
		`[{"type":"search_result","source":"https://example.com","title":"Oslo","content":[{"type":"text","text":"4 C"}]}]`:      "4 C",
		`[{"type":"text","text":"Oslo: "},{"type":"document","source":{"type":"text","data":"4 C"}},{"type":"image"}]`:           "Oslo: 4 C",
		`[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"NCBD"}},{"type":"search_result"}]`: "",
	} {
		req, err := messages.Read([]byte(`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":` + content + `}]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := req.Messages[0].Results[0].Content.Text; got != want {
			t.Errorf("%s is read as %q, want %q", content, got, want)
		}
	}
}

// TestToolsThatComeAndGo: what the system offers and withdraws in the middle of a conversation counts at
// its end.
func TestToolsThatComeAndGo(t *testing.T) {
	req, err := messages.Read([]byte(`{"tools":[{"name":"knock"},{"name":"bash"}],"messages":[
		{"role":"user","content":"Go on."},
		{"role":"system","content":[
			{"type":"tool_removal","tool":{"type":"tool_reference","name":"knock"}},
			{"type":"tool_removal","tool":{"type":"tool_reference","name":"bash"}},
			{"type":"tool_addition","tool":{"type":"tool_reference","name":"bash"}},
			{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"look","input_schema":{}}}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range req.Offered() {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "bash look" {
		t.Errorf("offered are %s", got)
	}
}
