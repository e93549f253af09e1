package engine_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// longRequest is a request with a part that is repeated, each time with another number. "%s" in it
// is the first part again and again, and "%t" the second.
type longRequest struct{ profile, path, name, body, first, second string }

// longRequests are requests as they may be long: in most, a check that looks at all of them for
// each of them is easily written.
func longRequests() []longRequest {
	in := func(profile, path, tools string) func(name, body, first, second string) longRequest {
		return func(name, body, first, second string) longRequest {
			return longRequest{profile, path, name, strings.ReplaceAll(body, "TOOLS", tools), first, second}
		}
	}
	chat := in("openai", "/v1/chat/completions", `"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]`)
	messages := in("anthropic", "/v1/messages", `"max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object"}}]`)
	responses := in("openai-responses", "/v1/responses", `"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}}}]`)
	gemini := in("gemini-3", "/v1beta/models/loopproof:generateContent", `"tools":[{"functionDeclarations":[{"name":"f"}]}]`)
	return []longRequest{
		chat("answered at once", `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[%s]},%t],TOOLS}`, `{"id":"c%d","type":"function","function":{"name":"f","arguments":"{}"}}`, `{"role":"tool","tool_call_id":"c%d","content":"x"}`),
		chat("wrong ids", `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[%s]},%t],TOOLS}`, `{"id":"c%d","type":"function","function":{"name":"f","arguments":"{}"}}`, `{"role":"tool","tool_call_id":"d%d","content":"x"}`),
		messages("answered at once", `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[%s]},{"role":"user","content":[%t]}],TOOLS}`, `{"type":"tool_use","id":"c%d","name":"f","input":{}}`, `{"type":"tool_result","tool_use_id":"c%d","content":"x"}`),
		messages("wrong ids", `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[%s]},{"role":"user","content":[%t]}],TOOLS}`, `{"type":"tool_use","id":"c%d","name":"f","input":{}}`, `{"type":"tool_result","tool_use_id":"d%d","content":"x"}`),
		messages("keys of a block", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"Go.",%s}]}]}`, `"k%d":1`, ""),
		responses("answered at once", `{"model":"m","input":[{"role":"user","content":"Go."},%s,%t],TOOLS}`, `{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}`, `{"type":"function_call_output","call_id":"c%d","output":"x"}`),
		responses("wrong ids", `{"model":"m","input":[{"role":"user","content":"Go."},%s,%t],TOOLS}`, `{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}`, `{"type":"function_call_output","call_id":"d%d","output":"x"}`),
		gemini("answered at once", `{"contents":[{"role":"user","parts":[{"text":"Go."}]},{"role":"model","parts":[%s]},{"role":"user","parts":[%t]}]}`, `{"functionCall":{"name":"f","args":{}}}`, `{"functionResponse":{"name":"f","response":{"output":"x"}}}`),
		gemini("wrong ids", `{"contents":[{"role":"user","parts":[{"text":"Go."}]},{"role":"model","parts":[%s]},{"role":"user","parts":[%t]}]}`, `{"functionCall":{"id":"c%d","name":"f","args":{}}}`, `{"functionResponse":{"id":"d%d","name":"f","response":{"output":"x"}}}`),
		chat("parts", `{"model":"m","messages":[{"role":"user","content":[%s]}]}`, `{"type":"text","text":"abcdefghijklm"}`, ""),
		chat("result parts", `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":[%s]}],TOOLS}`, `{"type":"text","text":"abcdefghijklm"}`, ""),
		chat("assistants", `{"model":"m","messages":[{"role":"user","content":"Go."},%s,{"role":"user","content":"Go."}]}`, `{"role":"assistant","content":"a%d"}`, ""),
		chat("users", `{"model":"m","messages":[%s]}`, `{"role":"user","content":"a%d"}`, ""),
		chat("calls at once", `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[%s]}],TOOLS}`, `{"id":"c%d","type":"function","function":{"name":"f","arguments":"{}"}}`, ""),
		chat("same ids", `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[%s]}],TOOLS}`, `{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}`, ""),
		chat("results", `{"model":"m","messages":[{"role":"user","content":"Go."},%s],TOOLS}`, `{"role":"tool","tool_call_id":"c%d","content":"x"}`, ""),
		chat("turns", `{"model":"m","messages":[{"role":"user","content":"Go."},%s],TOOLS}`, `{"role":"assistant","tool_calls":[{"id":"c%d","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c%d","content":"x"}`, ""),
		chat("unanswered", `{"model":"m","messages":[{"role":"user","content":"Go."},%s],TOOLS}`, `{"role":"assistant","tool_calls":[{"id":"c%d","type":"function","function":{"name":"f","arguments":"{}"}}]}`, ""),
		chat("tools", `{"model":"m","messages":[{"role":"user","content":"Go."}],"tools":[%s]}`, `{"type":"function","function":{"name":"f%d","parameters":{"type":"object","properties":{}}}}`, ""),
		chat("keys", `{"model":"m","messages":[{"role":"user","content":"Go."}],%s}`, `"k%d":1`, ""),
		chat("same keys", `{"model":"m","messages":[{"role":"user","content":"Go."}],%s}`, `"k":1`, ""),
		chat("properties", `{"model":"m","messages":[{"role":"user","content":"Go."}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{%s}}}}]}`, `"k%d":{"type":"string"}`, ""),
		chat("systems", `{"model":"m","messages":[%s,{"role":"user","content":"Go."}]}`, `{"role":"system","content":"a%d"}`, ""),
		chat("empty messages", `{"model":"m","messages":[%s]}`, `{}`, ""),
		chat("empty calls", `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[%s]}],TOOLS}`, `{}`, ""),
		messages("empty messages", `{"model":"m","max_tokens":9,"messages":[%s]}`, `{}`, ""),
		responses("empty items", `{"model":"m","input":[%s]}`, `{}`, ""),
		gemini("empty contents", `{"contents":[%s]}`, `{}`, ""),
		gemini("keys of contents", `{"contents":[%s]}`, `{"type":1}`, ""),
		messages("parts", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[%s]}]}`, `{"type":"text","text":"abcdefghijklm"}`, ""),
		messages("system", `{"model":"m","max_tokens":9,"system":[%s],"messages":[{"role":"user","content":"Go."}]}`, `{"type":"text","text":"abcdefghijklm"}`, ""),
		messages("assistants", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go."},%s,{"role":"user","content":"Go."}]}`, `{"role":"assistant","content":"a%d"}`, ""),
		messages("users", `{"model":"m","max_tokens":9,"messages":[%s]}`, `{"role":"user","content":"a%d"}`, ""),
		messages("calls at once", `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[%s]}],TOOLS}`, `{"type":"tool_use","id":"c%d","name":"f","input":{}}`, ""),
		messages("results", `{"model":"m","messages":[{"role":"user","content":[%s]}],TOOLS}`, `{"type":"tool_result","tool_use_id":"c%d","content":"x"}`, ""),
		messages("turns", `{"model":"m","messages":[{"role":"user","content":"Go."},%s],TOOLS}`, `{"role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":"x"}]}`, ""),
		messages("thinking", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[%s]},{"role":"user","content":"Go."}]}`, `{"type":"thinking","thinking":"x%d","signature":"s"}`, ""),
		messages("tools", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go."}],"tools":[%s]}`, `{"name":"f%d","input_schema":{"type":"object"}}`, ""),
		messages("keys", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go."}],%s}`, `"k%d":1`, ""),
		responses("parts", `{"model":"m","input":[{"role":"user","content":[%s]}]}`, `{"type":"input_text","text":"abcdefghijklm"}`, ""),
		responses("assistants", `{"model":"m","input":[{"role":"user","content":"Go."},%s,{"role":"user","content":"Go."}]}`, `{"role":"assistant","content":"a%d"}`, ""),
		responses("users", `{"model":"m","input":[%s]}`, `{"role":"user","content":"a%d"}`, ""),
		responses("calls at once", `{"model":"m","input":[{"role":"user","content":"Go."},%s],TOOLS}`, `{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}`, ""),
		responses("results", `{"model":"m","input":[{"role":"user","content":"Go."},%s],TOOLS}`, `{"type":"function_call_output","call_id":"c%d","output":"x"}`, ""),
		responses("turns", `{"model":"m","input":[{"role":"user","content":"Go."},%s],TOOLS}`, `{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c%d","output":"x"}`, ""),
		responses("reasoning", `{"model":"m","input":[{"role":"user","content":"Go."},%s,{"role":"user","content":"Go."}]}`, `{"type":"reasoning","id":"rs_%d","summary":[]}`, ""),
		responses("tools", `{"model":"m","input":"Go.","tools":[%s]}`, `{"type":"function","name":"f%d","parameters":{"type":"object","properties":{}}}`, ""),
		responses("messages then calls", `{"model":"m","input":[{"role":"user","content":"Go."},%s],TOOLS}`, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]},{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}`, ""),
		gemini("parts", `{"contents":[{"role":"user","parts":[%s]}]}`, `{"text":"abcdefghijklm"}`, ""),
		gemini("models", `{"contents":[{"role":"user","parts":[{"text":"Go."}]},%s,{"role":"user","parts":[{"text":"Go."}]}]}`, `{"role":"model","parts":[{"text":"x%d"}]}`, ""),
		gemini("users", `{"contents":[%s]}`, `{"role":"user","parts":[{"text":"x%d"}]}`, ""),
		gemini("calls at once", `{"contents":[{"role":"user","parts":[{"text":"Go."}]},{"role":"model","parts":[%s]}]}`, `{"functionCall":{"name":"f","args":{}}}`, ""),
		gemini("responses", `{"contents":[{"role":"user","parts":[{"text":"Go."}]},{"role":"user","parts":[%s]}]}`, `{"functionResponse":{"name":"f","response":{"output":"x"}}}`, ""),
		gemini("calls and responses", `{"contents":[{"role":"user","parts":[{"text":"Go."}]},%s]}`, `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}}]}`, ""),
		gemini("calls in many contents", `{"contents":[{"role":"user","parts":[{"text":"Go."}]},%s]}`, `{"role":"model","parts":[{"functionCall":{"id":"c%d","name":"f","args":{}}}]}`, ""),
		gemini("tools", `{"contents":[{"role":"user","parts":[{"text":"Go."}]}],"tools":[{"functionDeclarations":[%s]}]}`, `{"name":"f%d"}`, ""),
		gemini("keys", `{"contents":[{"role":"user","parts":[{"text":"Go."}]}],%s}`, `"k%d":1`, ""),
	}
}

// anyScenario answers every request.
const anyScenario = "loopproof: 1\ntitle: Any conversation\nmodel:\n  - text: Hello.\n"

// TestLongRequestsCostAsMuchAsTheyAreLong: a request that is four times as long takes about four
// times the memory to read, to judge and to note, however it is made and whatever is wrong with it.
// Memory stands for time here, which depends on the machine.
func TestLongRequestsCostAsMuchAsTheyAreLong(t *testing.T) {
	const parts = 250
	for _, r := range longRequests() {
		t.Run(r.profile+"/"+strings.ReplaceAll(r.name, " ", "-"), func(t *testing.T) {
			cost := func(parts int) uint64 { // to a provider that knows nothing of it
				p := engine.New(engine.Config{Profile: profile(t, r.profile), Scenarios: []*scenarios.Scenario{parse(t, anyScenario)}})
				r.allocates(t, p, 1) // what is made once is made now
				return r.allocates(t, p, parts)
			}
			short, long := cost(parts), cost(4*parts)
			if long > 6*short {
				t.Errorf("%d parts take %d bytes, and %d parts %d: %.1f times as many", parts, short, 4*parts, long, float64(long)/float64(short))
			}
		})
	}
}

// allocates returns how many bytes of memory a provider uses for the request with so many parts.
func (r longRequest) allocates(t *testing.T, p *engine.Provider, parts int) uint64 {
	t.Helper()
	body := strings.Replace(strings.Replace(r.body, "%s", repeated(parts, r.first), 1), "%t", repeated(parts, r.second), 1)
	request := httptest.NewRequest(http.MethodPost, r.path, strings.NewReader(body))
	for name, value := range map[string]string{"Authorization": "Bearer test", "X-Api-Key": "test", "X-Goog-Api-Key": "test", "Anthropic-Version": "2023-06-01"} {
		request.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p.ServeHTTP(w, request)
	runtime.ReadMemStats(&after)
	if w.Code == http.StatusNotFound || w.Code == http.StatusUnauthorized {
		t.Fatal(w.Code, w.Body)
	}
	return after.TotalAlloc - before.TotalAlloc
}

func repeated(times int, part string) string {
	all := make([]string, times)
	for i := range all {
		all[i] = strings.ReplaceAll(part, "%d", fmt.Sprint(i))
	}
	return strings.Join(all, ",")
}

// TestVeryManyViolations: however many violations come before, the one for which a provider refuses
// a request is found.
func TestVeryManyViolations(t *testing.T) {
	p := engine.New(engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{parse(t, anyScenario)}})
	body := `{"contents":[{"role":"user","parts":[{"text":"Go."}]}],` + repeated(20_000, `"k%d":1`) + `,"messages":[]}`
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1beta/models/loopproof:generateContent", strings.NewReader(body)))
	if want := `Unknown name \"messages\"`; w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
		t.Errorf("answered %d %.300s, want %s", w.Code, w.Body, want)
	}
}
