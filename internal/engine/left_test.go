package engine_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// leave asks for an answer, reads up to so many bytes of it, and leaves.
func leave(t *testing.T, url, body string, after int) (read int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if after == 0 { // before anything comes
		time.AfterFunc(100*time.Millisecond, cancel)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	n, _ := io.ReadFull(resp.Body, make([]byte, after))
	return n
}

// ended returns the last entry once its answer has ended.
func ended(t *testing.T, srv *engine.Server) engine.Entry {
	t.Helper()
	for range 500 {
		all := srv.Journal().Entries()
		if n := len(all); n > 0 && all[n-1].Done {
			return all[n-1]
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the answer does not end")
	return engine.Entry{}
}

// What is noted of an answer whose client left is what was written of it.
func TestClientThatLeavesIsDisconnected(t *testing.T) {
	const words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
	for name, test := range map[string]struct {
		behaviour, body string
		after           int
		says            string // what the journal says that the model said, in part
	}{
		"in a stream":         {"tokens-per-second: 4", `{"model":"m","stream":true,"messages":[{"role":"user","content":"Go."}]}`, 600, "on"},
		"before a stream":     {"first-token: 1m", `{"model":"m","stream":true,"messages":[{"role":"user","content":"Go."}]}`, 0, ""},
		"before a document":   {"first-token: 1m", hello, 0, ""},
		"in a document":       {"bytes-per-second: 100", hello, 20, ""},
		"in a scripted stall": {"faults: [{stall: {after: 3 events, for: 1m}}], seed: 1", `{"model":"m","stream":true,"messages":[{"role":"user","content":"Go."}]}`, 700, "on"}, // in the third event
	} {
		t.Run(name, func(t *testing.T) {
			srv := start(t, engine.Config{Secret: "left", Behaviour: behaviour(t, test.behaviour), Scenarios: []*scenarios.Scenario{script(t, "s/left", "model:\n  - text: "+words)}})
			read := leave(t, srv.URL+"/v1/chat/completions", test.body, test.after)
			e := ended(t, srv)
			if e.Outcome() != "disconnected" || e.Answer.Ending != journal.Disconnected {
				t.Errorf("the outcome is %s, and the ending %q", e.Outcome(), e.Answer.Ending)
			}
			if size := e.Answer.Size(); size < read || size > 3000 || strings.Contains(string(e.Answer.Body()), "sixteen") {
				t.Errorf("%d bytes are noted, and %d were read", size, read)
			}
			if test.after == 0 && e.Answer.Status != 0 {
				t.Errorf("the status of an answer that never came is %d", e.Answer.Status)
			}
			if said := e.Answer.Said; test.says != "" && (said == nil || !strings.Contains(said.Text, test.says) || strings.Contains(said.Text, "sixteen")) {
				t.Errorf("the model is noted to have said %+v", said)
			}
			if n := len((journal.Filter{Outcome: "disconnected"}).Of(srv.Journal().Entries())); n != 1 {
				t.Errorf("the filter finds %d", n)
			}
			if n := len((journal.Filter{Outcome: "answered"}).Of(srv.Journal().Entries())); n != 0 {
				t.Errorf("%d are answered", n)
			}
		})
	}
}

// A client that has the whole answer may go.
func TestClientThatHasAllIsAnswered(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{script(t, "s/left", "model:\n  - text: Hi.")}})
	for _, body := range []string{hello, `{"model":"m","stream":true,"messages":[{"role":"user","content":"Go."}]}`} {
		ask(t, srv.URL, body)
		if e := ended(t, srv); e.Outcome() != "answered" || e.Answer.Said == nil {
			t.Errorf("the outcome is %s", e.Outcome())
		}
	}
}
