package stream_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var byteCases = Cases{
	"stream/ends-at-done": append(EveryQuirkCase("done-unfinished", "left-open", "more-after-done", "done-after-stop"),
		Breaks("the loop waits for the connection to close", OneCity.Showing("left-open"), `
			asks
			outwaited
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "", Does("left-open")+"the loop waited for its end", "the connection is left at the end mark", "it was still read when we closed it"))),
	"stream/usage-last-wins": {
		Holds("counted once", OneCity.Showing("usage-three-times"), OneCityDone+"\ncounts 100 in, 32 out"),
		Holds("counted wrongly without the quirk too", OneCity.Showing("usage-three-times").Alongside(OneCityDone+"\ncounts 3 in, 3 out"), OneCityDone+"\ncounts 3 in, 3 out"),
		SeesNothing("no counts are reported", OneCity.Showing("usage-three-times"), OneCityDone),
		SeesNothing("an ordinary stream", OneCity.By(wire.DeliverSSE), OneCityDone+"\ncounts 3 in, 3 out"),
		Breaks("counted three times", OneCity.Showing("usage-three-times").Alongside(OneCityDone+"\ncounts 100 in, 32 out"), OneCityDone+"\ncounts 300 in, 96 out",
			Found(1, "", Does("usage-three-times")+"the tokens were not counted once", "100 in, 32 out", "300 in, 96 out")),
	},
	"stream/input-tokens-stay": {
		Holds("as at the start", OneCity.Showing("end-usage-null"), OneCityDone+"\ncounts 100 in, 32 out"),
		SeesNothing("no counts are reported", OneCity.Showing("end-usage-output-only"), OneCityDone),
		SeesNothing("an ordinary stream", OneCity.By(wire.DeliverSSE), OneCityDone+"\ncounts 3 in, 3 out"),
		Breaks("none", OneCity.Showing("end-usage-output-only").Alongside(OneCityDone+"\ncounts 100 in, 32 out"), OneCityDone+"\ncounts 60 in, 32 out",
			Found(1, "", Does("end-usage-output-only")+"the tokens were not counted once", "100 in, 32 out", "60 in, 32 out")),
	},
}

// otherID returns a call under the id of its second piece.
const otherID = `
	asks
	runs oslo as -
	asks on
		{"role":"assistant","tool_calls":[{"id":"{{oslo}}2","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
		{"role":"tool","tool_call_id":"{{oslo}}2","content":"4 C"}
	completed`
