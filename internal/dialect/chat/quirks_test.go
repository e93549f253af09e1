package chat_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// quirky returns the payloads of a stream with a quirk, under a profile.
func quirky(t *testing.T, profile, name string, answer wire.Answer) []string {
	t.Helper()
	q, known := profiles.QuirkNamed(profiles.All(), name)
	if !known {
		t.Fatalf("there is no quirk %s", name)
	}
	answer.Calls = slices.Clone(answer.Calls)
	if q.Answer != nil {
		q.Answer(&answer)
	}
	events := under(t, profile).Stream(&answer, wire.Reply{ID: "id", Model: "m", Usage: true})
	events = append(events, wire.Event{Data: []byte(chat.Done)})
	if q.Events != nil {
		events = q.Events(events)
	}
	var payloads []string
	for _, e := range events {
		payloads = append(payloads, string(e.Data))
	}
	return payloads
}

// deltas returns what the deltas of a stream say, one line for each chunk with a choice.
func deltas(payloads []string) string {
	var lines []string
	for _, p := range payloads {
		if choice := wire.Parsed([]byte(p)).Path("choices", 0); choice != nil {
			line := "no delta"
			if choice.Has("delta") {
				line = string(choice.Path("delta").JSON())
			}
			if word := choice.Path("finish_reason"); !word.Is(wire.Null) {
				line += " " + string(word.JSON())
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

var twoCalls = wire.Answer{
	Calls:  []wire.AnswerCall{{ID: "a", Name: "look", Arguments: `{"at":1}`}, {ID: "b", Name: "look", Arguments: `{"at":2}`}},
	Finish: wire.FinishCalls,
}

var aCall = wire.Answer{Calls: twoCalls.Calls[:1], Finish: wire.FinishCalls}

var talking = wire.Answer{Text: "Hello, you", Calls: twoCalls.Calls[:1], Finish: wire.FinishCalls}

var greeting = wire.Answer{Text: "Hello, you", Finish: wire.FinishStop}

// TestQuirksOnTheWire shows how the less obvious quirks change a stream of OpenAI.
func TestQuirksOnTheWire(t *testing.T) {
	for _, c := range []struct {
		quirk  string
		answer wire.Answer
		want   string
	}{
		{"call-index-missing", twoCalls, `
			{"role":"assistant","content":null}
			{"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{\"at\":1}"}}]}
			{"tool_calls":[{"id":"b","type":"function","function":{"name":"look","arguments":"{\"at\":2}"}}]}
			{} "tool_calls"`},
		{"fragment-index-missing", aCall, `
			{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":""}}],"refusal":null}
			{"tool_calls":[{"function":{"arguments":"{\"at"}}]}
			{"tool_calls":[{"function":{"arguments":"\":1}"}}]}
			{} "tool_calls"`},
		{"call-index-shared", twoCalls, `
			{"role":"assistant","content":null}
			{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}
			{"tool_calls":[{"index":0,"id":"b","type":"function","function":{"name":"look","arguments":""}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":2}"}}]}
			{} "tool_calls"`},
		{"calls-in-one-delta", twoCalls, `
			{"role":"assistant","content":null}
			{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":"{\"at\":1}"}},{"index":1,"id":"b","type":"function","function":{"name":"look","arguments":"{\"at\":2}"}}]}
			{} "tool_calls"`},
		{"calls-on-finish", aCall, `
			{"role":"assistant","content":null,"refusal":null}
			{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":"{\"at\":1}"}}]} "tool_calls"`},
		{"call-ends-in-nothing", aCall, `
			{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":"{\"at\":1}"}}],"refusal":null}
			{"tool_calls":[{"index":0,"function":{"arguments":""}}]}
			{} "tool_calls"`},
		{"call-name-in-pieces", aCall, `
			{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"lo","arguments":""}}],"refusal":null}
			{"tool_calls":[{"index":0,"function":{"name":"ok"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}
			{} "tool_calls"`},
		{"call-name-late", aCall, `
			{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"arguments":""}}],"refusal":null}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":1}","name":"look"}}]}
			{} "tool_calls"`},
		{"call-name-late", wire.Answer{Calls: []wire.AnswerCall{{ID: "a", Name: "look", Arguments: `{}`}}, Finish: wire.FinishCalls}, `
			{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}],"refusal":null}
			{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}
			{} "tool_calls"`},
		{"arguments-object", aCall, `
			{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":{"at":1}}}],"refusal":null}
			{} "tool_calls"`},
		{"arguments-by-letter", wire.Answer{Calls: []wire.AnswerCall{{ID: "a", Name: "look", Arguments: `{0}`}}, Finish: wire.FinishCalls}, `
			{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}],"refusal":null}
			{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"0"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}
			{} "tool_calls"`},
		{"arguments-empty-pieces", aCall, `
			{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}],"refusal":null}
			{"tool_calls":[{"index":0,"function":{"arguments":""}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":""}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":""}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":""}}]}
			{} "tool_calls"`},
		{"call-id-changing", aCall, `
			{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}],"refusal":null}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"},"id":"a2"}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"},"id":"a3"}]}
			{} "tool_calls"`},
		{"text-beside-call", talking, `
			{"role":"assistant","content":"","refusal":null}
			{"content":"Hell"}
			{"content":"o, y"}
			{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}],"content":"ou"}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}
			{} "tool_calls"`},
		{"text-inside-call", talking, `
			{"role":"assistant","content":"","refusal":null}
			{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"content":"Hell"}
			{"content":"o, y"}
			{"content":"ou"}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}
			{} "tool_calls"`},
		{"text-inside-call", greeting, `
			{"role":"assistant","content":"","refusal":null}
			{"content":"Hell"}
			{"content":"o, y"}
			{"content":"ou"}
			{} "stop"`},
		{"choices-missing", greeting, `
			{"role":"assistant","content":"","refusal":null}
			{"content":"Hell"}
			{"content":"o, y"}
			{"content":"ou"}
			{} "stop"`},
		{"delta-missing", greeting, `
			{"role":"assistant","content":"","refusal":null}
			no delta
			{"content":"Hell"}
			{"content":"o, y"}
			{"content":"ou"}
			{} "stop"
			no delta`},
		{"text-on-finish", greeting, `
			{"role":"assistant","content":"","refusal":null}
			{"content":"Hell"}
			{"content":"o, y"}
			{"content":"ou"} "stop"`},
		{"empty-text-after-finish", greeting, `
			{"role":"assistant","content":"","refusal":null}
			{"content":"Hell"}
			{"content":"o, y"}
			{"content":"ou"}
			{} "stop"
			{"role":"assistant","content":""}`},
		{"finish-twice", greeting, `
			{"role":"assistant","content":"","refusal":null}
			{"content":"Hell"}
			{"content":"o, y"}
			{"content":"ou"}
			{} "stop"
			{} "stop"`},
	} {
		t.Run(c.quirk, func(t *testing.T) {
			want := strings.TrimSpace(strings.ReplaceAll(c.want, "\t", ""))
			if diff := cmp.Diff(want, deltas(quirky(t, "openai", c.quirk, c.answer))); diff != "" {
				t.Errorf("the deltas (-want +got):\n%s", diff)
			}
		})
	}
}

// TestBehindAPrelude: Azure's first chunk has no choices, so that what is added has to be after the
// one after it.
func TestBehindAPrelude(t *testing.T) {
	want := strings.TrimSpace(strings.ReplaceAll(`
		{"content":"","refusal":null,"role":"assistant"}
		no delta
		{"content":"Hell"}
		{"content":"o, y"}
		{"content":"ou"}
		{} "stop"
		no delta`, "\t", ""))
	if diff := cmp.Diff(want, deltas(quirky(t, "azure", "delta-missing", greeting))); diff != "" {
		t.Errorf("the deltas (-want +got):\n%s", diff)
	}
}

// TestChoicesMissing: the first chunk of all is one of the gateway's own, and another one is after
// the first choice.
func TestChoicesMissing(t *testing.T) {
	payloads := quirky(t, "gateway", "choices-missing", greeting)
	if !strings.Contains(payloads[0], "hook_results") || strings.Contains(payloads[2], "choices") || !strings.Contains(payloads[2], "chat.completion.chunk") {
		t.Errorf("the stream begins with\n%s", strings.Join(payloads[:3], "\n"))
	}
}

// TestPlacesOfReasoning shows where reasoning and signatures are under the profiles that show such
// quirks.
func TestPlacesOfReasoning(t *testing.T) {
	short := "Oslo it is"
	signed := []wire.ReasoningBlock{{Type: wire.BlockText, Text: short, Signature: "s", Format: "f"}}
	for _, c := range []struct {
		profile, quirk string
		answer         wire.Answer
		want           string
	}{
		{"vllm", "reasoning-beside-text", wire.Answer{Reasoning: &short, Text: "Cold", Finish: wire.FinishStop}, `
			{"role":"assistant","content":""}
			{"reasoning":"Oslo"}
			{"reasoning":" it "}
			{"content":"Cold","reasoning":"is"}
			{"content":""} "stop"`},
		{"vllm", "reasoning-beside-call", wire.Answer{Reasoning: &short, Calls: aCall.Calls, Finish: wire.FinishCalls}, `
			{"role":"assistant","content":""}
			{"reasoning":"Oslo"}
			{"reasoning":" it "}
			{"tool_calls":[{"id":"a","type":"function","index":0,"function":{"name":"look","arguments":""}}],"reasoning":"is"}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}
			{"content":""} "tool_calls"`},
		{"reasoning-gateway", "reasoning-behind-call", wire.Answer{Reasoning: &short, Calls: aCall.Calls, Finish: wire.FinishCalls}, `
			{"role":"assistant","content":null,"reasoning_content":""}
			{"content":null,"reasoning_content":"Oslo"}
			{"content":null,"reasoning_content":" it "}
			{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}]}
			{"content":null,"reasoning_content":"is"}
			{"tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}
			{"content":"","reasoning_content":null} "tool_calls"`},
		{"openrouter", "signature-behind-call", wire.Answer{Reasoning: &short, Details: signed, Calls: aCall.Calls, Finish: wire.FinishCalls}, `
			{"content":"","role":"assistant","reasoning":"Oslo","reasoning_details":[{"type":"reasoning.text","text":"Oslo","format":"f","index":0}]}
			{"content":"","role":"assistant","reasoning":" it ","reasoning_details":[{"type":"reasoning.text","text":" it ","format":"f","index":0}]}
			{"content":"","role":"assistant","reasoning":"is","reasoning_details":[{"type":"reasoning.text","text":"is","format":"f","index":0}]}
			{"content":null,"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}]}
			{"content":"","role":"assistant","reasoning_details":[{"type":"reasoning.text","signature":"s","format":"f","index":0}]}
			{"content":null,"role":"assistant","tool_calls":[{"index":0,"function":{"arguments":"{\"at"}}]}
			{"content":null,"role":"assistant","tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}
			{"content":"","role":"assistant","reasoning":null} "tool_calls"
			{"content":"","role":"assistant"} "tool_calls"`},
		{"gemini-compat", "call-signature-behind", wire.Answer{Calls: []wire.AnswerCall{{ID: "a", Name: "look", Arguments: "{}", Signature: "s"}}, Finish: wire.FinishCalls}, `
			{"role":"assistant","tool_calls":[{"function":{"arguments":"{}","name":"look"},"id":"a","index":0,"type":"function"}]} null
			{"tool_calls":[{"extra_content":{"google":{"thought_signature":"s"}},"index":0}]} null
			{"role":"assistant"} "tool_calls"`},
	} {
		t.Run(c.quirk, func(t *testing.T) {
			want := strings.TrimSpace(strings.ReplaceAll(c.want, "\t", ""))
			if diff := cmp.Diff(want, deltas(quirky(t, c.profile, c.quirk, c.answer))); diff != "" {
				t.Errorf("the deltas (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLaterPieces: where calls come whole, with the finish reason even, they are cut in two for
// what later pieces have.
func TestLaterPieces(t *testing.T) {
	want := strings.TrimSpace(strings.ReplaceAll(`
		{"role":"assistant","content":""}
		{"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":""},"index":0}]}
		{"tool_calls":[{"index":0,"function":{"arguments":"{\"at\":1}","name":""}}]}
		{"tool_calls":[{"id":"b","type":"function","function":{"name":"look","arguments":""},"index":1}]}
		{"tool_calls":[{"index":1,"function":{"arguments":"{\"at\":2}","name":""}}]}
		{} "tool_calls"`, "\t", ""))
	payloads := quirky(t, "mistral", "call-name-empty-later", twoCalls)
	if diff := cmp.Diff(want, deltas(payloads)); diff != "" {
		t.Errorf("the deltas (-want +got):\n%s", diff)
	}
	if n := strings.Count(strings.Join(payloads, ""), `"usage":{`); n != 1 {
		t.Errorf("%d chunks have token counts, want the last one", n)
	}
}

// TestQuirksOfProfiles: a quirk changes the streams of the profiles that show it, but where they
// cannot do without. Then it changes nothing, unless it would do again what the shape does already.
func TestQuirksOfProfiles(t *testing.T) {
	addsUp := []string{"choices-empty-first", "usage-three-times", "finish-twice", "error-as-text"}
	for _, p := range profiles.All() {
		for _, shown := range p.Quirks {
			q, known := profiles.QuirkNamed(profiles.All(), shown.Name)
			if !known || p.Dialect != chat.Dialect || shown.Always && slices.Contains(addsUp, q.Name) {
				continue
			}
			if changes := changesStream(t, p.Name, q); changes == shown.Always {
				t.Errorf("%s changes something in the streams of %s: %v; it always shows it: %v", q.Name, p.Name, changes, shown.Always)
			}
		}
	}
}

// TestEveryQuirkShows: a quirk changes something in each delivery in which it says that it shows.
func TestEveryQuirkShows(t *testing.T) {
	names := map[string]bool{}
	for _, q := range chat.Quirks() {
		if names[q.Name] || q.Does == "" || strings.HasSuffix(q.Does, ".") {
			t.Errorf("%s: a quirk has a name of its own, and half a sentence that says what the provider does", q.Name)
		}
		names[q.Name] = true
		if !slices.ContainsFunc(plainProfiles, func(name string) bool { return changesStream(t, name, q) }) {
			t.Errorf("%s changes nothing in a stream", q.Name)
		}
		if q.Shows(wire.DeliverJSON) && !slices.ContainsFunc(plainProfiles, func(name string) bool { return changesWhole(t, name, q) }) {
			t.Errorf("%s changes nothing in a whole answer", q.Name)
		}
	}
}

var thought = "Look at it. Then say it."

// answersOfAllKinds are answers of the kinds that quirks are about: text, calls, both, reasoning
// and signatures alongside them.
var answersOfAllKinds = []wire.Answer{greeting, twoCalls, talking,
	{Reasoning: &thought, Text: "Hi", Finish: wire.FinishStop},
	{
		Reasoning: &thought, Details: []wire.ReasoningBlock{{Type: wire.BlockText, Text: thought, Signature: "s", Format: "unknown"}},
		Calls: []wire.AnswerCall{{ID: "a", Name: "look", Arguments: `{"at":1}`, Signature: "s"}}, Finish: wire.FinishCalls,
	},
	{Text: "Hi", Calls: []wire.AnswerCall{{ID: "a", Name: "look", Arguments: `{"at":1} `}}, Finish: wire.FinishCalls},
	{Calls: []wire.AnswerCall{{ID: "a", Name: "look", Arguments: "{}"}}, Finish: wire.FinishCalls}}

// plainProfiles are regular, and together show all that answers can hold.
var plainProfiles = []string{"openai", "deepseek", "openrouter", "gemini-compat"}

func changesStream(t *testing.T, profile string, q wire.Quirk) bool {
	for _, a := range answersOfAllKinds {
		reply := wire.Reply{ID: "id", Model: "m", Usage: true}
		plain := append(under(t, profile).Stream(&a, reply), wire.Event{Data: []byte(`{"error":{"message":"no"}}`), Failure: true})
		before := bytes.Join(wire.DeliverSSE.Writes(plain), nil)
		changed, framing := changedAnswer(q, a), wire.Framing{}
		events := append(under(t, profile).Stream(&changed, reply), wire.Event{Data: []byte(`{"error":{"message":"no"}}`), Failure: true})
		if q.Events != nil {
			events = q.Events(events)
		}
		if q.Framing != nil {
			q.Framing(&framing)
		}
		after := bytes.Join(wire.DeliverSSE.FramedWrites(events, framing), nil)
		if !bytes.Equal(before, after) || framing.Pause > 0 || framing.LeftOpen || framing.NoCharset {
			return true
		}
	}
	return false
}

func changesWhole(t *testing.T, profile string, q wire.Quirk) bool {
	for _, a := range answersOfAllKinds {
		before := under(t, profile).Write(&a, wire.Reply{ID: "id", Model: "m"})
		changed := changedAnswer(q, a)
		after := under(t, profile).Write(&changed, wire.Reply{ID: "id", Model: "m"})
		if q.Whole != nil {
			after = q.Whole(after)
		}
		if !bytes.Equal(before, after) {
			return true
		}
	}
	return false
}

func changedAnswer(q wire.Quirk, a wire.Answer) wire.Answer {
	a.Calls = slices.Clone(a.Calls)
	if q.Answer != nil {
		q.Answer(&a)
	}
	return a
}
