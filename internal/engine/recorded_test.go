package engine_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const (
	recordedStream = "HTTP/1.1 200 OK\nContent-Type: text/event-stream\nX-Request-Id: req_1\nLoopproof-Dialect: chat\nLoopproof-Writes: 9 50 45\n\n" + recordedBody

	recordedBody = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\n: odd\ndata:[DONE]\n\n"

	overloaded = "HTTP/1.1 529 \nContent-Type: application/json\nRetry-After: 0\nLoopproof-Dialect: chat\n\n{\"error\":  {\"message\":\"busy\"}}"

	greeting = "loopproof: 1\ntitle: t\nprompt: Hello?\nmodel:\n  - fixture: busy.http\n  - fixture: hello.http\n"
)

// What was recorded is sent again byte for byte, whatever a profile would have made of it.
func TestFixturesAreSentByteForByte(t *testing.T) {
	folder := fstest.MapFS{"busy.http": {Data: []byte(overloaded)}, "hello.http": {Data: []byte(recordedStream)}}
	s, err := scenarios.ParseBeside(folder, "greeting.yaml", []byte(greeting), scenarios.Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{s}})
	ask := func(stream string) answer {
		return do(t, http.MethodPost, srv.URL+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hello?"}],"stream":`+stream+`}`)
	}
	if a := ask("true"); a.status != 529 || a.header.Get("Retry-After") != "0" || a.body != "{\"error\":  {\"message\":\"busy\"}}" {
		t.Errorf("the first answer is %+v, want the recorded error", a)
	}
	if a := ask("true"); a.body != recordedBody || a.header.Get("X-Request-Id") != "req_1" || a.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("the second answer is %+v, want the recorded stream", a)
	}
	if a := ask("false"); !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") || !strings.Contains(a.body, `"content":"Hello."`) {
		t.Errorf("a document was asked for, and this came: %+v", a)
	}
}
