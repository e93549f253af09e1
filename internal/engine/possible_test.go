package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/mockprovider/schemas"
)

// What a request says besides its messages, in both dialects.
const (
	twoTools   = `"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false},"strict":true}},{"type":"function","function":{"name":"book","parameters":{"type":"object","properties":{}}}}]`
	twoToolsOf = `"tools":[{"name":"look","input_schema":{"type":"object","properties":{"city":{"type":"string"}}}},{"name":"book","input_schema":{"type":"object","properties":{}}}]`
	cityFormat = `"response_format":{"type":"json_schema","json_schema":{"name":"city","strict":STRICT,"schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}}`
	cityOutput = `"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}}`
)

// Answers that no provider could give are errors of the script; all others are given.
func TestAnswersAreHeldAgainstTheRequest(t *testing.T) {
	strict, wish := strings.Replace(cityFormat, "STRICT", "true", 1), strings.Replace(cityFormat, "STRICT", "false", 1)
	look, text := `{calls: [{as: a, tool: look, arguments: '{"city":"Oslo"}'}]}`, `{text: It is 4 C in Oslo.}`
	for _, c := range []struct{ name, profile, step, request, wrong string }{
		{"tool_choice none", "openai", look, twoTools + `,"tool_choice":"none"`, "its tool_choice forbids calls of tools, and the step calls look"},
		{"tool_choice none and a text", "openai", text, twoTools + `,"tool_choice":"none"`, ""},
		{"auto", "openai", text, twoTools + `,"tool_choice":"auto"`, ""},
		{"required", "openai", text, twoTools + `,"tool_choice":"required"`, "its tool_choice demands a call of a tool, and the step answers with a text"},
		{"required and no tools", "openai", text, `"seed":1`, ""},
		{"required and a call", "openai", look, twoTools + `,"tool_choice":"required"`, ""},
		{"required and a refusal", "openai", `{refusal: I will not.}`, twoTools + `,"tool_choice":"required"`, ""},
		{"required and no room", "openai", `{text: It is, finish: length}`, twoTools + `,"tool_choice":"required"`, ""},
		{"a named tool", "openai", text, twoTools + `,"tool_choice":{"type":"function","function":{"name":"book"}}`, "demands a call of book, and the step answers with a text"},
		{"another tool", "openai", look, twoTools + `,"tool_choice":{"type":"function","function":{"name":"book"}}`, "allows to call book, and the step calls look"},
		{"the named tool", "openai", look, twoTools + `,"tool_choice":{"type":"function","function":{"name":"look"}}`, ""},
		{"allowed tools", "openai", look, twoTools + `,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"book"}}]}}`, "allows to call book"},
		{"allowed tools and a text", "openai", text, twoTools + `,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"book"}}]}}`, ""},
		{"a provider that is not bound", "ollama", look, twoTools + `,"tool_choice":"none","n":2`, ""},
		{"one choice", "openai", text, `"n":1`, ""},
		{"stop", "openai", text, `"stop":["C in","Lima"]`, `its stop has "C in", and the text goes on after that`},
		{"stop that does not come", "openai", text, `"stop":"Lima"`, ""},
		{"max_tokens", "openai", text, `"max_tokens":2`, "its max_tokens is 2, and the answer takes at least 3 tokens"},
		{"max_completion_tokens", "openai", text, `"max_completion_tokens":1`, "its max_completion_tokens is 1"},
		{"enough tokens", "openai", text, `"max_tokens":3`, ""},
		{"a word without a blank", "openai", `{text: "` + strings.Repeat("x", 300) + `"}`, `"max_tokens":2`, "takes at least 3 tokens"},
		{"JSON mode", "openai", text, `"response_format":{"type":"json_object"}`, "its response_format wants JSON, and the text is none"},
		{"JSON in JSON mode", "openai", `{text: '{"city":4}'}`, `"response_format":{"type":"json_object"}`, ""},
		{"a strict schema", "openai", `{text: '{"city":4}'}`, strict, "does not fit the schema of its response_format: at /city: got number, want string"},
		{"no JSON for a strict schema", "openai", text, strict, "its response_format wants JSON"},
		{"fits the strict schema", "openai", `{text: '{"city":"Oslo"}'}`, strict, ""},
		{"a refusal in its place", "openai", `{refusal: I will not.}`, strict, ""},
		{"a call in its place", "openai", look, twoTools + "," + strict, ""},
		{"cut off", "openai", `{text: '{"city":', finish: length}`, strict, ""},
		{"a schema that is a wish", "openai", text, wish, ""},
		{"a strict tool", "openai", `{calls: [{as: a, tool: look, arguments: '{"town":"Oslo"}'}]}`, twoTools, "the arguments of look do not fit its strict schema: "},
		{"a tool that is not strict", "openai", `{calls: [{as: a, tool: book, arguments: '{"town":"Oslo"}'}]}`, twoTools, ""},
		{"an input that is not JSON", "anthropic", `{calls: [{as: a, tool: look, arguments: '{"city":'}]}`, `"max_tokens":9`, "the input of look is not JSON, which only a stream can carry"},
		{"the same in a stream", "anthropic", `{calls: [{as: a, tool: look, arguments: '{"city":'}]}`, `"max_tokens":9,"stream":true`, ""},
		{"the same in Chat Completions", "openai", `{calls: [{as: a, tool: look, arguments: '{"city":'}]}`, `"max_tokens":9`, ""},
		{"an answer that breaks off", "openai", `{text: It is 4 C in Oslo., cut: {after: 2 events}}`, `"max_tokens":1,"stream":true`, ""},
		{"an error", "openai", `{status: 503}`, `"n":2`, "The server is"},

		{"none in Messages", "anthropic", look, twoToolsOf + `,"tool_choice":{"type":"none"}`, "forbids calls of tools"},
		{"any", "anthropic", text, twoToolsOf + `,"tool_choice":{"type":"any"}`, "demands a call of a tool"},
		{"a tool in Messages", "anthropic", look, twoToolsOf + `,"tool_choice":{"type":"tool","name":"book"}`, "allows to call book"},
		{"stop_sequences", "anthropic", text, `"stop_sequences":["Oslo"]`, `its stop_sequences has "Oslo"`},
		{"max_tokens in Messages", "anthropic", text, `"max_tokens":1`, "its max_tokens is 1"},
		{"a schema in Messages", "anthropic", `{text: '{"city":4}'}`, cityOutput, "its output_config: at /city"},
		{"fits in Messages", "anthropic", `{text: '{"city":"Oslo"}'}`, cityOutput, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := profile(t, c.profile)
			s := script(t, "hello", "model:\n  - "+c.step+"\n")
			srv := start(t, engine.Config{Profile: p, Scenarios: []*scenarios.Scenario{s}, Schema: schemas.Check})
			path, body := "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Answer in JSON."}],`+c.request+`}`
			if p.Dialect == "messages" {
				path = "/v1/messages"
				if !strings.Contains(body, "max_tokens") {
					body = strings.Replace(body, `"model"`, `"max_tokens":100,"model"`, 1)
				}
			}
			got := do(t, http.MethodPost, srv.URL+path, body)
			switch {
			case c.wrong == "" && got.status != http.StatusOK:
				t.Errorf("the answer is %d %s", got.status, got.body)
			case c.name == "an error":
				if got.status != http.StatusServiceUnavailable {
					t.Errorf("the error is %d %s", got.status, got.body)
				}
			case c.wrong != "" && (got.status != http.StatusNotFound || !strings.Contains(unescaped(got.body), "step 1 of hello (line 4) cannot answer this request") && !strings.Contains(unescaped(got.body), "Step 1 of hello (line 4) cannot answer this request") || !strings.Contains(unescaped(got.body), c.wrong)):
				t.Errorf("the answer is %d %s, want %q", got.status, got.body, c.wrong)
			}
		})
	}
}

func unescaped(body string) string { return strings.ReplaceAll(body, `\"`, `"`) }

// Anyone who is not interested in that is answered as the script says.
func TestImpossibleAnswersOnRequest(t *testing.T) {
	s := script(t, "hello", "model: [{text: Hello.}]\n")
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{s}, AllowImpossible: true})
	if got := ask(t, srv.URL, `{"model":"m","messages":[{"role":"user","content":"Go."}],"stop":"ell"}`); !got.says("Hello.") {
		t.Errorf("the answer is %d %s", got.status, got.body)
	}
}

// Where the script says so, a text ends where the request demands it, and says why it ended.
func TestTruncatedTextsFit(t *testing.T) {
	for _, c := range []struct{ profile, request, text, finish string }{
		{"openai", `"stop":["C in","Oslo"]`, `"It is 4 "`, `"finish_reason":"stop"`},
		{"openai", `"max_tokens":2`, `"It is"`, `"finish_reason":"length"`},
		{"openai", `"max_tokens":2,"stop":"4"`, `"It is "`, `"finish_reason":"stop"`},
		{"openai", `"max_tokens":1,"stop":"4"`, `"It"`, `"finish_reason":"length"`},
		{"openai", `"max_tokens":50`, `"It is 4 C in Oslo."`, `"finish_reason":"stop"`},
		{"anthropic", `"max_tokens":50,"stop_sequences":["C in"]`, `"It is 4 "`, `"stop_reason":"stop_sequence","stop_sequence":"C in"`},
		{"anthropic", `"max_tokens":1`, `"It"`, `"stop_reason":"max_tokens"`},
	} {
		p := profile(t, c.profile)
		s := script(t, "hello", "model: [{text: It is 4 C in Oslo., truncate: true}]\n")
		srv := start(t, engine.Config{Profile: p, Scenarios: []*scenarios.Scenario{s}})
		path := map[string]string{"chat": "/v1/chat/completions", "messages": "/v1/messages"}[p.Dialect]
		for _, stream := range []string{"false", "true"} {
			got := do(t, http.MethodPost, srv.URL+path, `{"model":"m","messages":[{"role":"user","content":"Go."}],"stream":`+stream+`,`+c.request+`}`)
			flat := strings.ReplaceAll(strings.ReplaceAll(got.body, `": `, `":`), `, "`, `,"`)
			if got.status != http.StatusOK || stream == "false" && !strings.Contains(flat, c.text) || !strings.Contains(flat, c.finish) {
				t.Errorf("%s with %s, stream %s: %d %s, want %s and %s", c.profile, c.request, stream, got.status, got.body, c.text, c.finish)
			}
		}
	}
}

// A request with an impossible answer is not sent to a fallback: it is an error in the script.
func TestNoFallbackForAnErrorOfTheScript(t *testing.T) {
	fallback := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("from the real provider")) })
	s := script(t, "hello", "model: [{text: Hello.}]\n")
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{s}, Fallback: fallback})
	got := ask(t, srv.URL, `{"model":"m","messages":[{"role":"user","content":"Go."}],"stop":"ell"}`)
	if got.status != http.StatusNotFound || !strings.Contains(got.body, "its stop") {
		t.Errorf("the answer is %d %s", got.status, got.body)
	}
	if sum := srv.Journal().Sum(); sum.Unscripted != 1 {
		t.Errorf("the journal sums up %+v", sum)
	}
}

// A request for several choices gets so many, whole and streamed, which all say the same; a provider
// that ignores the key gives one.
func TestSeveralChoices(t *testing.T) {
	srv := start(t, engine.Config{
		Profile: profile(t, "openai"), ExtraProfiles: []*profiles.Profile{profile(t, "gemini-3")}, Routes: []engine.Route{{Prefix: "/ollama", Profile: profile(t, "ollama")}},
		Scenarios: []*scenarios.Scenario{script(t, "all", "model: [{text: Hello., usage: {output: 3}}]\n")},
	})
	const two = `{"model":"m","messages":[{"role":"user","content":"Go."}],"n":2}`
	for _, c := range []struct {
		name, path, body string
		says             []string
	}{
		{"whole", "/v1/chat/completions", two, []string{`"index":0,"message"`, `"index":1,"message"`, `"completion_tokens":6`}},
		{"streamed", "/v1/chat/completions", strings.Replace(two, `"n":2`, `"n":2,"stream":true`, 1), []string{`{"index":0,"delta":{"content":"Hell"`, `{"index":1,"delta":{"content":"Hell"`, `[DONE]`}},
		{"one", "/v1/chat/completions", strings.Replace(two, `"n":2`, `"n":1`, 1), []string{`"completion_tokens":3`}},
		{"Gemini", "/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"Go."}]}],"generationConfig":{"candidateCount":2}}`, []string{`"index":0`, `"index":1`}},
	} {
		got := do(t, http.MethodPost, srv.URL+c.path, c.body)
		for _, says := range c.says {
			if got.status != 200 || !strings.Contains(got.body, says) {
				t.Errorf("%s is answered %d without %s: %s", c.name, got.status, says, got.body)
			}
		}
	}
	if got := do(t, http.MethodPost, srv.URL+"/ollama/v1/chat/completions", two); got.status != 200 || strings.Contains(got.body, `"index":1`) {
		t.Errorf("a provider that ignores the key answers %d %s", got.status, got.body)
	}
}
