package rules

import (
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// PatienceAdvice says what to do if a loop may only have been waiting, which looks like a hang.
func (r *Run) PatienceAdvice() string {
	if last := r.Last(); r.Ending.How != trace.Hung || last == nil || !last.Turn.Fails() {
		return ""
	}
	return "\nthe last answer was an error: a loop that waits long before it asks again needs more time (--timeout) or shorter waits"
}

// Retried reports whether an exchange, or a later one, failed, so that a repetition may be a retry.
func (r *Run) Retried(x *trace.Exchange) bool {
	for _, y := range r.Served() {
		if y.Number >= x.Number && !y.Turn.Whole() {
			return true
		}
	}
	return false
}

// SleepsAsTold reports whether the last answer asked the loop for a wait that is longer than its
// time limit, so that it may have been waiting when the time was over.
func (r *Run) SleepsAsTold() bool {
	last := r.Last()
	return last != nil && last.Turn.Step != nil && r.AsksForAbsurdWait(last)
}

// backoff is how much longer than the one before a wait may be.
const backoff = 4

// WaitsToAskAgain reports whether the loop was probably waiting before another attempt when its
// time was over: it had waited before an attempt, and not much longer since.
func (r *Run) WaitsToAskAgain() bool {
	last := r.Last()
	return r.Ending.How == trace.Hung && last != nil && !last.Turn.Whole() && r.Next(last) == nil && r.Ending.At-last.End <= backoff*r.Waits().Longest
}

// HungInWaits reports whether the time of a run was over because of waits before further attempts:
// the loop was in one, as long as the provider asks for or as it had waited before, or had spent
// half of its time in them. It did not hang for good.
func (r *Run) HungInWaits() bool {
	return r.Ending.How == trace.Hung && (r.SleepsAsTold() || r.WaitsToAskAgain() || 2*r.Waits().All >= r.Ending.At)
}

// MayWaitForFirstRetry reports whether the time of a run was over in silence after the first answer
// that may be asked for again later, such as a 429. Some loops wait for a minute then, which looks
// like a hang: smolagents does so
// (https://github.com/huggingface/smolagents/blob/main/src/smolagents/models.py, RETRY_WAIT).
// Nobody can tell which it was.
func (r *Run) MayWaitForFirstRetry() bool {
	served := r.Served()
	n := len(served)
	if r.Ending.How != trace.Hung || n == 0 || r.Next(served[n-1]) != nil || !mayComeBack(served[n-1].Turn) {
		return false
	}
	return n == 1 || served[n-2].Turn.Whole() // it had not asked again before
}

// mayComeBack reports whether a turn is an error after which the same request may succeed.
func mayComeBack(t *scenarios.Turn) bool {
	return t.Fails() && (t.Step.Status == http.StatusRequestTimeout || t.Step.Status == http.StatusTooManyRequests || t.Step.Status >= 500)
}

// Waits are the times between errors and the next attempts.
type Waits struct {
	Longest, All time.Duration
}

// Waits returns how long the loop waited before further attempts.
func (r *Run) Waits() (w Waits) {
	for _, x := range r.Served() {
		if next := r.NextAttempt(x); next != nil && !x.Turn.Whole() {
			wait := next.Start - x.End
			w.Longest, w.All = max(w.Longest, wait), w.All+wait
		}
	}
	return w
}

// AsksForAbsurdWait reports whether an exchange asks the loop to wait for longer than it is given.
func (r *Run) AsksForAbsurdWait(x *trace.Exchange) bool {
	wait := x.Turn.Step.RetryAfter
	return wait != nil && *wait > r.TimeLimit()
}
