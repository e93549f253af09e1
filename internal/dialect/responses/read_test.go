package responses_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/wire"
)

// told describes the messages of a request, one a line.
func told(req *wire.Request) string {
	var b strings.Builder
	for _, m := range req.Messages {
		fmt.Fprintf(&b, "%s %q", m.Role, m.Content.Text)
		if len(m.Reasoning.Details) > 0 {
			fmt.Fprintf(&b, " thinks %d", len(m.Reasoning.Details))
		}
		for _, c := range m.Calls {
			fmt.Fprintf(&b, " calls %s %s %s", c.ID, c.Name, c.Arguments)
		}
		for _, r := range m.Results {
			fmt.Fprintf(&b, " for %s", r.CallID)
		}
		fmt.Fprintf(&b, " at %s\n", m.Node.Pointer())
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a text", `{"input":"Go."}`, "user \"Go.\" at /input\n"},
		{"instructions", `{"instructions":"Be terse.","input":[{"role":"developer","content":"Now."}]}`, "system \"Be terse.\" at /instructions\nsystem \"Now.\" at /input/0\n"},
		{"no instructions", `{"instructions":null,"input":[]}`, ""},
		{"parts", `{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"data:"},{"type":"input_text","text":"b"}]}]}`, "user \"ab\" at /input/0\n"},
		{"a turn of several items", `{"input":[
			{"type":"reasoning","id":"rs_1","summary":[]},
			{"type":"message","role":"assistant","content":[{"type":"output_text","text":"One moment."}]},
			{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},
			{"type":"custom_tool_call","call_id":"c2","name":"g","input":"free text"},
			{"type":"function_call_output","call_id":"c1","output":"1"},
			{"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"2"}]},
			{"role":"assistant","content":"Done."}]}`,
			"assistant \"One moment.\" thinks 1 calls c1 f {} calls c2 g free text at /input/0\ntool \"1\" for c1 at /input/4\ntool \"2\" for c2 at /input/5\nassistant \"Done.\" at /input/6\n"},
		{"calls and results in turns", `{"input":[{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":""},{"type":"function_call","call_id":"c2","name":"f","arguments":"{}"}]}`,
			"assistant \"\" calls c1 f {} at /input/0\ntool \"\" for c1 at /input/1\nassistant \"\" calls c2 f {} at /input/2\n"},
		{"a call of a tool that came later", `{"input":[{"type":"function_call","call_id":"c1","namespace":"look","name":"look","arguments":"{}"}]}`, "assistant \"\" calls c1 look {} at /input/0\n"},
		{"a call in a namespace", `{"input":[{"type":"function_call","call_id":"c1","namespace":"mcp__eyes","name":"look","arguments":"{}"}]}`, "assistant \"\" calls c1 mcp__eyes.look {} at /input/0\n"},
		{"items of others", `{"input":[{"type":"web_search_call"},{"type":"acme:search"},{"type":"weird"},{"type":"mcp_approval_response"},4,{"role":"tool"}]}`,
			"assistant \"\" at /input/0\n \"\" at /input/2\n \"\" at /input/3\n \"\" at /input/4\n \"\" at /input/5\n"},
		{"arguments that are no text", `{"input":[{"type":"function_call","call_id":4,"arguments":{"a":1}}]}`, "assistant \"\" calls   {\"a\":1} at /input/0\n"},
		{"wrong types", `{"input":4,"tools":{},"instructions":[]}`, "system \"\" at /instructions\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := responses.Read([]byte(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if got := told(req); got != c.want {
				t.Errorf("read as\n%swant\n%s", got, c.want)
			}
		})
	}
	for _, body := range []string{"", "[]", "{", `"x"`} {
		if _, err := responses.Read([]byte(body)); err == nil {
			t.Errorf("%q is read", body)
		}
	}
}

// TestResultsStandAnywhere: the result of a call is found after other messages.
func TestResultsStandAnywhere(t *testing.T) {
	req, err := responses.Read([]byte(`{"input":[{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},{"role":"user","content":"Wait."},{"type":"function_call_output","call_id":"c1","output":"1"},{"type":"function_call_output","call_id":"c2","output":"2"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if results, next := req.AnswersTo(0); len(results) != 1 || results[0].CallID != "c1" || next != 1 {
		t.Errorf("found %v before %d", results, next)
	}
}

func TestTools(t *testing.T) {
	req, err := responses.Read([]byte(`{"input":"Go.","tools":[{"type":"function","name":"f","description":"d","parameters":{},"strict":true},{"type":"web_search"},{"type":"custom","name":"g"}]}`))
	if err != nil || len(req.Tools) != 3 {
		t.Fatalf("read %v, %v", req.Tools, err)
	}
	if f := req.Tools[0]; f.Name != "f" || f.Description != "d" || !f.Strict || f.Own || f.Parameters == nil {
		t.Errorf("the function is %+v", f)
	}
	if !req.Tools[1].Own || req.Tools[2].Own {
		t.Error("web_search is the provider's own tool, and no other")
	}
}

func TestDemands(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`{}`, "auto [] 0 false false"},
		{`{"tool_choice":"required","max_output_tokens":20}`, "required [] 20 false false"},
		{`{"tool_choice":"none"}`, "none [] 0 false false"},
		{`{"tool_choice":{"type":"function","name":"f"}}`, "required [f] 0 false false"},
		{`{"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"f"},{"name":4}]}}`, "required [f] 0 false false"},
		{`{"tool_choice":{"type":"web_search"}}`, "auto [] 0 false false"},
		{`{"text":{"format":{"type":"json_schema","strict":true,"schema":{}}}}`, "auto [] 0 true true"},
		{`{"text":{"format":{"type":"json_schema","schema":{}}}}`, "auto [] 0 true false"},
		{`{"text":{"format":{"type":"json_object"}}}`, "auto [] 0 true true"},
	} {
		req, err := responses.Read([]byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		d := responses.Demands(req)
		choice := d.Tools.Choice
		if choice == "" {
			choice = wire.ChoiceAuto
		}
		if got := fmt.Sprint(choice, " ", d.Tools.Only, " ", d.MaxTokens, " ", d.WantsJSON, " ", d.JSON); got != c.want {
			t.Errorf("%s demands %s, want %s", c.body, got, c.want)
		}
	}
}

func TestReadImage(t *testing.T) {
	for _, c := range []struct{ part, want string }{
		{`{"type":"input_image","image_url":"data:image/png;base64,aGk="}`, "image/png hi  "},
		{`{"type":"input_image","image_url":"https://example.com/a.png"}`, "  https://example.com/a.png "},
		{`{"type":"input_image","file_id":"file_1"}`, "  file_1 "},
		{`{"type":"input_image"}`, "   no image_url"},
		{`{"type":"input_image","image_url":"aGk="}`, "   a value without the 'data:' prefix"},
		{`{"type":"input_image","image_url":"data:hi"}`, "   an invalid base64-encoded value"},
	} {
		n, _ := wire.ParseNode([]byte(c.part))
		image, ok := responses.ReadImage(wire.Part{Node: n, Type: n.Get("type").Text()})
		if got := fmt.Sprintf("%s %s %s %s", image.MediaType, image.Data, image.URL, image.Problem); !ok || got != c.want {
			t.Errorf("%s is %q, want %q", c.part, got, c.want)
		}
	}
	if _, ok := responses.ReadImage(wire.Part{Type: "input_text"}); ok {
		t.Error("a text is an image")
	}
	body, _ := wire.ParseNode([]byte(`{"input":[{"output":[{"image_url":"x"}]}]}`))
	if got := responses.Place(body.At("/input/0/output/0")); got != "input[0].output[0]" {
		t.Errorf("the place is %s", got)
	}
}

// TestToolsThatComeLater: what is offered in the middle of the input is offered at its end.
func TestToolsThatComeLater(t *testing.T) {
	req, err := responses.Read([]byte(`{"tools":[{"type":"function","name":"bash"}],"input":[{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"look"}]}]}`))
	if err != nil || len(req.Tools) != 1 {
		t.Fatalf("read %+v, %v", req, err)
	}
	if offered := req.Offered(); len(offered) != 2 || offered[1].Name != "look" {
		t.Errorf("offered are %+v", offered)
	}
}

// TestReadNamespaces: the tools of a namespace have its name before theirs, and each its own place.
func TestReadNamespaces(t *testing.T) {
	req, err := responses.Read([]byte(`{"tools":[{"type":"function","name":"bash"},{"type":"namespace","name":"mcp__eyes","tools":[{"type":"function","name":"look"},{"type":"custom","name":"draw"}]},{"type":"namespace"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tool := range req.Tools {
		got = append(got, fmt.Sprintf("%s at %s, own %v", tool.Name, tool.Node.Pointer(), tool.Own))
	}
	want := []string{"bash at /tools/0, own false", "mcp__eyes.look at /tools/1/tools/0, own false", "mcp__eyes.draw at /tools/1/tools/1, own false", " at /tools/2, own true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
