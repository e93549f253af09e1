package rules

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/scenarios"
)

// long is from when on a result counts as very long, in bytes.
const long = 20_000

// returned reports whether the tool of a call was run, and waited for.
func (c *CallRun) returned() bool { return len(c.Executions) > 0 && !c.Executions[0].givenUp() }

// eachResult calls f for every call that a tool answered with text, once the loop asked again, with what it sent as
// the result. Calls whose result is missing are left to the rules about pairing.
func (r *Run) eachResult(f func(e Echo, n int, output, sent string)) {
	for _, e := range r.Answered() {
		for n, call := range e.Turn.Answer.Calls {
			res, ok := e.Result(n)
			c := r.callRun(e, n)
			if !ok || repeated(r, call.ID) || !c.returned() || c.Executions[0].Failed || c.Executions[0].Image != nil {
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
				Pointer:  "/messages",
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
				Pointer:  "/messages",
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
		if !contains(sent, output) {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  "/messages",
				Message:  fmt.Sprintf("the long result of the call %s is not whole", e.Turn.Answer.Calls[n].As),
				Expected: plural(len(output), "byte"),
				Actual:   plural(len(sent), "byte"),
			})
		}
	})
	return j
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

// answeredOn demands that the loop asked again after a call and answered it. When it asked again but left the call
// without a result beside it, that is for the rules about pairing to say.
func (j *Judged) answeredOn(r *Run, c CallRun, what string) {
	next := r.Next(c.In)
	j.Seen = j.Seen || next != nil
	switch {
	case r.interrupted(c.Turn):
	case next == nil && r.Ending.How != "" && !r.hadToEnd():
		j.Find(Finding{
			Request:  c.In.Number,
			Answer:   c.In.Number,
			Message:  fmt.Sprintf("the run ended at the call %s %s", c.Call.As, what),
			Expected: "a next request, with a result for the call",
			Actual:   r.ended(),
		})
	case next != nil && !r.returned(c):
		j.Find(Finding{
			Request:  next.Number,
			Pointer:  "/messages",
			Message:  fmt.Sprintf("the call %s %s was dropped", c.Call.As, what),
			Expected: "the call and a result for it",
			Actual:   "neither",
		})
	}
}

// returned reports whether the next request still speaks of a call.
func (r *Run) returned(c CallRun) bool {
	for _, e := range r.Answered() {
		if e.Turn == c.Turn {
			_, answered := e.Result(c.N)
			return answered || e.Message != nil && len(e.Message.Calls) >= len(c.Turn.Answer.Calls)
		}
	}
	return true
}

func (r *Run) ended() string {
	if r.Outcome == nil {
		return "the loop " + string(r.Ending.How)
	}
	text := "the loop reported " + string(r.Outcome.Status)
	if r.Outcome.Error != "" {
		text += ": " + quote(r.Outcome.Error)
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
		if r.fails(c) && len(c.Executions) > 0 {
			j.errorAnswered(r, c, "whose tool failed")
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
			if !ok || len(c.Executions) == 0 || !r.fails(c) || res.Content.Blank() {
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
