package messagesrules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/pairing"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// executionFlagRules are the rules of the area execution about the flag by which a result says that
// the tool failed.
var executionFlagRules = []rules.Rule{
	{
		ID:        "execution/failure-is-flagged",
		Level:     trace.Should,
		Text:      "The result of a call that failed, cannot be run or names no tool says so: is_error: true, or status: error.",
		Why:       "The model treats the error message as a result. Not a must: the flag is optional, and the text of the result says it as well.",
		Invariant: true,
		Evidence:  "a request with the result of a call that went wrong",
		Sources: []rules.Source{
			{URL: rules.ToolCallDocs, Says: "is_error: set to true if the tool execution resulted in an error"},
			{URL: "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/tools/BetaToolRunner.ts", Says: "the vendor's own loop sets it for throwing and unknown tools"},
		},
		Run: func(r *rules.Run) (j rules.CheckResult) {
			eachFlag(r, func(e rules.ReturnedTurn, n int, res wire.Result, bad bool) {
				if !bad {
					return
				}
				j.HasEvidence = true
				if !res.Failed {
					j.Find(flagFinding(e, n, res, "a call that went wrong is answered as if it had not", r.Dialect().Terms.Failed))
				}
			})
			return j
		},
	},
	{
		ID:        "execution/success-is-not-flagged",
		Level:     trace.Must,
		Text:      "The result of a call that went well does not say that it is an error.",
		Why:       "The model tries again, and the tool does its work twice.",
		Needs:     rules.SeesTools,
		Invariant: true,
		Evidence:  "a request with the result of a call that went well",
		Sources:   []rules.Source{{URL: rules.ToolCallDocs, Says: "is_error: set to true if the tool execution resulted in an error"}},
		Run: func(r *rules.Run) (j rules.CheckResult) {
			eachFlag(r, func(e rules.ReturnedTurn, n int, res wire.Result, bad bool) {
				if bad {
					return
				}
				j.HasEvidence = true
				if res.Failed {
					j.Find(flagFinding(e, n, res, "a call that went well is answered as an error", "not "+r.Dialect().Terms.Failed))
				}
			})
			return j
		},
	},
	{
		ID:        "execution/error-result-is-text",
		Level:     trace.Should,
		Text:      "A result with is_error holds text alone.",
		Why:       "Anthropic refuses an image or a document there, such as the screenshot of a page that failed.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a result that carries is_error",
		Sources: []rules.Source{
			{URL: rules.ToolCallDocs, Says: "an error message in content with is_error"},
			{URL: "https://github.com/vellum-ai/vellum-assistant/pull/18387", Says: "the 400 of Anthropic for an image"},
			{URL: "https://github.com/caozhiyuan/copilot-api/pull/196", Says: "the same for documents and tool references"},
		},
		Vars:    []string{"at"},
		Request: errorResultIsText,
	},
}

func errorResultIsText(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	eachResult(req, func(n *wire.Node) {
		if !n.Get("is_error").True() {
			return
		}
		j.HasEvidence = true
		other := slices.IndexFunc(n.Get("content").All(), func(b *wire.Node) bool { return b.Get("type").Text() != "text" })
		if other >= 0 {
			j.Find(trace.Finding{
				Pointer: n.Pointer(), Message: "an error that is not text", Expected: "text blocks alone",
				Actual: rules.Show(n), Vars: map[string]string{"at": rules.Dotted(n)},
			})
		}
	})
	return j
}

// eachFlag calls f for every result that a loop sent for a call, with whether the call went wrong.
// Calls that were not seen to run are left out unless they cannot be run, and so are those whose
// tool had not returned when the loop answered them. One that cannot be run and was, with other
// arguments, is neither: invalid-json-not-run looks at those.
func eachFlag(r *rules.Run, f func(e rules.ReturnedTurn, n int, res wire.Result, bad bool)) {
	for _, e := range r.Answered() {
		for n, call := range e.Turn.Answer.Calls {
			res, ok := e.Result(n)
			if !ok {
				continue
			}
			trouble := r.Script.Scenario.Trouble(call) != scenarios.NoTrouble
			c := r.CallRun(e, n)
			ran := c.ReturnedBefore(e.In.Start)
			switch {
			case trouble && ran && !pairing.LastRun(&c).Failed:
			case ran && len(c.Executions[0].Files()) > 0 && !pairing.LastRun(&c).Failed: // a loop may tell that it cannot take the result
			case trouble || ran:
				f(e, n, res, trouble || pairing.LastRun(&c).Failed)
			}
		}
	}
}

func flagFinding(e rules.ReturnedTurn, n int, res wire.Result, message, expected string) trace.Finding {
	return trace.Finding{
		Request:  e.In.Number,
		Pointer:  res.Node.Pointer(),
		Message:  fmt.Sprintf("%s: %s", e.Turn.Answer.Calls[n].As, message),
		Expected: expected,
		Actual:   rules.Show(res.Node),
	}
}

// eachResult calls f for every tool_result of a request.
func eachResult(req *wire.Request, f func(n *wire.Node)) {
	for _, m := range req.Messages {
		for _, r := range m.Results {
			f(r.Node)
		}
	}
}
