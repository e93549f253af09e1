package outcome_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// manyRounds calls in each of five turns.
	manyRounds = Scene(WeatherTool + `
prompt: Compare the weather in five cities.
model:
` + strings.Join([]string{turnOf("oslo"), turnOf("lima"), turnOf("rome"), turnOf("kyiv"), turnOf("cork")}, "") + `  - text: Lima is warmest.
`)
	// stuck makes the same call three times.
	stuck = Scene(WeatherTool + `
prompt: Wait for the sun in Lima.
model:
  - calls: [{as: first, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: second, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: third, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: It shines.
`)
	// mended is asked again after an error, and calls once more.
	mended = BadEnd("{status: 503}\n  - calls: [{as: lima, tool: get_weather, arguments: '{\"city\":\"Lima\"}'}]\n  - {text: Lima is warmer.}")
)

func turnOf(city string) string {
	return "  - calls: [{as: " + city + ", tool: get_weather, arguments: '{\"city\":\"" + strings.ToUpper(city[:1]) + city[1:] + "\"}'}]\n"
}

// asksBehind asks on after the rounds of some cities, one call each.
func asksBehind(cities ...string) string {
	said := "asks\n"
	for _, city := range cities {
		said += "asks on\n\tcalls " + city + "\n\tresult " + city + "\n"
	}
	return said
}

var ownFailureCases = Cases{
	"outcome/no-failure-of-its-own": {
		Holds("an answer", TwoRounds, asksBehind("oslo", "lima")+"completed"),
		Holds("an answer that is not reported is for completed", OneCity, AfterRound("failed: tired")),
		Holds("a made-up end is for no-made-up-answer", TwoRounds, asksBehind("oslo")+"completed: Done."),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("a tool that failed is for bad-call-survived", Down, "asks\nruns bonn\nfailed: a tool failed"),
		SeesNothing("an error of the provider", mended, asksBehind("oslo")+Again(1)+"failed: 503"),
		SeesNothing("it had come to its last call behind an error", mended, asksBehind("oslo")+Again(1)+"runs lima\nfailed: tired"),
		Holds("nobody listens", Gone, asksBehind("oslo")+"runs lima\nfailed: connection refused"),
		SeesNothing("the turn limit", Limited, AfterRound("failed: the limit")),
		SeesNothing("the time limit", Hanging, HungAt("for 2s given up")+"failed: out of time"),
		SeesNothing("the user cancelled", CancelledAnswer, BeforeCancel("cancels\nstopped: cancelled")),
		SeesNothing("a model that repeats itself", stuck, asksBehind("first", "second")+"failed: the model is stuck"),
		SeesNothing("an id that was there before", RepeatedIDs, asksBehind("author")+"failed: this call was answered"),
		SeesNothing("the word stop beside a call", Stopping, "asks\nfailed: no text"),
		SeesNothing("a text beside calls in a stream is for text-beside-calls", Talking.By(wire.DeliverSSE), "asks\nfailed: no text"),
		SeesNothing("an odd delivery is for the rules about streams", TwoRounds.By(wire.DeliverBytes), asksBehind("oslo")+"failed: tired"),
		SeesNothing("a commentary is not read", commented, "asks\nfailed: two messages"),
		SeesNothing("a crash is for run-ends", TwoRounds, "asks\ncrashed"),
		Breaks("it fails before the tool is run", TwoRounds, "asks\nfailed: tired",
			Found(1, "", "the run ended in the middle, although nothing had failed", "a next request, with the results of oslo", `the loop reported failed: "tired" after 1 answer`)),
		Breaks("it fails in the second round", TwoRounds, asksBehind("oslo")+"runs lima\nfailed: tired",
			Found(2, "", "the run ended in the middle, although nothing had failed", "a next request, with the results of lima", `the loop reported failed: "tired" after 2 answers`)),
		Breaks("it stops", TwoCities, "asks\nruns oslo\nruns lima\nstopped: enough",
			Found(1, "", "the run ended in the middle, although nothing had failed", "a next request, with the results of oslo, lima", "the loop reported stopped (reason: enough) after 1 answer")),
		Breaks("a text beside calls", Talking, "asks\nfailed: no text",
			Found(1, "", "the run ended in the middle, although nothing had failed", "a next request, with the results of oslo, lima", `the loop reported failed: "no text" after 1 answer`)),
		Breaks("at the second prompt", TwoPrompts, AfterRound("asks\n\tassistant: It is 4 C in Oslo.\n\tprompt 2")+"\nfailed: tired",
			Found(3, "", "the run ended in the middle, although nothing had failed", "a next request, with the results of lima", `the loop reported failed: "tired" after 3 answers`)),
		Breaks("in a long run", manyRounds, asksBehind("oslo", "lima", "rome", "kyiv")+"stopped: enough",
			Found(5, "", "the run ended in the middle, although nothing had failed", "a next request, with the results of cork", "the loop reported stopped (reason: enough) after 5 answers").Only(trace.Should)),
		Breaks("a turn of nine calls", nineCalls, asksBehind("oslo")+"runs c1\nruns c2\nruns c3\nruns c4\nruns c5\nruns c6\nruns c7\nruns c8\nruns c9\nfailed: too many calls",
			Found(2, "", "the run ended in the middle, although nothing had failed", "a next request, with the results of c1, c2, c3, c4, c5, c6, c7, c8, c9", `the loop reported failed: "too many calls" after 2 answers`).Only(trace.Should)),
	},
}

// nineCalls is a turn with more calls than some loops take.
var nineCalls = Scene(WeatherTool + `
  look:
    parameters: {at: integer}
    results: [{text: seen}]
prompt: Look everywhere.
needs: [parallel-calls]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls:
      - {as: c1, tool: look, arguments: '{"at":1}'}
      - {as: c2, tool: look, arguments: '{"at":2}'}
      - {as: c3, tool: look, arguments: '{"at":3}'}
      - {as: c4, tool: look, arguments: '{"at":4}'}
      - {as: c5, tool: look, arguments: '{"at":5}'}
      - {as: c6, tool: look, arguments: '{"at":6}'}
      - {as: c7, tool: look, arguments: '{"at":7}'}
      - {as: c8, tool: look, arguments: '{"at":8}'}
      - {as: c9, tool: look, arguments: '{"at":9}'}
  - text: I have looked.
`)
