package stream_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var togetherCases = Cases{
	"stream/calls-together":         CallQuirkCases("call-in-one-delta", "calls-in-one-delta", "call-ends-in-nothing"),
	"stream/text-and-call-together": CallQuirkCases("text-beside-call", "empty-text-beside-call", "text-inside-call"),
	"stream/empty-call-list":        EveryQuirkCase("call-list-empty", "call-list-null"),
	"stream/no-choices":             EveryQuirkCase("choices-empty-first", "choices-null", "choices-missing", "chunk-null"),
	"stream/no-delta":               EveryQuirkCase("delta-missing", "delta-null"),
	"stream/nulls":                  EveryQuirkCase("nulls", "finish-key-missing"),
	"stream/unknown-keys":           EveryQuirkCase("unknown-keys", "role-in-every-chunk"),
	"stream/text-to-the-end":        AnswerQuirkCases("text-on-finish", "empty-text-after-finish"),
}

var byteCases = Cases{
	"stream/line-ends":         EveryQuirkCase("line-ends-cr", "line-ends-crlf"),
	"stream/byte-order-mark":   EveryQuirkCase("byte-order-mark"),
	"stream/space-is-optional": EveryQuirkCase("no-space-after-colon"),
	"stream/data-lines":        EveryQuirkCase("data-lines"),
	"stream/named-events":      EveryQuirkCase("named-events"),
	"stream/idle-events":       EveryQuirkCase("events-without-data", "data-empty", "slow"),
	"stream/long-lines":        EveryQuirkCase("long-line"),
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
	"stream/usage-optional": EveryQuirkCase("usage-missing"),
	"stream/usage-last-wins": {
		Holds("counted once", OneCity.Showing("usage-three-times"), OneCityDone+"\ncounts 100 in, 32 out"),
		Holds("counted wrongly without the quirk too", OneCity.Showing("usage-three-times").Alongside(OneCityDone+"\ncounts 3 in, 3 out"), OneCityDone+"\ncounts 3 in, 3 out"),
		SeesNothing("no counts are reported", OneCity.Showing("usage-three-times"), OneCityDone),
		SeesNothing("an ordinary stream", OneCity.By(wire.DeliverSSE), OneCityDone+"\ncounts 3 in, 3 out"),
		Breaks("counted three times", OneCity.Showing("usage-three-times").Alongside(OneCityDone+"\ncounts 100 in, 32 out"), OneCityDone+"\ncounts 300 in, 96 out",
			Found(1, "", Does("usage-three-times")+"the tokens were not counted once", "100 in, 32 out", "300 in, 96 out")),
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

var eventCases = Cases{
	"stream/unknown-blocks":     EveryQuirkCase("unknown-blocks"),
	"stream/message-start-bare": EveryQuirkCase("message-start-bare", "response-start-bare"),
	"stream/blank-text-blocks":  CallQuirkCases("empty-text-block", "white-text-block"),
	"stream/unknown-events":     EveryQuirkCase("unknown-events", "unknown-deltas", "citations"),
	"stream/payloads-no-object": EveryQuirkCase("payloads-no-object"),
	"stream/pings-anywhere":     EveryQuirkCase("pings-anywhere"),
	"stream/payloads-are-json":  EveryQuirkCase("spaces-in-payloads"),
}
