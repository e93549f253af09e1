package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// long is from when on a result counts as very long, in bytes.
const long = 20_000

// returned reports whether the tool of a call was run, and waited for.
func (c *CallRun) returned() bool { return len(c.Executions) > 0 && !c.Executions[0].GivenUp() }

// returnedBefore reports whether the tool of a call had returned at some time of the run, each time that it was run. A
// loop that waits no longer than it likes answers the call in its own words.
func (c *CallRun) returnedBefore(at time.Duration) bool {
	return len(c.Executions) > 0 && !slices.ContainsFunc(c.Executions, func(e *Execution) bool { return e.GivenUp() || e.End > at })
}

// lastRun returns the last run of the call's tool, or nil.
func (c *CallRun) lastRun() *Execution {
	if len(c.Executions) == 0 {
		return nil
	}
	return c.Executions[len(c.Executions)-1]
}

// eachResult calls f for every call that a tool answered with text, once the loop asked again, with what it sent as
// the result. Calls whose result is missing are left to the rules about pairing.
func (r *Run) eachResult(f func(e Echo, n int, output, sent string)) {
	for _, e := range r.Answered() {
		for n, call := range e.Turn.Answer.Calls {
			res, ok := e.Result(n)
			c := r.callRun(e, n)
			if !ok || repeated(r, call.ID) || !c.returnedBefore(e.In.Start) || c.Executions[0].Failed || c.Executions[0].Image != nil {
				continue
			}
			f(e, n, c.Executions[0].Result, res.Content.Text)
		}
	}
}

func (r *Run) callRun(e Echo, n int) CallRun {
	for _, c := range r.Calls() {
		if c.Turn == e.Turn && c.N == n {
			return c
		}
	}
	return CallRun{}
}

func resultReachesTheModel(r *Run) (j Judged) {
	r.eachResult(func(e Echo, n int, output, sent string) {
		if strings.TrimSpace(output) == "" || len(output) > long {
			return
		}
		if _, swapped := r.mistaken(e, n, sent); swapped {
			return // result-carries-its-call-id finds that
		}
		j.Seen = true
		if !contains(sent, output) {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.In.Request.HistoryPointer(),
				Message:  fmt.Sprintf("the result of the call %s is not what the tool returned", e.Turn.Answer.Calls[n].As),
				Expected: quote(output),
				Actual:   quote(sent),
			})
		}
	})
	return j
}

func resultNotEncodedAgain(r *Run) (j Judged) {
	r.eachResult(func(e Echo, n int, output, sent string) {
		if inJSON(output) == output || len(output) > long {
			return
		}
		j.Seen = true
		if said := strings.TrimSpace(output); !strings.Contains(sent, said) && quotes(sent, said) {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.In.Request.HistoryPointer(),
				Message:  fmt.Sprintf("the result of the call %s was quoted as JSON once more", e.Turn.Answer.Calls[n].As),
				Expected: quote(output),
				Actual:   quote(sent),
			})
		}
	})
	return j
}

func longResultWhole(r *Run) (j Judged) {
	r.eachResult(func(e Echo, n int, output, sent string) {
		if len(output) <= long {
			return
		}
		j.Seen = true
		if !contains(sent, output) && !saysMore(sent, output) {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.In.Request.HistoryPointer(),
				Message:  fmt.Sprintf("the long result of the call %s is not whole, and nothing says so", e.Turn.Answer.Calls[n].As),
				Expected: plural(len(output), "byte"),
				Actual:   plural(len(sent), "byte"),
			})
		}
	})
	return j
}

// saysMore reports whether a text has words beside the beginning and the end of another: a note that something was left
// out, say.
func saysMore(text, of string) bool {
	for text != "" && of != "" && text[0] == of[0] {
		text, of = text[1:], of[1:]
	}
	for text != "" && of != "" && text[len(text)-1] == of[len(of)-1] {
		text, of = text[:len(text)-1], of[:len(of)-1]
	}
	return strings.ContainsFunc(text, unicode.IsLetter)
}

func emptyResultAnswered(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		if !c.returned() || c.Executions[0].Result != "" || c.Executions[0].Image != nil || c.Executions[0].Failed {
			continue
		}
		j.answeredOn(r, c, "whose tool returned nothing")
	}
	return j
}

// answeredOn demands that nobody is left to believe that a call was dealt with: the loop asked again and answered it, or
// said something about it to the model, or reported an error to its caller. When it asked again but left the call without
// a result beside it, that is for the rules about pairing to say.
func (j *Judged) answeredOn(r *Run, c CallRun, what string) {
	next := r.Next(c.In)
	j.Seen = j.Seen || next != nil
	switch {
	case r.interrupted(c.Turn):
	case r.failedAt(c): // bad-call-survived looks at those
		j.Seen = j.Seen || r.ranBefore(c.In)
	case next == nil && r.Ending.How != "" && !r.hadToEnd():
		j.Find(Finding{
			Request:  c.In.Number,
			Answer:   c.In.Number,
			Message:  fmt.Sprintf("the run ended at the call %s %s", c.Call.As, what),
			Expected: "a next request with a result for the call, or an error for the caller",
			Actual:   r.ended(),
		})
	case next != nil && !r.returned(c) && !r.remarks(next, c.In):
		j.Find(Finding{
			Request:  next.Number,
			Pointer:  next.Request.HistoryPointer(),
			Message:  fmt.Sprintf("the call %s %s was dropped", c.Call.As, what),
			Expected: "the call and a result for it",
			Actual:   "neither",
		})
	}
}

// failedAt reports whether the run ended at the turn of a call with an error that its caller can read. A loop that passes
// on what its tools raise has no words of its own for a tool that failed without a word: that it failed is enough then.
func (r *Run) failedAt(c CallRun) bool {
	if r.Next(c.In) != nil || r.Outcome == nil || r.Outcome.Status != protocol.Failed {
		return false
	}
	return strings.TrimSpace(r.Outcome.Error) != "" || len(c.Executions) > 0 && r.wordless(c)
}

// remarks reports whether a request has a message of the user that the one before it did not have and that is no prompt:
// some loops tell the model so what was wrong with its turn, and send neither the turn nor a result.
func (r *Run) remarks(next, before *Exchange) bool {
	return slices.ContainsFunc(next.Request.Messages, func(m wire.Message) bool {
		old := slices.ContainsFunc(before.Request.Messages, func(o wire.Message) bool { return wire.SameExactly(o.Node, m.Node) })
		prompt := slices.ContainsFunc(r.Task.Prompts, func(p string) bool { return strings.TrimSpace(p) == strings.TrimSpace(m.Content.Text) })
		return m.Role == wire.User && len(m.Results) == 0 && !m.Content.Blank() && !old && !prompt
	})
}

// badCallSurvived demands that the run goes on after a call that cannot be run, whose tool failed, or returned nothing.
func badCallSurvived(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		what := r.badness(c)
		if what == "" || r.interrupted(c.Turn) {
			continue
		}
		j.Seen = j.Seen || r.Next(c.In) != nil
		if r.failedAt(c) && !r.hadToEnd() {
			j.Find(Finding{
				Request:  c.In.Number,
				Answer:   c.In.Number,
				Message:  fmt.Sprintf("the run ended with an error at the call %s %s", c.Call.As, what),
				Expected: "a next request, with a result for the call",
				Actual:   r.ended(),
			})
		}
	}
	return j
}

// badness says what is bad about a call of a whole turn, or about what came of it; "" when all is well.
func (r *Run) badness(c CallRun) string {
	switch {
	case !c.Turn.Asks():
		return ""
	case c.Trouble != scenarios.NoTrouble:
		return describeTrouble(c)
	case len(c.Executions) > 0 && r.fails(c):
		return "whose tool failed"
	case c.returned() && c.Executions[0].Image == nil && c.Executions[0].Result == "":
		return "whose tool returned nothing"
	default:
		return ""
	}
}

// returned reports whether the next request still speaks of a call.
func (r *Run) returned(c CallRun) bool {
	for _, e := range r.Answered() {
		if e.Turn == c.Turn {
			_, answered := e.Result(c.N)
			return answered || e.Message != nil && len(e.Message.Calls) >= len(c.Turn.Answer.Calls) || hasResultFor(e.In.Request, c.Call.ID)
		}
	}
	return true
}

// hasResultFor reports whether a request has a result for a call anywhere: where it has to stand is for the rules about
// pairing.
func hasResultFor(req *wire.Request, id string) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return slices.ContainsFunc(m.Results, func(res wire.Result) bool { return id != "" && res.CallID == id })
	})
}

// ended says how a run ended, with all that the loop told its caller about it but the text.
func (r *Run) ended() string {
	o := r.Outcome
	if o == nil {
		return "the loop " + string(r.Ending.How)
	}
	text := "the loop reported " + string(o.Status)
	var why []string
	if o.Reason != "" {
		why = append(why, "reason: "+o.Reason)
	}
	if o.FinishReason != "" {
		why = append(why, "finish_reason: "+o.FinishReason)
	}
	if len(why) > 0 {
		text += " (" + strings.Join(why, ", ") + ")"
	}
	if o.Error != "" {
		text += ": " + quote(o.Error)
	}
	return text
}

// troubleAnswered demands an error for a call that cannot be run as it stands.
func troubleAnswered(r *Run, trouble scenarios.Trouble) (j Judged) {
	for _, c := range r.Calls() {
		if c.Trouble == trouble && c.Turn.Asks() {
			j.errorAnswered(r, c, describeTrouble(c))
		}
	}
	return j
}

func describeTrouble(c CallRun) string {
	switch c.Trouble {
	case scenarios.UnknownTool:
		return "of the unknown tool " + c.Call.Name
	case scenarios.NotJSON:
		return "whose arguments are not JSON"
	default:
		return "whose arguments break the schema"
	}
}

func failureAnswered(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		switch {
		case !r.fails(c) || len(c.Executions) == 0:
		case r.wordless(c): // what the result says then is for wordlessFailureTold
			j.answeredOn(r, c, "whose tool failed without a word")
		default:
			j.errorAnswered(r, c, "whose tool failed")
		}
	}
	return j
}

// wordless reports whether the tool of a call fails without saying why.
func (r *Run) wordless(c CallRun) bool { return r.fails(c) && r.output(c.Call) == "" }

// wordlessFailureTold demands a result that says something where a tool failed without a word.
func wordlessFailureTold(r *Run) (j Judged) {
	for _, e := range r.Answered() {
		for n := range e.Turn.Answer.Calls {
			c := r.callRun(e, n)
			res, ok := e.Result(n)
			if !ok || len(c.Executions) == 0 || !r.wordless(c) {
				continue
			}
			j.Seen = true
			if res.Content.Blank() {
				j.Find(Finding{
					Request:  e.In.Number,
					Pointer:  res.Node.Pointer() + "/content",
					Message:  fmt.Sprintf("the call %s, whose tool failed without a word, was answered with nothing", c.Call.As),
					Expected: "words from which the model knows that the tool failed",
					Actual:   show(res.Content.Node),
				})
			}
		}
	}
	return j
}

// errorAnswered is answeredOn with a result that says something.
func (j *Judged) errorAnswered(r *Run, c CallRun, what string) {
	j.answeredOn(r, c, what)
	for _, e := range r.Answered() {
		if e.Turn != c.Turn {
			continue
		}
		if res, ok := e.Result(c.N); ok && res.Content.Blank() {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  res.Node.Pointer() + "/content",
				Message:  fmt.Sprintf("the call %s %s was answered with nothing", c.Call.As, what),
				Expected: "an error that the model can read",
				Actual:   show(res.Content.Node),
			})
		}
	}
}

func failureSaysWhy(r *Run) (j Judged) {
	for _, e := range r.Answered() {
		for n, call := range e.Turn.Answer.Calls {
			c := r.callRun(e, n)
			res, ok := e.Result(n)
			if !ok || len(c.Executions) == 0 || !r.fails(c) || r.wordless(c) || res.Content.Blank() {
				continue
			}
			j.Seen = true
			if !contains(res.Content.Text, r.output(call)) {
				j.Find(Finding{
					Request:  e.In.Number,
					Pointer:  res.Node.Pointer() + "/content",
					Message:  fmt.Sprintf("the result of the call %s does not say why its tool failed", e.Turn.Answer.Calls[n].As),
					Expected: "a result with " + quote(r.output(call)),
					Actual:   quote(res.Content.Text),
				})
			}
		}
	}
	return j
}
