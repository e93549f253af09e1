package toolserver_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const rightCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_weather","arguments":{"city":"Oslo"}}}`

// Whatever an agent sends to the server of its tools, it is answered as JSON or refused, and a
// right call is answered next.
func FuzzRequests(f *testing.F) {
	s, err := scenarios.Parse("weather.yaml", []byte(scenario), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		f.Fatal(err)
	}
	openai, err := profiles.Get("openai")
	if err != nil {
		f.Fatal(err)
	}
	for _, body := range []string{
		rightCall, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_weather","arguments":"{}","_meta":{"claudecode/toolUseId":7}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nothing"}}`, `[` + rightCall + `]`, `{"jsonrpc":"2.0","id":null,"result":{}}`, `{`, "",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p := engine.New(engine.Config{ToolServer: toolserver.ForRun})
		run := p.StartRun(engine.RunConfig{Scenario: s, Profile: openai})
		got := send(p, run, string(body))
		if got.Code >= http.StatusInternalServerError {
			t.Errorf("%q is answered %d %s", body, got.Code, got.Body)
		}
		if strings.HasPrefix(got.Header().Get("Content-Type"), "application/json") && !json.Valid(got.Body.Bytes()) {
			t.Errorf("%q is answered by what is no JSON: %s", body, got.Body)
		}
		if got := send(p, run, rightCall); got.Code != http.StatusOK || !strings.Contains(got.Body.String(), "4 C") {
			t.Errorf("the right call is answered %d %s", got.Code, got.Body)
		}
		if _, executions := run.Record(); len(executions) == 0 || len(executions) > 1+strings.Count(string(body), "{") {
			t.Errorf("%d executions are recorded", len(executions))
		}
	})
}

func send(p *engine.Provider, run *engine.Run, body string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, "/run/"+run.ID+"/mcp", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	w := httptest.NewRecorder()
	p.ServeHTTP(w, req)
	return w
}
