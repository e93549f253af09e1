package engine_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// endurance is how long TestEndurance continues. A round of it is always played:
//
//	go test ./internal/engine -run Endurance -endurance 1h -timeout 2h
var endurance = flag.Duration("endurance", 0, "let TestEndurance go on for this long")

// Each round sends requests in all dialects, some of which are met with faults, and lets clients behave badly.
const (
	askers    = 8
	asksEach  = 8
	vanishers = 100
)

// enduring is a server under mixed load.
type enduring struct {
	*engine.Server
	done atomic.Int64 // exchanges that were told to be over
}

// The requests that are sent, by their paths.
var mixed = map[string]string{
	"/v1/chat/completions":                   `{"model":"m","stream":%t,"messages":[{"role":"user","content":"Say hello."}]}`,
	"/v1/messages":                           `{"model":"m","max_tokens":99,"stream":%t,"messages":[{"role":"user","content":"Say hello."}]}`,
	"/v1/responses":                          `{"model":"m","stream":%t,"input":"Say hello."}`,
	"/v1beta/models/m:generateContent":       `{"contents":[{"role":"user","parts":[{"text":"Say hello."}]}],"stream":%t}`,
	"/v1beta/models/m:streamGenerateContent": `{"contents":[{"role":"user","parts":[{"text":"Say hello."}]}],"stream":%t}`,
	"/v1/nothing":                            `{"stream":%t}`,
}

// However long a server is asked, by clients of all kinds, its memory stays as it is, it accounts for every request, and
// nothing of them is left behind.
func TestEndurance(t *testing.T) {
	files := openFiles()
	leavesNothing(t, func() {
		e := newEnduring(t)
		defer e.Close()
		begin, first := time.Now(), uint64(0)
		for round := 1; round <= 3 || time.Since(begin) < *endurance; round++ {
			e.round(t)
			if round == 3 { // by then everything that is kept once is there
				first = heap()
			}
		}
		if now := heap(); now > first+first/2+(8<<20) {
			t.Errorf("the heap has %d kB, and had %d kB after the third round", now>>10, first>>10)
		}
		e.accounts(t)
	})
	if now := openFiles(); now > files {
		t.Errorf("%d files and connections are open, and were %d before", now, files)
	}
}

func newEnduring(t *testing.T) *enduring {
	t.Helper()
	e := &enduring{}
	behaviour, err := scenarios.ParseBehaviour("behaviour", "seed: 7\nfaults:\n"+
		"  - {rate: 5%, status: 503}\n  - {rate: 5%, cut: {after: 2 events}}\n  - {rate: 3%, reset: {after: 1 event}}\n  - {rate: 3%, malformed: {after: 1 event}}\n")
	if err != nil {
		t.Fatal(err)
	}
	var others []*profiles.Profile
	for _, name := range []string{"anthropic", "openai-responses", "gemini-3"} {
		others = append(others, profile(t, name))
	}
	text := "loopproof: 1\ntitle: t\nmodel:\n  - text: " + strings.Repeat("Hello from the mock. ", 50) + "\n"
	e.Server = engine.NewServer(engine.Config{
		ExtraProfiles: others, Behaviour: behaviour, Scenarios: []*scenarios.Scenario{parse(t, text)},
		Limits:         engine.Limits{JournalEntries: 200},
		OnExchangeDone: func(engine.Entry) { e.done.Add(1) },
	})
	return e
}

// round lets clients of all kinds ask at the same time, and returns when all have gone.
func (e *enduring) round(t *testing.T) {
	var all sync.WaitGroup
	for i := range askers {
		all.Go(func() { e.askAll(t, i) })
	}
	all.Go(func() { e.vanish() })
	all.Go(func() { e.leaveUnread() })
	all.Wait()
}

// askAll sends requests of all kinds, and lets go of every seventh answer.
func (e *enduring) askAll(t *testing.T, seed int) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for i := range asksEach {
		for path, form := range mixed {
			ctx, leave := context.WithCancel(context.Background())
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL+path, strings.NewReader(fmt.Sprintf(form, (i+seed)%2 == 0)))
			if err != nil {
				t.Error(err)
			}
			if resp, err := client.Do(req); err == nil { // a fault may have closed the connection
				if (i+seed)%7 == 0 {
					leave()
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			leave()
		}
	}
}

// vanish opens many connections, sends half a request over each, and closes all at once.
func (e *enduring) vanish() {
	var open []net.Conn
	for range vanishers {
		if c, err := net.Dial("tcp", strings.TrimPrefix(e.URL, "http://")); err == nil {
			io.WriteString(c, "POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{\"model\":")
			open = append(open, c)
		}
	}
	for _, c := range open {
		c.Close()
	}
}

// leaveUnread asks for streams, one byte a write, and reads none of them.
func (e *enduring) leaveUnread() {
	body := fmt.Sprintf(mixed["/v1/chat/completions"], true)
	for range 5 {
		c, err := net.Dial("tcp", strings.TrimPrefix(e.URL, "http://"))
		if err != nil {
			continue
		}
		for _, b := range []byte(request(http.MethodPost, "/v1/chat/completions", body)) {
			c.Write([]byte{b})
		}
		c.Close()
	}
}

// accounts holds what the journal counted against what was told.
func (e *enduring) accounts(t *testing.T) {
	t.Helper()
	e.Close() // waits for every request
	if counted, told := e.Journal().Count(), int(e.done.Load()); counted == 0 || counted != told {
		t.Errorf("the journal counted %d requests, and %d were told to be over", counted, told)
	}
	entries := e.Journal().Entries()
	if len(entries) != 200 {
		t.Errorf("the journal has %d entries, want 200", len(entries))
	}
	for _, x := range entries {
		if !x.Done {
			t.Errorf("request %d has not come to its end", x.Number)
		}
	}
}

// heap returns how many bytes are in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// openFiles returns how many files and connections the process has open, and 0 where nobody knows.
func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}
