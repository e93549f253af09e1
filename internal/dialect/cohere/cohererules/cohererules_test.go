package cohererules_test

import (
	_ "embed"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/cohere"
	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

//go:embed testdata/request.json
var wholeRequest []byte

// TestForm: each node of the form has a request that breaks its rule there, and no other rule.
func TestForm(t *testing.T) {
	CheckForm(t, cohere.Form(), "cohere", wholeRequest, map[string][]string{
		"request.messages[](assistant).tool_calls[] type":     {"pairing/ids-present", "pairing/result-names-a-call", "egress/call-has-name"},
		"request.messages[](assistant).tool_calls[].function": {"egress/call-has-name"},
		"request.messages[](assistant).tool_calls type":       {"pairing/result-names-a-call", "pairing/no-orphan-result"},
	})
}

// TestFormTakes: what correct clients send, and what the description and the guides allow, has the form.
func TestFormTakes(t *testing.T) {
	CheckTaken(t, cohere.API, wholeRequest, "messages", `
		{"role":"user","content":"So?"}
		{"role":"system","content":"Be brief."}
		{"role":"assistant","content":"Yes."}
		{"role":"assistant","content":[{"type":"text","text":"Yes."}],"citations":[{"start":0,"end":1,"text":"Y","sources":[]}]}
		{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"a","arguments":"{}"}}]}
		{"role":"assistant","content":null,"tool_plan":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"a","arguments":"{}"}}]}
		{"role":"tool","tool_call_id":"a","content":"4 C"}
		{"role":"tool","tool_call_id":"a","content":[{"type":"document","document":{"data":"{\"weather\":\"20 C\"}"}}]}`, `
		{"documents":["Oslo is cold."]}
		{"thinking":{"token_budget":500}}
		{"citation_options":{"mode":"accurate"}}
		{"response_format":{"type":"json_object"}}`)
}

// TestPlan: what the model said beside calls is no text.
func TestPlan(t *testing.T) {
	const calls = `,"tool_calls":[{"id":"a","type":"function","function":{"name":"a","arguments":"{}"}}]}`
	for message, want := range map[string]string{
		`{"role":"assistant","content":"I look."` + calls:                                  "/messages/0/content",
		`{"role":"assistant","content":[{"type":"text","text":"I look."}]` + calls:         "/messages/0/content/0/text",
		`{"role":"assistant","content":""` + calls:                                         "",
		`{"role":"assistant","content":[{"type":"thinking","thinking":"I look."}]` + calls: "",
		`{"role":"assistant","tool_plan":"I look."` + calls:                                "",
		`{"role":"assistant","content":"Hi."}`:                                             "",
	} {
		p := Profile(t, "cohere")
		req, err := p.Speaks.Read([]byte(`{"model":"m","messages":[` + message + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range rulebook.CheckRequest(t.Context(), p, nil, &trace.Exchange{Request: req}) {
			if f.Rule == "egress/plan-beside-calls" {
				got += f.Pointer
			}
		}
		if got != want {
			t.Errorf("%s: a text beside calls at %q, want %q", message, got, want)
		}
	}
}
