package engine_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// idsOf returns the id of an answer and that of its first call.
func idsOf(t *testing.T, a answer) (completion, call string) {
	t.Helper()
	var body struct {
		ID      string
		Choices []struct {
			Message struct {
				ToolCalls []struct{ ID string } `json:"tool_calls"`
			}
		}
	}
	if err := json.Unmarshal([]byte(a.body), &body); err != nil || a.status != http.StatusOK {
		t.Fatalf("the answer is %d %s", a.status, a.body)
	}
	if calls := body.Choices[0].Message.ToolCalls; len(calls) > 0 {
		call = calls[0].ID
	}
	return body.ID, call
}

// Equal requests get the same ids, and where that is asked for unique ones, by whatever says how
// the provider behaves.
func TestUniqueIDs(t *testing.T) {
	const calls = "model: [{calls: [{as: a, tool: look, arguments: '{}'}]}]\n"
	unique := scenarios.UniqueIDs
	for _, c := range []struct {
		name, script, header string
		config               *scenarios.Behaviour
		unique               bool
	}{
		{"as usual", calls, "", nil, false},
		{"in the script", "behaviour: {ids: unique}\n" + calls, "", nil, true},
		{"at the step", strings.Replace(calls, "{calls", "{behaviour: {ids: unique}, calls", 1), "", nil, true},
		{"of the server", calls, "", &scenarios.Behaviour{IDs: &unique}, true},
		{"of the request", calls, "ids: unique", nil, true},
		{"but not of this one", "behaviour: {ids: unique}\n" + calls, "ids: same", nil, false},
	} {
		srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{script(t, "hello", c.script)}, Behaviour: c.config})
		completions, ids := map[string]bool{}, map[string]bool{}
		for range 3 {
			req, err := http.NewRequest(http.MethodPost, srv.URL+"/v1/chat/completions", strings.NewReader(hello))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set(engine.BehaviourHeader, c.header)
			completion, call := idsOf(t, send(t, req))
			completions[completion], ids[call] = true, true
		}
		if want := map[bool]int{false: 1, true: 3}[c.unique]; len(completions) != want || len(ids) != want {
			t.Errorf("%s: three equal requests get the ids %v and %v, want %d of each", c.name, completions, ids, want)
		}
	}
}

// The answers of a conversation may have unique ids, too; those of its calls tell where in it a
// request is.
func TestUniqueIDsInAConversation(t *testing.T) {
	s := scenario(t, "behaviour: {ids: unique}\ntools: {look: {results: [{text: a}]}}\nmodel: [{calls: [{as: a, tool: look, arguments: '{}'}]}, {text: Done.}]\n")
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{s}})
	one, call := idsOf(t, ask(t, srv.URL, hello))
	two, again := idsOf(t, ask(t, srv.URL, hello))
	if one == two || call != again {
		t.Errorf("the answers have the ids %s and %s, their calls %s and %s", one, two, call, again)
	}
}

// An answer and a call may have ids of one's own, with values of the request in them.
func TestOwnIDs(t *testing.T) {
	s := script(t, "hello", `model: [{id: 'chatcmpl-{{ turn }}', calls: [{as: a, tool: look, arguments: '{}', id: call_mine}]}]`+"\n")
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{s}})
	if completion, call := idsOf(t, ask(t, srv.URL, hello)); completion != "chatcmpl-1" || call != "call_mine" {
		t.Errorf("the ids are %s and %s", completion, call)
	}
}

// One condition tells requests for JSON from others, in both dialects. A forced tool is none.
func TestWantsJSON(t *testing.T) {
	s := script(t, "hello", "model:\n  - {when: {wants-json: true}, text: '{\"answer\":1}'}\n  - {when: {wants-json: false}, text: plain}\n")
	for _, c := range []struct {
		profile, request string
		json             bool
	}{
		{"openai", `"response_format":{"type":"json_object"}`, true},
		{"openai", `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{"type":"object"}}}`, true},
		{"openai", `"response_format":{"type":"text"}`, false},
		{"openai", `"seed":1`, false},
		{"anthropic", `"output_config":{"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}}`, true},
		{"anthropic", `"output_config":{"effort":"low"}`, false},
		{"anthropic", `"stop_sequences":["x"]`, false},
	} {
		p := profile(t, c.profile)
		srv := start(t, engine.Config{Profile: p, Scenarios: []*scenarios.Scenario{s}})
		path := map[string]string{"chat": "/v1/chat/completions", "messages": "/v1/messages"}[p.Dialect]
		got := do(t, http.MethodPost, srv.URL+path, `{"model":"m","max_tokens":50,"messages":[{"role":"user","content":"Answer in JSON."}],`+c.request+`}`)
		if want := map[bool]string{true: `answer`, false: "plain"}[c.json]; !got.says(want) {
			t.Errorf("%s with %s: %d %s", c.profile, c.request, got.status, got.body)
		}
	}
	only := start(t, engine.Config{Scenarios: []*scenarios.Scenario{script(t, "hello", "model: [{when: {wants-json: true}, text: '{}'}]\n")}})
	if got := ask(t, only.URL, hello); got.status != http.StatusNotFound || !strings.Contains(got.body, "wants-json: the request does not ask for JSON by response_format") {
		t.Errorf("what is missing is told as %d %s", got.status, got.body)
	}
}

// A schema is known by its name in the request, or by its title where the dialect has no names.
func TestWantsSchema(t *testing.T) {
	s := script(t, "hello", "model:\n  - {when: {wants-schema: City}, text: {name: Oslo}}\n  - {text: plain}\n")
	const schema = `{"type":"object","title":"City","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`
	for _, c := range []struct{ profile, path, request string }{
		{"openai", "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"A"}],"response_format":{"type":"json_schema","json_schema":{"name":"City","schema":{"type":"object"}}}}`},
		{"openai-responses", "/v1/responses", `{"model":"m","input":"A","text":{"format":{"type":"json_schema","name":"City","schema":{"type":"object"}}}}`},
		{"anthropic", "/v1/messages", `{"model":"m","max_tokens":50,"messages":[{"role":"user","content":"A"}],"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}}`},
		{"gemini-3", "/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"A"}]}],"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","title":"City","properties":{"name":{"type":"STRING"}}}}}`},
	} {
		srv := start(t, engine.Config{Profile: profile(t, c.profile), Scenarios: []*scenarios.Scenario{s}})
		if got := do(t, http.MethodPost, srv.URL+c.path, c.request); !got.says("Oslo") {
			t.Errorf("%s: %d %s", c.profile, got.status, got.body)
		}
	}
}

// Unique ids, times and the ids of what is created follow from the order of the requests alone.
func TestIDsOfTheSameRequestsInTheSameOrder(t *testing.T) {
	var first []string
	for range 2 {
		srv := start(t, engine.Config{Secret: "constant", Scenarios: []*scenarios.Scenario{script(t, "hello", "behaviour: {ids: unique}\nmodel: [{text: Hello.}]\n")}})
		var got []string
		for range 3 {
			answer := ask(t, srv.URL, hello)
			id, _ := idsOf(t, answer)
			got = append(got, id, answer.header.Get("openai-processing-ms"))
			got = append(got, do(t, http.MethodPost, srv.URL+"/v1/vector_stores", "{}").body)
		}
		for i := range got {
			if got[i] == "" || i > 2 && got[i] == got[i-3] {
				t.Errorf("two requests get %q", got[i])
			}
		}
		if first == nil {
			first = got
		}
		if strings.Join(first, " ") != strings.Join(got, " ") {
			t.Errorf("one server answers %q, and another %q", first, got)
		}
	}
}
