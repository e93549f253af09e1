package recording_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/recording"
	"github.com/loopproof/loopproof/protocol"
)

const weather = `
system: |
  You are terse.
    "Never" guess: #1
prompt: "What is the weather in Oslo & Lima? \U0001F326"
tools:
  get_weather:
    description: The weather in a city.
    parameters: {city: string, days: integer?}
    results:
      - {when: {city: Oslo}, text: "4 C\n\tand rain"}
      - {when: {city: Lima}, fail: "no such city: \"Lima\""}
model:
  - status: 529
    retry-after: 1ms
  - text: I look it up.
    calls:
      - {as: oslo, tool: get_weather, arguments: '{"city": "Oslo", "days":1}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - calls:
      - {as: again, tool: get_weather, arguments: '{"city":"Oslo"}'}
  - text: "4 °C in Oslo, \"nothing\" of Lima.\nThat is all."
`

// What was recorded is answered again to the same requests: byte for byte, write for write, with
// the same status and the headers that a client may look at.
func TestARecordingReplaysByteForByte(t *testing.T) {
	for _, profile := range []string{"openai", "deepseek", "anthropic", "openai-responses", "openai-responses-stored", "gemini-3", "gemini-2.5"} {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/stream=%v", profile, stream), func(t *testing.T) {
				rec := record(t, weather, profile, stream, recording.Config{})
				if rec.outcome.Status != protocol.Completed || len(rec.seen) != 4 {
					t.Fatalf("the loop ended with %+v after %d requests, want an answer after 4", rec.outcome, len(rec.seen))
				}
				compare(t, rec.seen, rec.replay(t, profile))
			})
		}
	}
}

func compare(t testing.TB, want, got []exchange) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d requests were answered, want %d", len(got), len(want))
	}
	for i := range want {
		a, b := want[i], got[i]
		if a.status != b.status || a.body() != b.body() {
			t.Errorf("answer %d is\n%d %s\nwant\n%d %s", i+1, b.status, b.body(), a.status, a.body())
		}
		if len(a.writes) > 1 && strings.Join(a.writes, "|") != strings.Join(b.writes, "|") {
			t.Errorf("answer %d comes in %d writes, want the same %d", i+1, len(b.writes), len(a.writes))
		}
		for _, name := range []string{"Content-Type", "Retry-After", "Retry-After-Ms"} {
			if a.header.Get(name) != b.header.Get(name) {
				t.Errorf("%s of answer %d is %q, want %q", name, i+1, b.header.Get(name), a.header.Get(name))
			}
		}
	}
}

// A recorded conversation is a scenario like others: a loop can be judged by it.
func TestARecordingIsAScenario(t *testing.T) {
	rec := record(t, weather, "openai", true, recording.Config{})
	s := rec.load(t)[0]
	if s.System != "You are terse.\n  \"Never\" guess: #1\n" || s.Prompts[0] != "What is the weather in Oslo & Lima? 🌦" {
		t.Errorf("the scenario begins with %q and %q", s.System, s.Prompts)
	}
	tool := s.Tool("get_weather")
	if r, ok := tool.Answer(`{"city":"Oslo","days":1}`); !ok || r.Output() != "4 C\n\tand rain" {
		t.Errorf("the tool gives %+v for Oslo", r)
	}
	if got := fmt.Sprint(tool.Parameters); got != "[{city string} {days integer?}]" {
		t.Errorf("the tool takes %s", got)
	}
	if s.ID != "what-is-the-weather-in-oslo-lima" || len(s.Model) != 4 || s.Model[0].Status != 529 {
		t.Errorf("the scenario %s has %d steps, the first with the status %d", s.ID, len(s.Model), s.Model[0].Status)
	}
	if len(rec.told) != 4 || rec.told[1].Said != `says "I look it up."; calls get_weather {"city": "Oslo", "days":1}; calls get_weather {"city":"Lima"}` {
		t.Errorf("this was told: %+v", rec.told)
	}
	again := record(t, "prompt: x\nmodel: [{text: a}]\n", "openai", true, recording.Config{})
	if len(again.files(t)) != 3 {
		t.Errorf("a short recording has the files %v, want a scenario, a fixture and .gitattributes", again.files(t))
	}
}

// Calls without ids have the results that came for them, in their order.
func TestResultsOfCallsWithoutIDsAreRecorded(t *testing.T) {
	for _, profile := range []string{"gemini-3", "gemini-2.5"} {
		tool := record(t, weather, profile, true, recording.Config{}).load(t)[0].Tool("get_weather")
		if r, ok := tool.Answer(`{"city":"Oslo","days":1}`); !ok || r.Output() != "4 C\n\tand rain" {
			t.Errorf("%s: the tool gives %+v for Oslo", profile, r)
		}
	}
}

// long is a conversation of 30 turns. The results of its last tools have one megabyte each.
func long(big int) string {
	var b strings.Builder
	b.WriteString("prompt: Read on.\ntools:\n  read:\n    parameters: {page: integer}\n    results:\n")
	for page := range 29 {
		repeat := 1
		if page >= 29-big {
			repeat = 1<<20/9 + 1
		}
		fmt.Fprintf(&b, "      - {when: {page: %d}, text: \"page %02d, \", repeat: %d}\n", page, page, repeat)
	}
	b.WriteString("model:\n")
	for page := range 29 {
		fmt.Fprintf(&b, "  - calls: [{as: p%d, tool: read, arguments: '{\"page\":%d}'}]\n", page, page)
	}
	b.WriteString("  - text: That was the last page.\n")
	return b.String()
}

// A conversation of 30 turns replays identically, large results and all. Few of them are large
// here, for the sake of time; the benchmark has a megabyte from each tool.
func TestALongRecordingReplaysByteForByte(t *testing.T) { replayLong(t, 3) }

func BenchmarkLongRecording(b *testing.B) {
	for b.Loop() {
		replayLong(b, 29)
	}
}

func replayLong(tb testing.TB, big int) {
	rec := record(tb, long(big), "openai", true, recording.Config{})
	if rec.outcome.Text != "That was the last page." || len(rec.seen) != 30 || len(rec.seen[29].request) < big<<20 {
		tb.Fatalf("the loop ended with %+v after %d requests, the last of %d bytes", rec.outcome, len(rec.seen), len(rec.seen[len(rec.seen)-1].request))
	}
	compare(tb, rec.seen, rec.replay(tb, "openai"))
}
