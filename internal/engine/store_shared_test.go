package engine

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestSharedEntryIsWhole: other servers get all of an entry except the script and the profile,
// which they have, and what they read from the body.
func TestSharedEntryIsWhole(t *testing.T) {
	reasoning := "Oslo is cold."
	e := Entry{
		Run: "r1", At: time.Unix(1700000000, 0).UTC(), Method: http.MethodPost, Target: "/v1/messages", Header: http.Header{"User-Agent": {"test"}},
		Unrouted: true, Scenario: "pairing/one-call", Profile: &profiles.Profile{Name: "anthropic"}, Fault: "status 503", Forwarded: true,
		Exchange: trace.Exchange{
			Number: 3, Problem: "it is empty", Method: http.MethodPut, Overrun: true, Dropped: true, Repeats: 2, HeldOpenUntilTimeout: true,
			Refusal: &trace.Refusal{Rule: "pairing/ids-echoed", Status: 400, Message: "no such id", Given: true},
			Start:   time.Second, End: 2 * time.Second,
			Thread: &trace.Thread{Previous: "msg_1", KeptMessages: 4, Problem: wire.HistoryRepeated, Code: "thread_fingerprint_mismatch", Lost: true},
		},
		Findings: []trace.Finding{{Rule: "pairing/ids-echoed", Level: trace.Must, Request: 3, Pointer: "/messages/2", Message: "wrong id"}},
		Answer: journal.Answer{
			Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Writes: wire.NewPieces([]byte("data: 1\n\n")), Streamed: true, Ending: journal.Severed,
			Said: &wire.Answer{Text: "Hi", Reasoning: &reasoning, Calls: []wire.AnswerCall{{ID: "call_1", Name: "get_weather", Arguments: "{}"}}, Finish: wire.FinishCalls},
		},
	}
	e.SetBody([]byte(`{"model":"m"}`))
	data, err := json.Marshal(shareEntry(e))
	if err != nil {
		t.Fatal(err)
	}
	var told sharedEntry
	if err := json.Unmarshal(data, &told); err != nil {
		t.Fatal(err)
	}
	want := e
	want.Profile = nil
	if diff := cmp.Diff(want, told.Entry, cmpopts.IgnoreUnexported(Entry{}), cmp.AllowUnexported(wire.Pieces{})); diff != "" {
		t.Errorf("another server is told (-want +got):\n%s", diff)
	}
	if told.Profile != "anthropic" || string(told.Body) != `{"model":"m"}` {
		t.Errorf("the profile is %q, the body %q", told.Profile, told.Body)
	}
}

// Other servers get what a test adds and releases.
func TestOtherServersAddAndRelease(t *testing.T) {
	p := New(Config{})
	for _, told := range []update{
		{Add: &answers{Run: DefaultRun, IDs: []string{"answer-1-a"}, Texts: []string{"{text: Added., hold: {until: paid}}"}}},
		{Release: &released{DefaultRun, "paid"}},
	} {
		data, err := json.Marshal(told)
		if err != nil {
			t.Fatal(err)
		}
		p.apply(data)
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Go."}]}`)))
	if !strings.Contains(w.Body.String(), "Added.") {
		t.Errorf("the other server answers %d %s", w.Code, w.Body)
	}
}
