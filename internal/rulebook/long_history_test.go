package rulebook_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/transcript/transcriptschema"
	"github.com/loopproof/loopproof/protocol"
)

// TestLongHistories: what it costs to judge a request grows with its length. Where it grew with the
// square of it, this took four minutes.
func TestLongHistories(t *testing.T) {
	var body strings.Builder
	body.WriteString(`{"model":"m","input":[{"role":"user","content":"Go."}`)
	for i := range 20_000 {
		fmt.Fprintf(&body, `,{"type":"function_call","call_id":"call_%[1]d","name":"look","arguments":"{}"},{"type":"function_call_output","call_id":"call_%[1]d","output":"a"}`, i)
	}
	body.WriteString(`],"tools":[{"type":"function","name":"look"}]}`)
	req, err := responses.Read([]byte(body.String()))
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Find(profiles.All(), "openai-responses")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if refusal, _, is := rulebook.Refuse(p, req); is {
		t.Errorf("it is refused by %s", refusal.Rule)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("20,000 calls are judged in %v", took)
	}
}

// TestManyKeys: nor does it grow with the square of the keys of an object. Where it did, these took
// up to three minutes.
func TestManyKeys(t *testing.T) {
	const many = 150_000
	keys := func(format string) string {
		var all strings.Builder
		for i := range many {
			fmt.Fprintf(&all, format, i)
		}
		return strings.TrimSuffix(all.String(), ",")
	}
	schema := `{"type":"object","additionalProperties":false,"required":[` + keys(`"p%d",`) + `],"properties":{` + keys(`"p%d":{"type":"string"},`) + `}}`
	for _, c := range []struct{ name, profile, body, refused string }{
		{"a strict tool", "openai-responses", `{"model":"m","input":"Go.","tools":[{"type":"function","name":"look","strict":true,"parameters":` + schema + `}]}`, ""},
		{"an item", "openai-responses", `{"model":"m","input":[{"role":"user","content":"Go.",` + keys(`"k%d":1,`) + `}]}`, "egress/item-keys"},
		{"a declared function", "gemini-3", `{"contents":[{"role":"user","parts":[{"text":"Go."}]}],"tools":[{"functionDeclarations":[{"name":"look","description":"Look.","parameters":` + strings.Replace(schema, `"additionalProperties":false,`, "", 1) + `}]}]}`, ""},
	} {
		p, err := profiles.Find(profiles.All(), c.profile)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		req, err := p.Speaks.Read([]byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if refusal, _, is := rulebook.Refuse(p, req); refusal.Rule != c.refused || is != (c.refused != "") {
			t.Errorf("%s of %d keys is refused by %q, want %q", c.name, many, refusal.Rule, c.refused)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s of %d keys is judged in %v", c.name, many, took)
		}
	}
}

// TestLongConversations: what it costs to judge a conversation grows with the bytes of its
// requests. Twice as many rounds have four times as many, since each request has the whole history.
// Memory stands for time, which depends on the machine. Where each turn of each request was
// compared with all later ones, three hundred rounds took half a minute.
func TestLongConversations(t *testing.T) {
	for _, profile := range []string{"openai", "anthropic", "openai-responses", "gemini-3"} {
		t.Run(profile, func(t *testing.T) {
			judgedBy := func(rounds int) uint64 {
				run := longConversation(t, profile, rounds)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				judged := rules.Examine(run.Run, transcriptschema.Check)
				for _, j := range rulebook.Judge(judged, func(f protocol.Feature) bool { return f != protocol.Transcript && f != protocol.Events }) {
					for _, f := range j.Findings {
						t.Errorf("%s: %s; expected %s, actual %s", f.Rule, f.Message, f.Expected, f.Actual)
					}
				}
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			judgedBy(2) // what is made once is made now
			short, long := judgedBy(24), judgedBy(48)
			if long > 6*short {
				t.Errorf("24 rounds take %d bytes, and 48 rounds %d: %.1f times as many", short, long, float64(long)/float64(short))
			}
		})
	}
}

// longConversation is a run of a correct loop, with so many rounds of calls.
func longConversation(t *testing.T, profile string, rounds int) *rules.Run {
	t.Helper()
	var turns, dialogue strings.Builder
	dialogue.WriteString("asks\n")
	for i := range rounds {
		fmt.Fprintf(&turns, "  - calls: [{as: call-%[1]d, tool: get_weather, arguments: '{\"city\":\"Oslo\", \"day\": %[1]d}'}]\n", i)
		fmt.Fprintf(&dialogue, "runs call-%[1]d\nasks on\n calls call-%[1]d\n result call-%[1]d\n", i)
	}
	dialogue.WriteString("completed\n")
	scene := Scene("prompt: What is the weather in Oslo?\ntools:\n  get_weather:\n    parameters: {city: string, day: integer}\n    results: [{text: 4 C}]\nmodel:\n" + turns.String() + "  - text: It is 4 C.\n")
	return scene.Under(profile).Play(t, dialogue.String())
}
