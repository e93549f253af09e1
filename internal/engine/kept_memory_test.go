package engine_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
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

// A request that is sent again and again is kept once: it does not use up the room of the
// conversations of others.
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

// long is what is said in a turn of the conversations below.
var long = strings.Repeat("x", 4000)

// A conversation that the provider keeps takes the bytes of its turns once, in the histories and in
// the journal.
func TestTurnsOfConversationsAreKeptOnce(t *testing.T) {
	const turns = 150 // each request says 300 kB in the end, and all of them 45 MB
	for name, body := range map[string]func(p *engine.Provider) func(previous string) string{
		"previous": func(*engine.Provider) func(string) string {
			return func(previous string) string {
				return fmt.Sprintf(`{"model":"m","input":%q,"previous_response_id":%s}`, long, orNull(previous))
			}
		},
		"conversation": func(p *engine.Provider) func(string) string {
			id := gjson.Get(post(p, "/v1/conversations", "{}").Body.String(), "id")
			return func(string) string { return fmt.Sprintf(`{"model":"m","input":%q,"conversation":%q}`, long, id) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := engine.New(engine.Config{Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "x", "model: [{text: Done.}]\n")}})
			ask, previous := body(p), ""
			before := heap()
			for range turns {
				w := serveResponses(p, ask(previous))
				if w.Code != http.StatusOK {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				previous = gjson.Get(w.Body.String(), "id").String()
			}
			if more := int64(heap()) - int64(before); more > 8<<20 {
				t.Errorf("%d turns of %d bytes take %d MB", turns, len(long), more>>20)
			}
			if e, _ := p.Journal().Entry(p.Journal().Count()); len(e.Exchange.Request.Messages) != 2*turns-1 || len(e.Body()) > 2*len(long) {
				t.Errorf("the last entry shows %d messages and %d bytes that were sent", len(e.Exchange.Request.Messages), len(e.Body()))
			}
			runtime.KeepAlive(p)
		})
	}
}

func orNull(id string) string {
	if id == "" {
		return "null"
	}
	return strconv.Quote(id)
}

// post asks a provider without a network between.
func post(p *engine.Provider, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return w
}

// A conversation goes on where the journal has no room for its requests, and the histories of a run
// that has ended take no memory.
func TestHistoriesWithoutRoomInTheJournal(t *testing.T) {
	p := engine.New(engine.Config{
		Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "x", "model: [{text: Done.}]\n")},
		Limits: engine.Limits{JournalBytes: 1},
	})
	run, err := p.StartTestRun(engine.TestRunConfig{})
	if err != nil {
		t.Fatal(err)
	}
	before, previous := heap(), ""
	for range 50 {
		w := post(p, "/run/"+run.ID+"/v1/responses", fmt.Sprintf(`{"model":"m","input":"%s","previous_response_id":%s}`, strings.Repeat("x", 100_000), orNull(previous)))
		if w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		previous = gjson.Get(w.Body.String(), "id").String()
	}
	p.EndTestRun(run)
	if more := int64(heap()) - int64(before); more > 2<<20 {
		t.Errorf("a run that has ended keeps %d kB", more>>10)
	}
	runtime.KeepAlive(p)
}

// The conversations that were used last stay where many are kept.
func TestOldestHistoriesAreLost(t *testing.T) {
	p := engine.New(engine.Config{
		Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "x", "model: [{text: Done.}]\n")},
		Limits: engine.Limits{JournalBytes: 1},
	})
	ask := func(from string, text string) (id string, status int) {
		w := serveResponses(p, fmt.Sprintf(`{"model":"m","input":%q,"previous_response_id":%s}`, text, orNull(from)))
		return gjson.Get(w.Body.String(), "id").String(), w.Code
	}
	old, _ := ask("", "old")
	last, _ := ask("", "used again and again")
	for i := range 20 {
		ask("", strconv.Itoa(i)+strings.Repeat("x", 1<<20))
		var status int
		if last, status = ask(last, "again"); status != http.StatusOK {
			t.Fatalf("a conversation that is used is lost: %d", status)
		}
	}
	if _, status := ask(old, "again"); status != http.StatusBadRequest {
		t.Errorf("20 MB of conversations are kept, and 8 are allowed: %d", status)
	}
}

// heap returns how many bytes are in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // a sync.Pool keeps what it has for one collection more, such as the buffers of a thousand clients that vanished
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
