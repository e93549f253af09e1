package rules

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const (
	retryAfterDocs = "https://www.rfc-editor.org/rfc/rfc9110#field.retry-after"
	pythonRetries  = "https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py"
	nodeRetries    = "https://github.com/openai/openai-node/blob/master/src/client.ts"
)

// retryWaits are the rules about how long to wait before asking again.
var retryWaits = []Rule{
	{
		ID:       "retry/retry-after-honoured",
		Level:    Must,
		Text:     "A retry with the same model does not come before the time that the provider asks for.",
		Why:      "Asking too early is refused again, and counts against the limit.",
		Needs:    retries,
		Evidence: "a request after an error with retry-after",
		Sources: []Source{
			{retryAfterDocs, "how long to wait before a follow-up request"},
			{"https://github.com/docker/cagent/commit/e529f3df", "Retry-After ignored"},
		},
		Run: func(r *Run) Judged { return waited(r, scenarios.WaitSeconds) },
	},
	{
		ID:       "retry/milliseconds-honoured",
		Level:    Should,
		Text:     "A wait that the provider asks for in milliseconds is waited.",
		Why:      "OpenAI and Azure say short waits so, and nothing else then.",
		Needs:    retries,
		Evidence: "a request after an error with retry-after-ms",
		Sources: []Source{
			{pythonRetries, "retry-after-ms is read before retry-after"},
			{nodeRetries, "retry-after-ms is read before retry-after"},
		},
		Run: func(r *Run) Judged { return waited(r, scenarios.WaitMilliseconds) },
	},
	{
		ID:       "retry/date-honoured",
		Level:    Should,
		Text:     "A retry-after that is a date is waited for.",
		Why:      "Read as a number it is nothing, and the next request comes at once; or an error that ends the run.",
		Needs:    retries,
		Evidence: "a request after an error with a retry-after that is a date",
		Sources: []Source{
			{retryAfterDocs, "Retry-After is a number of seconds or an HTTP date"},
			{pythonRetries, "what is no number is read as a date"},
		},
		Run: func(r *Run) Judged { return waited(r, scenarios.WaitDate) },
	},
	{
		ID:       "retry/zero-is-a-wait",
		Level:    Info,
		Text:     "A retry-after-ms of 0 means at once, whatever retry-after says beside it.",
		Why:      "The finer header counts; a zero taken for absent costs the seconds of the coarser one.",
		Needs:    retries,
		Evidence: "a request after an error with retry-after-ms: 0 and a retry-after in seconds",
		Sources: []Source{
			{"https://github.com/openai/openai-node/pull/2329", "0 was treated as absent"},
			{pythonRetries, "retry-after-ms comes first"},
		},
		Run: zeroIsAWait,
	},
	{
		ID:       "retry/odd-wait-survived",
		Level:    Should,
		Text:     "A retry-after that says nothing useful does not end the run: the request is sent again all the same.",
		Why:      "A proxy writes a word where a number should be, and a task ends that the next second would have saved.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after a 429 whose retry-after is no number, zero, negative or in the past",
		Sources: []Source{
			{pythonRetries, "what cannot be read, or is negative, gives way to the usual backoff"},
			{nodeRetries, "NaN and negative waits give way to the usual backoff"},
		},
		Run: func(r *Run) Judged { return retried(r, hasOddWait) },
	},
	{
		ID:       "retry/absurd-wait-not-slept",
		Level:    Info,
		Text:     "A provider that asks for a wait of a day is not obeyed in silence: the loop gives up, or asks earlier.",
		Why:      "The caller sees a program that hangs, until tomorrow.",
		Needs:    retries,
		Unending: true,
		Evidence: "what a loop that used tools did after an error with a retry-after of a day",
		Sources: []Source{
			{pythonRetries, "more than two minutes: no retry"},
			{nodeRetries, "more than one minute: the usual backoff"},
			{"https://github.com/openai/openai-go/issues/828", "a wait that the server asks for was followed without a limit"},
		},
		Run: absurdWaitNotSlept,
	},
	{
		// No must: an adapter may not be able to tell its loop how much time there is.
		ID:       "retry/waits-in-time",
		Level:    Info,
		Text:     "A loop that has a time for its task gives up when the time is over, also while it waits to ask again.",
		Why:      "Each wait is longer than the one before, and the caller hears nothing for minutes.",
		Needs:    retries,
		Unending: true,
		Evidence: "an outcome after several attempts at a request",
		Sources: []Source{
			{adapterDocs, "timeout_ms: when the task is given up"},
			{"https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/retry-strategies", "six attempts with two minutes of waits between them, by default"},
		},
		Run: waitsInTime,
	},
	{
		ID:       "retry/spaced",
		Level:    Should,
		Text:     "Many attempts at one request have time between them.",
		Why:      "A hundred requests a second keep a provider down that was about to come back, and use up the limit of everybody else.",
		Needs:    retries,
		Evidence: "an outcome after several attempts at a request that the provider asked no wait for",
		Sources: []Source{
			{errorDocs, "retry with exponential backoff; failed requests count towards the limit"},
			{sdkRetries, "a short exponential backoff"},
		},
		Run: spaced,
	},
}

// early is how much before the time that the provider asked for a retry may come, since clocks differ.
const early = 50 * time.Millisecond

// formOf returns how the wait is written that a step asks for.
func formOf(s *scenarios.Step) scenarios.WaitForm {
	switch {
	case s.RetryAfterAs != "":
		return s.RetryAfterAs
	case *s.RetryAfter%time.Second != 0:
		return scenarios.WaitMilliseconds
	default:
		return scenarios.WaitSeconds
	}
}

// waited demands that a retry does not come before the time that the provider asked for in one of the forms.
func waited(r *Run, form scenarios.WaitForm) (j Judged) {
	for _, x := range r.Served() {
		next := r.Next(x)
		if next == nil || x.Turn.Step.RetryAfter == nil || formOf(x.Turn.Step) != form || otherModel(x.Request, next.Request) {
			continue
		}
		j.Seen = j.Seen || carriesResult(next.Request)
		want, waited := *x.Turn.Step.RetryAfter, next.Start-x.End
		if waited < want-early {
			j.Find(Finding{
				Request:  next.Number,
				Message:  "the retry came too early",
				Expected: fmt.Sprintf("at least %s after the error", want),
				Actual:   fmt.Sprintf("%s after it", waited.Round(time.Millisecond)),
			})
		}
	}
	return j
}

// otherModel reports whether two requests are for different models. The wait is for the one that is busy: some loops ask
// another one at once.
func otherModel(a, b *wire.Request) bool {
	return a.Body.Get("model").Text() != b.Body.Get("model").Text()
}

// header returns what a step says in a header, and false when it does not.
func header(s *scenarios.Step, name string) (string, bool) {
	for _, h := range s.Headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value, true
		}
	}
	return "", false
}

func zeroIsAWait(r *Run) (j Judged) {
	for _, x := range r.Served() {
		next := r.Next(x)
		ms, _ := header(x.Turn.Step, "retry-after-ms")
		seconds, _ := header(x.Turn.Step, "retry-after")
		coarse, err := strconv.Atoi(seconds)
		if next == nil || ms != "0" || err != nil {
			continue
		}
		j.Seen = j.Seen || carriesResult(next.Request)
		if waited := next.Start - x.End; waited >= time.Duration(coarse)*time.Second-early {
			j.Find(Finding{
				Request:  next.Number,
				Message:  "the retry waited for retry-after although retry-after-ms was 0",
				Expected: fmt.Sprintf("less than the %d s of retry-after", coarse),
				Actual:   fmt.Sprintf("%s after the error", waited.Round(time.Millisecond)),
			})
		}
	}
	return j
}

// hasOddWait reports whether a turn has a retry-after that says nothing useful.
func hasOddWait(t *scenarios.Turn) bool {
	value, given := header(t.Step, "retry-after")
	seconds, err := strconv.ParseFloat(value, 64)
	return given && t.Errs() && (err != nil || !(seconds > 0))
}

func absurdWaitNotSlept(r *Run) (j Judged) {
	for _, x := range r.Served() {
		if !r.asksForAbsurdWait(x) || !carriesResult(x.Request) {
			continue
		}
		if r.Ending.How == trace.Hung && r.Next(x) == nil {
			j.Find(Finding{
				Request:  x.Number,
				Answer:   x.Number,
				Message:  fmt.Sprintf("the loop waits in silence, since the provider asked for %s", *x.Turn.Step.RetryAfter),
				Expected: "an error for the caller, or an earlier request",
				Actual:   "no outcome in time",
			})
			continue
		}
		j.Seen = j.Seen || r.Next(x) != nil || r.Outcome != nil
	}
	return j
}

// SleepsAsTold reports whether the last answer asked the loop for a wait that is longer than its time, so that it may have
// done as it was told when the time was over.
func (r *Run) SleepsAsTold() bool {
	last := r.Last()
	return last != nil && last.Turn.Step != nil && r.asksForAbsurdWait(last)
}

func waitsInTime(r *Run) (j Judged) {
	if !r.waitsToAskAgain() {
		j.Seen = r.longestWait() > 0 && r.Outcome != nil && r.UsedTools()
		return j
	}
	last := r.Last()
	j.Find(Finding{
		Request:  last.Number,
		Answer:   last.Number,
		Message:  "the time of the task was over while the loop waited to ask again",
		Expected: fmt.Sprintf("an outcome within %d ms", r.Task.TimeoutMS),
		Actual:   fmt.Sprintf("no request for %s after an error, where the wait before was %s", (r.Ending.At-last.End).Round(time.Second), r.longestWait().Round(time.Second)) + r.patienceAdvice(),
	})
	return j
}

// backoff is how much longer than the one before a wait may be.
const backoff = 4

// waitsToAskAgain reports whether the time of a run was over while the loop was likely to wait before another attempt: it
// had waited before one, and not much longer since.
func (r *Run) waitsToAskAgain() bool {
	last := r.Last()
	return r.Ending.How == trace.Hung && last != nil && last.Turn.Fails() && r.Next(last) == nil && r.Ending.At-last.End <= backoff*r.longestWait()
}

// longestWait returns the longest time between an error and the next attempt.
func (r *Run) longestWait() (longest time.Duration) {
	for _, x := range r.Served() {
		if next := r.Next(x); next != nil && x.Turn.Fails() {
			longest = max(longest, next.Start-x.End)
		}
	}
	return longest
}

// asksForAbsurdWait reports whether an exchange asks the loop to wait for longer than it is given.
func (r *Run) asksForAbsurdWait(x *Exchange) bool {
	wait := x.Turn.Step.RetryAfter
	return wait != nil && *wait > r.time()
}

// A client that comes again more often than a few times, each time closer than closest to the time before, hammers.
const (
	few     = 5
	closest = 100 * time.Millisecond
)

func spaced(r *Run) (j Judged) {
	hurried := 0
	for _, x := range r.Served() {
		next := r.Next(x)
		if next != nil && x.Turn.Errs() && x.Turn.Step.RetryAfter == nil && len(x.Turn.Step.Headers) == 0 {
			j.Seen = j.Seen || r.Outcome != nil && carriesResult(next.Request)
			if next.Start-x.End < closest {
				hurried++
			}
			continue
		}
		if hurried > few {
			j.Find(Finding{
				Request:  x.Number,
				Message:  "many attempts followed each other without a pause",
				Expected: fmt.Sprintf("at least %s before most of them, and more each time", closest),
				Actual:   fmt.Sprintf("%s that came sooner", plural(hurried, "attempt")),
			})
		}
		hurried = 0
	}
	return j
}
