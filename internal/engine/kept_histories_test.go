package engine_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

// inThread adds a thread to the body of a request.
func inThread(thread, body string) string {
	return strings.Replace(body, "{", `{"thread":`+thread+",", 1)
}

func continues(id string) string {
	return fmt.Sprintf(`{"type":"continue","previous_message_id":%q}`, id)
}

var withBeta = []string{"Anthropic-Beta", "message-threads-2026-08-12"}

// A provider that keeps no conversations says so, and the request counts for nothing.
func TestThreadsAreTurnedDown(t *testing.T) {
	for name, thread := range map[string]string{
		"a new one":                         `{"type":"create"}`,
		"one that we are said to have kept": continues("msg_1"),
	} {
		t.Run(name, func(t *testing.T) {
			srv := start(t, engine.Config{Profile: profile(t, "anthropic"), Scenarios: lookAndTell(t)})
			got := askMessages(t, srv.URL, inThread(thread, asked(user)))
			if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"details":{"error_code":"thread_unsupported_request"}`) {
				t.Errorf("answered %d %s", got.status, got.body)
			}
			if count := srv.Journal().Count(); count != 0 {
				t.Errorf("%d requests are in the journal, want none", count)
			}
			for _, none := range []string{asked(user), inThread("null", asked(user))} {
				if got := askMessages(t, srv.URL, none); got.status != http.StatusOK {
					t.Errorf("without a thread answered %d %s", got.status, got.body)
				}
			}
		})
	}
}

// In a run, too: what is turned down is no exchange, and nothing of it is left open.
func TestThreadsAreTurnedDownInARun(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "anthropic")})
	base := srv.URL + "/run/" + run.ID
	if got := askMessages(t, base, inThread(`{"type":"create"}`, asked(user))); got.status != http.StatusBadRequest {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	if got := askMessages(t, base, asked(user)); got.status != http.StatusOK || !got.says(`"type":"tool_use"`) {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	if got, _ := run.Record(); len(got) != 1 || got[0].Refusal != nil {
		t.Errorf("the run has %d exchanges, want the second request alone", len(got))
	}
}

// What is new continues with what was kept, and the rules see both.
func TestThreadsAreKept(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "anthropic-threads")})
	base := srv.URL + "/run/" + run.ID
	first := askMessages(t, base, inThread(`{"type":"create"}`, withSystem(asked(user))), withBeta...)
	id, call := gjson.Get(first.body, "id").String(), gjson.Get(first.body, `content.#(type="tool_use").id`).String()
	result := blocks(`{"type":"tool_result","tool_use_id":"` + call + `","content":"a"}`)
	second := askMessages(t, base, inThread(continues(id), asked(result)), withBeta...)
	if !second.says(`"text":"Done."`) || gjson.Get(second.body, "id").String() == id {
		t.Fatalf("answered %d %s", second.status, second.body)
	}
	exchanges, _ := run.Record()
	x := exchanges[1]
	if len(x.Request.Messages) != 4 || x.Thread.KeptMessages != 3 || x.Request.Messages[0].Content.Text != "Be terse." || x.Request.Messages[2].Calls[0].ID != call {
		t.Errorf("the conversation is %s, of which %d messages were kept", x.Request.Body.Raw, x.Thread.KeptMessages)
	}

	for name, c := range map[string]struct {
		body, code string
		status     int
	}{
		"an answer that was gone on from":  {inThread(continues(id), asked(result)), "thread_already_continued", http.StatusBadRequest},
		"an answer that was never given":   {inThread(continues("msg_1"), asked(result)), "thread_not_found", http.StatusNotFound},
		"a system prompt that is kept":     {inThread(continues(gjson.Get(second.body, "id").String()), withSystem(asked(user))), "thread_fingerprint_mismatch", http.StatusBadRequest},
		"a thread that names no answer":    {inThread(`{"type":"continue"}`, asked(result)), "thread_not_found", http.StatusNotFound},
		"an id that is something else too": {inThread(`{"type":"continue","previous_message_id":7}`, asked(result)), "thread_not_found", http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			got := askMessages(t, base, c.body, withBeta...)
			if got.status != c.status || gjson.Get(got.body, "error.details.error_code").String() != c.code {
				t.Errorf("answered %d %s, want %d %s", got.status, got.body, c.status, c.code)
			}
		})
	}
}

func withSystem(body string) string {
	return strings.Replace(body, "{", `{"system":"Be terse.",`, 1)
}

// A conversation is kept for a while, or until a scenario has it lost.
func TestThreadsAreLost(t *testing.T) {
	for name, c := range map[string]struct {
		step  string
		later time.Duration
		found bool
	}{
		"not yet":   {"", 5*time.Minute - time.Second, true},
		"expired":   {"", 5*time.Minute + time.Second, false},
		"forgotten": {", loses-thread: true", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			now := &movingClock{}
			srv := start(t, engine.Config{Clock: now})
			s := scenario(t, "tools: {look: {results: [{text: a}]}}\nmodel:\n  - {calls: [{as: a, tool: look, arguments: '{}'}]"+c.step+"}\n  - text: Done.\n")
			run := srv.StartRun(engine.RunConfig{Scenario: s, Profile: profile(t, "anthropic-threads")})
			base := srv.URL + "/run/" + run.ID
			first := askMessages(t, base, inThread(`{"type":"create"}`, asked(user)), withBeta...)
			now.add(c.later)
			result := blocks(`{"type":"tool_result","tool_use_id":"` + gjson.Get(first.body, "content.0.id").String() + `","content":"a"}`)
			second := askMessages(t, base, inThread(continues(gjson.Get(first.body, "id").String()), asked(result)), withBeta...)
			if found := second.status == http.StatusOK; found != c.found {
				t.Errorf("answered %d %s", second.status, second.body)
			}
			if exchanges, _ := run.Record(); exchanges[1].Thread.Lost == c.found {
				t.Errorf("noted as %+v", exchanges[1].Thread)
			}
		})
	}
}

// Outside of runs clients with equal conversations share them, and none affects the others.
func TestThreadsOutsideOfRuns(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "anthropic-threads"), Scenarios: lookAndTell(t)})
	var ids []string
	for range 2 {
		first := askMessages(t, srv.URL, inThread(`{"type":"create"}`, asked(user)), withBeta...)
		call := gjson.Get(first.body, `content.#(type="tool_use").id`).String()
		ids = append(ids, gjson.Get(first.body, "id").String())
		result := blocks(`{"type":"tool_result","tool_use_id":"` + call + `","content":"a"}`)
		if got := askMessages(t, srv.URL, inThread(continues(ids[0]), asked(result)), withBeta...); !got.says(`"text":"Done."`) {
			t.Errorf("answered %d %s", got.status, got.body)
		}
	}
	other := askMessages(t, srv.URL, inThread(`{"type":"create"}`, asked(user, user)), withBeta...)
	if ids[0] != ids[1] || gjson.Get(other.body, "id").String() == ids[0] {
		t.Errorf("the ids are %q, and %s", ids, other.body)
	}
}
