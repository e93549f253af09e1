package retry

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const retryAfterDocs = "https://www.rfc-editor.org/rfc/rfc9110#field.retry-after"

const nodeRetries = "https://github.com/openai/openai-node/blob/master/src/client.ts"

// waitRules are the rules about how long to wait before asking again.
var waitRules = []rules.Rule{
	{
		ID:       "retry/retry-after-honoured",
		Level:    trace.Must,
		Text:     "A retry with the same model does not come before the time that the provider asks for.",
		Why:      "Asking too early is refused again, and counts against the limit.",
		Needs:    retries,
		Evidence: "a request after an error with retry-after",
		Sources: []rules.Source{
			{URL: retryAfterDocs, Says: "how long to wait before a follow-up request"},
			{URL: "https://github.com/docker/cagent/commit/e529f3df", Says: "Retry-After ignored"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return waited(r, scenarios.WaitSeconds) },
	},
	{
		ID:       "retry/milliseconds-honoured",
		Level:    trace.Should,
		Text:     "A wait that the provider asks for in milliseconds is waited.",
		Why:      "OpenAI and Azure say short waits so, and nothing else then.",
		Needs:    retries,
		Evidence: "a request after an error with retry-after-ms",
		Sources: []rules.Source{
			{URL: rules.PythonRetryCode, Says: "retry-after-ms is read before retry-after"},
			{URL: nodeRetries, Says: "retry-after-ms is read before retry-after"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return waited(r, scenarios.WaitMilliseconds) },
	},
	{
		ID:       "retry/date-honoured",
		Level:    trace.Should,
		Text:     "A retry-after that is a date is waited for.",
		Why:      "Read as a number it is nothing, and the next request comes at once; or an error that ends the run.",
		Needs:    retries,
		Evidence: "a request after an error with a retry-after that is a date",
		Sources: []rules.Source{
			{URL: retryAfterDocs, Says: "Retry-After is a number of seconds or an HTTP date"},
			{URL: rules.PythonRetryCode, Says: "what is no number is read as a date"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return waited(r, scenarios.WaitDate) },
	},
	{
		ID:       "retry/zero-is-a-wait",
		Level:    trace.Info,
		Text:     "A retry-after-ms of 0 means at once, whatever retry-after says beside it.",
		Why:      "The finer header counts; a zero taken for absent costs the seconds of the coarser one.",
		Needs:    retries,
		Evidence: "a request after an error with retry-after-ms: 0 and a retry-after in seconds",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-node/pull/2329", Says: "0 was treated as absent"},
			{URL: rules.PythonRetryCode, Says: "retry-after-ms comes first"},
		},
		Run: zeroIsAWait,
	},
	{
		ID:       "retry/odd-wait-survived",
		Level:    trace.Should,
		Text:     "A retry-after that says nothing useful does not end the run: the request is sent again all the same.",
		Why:      "A proxy writes a word where a number should be, and a task ends that the next second would have saved.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after a 429 whose retry-after is no number, zero, negative or in the past",
		Sources: []rules.Source{
			{URL: rules.PythonRetryCode, Says: "what cannot be read, or is negative, gives way to the usual backoff"},
			{URL: nodeRetries, Says: "NaN and negative waits give way to the usual backoff"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return retried(r, hasOddWait) },
	},
	{
		ID:       "retry/absurd-wait-not-slept",
		Level:    trace.Info,
		Text:     "A provider that asks for a wait of a day is not obeyed in silence: the loop gives up, or asks earlier.",
		Why:      "The caller sees a program that hangs, until tomorrow.",
		Needs:    retries,
		Unending: true,
		Evidence: "what a loop that used tools did after an error with a retry-after of a day",
		Sources: []rules.Source{
			{URL: rules.PythonRetryCode, Says: "more than two minutes: no retry"},
			{URL: nodeRetries, Says: "more than one minute: the usual backoff"},
			{URL: "https://github.com/openai/openai-go/issues/828", Says: "a wait that the server asks for was followed without a limit"},
		},
		Run: absurdWaitNotSlept,
	},
	{
		// No must: an adapter may not be able to tell its loop how much time there is.
		ID:       "retry/waits-in-time",
		Level:    trace.Info,
		Text:     "A loop that has a time for its task gives up when the time is over, also while it waits to ask again.",
		Why:      "Each wait is longer than the one before, and the caller hears nothing for minutes.",
		Needs:    retries,
		Unending: true,
		Evidence: "an outcome after several attempts at a request",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "timeout_ms: when the task is given up"},
			{URL: "https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/retry-strategies", Says: "six attempts with two minutes of waits between them, by default"},
		},
		Run: waitsInTime,
	},
	{
		ID:       "retry/spaced",
		Level:    trace.Should,
		Text:     "Many attempts at one request have time between them.",
		Why:      "A hundred requests a second keep a provider down that was about to come back, and use up the limit of everybody else.",
		Needs:    retries,
		Evidence: "an outcome after several attempts at a request that the provider asked no wait for",
		Sources: []rules.Source{
			{URL: rules.ErrorDocs, Says: "retry with exponential backoff; failed requests count towards the limit"},
			{URL: sdkRetries, Says: "a short exponential backoff"},
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
func waited(r *rules.Run, form scenarios.WaitForm) (j rules.CheckResult) {
	for _, x := range r.Served() {
		next := r.NextAttempt(x)
		if next == nil || x.Turn.Step.RetryAfter == nil || formOf(x.Turn.Step) != form || otherModel(x.Request, next.Request) {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(next.Request)
		want, waited := *x.Turn.Step.RetryAfter, next.Start-x.End
		if waited < want-early {
			j.Find(trace.Finding{
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

func zeroIsAWait(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		next := r.NextAttempt(x)
		ms, _ := header(x.Turn.Step, "retry-after-ms")
		seconds, _ := header(x.Turn.Step, "retry-after")
		coarse, err := strconv.Atoi(seconds)
		if next == nil || ms != "0" || err != nil {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(next.Request)
		if waited := next.Start - x.End; waited >= time.Duration(coarse)*time.Second-early {
			j.Find(trace.Finding{
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

func absurdWaitNotSlept(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		if !r.AsksForAbsurdWait(x) || !rules.CarriesResult(x.Request) {
			continue
		}
		if r.Ending.How == trace.Hung && r.NextAttempt(x) == nil {
			j.Find(trace.Finding{
				Request:  x.Number,
				Answer:   x.Number,
				Message:  fmt.Sprintf("the loop waits in silence, since the provider asked for %s", *x.Turn.Step.RetryAfter),
				Expected: "an error for the caller, or an earlier request",
				Actual:   "no outcome in time",
			})
			continue
		}
		j.HasEvidence = j.HasEvidence || r.NextAttempt(x) != nil || r.Outcome != nil
	}
	return j
}

func waitsInTime(r *rules.Run) (j rules.CheckResult) {
	if !r.WaitsToAskAgain() {
		j.HasEvidence = r.LongestWait() > 0 && r.Outcome != nil && r.UsedTools()
		return j
	}
	last := r.Last()
	j.Find(trace.Finding{
		Request:  last.Number,
		Answer:   last.Number,
		Message:  "the time of the task was over while the loop waited to ask again",
		Expected: fmt.Sprintf("an outcome within %d ms", r.Task.TimeoutMS),
		Actual:   fmt.Sprintf("no request for %s after an error, where the wait before was %s", (r.Ending.At-last.End).Round(time.Second), r.LongestWait().Round(time.Second)) + r.PatienceAdvice(),
	})
	return j
}

// A client that comes again more often than a few times, each time closer than closest to the time before, hammers.
const (
	few     = 5
	closest = 100 * time.Millisecond
)

func spaced(r *rules.Run) (j rules.CheckResult) {
	hurried := 0
	for _, x := range r.Served() {
		next := r.NextAttempt(x)
		if next != nil && x.Turn.Errs() && x.Turn.Step.RetryAfter == nil && len(x.Turn.Step.Headers) == 0 {
			j.HasEvidence = j.HasEvidence || r.Outcome != nil && rules.CarriesResult(next.Request)
			if next.Start-x.End < closest {
				hurried++
			}
			continue
		}
		if hurried > few {
			j.Find(trace.Finding{
				Request:  x.Number,
				Message:  "many attempts followed each other without a pause",
				Expected: fmt.Sprintf("at least %s before most of them, and more each time", closest),
				Actual:   fmt.Sprintf("%s that came sooner", rules.Plural(hurried, "attempt")),
			})
		}
		hurried = 0
	}
	return j
}
