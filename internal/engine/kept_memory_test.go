package engine_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// serveResponses asks a provider without a network between.
func serveResponses(p *engine.Provider, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/responses", strings.NewReader(body)))
	return w
}

// A request that is sent again and again is kept once: it does not use up the room of the conversations of others.
func TestRepeatedRequestsAreKeptOnce(t *testing.T) {
	p := engine.New(engine.Config{Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "x", "model: [{text: Done.}]\n")}})
	first := serveResponses(p, `{"model":"m","input":"Hi"}`)
	long := `{"model":"m","input":"` + strings.Repeat("x", 4<<20) + `"}`
	for range 20 { // 80 MB, and 64 are kept
		serveResponses(p, long)
	}
	next := serveResponses(p, fmt.Sprintf(`{"model":"m","input":"And?","previous_response_id":%q}`, gjson.Get(first.Body.String(), "id")))
	if next.Code != http.StatusOK {
		t.Errorf("the conversation cannot be continued: %d %s", next.Code, next.Body)
	}
}

// What is kept of a conversation takes little more than its bytes.
func TestKeptConversationsTakeLittle(t *testing.T) {
	p := engine.New(engine.Config{
		Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "x", "model: [{text: Done.}]\n")},
		Limits: engine.Limits{JournalEntries: 1},
	})
	ask := func(from, to int) {
		for i := from; i < to; i++ {
			serveResponses(p, fmt.Sprintf(`{"model":"m","stream":true,"input":"Say hello to number %d."}`, i))
		}
	}
	ask(0, 1100) // by then as many rendered answers are there as are remembered
	before := heap()
	ask(1100, 2100)
	if each := (int64(heap()) - int64(before)) / 1000; each > 4000 {
		t.Errorf("a conversation that is kept takes %d bytes", each)
	}
	runtime.KeepAlive(p)
}

// heap returns how many bytes are in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // a sync.Pool keeps what it has for one collection more, such as the buffers of a thousand clients that vanished
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
