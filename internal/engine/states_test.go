package engine_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const login = `
model:
  - {when: {user: log in}, text: Welcome., state: {session: open}}
  - {when: {user: log out}, status: 503, state: {session: ''}}
  - {when: {user: limited}, text: Limited., state: {session: open}, behaviour: {faults: [{status: 429}]}}
  - {when: {state: {session: open}}, text: 'You are in.'}
  - {when: {not: {state: {session: open}}, user: not}, text: Not in.}
  - {when: {state: {session: ''}}, text: Log in first.}
`

func says(user string) string {
	return fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":%q}]}`, user)
}

// An answer sets a state, for other conversations, in every dialect, and for its run alone. What
// goes wrong by a behaviour sets nothing.
func TestState(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai"), Scenarios: []*scenarios.Scenario{script(t, "login", login)}})
	run := testRun(t, srv, engine.TestRunConfig{})
	here := srv.URL + "/run/" + run.ID
	for _, c := range []struct{ at, user, want string }{
		{here, "hello", "Log in first."}, {here, "not", "Not in."}, {here, "limited", "429"}, {here, "hello", "Log in first."},
		{here, "log in", "Welcome."}, {here, "hello", "You are in."}, {here, "not", "You are in."}, {srv.URL, "hello", "Log in first."},
		{here, "log out", "503"}, {here, "hello", "Log in first."}, {here, "log in", "Welcome."},
	} {
		if got := ask(t, c.at, says(c.user)); !strings.Contains(fmt.Sprint(got.status, got.body), c.want) {
			t.Errorf("after %q come %d %s, want %s", c.user, got.status, got.body, c.want)
		}
	}
	do(t, http.MethodPost, srv.URL+"/loopproof/runs/"+run.ID+"/reset", "")
	if got := ask(t, here, says("hello")); !got.says("Log in first.") {
		t.Errorf("a reset leaves the state: %s", got.body)
	}
}

// What nothing answers says in which state it is.
func TestStateMissed(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{script(t, "one", "model: [{when: {state: {order: paid}}, text: a}]\n")}})
	if got := ask(t, srv.URL, hello); got.status != 404 || !strings.Contains(got.body, `state/order: \"\" is not \"paid\"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// The shares of steps are those of the requests, the same for the same seed, and what no share
// takes goes to the next step.
func TestChance(t *testing.T) {
	s := script(t, "dice", "model:\n  - {chance: 50%, text: One.}\n  - {chance: 30%, times: 1000, text: Two.}\n  - {text: Three.}\n")
	count := func(seed string) (n [3]int, order string) {
		srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{s}, Behaviour: behaviour(t, "seed: "+seed)})
		for i := range 300 {
			user := "Go."
			if i%2 == 0 {
				user = fmt.Sprint(i)
			}
			got := serve(srv.Provider, says(user)).Body.String()
			for j, text := range []string{"One.", "Two.", "Three."} {
				if strings.Contains(got, text) {
					n[j]++
					order += fmt.Sprint(j)
				}
			}
		}
		return n, order
	}
	first, order := count("1")
	if first[0] < 120 || first[0] > 180 || first[1] < 60 || first[1] > 120 || first[2] < 40 || first[0]+first[1]+first[2] != 300 {
		t.Errorf("the shares of 300 are %v", first)
	}
	if _, again := count("1"); again != order {
		t.Error("the same seed gives other answers")
	}
	if _, other := count("2"); other == order {
		t.Error("another seed gives the same answers")
	}
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{script(t, "rare", "model: [{chance: 0.0001%, text: Never.}]\n")}})
	if got := ask(t, srv.URL, hello); got.status != 404 || !strings.Contains(got.body, "it answers 0.0001% of the requests by chance, and not this one") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// No more requests are answered at once than are taken, of turns and of what is besides; those that
// are refused take no place.
func TestAtOnce(t *testing.T) {
	srv := start(t, engine.Config{
		Scenarios: []*scenarios.Scenario{script(t, "held", "model: [{when: {user: held}, text: Done., hold: {until: go}}, {text: Free.}]\n")},
		Behaviour: behaviour(t, "rate-limit: {at-once: 2}"),
	})
	single := testRun(t, srv, engine.TestRunConfig{Behaviour: behaviour(t, "rate-limit: {at-once: 1}")})
	held := make(chan answer, 3)
	for range 2 {
		go func() { held <- ask(t, srv.URL, says("held")) }()
	}
	do(t, http.MethodGet, srv.URL+"/loopproof/wait?count=2", "")
	for range 3 {
		got := ask(t, srv.URL, hello)
		if got.status != 429 || got.header.Get("retry-after") != "1" || !strings.Contains(got.body, "on concurrent requests: Limit 2, Used 2, Requested 1.") {
			t.Errorf("a third request gets %d %v %s", got.status, got.header, got.body)
		}
	}
	if got := do(t, http.MethodPost, srv.URL+"/v1/embeddings", `{"model":"m","input":"a"}`); got.status != 429 {
		t.Errorf("embeddings get %d", got.status)
	}
	if e := srv.Journal().Entries()[3]; e.Fault != "rate-limit" {
		t.Errorf("the journal says %q", e.Fault)
	}
	do(t, http.MethodPost, srv.URL+"/loopproof/runs/default/release", `{"hold":"go"}`)
	for range 2 {
		if got := <-held; !got.says("Done.") {
			t.Errorf("a held one gets %d %s", got.status, got.body)
		}
	}
	if got := ask(t, srv.URL, hello); !got.says("Free.") {
		t.Errorf("then %d %s", got.status, got.body)
	}
	for i := range 20 {
		body := strings.Replace(says("free"), "{", fmt.Sprintf(`{"stream":%t,`, i%2 == 0), 1)
		if got := ask(t, srv.URL+"/run/"+single.ID, body); got.status != 200 {
			t.Fatalf("one request after the other gets %d at the %d.", got.status, i)
		}
	}
}
