package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// A conversation that fails twice on its way.
const bumpy = `
prompt: Look twice.
tools: {look: {results: [{text: a}]}}
model:
  - calls: [{as: a, tool: look, arguments: '{"n":1}'}]
  - status: 503
    times: 2
  - calls: [{as: b, tool: look, arguments: '{"n":2}'}]
  - text: Done.
`

// converse holds the conversation of bumpy the way a loop does, asking whichever server is next,
// and returns all bodies.
func converse(t *testing.T, bases ...string) []string {
	t.Helper()
	history := []json.RawMessage{json.RawMessage(`{"role":"user","content":"Look twice."}`)}
	var bodies []string
	for n := range 20 {
		body, _ := json.Marshal(map[string]any{"model": "m", "messages": history})
		got := ask(t, bases[n%len(bases)], string(body))
		bodies = append(bodies, fmt.Sprint(got.status, " ", got.body))
		if got.status != 200 {
			continue
		}
		var reply struct {
			Choices []struct{ Message json.RawMessage }
		}
		if err := json.Unmarshal([]byte(got.body), &reply); err != nil {
			t.Fatal(err)
		}
		var said struct {
			Calls []struct{ ID string } `json:"tool_calls"`
		}
		json.Unmarshal(reply.Choices[0].Message, &said)
		history = append(history, reply.Choices[0].Message)
		if len(said.Calls) == 0 {
			return bodies
		}
		for _, c := range said.Calls {
			history = append(history, json.RawMessage(`{"role":"tool","tool_call_id":"`+c.ID+`","content":"a"}`))
		}
	}
	t.Fatalf("the conversation does not end: %q", bodies)
	return nil
}

// smooth is the same conversation without the failures.
var smooth = strings.Replace(bumpy, "  - status: 503\n    times: 2\n", "", 1)

func serverOf(t *testing.T, story, secret string) string {
	t.Helper()
	return start(t, engine.Config{Secret: secret, Scenarios: []*scenarios.Scenario{scenario(t, story)}}).URL
}

// Outside of runs the place in a script is read from the history, and failures are counted.
func TestHistoryLeadsThroughTheScript(t *testing.T) {
	base := serverOf(t, bumpy, "secret")
	bodies := converse(t, base)
	var statuses []string
	for _, b := range bodies {
		statuses = append(statuses, b[:3])
	}
	if diff := cmp.Diff([]string{"200", "503", "503", "200", "200"}, statuses); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if again := converse(t, base); len(again) != 3 || again[0] != bodies[0] || again[2] != bodies[4] {
		t.Errorf("a second conversation, whose failures are over, is answered %q", again)
	}
}

// Servers with the same secret give the same answers, byte for byte, without sharing anything.
func TestReplicasGiveTheSameBytes(t *testing.T) {
	alone := converse(t, serverOf(t, bumpy, "secret"))
	for replicas := 2; replicas <= 4; replicas++ {
		var bases []string
		for range replicas {
			bases = append(bases, serverOf(t, bumpy, "secret"))
		}
		good := func(bodies []string) (kept []string) {
			for _, b := range bodies {
				if strings.HasPrefix(b, "200") {
					kept = append(kept, b)
				}
			}
			return kept
		}
		if diff := cmp.Diff(good(alone), good(converse(t, bases...))); diff != "" {
			t.Errorf("%d replicas answer differently (-one +many):\n%s", replicas, diff)
		}
	}
	if other := converse(t, serverOf(t, bumpy, "another")); other[0] == alone[0] {
		t.Error("another secret gives the same ids")
	}
}

// Clients may drop what came before, or ask the same again: they get what belongs to what they
// sent.
func TestPlaceIsFoundInAnyHistory(t *testing.T) {
	base := serverOf(t, smooth, "secret")
	bodies := converse(t, base)
	prompt := `{"role":"user","content":"Look twice."}`
	first := `{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"look","arguments":"{\"n\": 1}"}}]},{"role":"tool","tool_call_id":"x","content":"a"}`
	second := `{"role":"assistant","tool_calls":[{"id":"y","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]},{"role":"tool","tool_call_id":"y","content":"a"}`
	last := `{"role":"assistant","content":"Done."}`
	for _, c := range []struct {
		name, history, want string
	}{
		{"beginning", prompt, bodies[0]},
		{"beginning again", prompt, bodies[0]},
		{"ids of its own", prompt + "," + first, bodies[1]},
		{"both calls", prompt + "," + first + "," + second, bodies[2]},
		{"system message before", `{"role":"system","content":"s"},` + prompt + "," + first, bodies[1]},
	} {
		got := ask(t, base, `{"model":"m","messages":[`+c.history+`]}`)
		if fmt.Sprint(got.status, " ", got.body) != c.want {
			t.Errorf("%s: answered %d %s, want %s", c.name, got.status, got.body, c.want)
		}
	}
	over := ask(t, base, `{"model":"m","messages":[`+prompt+","+first+","+second+","+last+`,{"role":"user","content":"And now?"}]}`)
	if !over.says("There is nothing more to say.") {
		t.Errorf("past the end the answer is %d %s", over.status, over.body)
	}
}

func TestPromptChoosesTheScenario(t *testing.T) {
	one, two := scenario(t, "prompt: One?\nmodel: [{text: Yes one.}]"), scenario(t, "prompt: Two?\nmodel: [{text: Yes two.}]")
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{one, two}})
	request := func(prompt string) string { return messages(`{"role":"user","content":"` + prompt + `"}`) }
	for prompt, want := range map[string]string{"One?": "Yes one.", "Two?": "Yes two."} {
		if got := ask(t, srv.URL, request(prompt)); !got.says(want) {
			t.Errorf("%s is answered %d %s", prompt, got.status, got.body)
		}
	}
	const unknown = `No scenario begins with the prompt "Three?"; those played here begin with "One?", "Two?".`
	if got := ask(t, srv.URL, request("Three?")); got.status != 404 || got.body != ours(profile(t, "openai"), 404, unknown) {
		t.Errorf("an unknown prompt is answered %d %s", got.status, got.body)
	}
	entries := srv.Journal().Entries()
	if last := entries[len(entries)-1]; last.Exchange.Problem == "" || last.Scenario != "" || last.Exchange.Request == nil {
		t.Errorf("it is in the journal as %+v", last)
	}
	none := start(t, engine.Config{})
	const unscripted = "No scenario is played here: start the server with --scenario, or ask under the path of a run."
	if got := ask(t, none.URL, hello); got.status != 404 || got.body != ours(profile(t, "openai"), 404, unscripted) {
		t.Errorf("without scenarios the answer is %d %s", got.status, got.body)
	}
}

func TestLenientOutsideOfRuns(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		srv := start(t, engine.Config{Lenient: lenient, Scenarios: lookAndTell(t)})
		got := ask(t, srv.URL, messages(user, quiet, user))
		if want := map[bool]int{false: 400, true: 200}[lenient]; got.status != want {
			t.Errorf("lenient: %v, a violation is answered %d, want %d", lenient, got.status, want)
		}
		entry := srv.Journal().Entries()[0]
		if entry.Exchange.Refusal == nil || entry.Exchange.Refusal.Given == lenient || len(entry.Findings) == 0 {
			t.Errorf("lenient: %v, the journal says %+v with %d findings", lenient, entry.Exchange.Refusal, len(entry.Findings))
		}
	}
}
