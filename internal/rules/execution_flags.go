package rules

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// executionFlags are the rules of the area execution about the flag by which a result says that the tool failed.
var executionFlags = []Rule{
	{
		ID:        "execution/failure-is-flagged",
		Level:     Should,
		Dialect:   onlyMessages,
		Text:      "The result of a call that failed, cannot be run or names no tool carries is_error: true.",
		Why:       "The model takes the message for what the tool found out. No must: the flag is optional, and the text of the result says it as well.",
		Invariant: true,
		Evidence:  "a request with the result of a call that went wrong",
		Sources: []Source{
			{toolCallDocs, "is_error: set to true if the tool execution resulted in an error"},
			{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/tools/BetaToolRunner.ts", "the vendor's own loop sets it for throwing and unknown tools"},
		},
		Run: func(r *Run) (j Judged) {
			r.eachFlag(func(e Echo, n int, res wire.Result, bad bool) {
				if !bad {
					return
				}
				j.Seen = true
				if !res.IsError.True() {
					j.Find(flagFinding(e, n, res, "a call that went wrong is answered as if it had not", "\"is_error\":true"))
				}
			})
			return j
		},
	},
	{
		ID:        "execution/success-is-not-flagged",
		Level:     Must,
		Dialect:   onlyMessages,
		Text:      "The result of a call that went well does not carry is_error: true.",
		Why:       "The model tries again, and the tool does its work twice.",
		Needs:     seesTools,
		Invariant: true,
		Evidence:  "a request with the result of a call that went well",
		Sources:   []Source{{toolCallDocs, "is_error: set to true if the tool execution resulted in an error"}},
		Run: func(r *Run) (j Judged) {
			r.eachFlag(func(e Echo, n int, res wire.Result, bad bool) {
				if bad {
					return
				}
				j.Seen = true
				if res.IsError.True() {
					j.Find(flagFinding(e, n, res, "a call that went well is answered as an error", "no is_error, or false"))
				}
			})
			return j
		},
	},
	{
		ID:        "execution/error-result-is-text",
		Level:     Should,
		Dialect:   onlyMessages,
		Text:      "A result with is_error holds text alone.",
		Why:       "The API was seen to refuse an image in an error.",
		Invariant: true,
		Evidence:  "a request with a result that carries is_error",
		Sources:   []Source{{toolCallDocs, "an error message in content with is_error"}},
		Run: func(r *Run) (j Judged) {
			r.eachFlag(func(e Echo, n int, res wire.Result, _ bool) {
				if !res.IsError.True() {
					return
				}
				j.Seen = true
				if !onlyText(res.Content.Parts) {
					j.Find(flagFinding(e, n, res, "an error that is not text", "text blocks alone"))
				}
			})
			return j
		},
	},
}

// eachFlag calls f for every result that a loop sent for a call, with whether the call went wrong. Calls that nobody saw
// run are left out unless they cannot be, and so are those whose tool had not returned when the loop answered them. One
// that cannot be run and was, with other arguments, is neither: invalid-json-not-run looks at those.
func (r *Run) eachFlag(f func(e Echo, n int, res wire.Result, bad bool)) {
	for _, e := range r.Answered() {
		for n, call := range e.Turn.Answer.Calls {
			res, ok := e.Result(n)
			if !ok {
				continue
			}
			trouble := r.Script.Scenario.Trouble(call) != scenarios.NoTrouble
			c := r.callRun(e, n)
			ran := c.returnedBefore(e.In.Start)
			switch {
			case trouble && ran && !c.lastRun().Failed:
			case trouble || ran:
				f(e, n, res, trouble || c.lastRun().Failed)
			}
		}
	}
}

func flagFinding(e Echo, n int, res wire.Result, message, expected string) Finding {
	return Finding{
		Request:  e.In.Number,
		Pointer:  res.Node.Pointer(),
		Message:  fmt.Sprintf("%s: %s", e.Turn.Answer.Calls[n].As, message),
		Expected: expected,
		Actual:   show(res.Node),
	}
}
