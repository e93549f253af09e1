package execution

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// toolReturned reports whether the tool of a call was run, and waited for.
func toolReturned(c *rules.CallRun) bool { return len(c.Executions) > 0 && !c.Executions[0].GivenUp() }

// eachResult calls f for every call that a tool answered with text, once the loop asked again, with
// what it sent as the result. Calls whose result is missing are left to the rules about pairing. The
// results of the turn that spent a budget are first sent when the user goes on, and may be cleared
// by then.
func eachResult(r *rules.Run, f func(e rules.ReturnedTurn, n int, output, sent string)) {
	for of := range r.RunResults() {
		first, sent := of.Call.Executions[0], of.Result.Content.Text
		spent := func(x *trace.Exchange) bool { return x.Turn == of.Turn.Turn && r.BudgetSpentAt(x) }
		if first.Failed || first.Image != nil || first.Several() || slices.ContainsFunc(r.Served(), spent) {
			continue
		}
		f(of.Turn, of.N, resultOf(of.Call.Executions, sent), sent)
	}
}

// resultOf returns what a tool returned for a call. Where it was run several times, which is for
// no-call-run-twice, it is the result that the loop sent, if it is one of them.
func resultOf(runs []*trace.Execution, sent string) string {
	for _, e := range runs {
		if !e.Failed && strings.TrimSpace(e.Result) != "" && rules.ContainsText(sent, e.Result) {
			return e.Result
		}
	}
	return runs[0].Result
}

func resultReachesTheModel(r *rules.Run) (j rules.CheckResult) {
	eachResult(r, func(e rules.ReturnedTurn, n int, output, sent string) {
		if strings.TrimSpace(output) == "" || len(output) > rules.LongResult {
			return
		}
		if _, swapped := r.MistakenFor(e, n, sent); swapped {
			return // result-carries-its-call-id finds that
		}
		j.HasEvidence = true
		if rules.ContainsText(sent, output) || ranForAnother(r, e, n, output) {
			return
		}
		f := trace.Finding{
			Request:  e.In.Number,
			Pointer:  e.In.Request.HistoryPointer(),
			Message:  fmt.Sprintf("the result of the call %s is not what the tool returned", e.Turn.Answer.Calls[n].As),
			Expected: rules.Quote(output),
			Actual:   rules.Quote(sent),
		}
		if rules.CleansText(sent, output) || rules.CutsText(sent, output) || rules.DefusesText(sent, output) {
			f.Level = trace.Should
		}
		j.Find(f)
	})
	return j
}

// ranForAnother reports whether the run of a call may have been that of one which means the same,
// and has its result: where one has the arguments null and the other none, a loop may run one of
// them and refuse the other.
func ranForAnother(r *rules.Run, e rules.ReturnedTurn, n int, output string) bool {
	for other, call := range e.Turn.Answer.Calls {
		if other == n || !rules.MeansTheSame(call, e.Turn.Answer.Calls[n]) || len(r.CallRun(e, other).Executions) > 0 {
			continue
		}
		if res, ok := e.Result(other); ok && rules.ContainsText(res.Content.Text, output) {
			return true
		}
	}
	return false
}

func resultNotEncodedAgain(r *rules.Run) (j rules.CheckResult) {
	eachResult(r, func(e rules.ReturnedTurn, n int, output, sent string) {
		if rules.InJSON(output) == output || len(output) > rules.LongResult {
			return
		}
		j.HasEvidence = true
		if said := strings.TrimSpace(output); !strings.Contains(sent, said) && rules.QuotesText(sent, said) {
			j.FindAt(e.In, e.In.Request.HistoryPointer(),
				fmt.Sprintf("the result of the call %s was quoted as JSON once more", e.Turn.Answer.Calls[n].As),
				rules.Quote(output),
				rules.Quote(sent))
		}
	})
	return j
}

func resultKeepsItsIndentation(r *rules.Run) (j rules.CheckResult) {
	eachResult(r, func(e rules.ReturnedTurn, n int, output, sent string) {
		said := strings.TrimRightFunc(output, unicode.IsSpace)
		indented := said != "" && strings.TrimLeft(said, " \t") != said
		if !indented || len(output) > rules.LongResult || !rules.ContainsText(sent, output) {
			return // what else is not in the result is for resultReachesTheModel
		}
		j.HasEvidence = true
		if !strings.Contains(sent, said) && !rules.QuotesText(sent, said) {
			j.FindAt(e.In, e.In.Request.HistoryPointer(),
				fmt.Sprintf("the result of the call %s has lost the white space that it begins with", e.Turn.Answer.Calls[n].As),
				rules.Quote(output),
				rules.Quote(sent))
		}
	})
	return j
}

func longResultWhole(r *rules.Run) (j rules.CheckResult) {
	eachResult(r, func(e rules.ReturnedTurn, n int, output, sent string) {
		if len(output) <= rules.LongResult {
			return
		}
		j.HasEvidence = true
		if !rules.ContainsText(sent, output) && !rules.SaysMore(sent, output) {
			j.FindAt(e.In, e.In.Request.HistoryPointer(),
				fmt.Sprintf("the long result of the call %s is not whole, and nothing says so", e.Turn.Answer.Calls[n].As),
				rules.Plural(len(output), "byte"),
				rules.Plural(len(sent), "byte"))
		}
	})
	return j
}

func emptyResultAnswered(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if !c.Turn.Asks() || !toolReturned(&c) || c.Executions[0].Result != "" || c.Executions[0].Image != nil || c.Executions[0].Failed {
			continue
		}
		answeredOn(&j, r, c, "whose tool returned nothing")
	}
	return j
}

// answeredOn requires that a call is not lost silently: the loop sent a result for it, or another
// message about it, or reported an error to its caller. If it continued without a result for the
// call, the rules about pairing judge that.
func answeredOn(j *rules.CheckResult, r *rules.Run, c rules.CallRun, what string) {
	next := r.Next(c.In)
	j.HasEvidence = j.HasEvidence || next != nil
	switch {
	case r.Interrupted(c.Turn) || c.Unsettled:
	case r.EndedByAnswerCall(c.In): // there is nothing to go on with; what the next prompt says of it is for pairing
	case r.ResumedBy(next) != nil: // the caller may have been told, and went on
	case r.FailedAt(c): // bad-call-survived looks at those
		j.HasEvidence = j.HasEvidence || r.RanBefore(c.In)
	case next == nil && r.Ending.How != "" && !r.HadToEnd():
		j.FindInAnswer(c.In,
			fmt.Sprintf("the run ended at the call %s %s", c.Call.As, what),
			"a next request with a result for the call, or an error for the caller",
			r.DescribeEnd())
	case next != nil && !returned(r, c) && !remarks(r, next, c.In):
		j.FindAt(next, next.Request.HistoryPointer(),
			fmt.Sprintf("the call %s %s was dropped", c.Call.As, what),
			"the call and a result for it",
			"neither")
	}
}

// remarks reports whether a request has a message of the user that the one before it did not have
// and that is not a prompt: some loops tell the model so what was wrong with its turn, and send
// neither the turn nor a result.
func remarks(r *rules.Run, next, before *trace.Exchange) bool {
	return slices.ContainsFunc(next.Request.Messages, func(m wire.Message) bool {
		old := slices.ContainsFunc(before.Request.Messages, func(o wire.Message) bool { return wire.SameExactly(o.Node, m.Node) })
		prompt := slices.ContainsFunc(r.Task.Prompts, func(p string) bool { return strings.TrimSpace(p) == strings.TrimSpace(m.Content.Text) })
		return m.Role == wire.User && len(m.Results) == 0 && !m.Content.Blank() && !old && !prompt
	})
}

// badCallSurvived demands that the run continues after a call that cannot be run, whose tool
// failed, or returned nothing.
func badCallSurvived(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		what := badness(r, c)
		if what == "" || r.Interrupted(c.Turn) || c.Unsettled || r.EndedByAnswerCall(c.In) {
			continue
		}
		j.HasEvidence = j.HasEvidence || r.Next(c.In) != nil
		if r.FailedAt(c) && !r.HadToEnd() {
			j.FindInAnswer(c.In,
				fmt.Sprintf("the run ended with an error at the call %s %s", c.Call.As, what),
				"a next request, with a result for the call",
				r.DescribeEnd())
		}
	}
	return j
}

// badness says what is bad about a call of a whole turn, or about what came of it; "" when all is
// well.
func badness(r *rules.Run, c rules.CallRun) string {
	switch {
	case !c.Turn.Asks():
		return ""
	case c.Trouble != scenarios.NoTrouble:
		return describeTrouble(c)
	case len(c.Executions) > 0 && r.ToolFails(c.Call):
		return "whose tool failed"
	case toolReturned(&c) && c.Executions[0].Image == nil && c.Executions[0].Result == "":
		return "whose tool returned nothing"
	default:
		return ""
	}
}

// returned reports whether the next request still speaks of a call.
func returned(r *rules.Run, c rules.CallRun) bool {
	for _, e := range r.Answered() {
		if e.Turn == c.Turn {
			_, answered := e.Result(c.N)
			return answered || e.Message != nil && len(e.Message.Calls) >= len(c.Turn.Answer.Calls) || e.In.Request.HasResultFor(c.Call.ID)
		}
	}
	return true
}

// troubleAnswered demands an error for a call that cannot be run as it is.
func troubleAnswered(r *rules.Run, trouble scenarios.Trouble) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if c.Trouble == trouble && c.Turn.Asks() {
			errorAnswered(&j, r, c, describeTrouble(c))
		}
	}
	return j
}

func describeTrouble(c rules.CallRun) string {
	switch c.Trouble {
	case scenarios.UnknownTool:
		return "of the unknown tool " + c.Call.Name
	case scenarios.NotJSON:
		return "whose arguments are not JSON"
	default:
		return "whose arguments break the schema"
	}
}

func failureAnswered(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		switch {
		case !r.ToolFails(c.Call) || len(c.Executions) == 0:
		case r.FailsWithoutWords(c): // what the result says then is for wordlessFailureTold
			answeredOn(&j, r, c, "whose tool failed without a word")
		default:
			errorAnswered(&j, r, c, "whose tool failed")
		}
	}
	return j
}

// wordlessFailureTold demands a result that says something where a tool failed without a message.
func wordlessFailureTold(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.Answered() {
		for n := range e.Turn.Answer.Calls {
			c := r.CallRun(e, n)
			res, ok := e.Result(n)
			if !ok || len(c.Executions) == 0 || !r.FailsWithoutWords(c) {
				continue
			}
			j.HasEvidence = true
			if res.Content.Blank() {
				j.FindAt(e.In, res.Node.Pointer()+"/content",
					fmt.Sprintf("the call %s, whose tool failed without a word, was answered with nothing", c.Call.As),
					"words from which the model knows that the tool failed",
					rules.Show(res.Content.Node))
			}
		}
	}
	return j
}

// errorAnswered is answeredOn with a result that says something. Where a sub-agent was stopped, some
// frameworks return the text of its last turn, which may have none: that breaks a should.
func errorAnswered(j *rules.CheckResult, r *rules.Run, c rules.CallRun, what string) {
	answeredOn(j, r, c, what)
	for _, e := range r.Answered() {
		if e.Turn != c.Turn {
			continue
		}
		if res, ok := e.Result(c.N); ok && res.Content.Blank() {
			f := trace.Finding{
				Request: e.In.Number, Pointer: res.Node.Pointer() + "/content",
				Message:  fmt.Sprintf("the call %s %s was answered with nothing", c.Call.As, what),
				Expected: "an error that the model can read", Actual: rules.Show(res.Content.Node),
			}
			if r.StoppedAgent(c) {
				f.Level = trace.Should
			}
			j.Find(f)
		}
	}
}

func failureSaysWhy(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.Answered() {
		for n, call := range e.Turn.Answer.Calls {
			c := r.CallRun(e, n)
			res, ok := e.Result(n)
			if !ok || !toolReturned(&c) || !r.ToolFails(c.Call) || r.FailsWithoutWords(c) || res.Content.Blank() {
				continue
			}
			j.HasEvidence = true
			why := r.ToolOutput(call)
			if blocks := c.Executions[0].Blocks; blocks != nil && !blocks.Joined { // the others are for every-block-reaches-the-model
				why = blocks.Texts[0]
			}
			if !rules.ContainsText(res.Content.Text, why) {
				j.FindAt(e.In, res.Node.Pointer()+"/content",
					fmt.Sprintf("the result of the call %s does not say why its tool failed", e.Turn.Answer.Calls[n].As),
					"a result with "+rules.Quote(why),
					rules.Quote(res.Content.Text))
			}
		}
	}
	return j
}
