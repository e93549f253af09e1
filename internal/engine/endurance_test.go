package engine_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/operations"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// endurance is how long TestEndurance continues. A few rounds of it are always played:
//
//	go test ./internal/engine -run Endurance -endurance 1h -timeout 2h
var endurance = flag.Duration("endurance", 0, "let TestEndurance go on for this long")

// Each round sends requests in all dialects, some of which are met with faults, while clients
// behave badly.
const (
	askers     = 8
	asksEach   = 8
	firsts     = 3   // rounds that are always played
	remembered = 200 // entries of the journal
)

// vanishers returns how many clients vanish at once.
func vanishers() int {
	if *endurance == 0 {
		return 100
	}
	return 1000
}

// Between two of these all is measured, and a wave of clients vanishes.
const pulse = 20 * time.Second

// enduring is a server under mixed load, and another one that acts as the same.
type enduring struct {
	*engine.Server
	other *engine.Server
	store *memoryStore
	clock *jumpingClock
	spill *operations.Spill // onto a full disk; nil where there is none

	sent     atomic.Int64 // requests whose head was sent as a whole
	done     atomic.Int64 // exchanges that were told to be over
	disk     atomic.Int64 // errors of the full disk that were told
	answered sync.Map     // whether there was a whole answer, by path or kind
	brokenMu sync.Mutex
	broken   []error // of the connections that were closed without an answer
	over     chan struct{}
	samples  []sample
	previous time.Time // pulse
}

// sample is what the process holds at some time.
type sample struct {
	After             time.Duration
	HeapKB            uint64
	Goroutines, Files int
}

// jumpingClock is the clock of a machine on which someone sets the time again and again.
type jumpingClock struct {
	engine.SystemClock
	ahead atomic.Int64
}

func (c *jumpingClock) Now() time.Time {
	return c.SystemClock.Now().Round(0).Add(time.Duration(c.ahead.Load())) // Round drops the reading that never jumps
}

func (c *jumpingClock) jump() { c.ahead.Store(rand.Int64N(int64(2*time.Hour)) - int64(time.Hour)) }

// The requests that are sent, by their paths. Each has a text of its own, and is for a stream or not.
var mixed = map[string]string{
	"/v1/chat/completions":                   `{"model":"m","stream":%t,"messages":[{"role":"user","content":"Say hello to %s."}]}`,
	"/v1/messages":                           `{"model":"m","max_tokens":999,"stream":%t,"messages":[{"role":"user","content":"Say hello to %s."}]}`,
	"/v1/responses":                          `{"model":"m","stream":%t,"input":"Say hello to %s."}`,
	"/v1beta/models/m:generateContent":       `{"contents":[{"role":"user","parts":[{"text":"Say hello to %[2]s."}]}]}`,
	"/v1beta/models/m:streamGenerateContent": `{"contents":[{"role":"user","parts":[{"text":"Say hello to %[2]s."}]}]}`,
	"/model/m/converse":                      `{"messages":[{"role":"user","content":[{"text":"Say hello to %[2]s."}]}]}`,
	"/model/m/converse-stream":               `{"messages":[{"role":"user","content":[{"text":"Say hello to %[2]s."}]}]}`,
	"/api/chat":                              `{"model":"m","stream":%t,"messages":[{"role":"user","content":"Say hello to %s."}]}`,
	"/v2/chat":                               `{"model":"m","stream":%t,"messages":[{"role":"user","content":"Say hello to %s."}]}`,
	"/v1beta/interactions":                   `{"model":"m","stream":%t,"store":false,"input":"Say hello to %s."}`,
	unknownPath:                              `{"stream":%t,"input":%q}`,
}

const unknownPath = "/v1/nothing"

// However long a server is asked, by clients of all kinds, its memory stays as it is, it accounts
// for every request, and nothing of them is left behind.
func TestEndurance(t *testing.T) {
	files := openFiles()
	leavesNothing(t, func() {
		e := newEnduring(t)
		defer e.close()
		var odd sync.WaitGroup
		e.misbehave(t, &odd)
		begin := time.Now()
		for round := 1; round <= firsts || time.Since(begin) < *endurance; round++ {
			e.store.set(round%4 == 1, round%4 == 3)
			e.round(t)
			if time.Since(e.previous) > pulse || round == firsts {
				e.previous = time.Now()
				e.vanish(t)
				e.measure(begin)
			}
		}
		close(e.over)
		odd.Wait()
		e.store.set(false, false)
		e.accounts(t)
		e.flat(t)
	})
	if now := openFiles(); now > files {
		t.Errorf("%d files and connections are open, and were %d before", now, files)
	}
}

func newEnduring(t *testing.T) *enduring {
	t.Helper()
	e := &enduring{
		clock: &jumpingClock{}, over: make(chan struct{}), previous: time.Now(),
		store: &memoryStore{counts: map[string]int{}},
	}
	behaviour, err := scenarios.ParseBehaviour("behaviour", "seed: 7\nrate-limit: {requests: 1000000, per: 1s}\nfaults:\n"+
		"  - {rate: 5%, status: 503}\n  - {rate: 5%, cut: {after: 2 events}}\n  - {rate: 3%, reset: {after: 1 event}}\n  - {rate: 3%, malformed: {after: 1 event}}\n")
	if err != nil {
		t.Fatal(err)
	}
	var others []*profiles.Profile
	for _, name := range []string{"anthropic", "openai-responses", "gemini-3", "bedrock-claude", "ollama-native", "cohere", "gemini-interactions"} {
		others = append(others, profile(t, name))
	}
	told := func(engine.Entry) { e.done.Add(1) }
	if runtime.GOOS == "linux" {
		spill, err := operations.NewSpill("/dev/full", func(string) { e.disk.Add(1) })
		if err != nil {
			t.Fatal(err)
		}
		e.spill = spill
		told = func(x engine.Entry) { spill.ExchangeDone(x); e.done.Add(1) }
	}
	text := "model:\n  - when: {user: Say much.}\n    text: " + strings.Repeat("Much. ", 60_000) + "\n  - text: " + strings.Repeat("Hello from the mock. ", 50) + "\n"
	config := engine.Config{
		ExtraProfiles: others, Behaviour: behaviour, Scenarios: []*scenarios.Scenario{script(t, "endurance", text)}, Store: e.store,
		Limits: engine.Limits{JournalEntries: remembered, JournalBytes: 16 << 20}, Clock: e.clock, OnExchangeDone: told, Listen: listenWithSmallBuffers,
	}
	e.Server, e.other = engine.NewServer(config), engine.NewServer(config)
	return e
}

// close closes both servers.
func (e *enduring) close() {
	e.Close()
	e.other.Close()
}

// url returns the address of one of the two servers.
func (e *enduring) url(i int) string {
	if i%2 == 0 {
		return e.URL
	}
	return e.other.URL
}

// round lets clients of all kinds ask at the same time, while the clock jumps, and returns when all
// have gone.
func (e *enduring) round(t *testing.T) {
	var all sync.WaitGroup
	for i := range askers {
		all.Go(func() { e.askAll(t, i) })
		all.Go(func() { e.continueKept(t, i) })
		all.Go(func() { e.continueOverSocket(t, i) })
	}
	e.clock.jump()
	all.Wait()
	e.clock.jump()
}

// askAll sends requests of all kinds, some of which are to be answered slowly, and lets go of every
// seventh answer.
func (e *enduring) askAll(t *testing.T, seed int) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for i := range asksEach {
		for path, form := range mixed {
			ctx, leave := context.WithCancel(context.Background())
			text := fmt.Sprintf(form, (i+seed)%2 == 0, fmt.Sprint("number ", e.sent.Add(1)))
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url(i)+path, strings.NewReader(text))
			if err != nil {
				t.Error(err)
			}
			req.Header.Set("Anthropic-Version", "2023-06-01")
			req.Header.Set("X-Api-Key", "key")
			if (i+seed)%5 == 0 {
				req.Header.Set(engine.BehaviourHeader, "tokens-per-second: 10000")
			}
			resp, err := client.Do(req)
			if err != nil {
				e.unanswered(err)
			} else {
				if (i+seed)%7 == 0 {
					leave()
				}
				_, err := io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if err == nil && resp.StatusCode == http.StatusOK {
					e.answered.Store(path, true)
				}
			}
			leave()
		}
	}
}

// unanswered notes that a connection was closed without an answer, for whoever looks for a request
// that is in no journal.
func (e *enduring) unanswered(err error) {
	e.brokenMu.Lock()
	defer e.brokenMu.Unlock()
	e.broken = append(e.broken, err)
}

// measure notes what the process holds, once the server has noticed that the clients have gone: on
// a busy machine it takes a while. What a minute does not end is counted.
func (e *enduring) measure(begin time.Time) {
	for deadline := time.Now().Add(time.Minute); len(e.samples) > 0 && runtime.NumGoroutine() > e.samples[0].Goroutines+20 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	e.store.trim()
	held := int64(heap()) - int64(e.store.size()) // the store is the test's
	e.samples = append(e.samples, sample{time.Since(begin).Round(time.Second), uint64(max(0, held)) >> 10, runtime.NumGoroutine(), openFiles()})
}

// accounts holds what the journal counted against what was sent and what was told.
func (e *enduring) accounts(t *testing.T) {
	t.Helper()
	all := func() bool {
		sent := e.sent.Load()
		return e.done.Load() >= sent && e.Journal().Count() >= int(sent) && e.other.Journal().Count() >= int(sent)
	}
	for deadline := time.Now().Add(time.Minute); !all() && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // until the servers have seen that the last clients have gone, and each knows of the other's
	}
	e.close() // waits for every request
	if e.spill != nil {
		e.spill.Close()
	}
	counted, other, told, sent := e.Journal().Count(), e.other.Journal().Count(), int(e.done.Load()), int(e.sent.Load())
	if counted == 0 || counted != told || counted != sent || counted != other {
		t.Errorf("of %d requests that were sent the journals counted %d and %d, and %d were told to be over; connections closed without an answer: %v", sent, counted, other, told, e.broken)
	}
	for _, kind := range slices.Concat(slices.Collect(maps.Keys(mixed)), slices.Collect(maps.Keys(keptForms)), []string{keptOn("/v1/responses"), keptOn("/v1beta/interactions"), keptOn("a socket")}) {
		if _, ok := e.answered.Load(kind); ok == (kind == unknownPath) {
			t.Errorf("%s was answered: %v", kind, ok)
		}
	}
	entries := e.Journal().Entries()
	if len(entries) != remembered {
		t.Errorf("the journal has %d entries, want %d", len(entries), remembered)
	}
	for i, x := range entries {
		if !x.Done || x.Number != counted-remembered+1+i {
			t.Errorf("request %d at place %d of the last %d has not come to its end: %v", x.Number, i+1, remembered, x.Done)
		}
	}
	if e.spill != nil && e.disk.Load() != 1 {
		t.Errorf("the full disk was told %d times", e.disk.Load())
	}
}

// flat demands that what the process holds does not grow, once all is there that is kept.
func (e *enduring) flat(t *testing.T) {
	t.Helper()
	for _, s := range e.samples {
		t.Logf("%+v", s)
	}
	early, late := most(e.samples[:(len(e.samples)+1)/2]), most(e.samples[len(e.samples)/2:])
	if late.HeapKB > early.HeapKB+early.HeapKB/5+2048 || late.Goroutines > early.Goroutines+20 || late.Files > early.Files+20 {
		t.Errorf("in the first half of the time the process held at most %+v, and in the second half %+v", early, late)
	}
	t.Logf("%d requests", e.sent.Load())
}

// most returns the most of each kind in samples.
func most(all []sample) sample {
	by := func(f func(sample) int) int {
		return f(slices.MaxFunc(all, func(a, b sample) int { return f(a) - f(b) }))
	}
	return sample{
		HeapKB:     uint64(by(func(s sample) int { return int(s.HeapKB) })),
		Goroutines: by(func(s sample) int { return s.Goroutines }),
		Files:      by(func(s sample) int { return s.Files }),
	}
}

// openFiles returns how many files and connections the process has open, and 0 where nobody knows.
func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}
