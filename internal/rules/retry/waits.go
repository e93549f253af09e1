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

// Google's client for Interactions: what it sends again, and how long it waits.
const (
	interactionsClient  = "https://github.com/googleapis/python-genai/blob/v3.6.1/google/genai/_gaos/interactions.py"
	interactionsRetries = "https://github.com/googleapis/python-genai/blob/v3.6.1/google/genai/_gaos/utils/retries.py"
)

// waitRules are the rules about how long to wait before asking again.
var waitRules = []rules.Rule{
	{
		ID:       "retry/retry-after-honoured",
		Level:    trace.Must,
		Where:    rules.HeaderWaits,
		Text:     "A retry with the same model does not come before the time that the provider asks for, if that is at most a minute.",
		Why:      "An early retry is refused again, and counts against the limit. Loops that do not wait for longer than a minute retry earlier on purpose.",
		Needs:    retries,
		Evidence: "a request after an error with retry-after",
		Sources: []rules.Source{
			{URL: retryAfterDocs, Says: "how long to wait before a follow-up request"},
			{URL: "https://github.com/docker/cagent/commit/e529f3df", Says: "Retry-After ignored"},
			{URL: nodeRetries, Says: "more than one minute: the usual backoff"},
			{URL: interactionsRetries, Says: "of the client for Interactions: retry-after-ms, then Retry-After in seconds or as a date"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return Waited(r, scenarios.WaitSeconds) },
	},
	{
		ID:       "retry/milliseconds-honoured",
		Level:    trace.Should,
		Where:    rules.HeaderWaits,
		Text:     "A wait in milliseconds that the provider asks for is respected.",
		Why:      "OpenAI and Azure send short waits only in this form.",
		Needs:    retries,
		Evidence: "a request after an error with retry-after-ms",
		Sources: []rules.Source{
			{URL: rules.PythonRetryCode, Says: "retry-after-ms is read before retry-after"},
			{URL: nodeRetries, Says: "retry-after-ms is read before retry-after"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return Waited(r, scenarios.WaitMilliseconds) },
	},
	{
		ID:       "retry/date-honoured",
		Level:    trace.Should,
		Where:    rules.HeaderWaits,
		Text:     "A retry-after that is a date is respected.",
		Why:      "Otherwise it is read as a number, and the retry comes at once, or fails with a parse error.",
		Needs:    retries,
		Evidence: "a request after an error with a retry-after that is a date",
		Sources: []rules.Source{
			{URL: retryAfterDocs, Says: "Retry-After is a number of seconds or an HTTP date"},
			{URL: rules.PythonRetryCode, Says: "what is not a number is read as a date"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return Waited(r, scenarios.WaitDate) },
	},
	{
		ID:       "retry/zero-is-a-wait",
		Level:    trace.Info,
		Where:    rules.HeaderWaits,
		Text:     "A retry-after-ms of 0 means at once, whatever retry-after says alongside it.",
		Why:      "The more precise header counts; a loop that treats 0 as missing waits for seconds.",
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
		Text:     "An invalid retry-after does not end the run: the request is retried anyway.",
		Why:      "Otherwise an invalid header of a proxy ends a task that a retry would have completed.",
		Needs:    retries,
		Evidence: "what a loop that used tools did after a 429 whose retry-after is not a number, zero, negative or in the past",
		Sources: []rules.Source{
			{URL: rules.PythonRetryCode, Says: "what cannot be read, or is negative, gives way to the usual backoff"},
			{URL: nodeRetries, Says: "NaN and negative waits give way to the usual backoff"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return retried(r, hasOddWait) },
	},
	{
		ID:       "retry/absurd-wait-not-slept",
		Level:    trace.Info,
		Text:     "A loop does not silently wait for a day when the provider asks for it: it gives up, or retries earlier.",
		Why:      "Otherwise the program appears to hang.",
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
		Text:     "A loop with a time limit gives up when the time is over, also while it waits before a retry.",
		Why:      "Waits become longer with each retry, and the caller gets no answer for minutes.",
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
		Text:     "Many attempts at one request are spread over time.",
		Why:      "A hundred requests per second can keep a provider down, and use up shared limits.",
		Needs:    retries,
		Evidence: "an outcome after several attempts at a request that the provider asked no wait for",
		Sources: []rules.Source{
			{URL: rules.ErrorDocs, Says: "retry with exponential backoff; failed requests count towards the limit"},
			{URL: sdkRetries, Says: "a short exponential backoff"},
		},
		Run: spaced,
	},
}

const (
	// early is how much before the time that the provider asked for a retry may come, since clocks
	// differ.
	early = 50 * time.Millisecond
	// longestOwed is the longest wait that a loop has to honour: several SDKs retry earlier where a
	// provider asks for more.
	longestOwed = time.Minute
)

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

// Waited demands that a retry does not come before the time that the provider asked for in one of
// the forms. More than a minute is for absurd-wait-not-slept.
func Waited(r *rules.Run, form scenarios.WaitForm) (j rules.CheckResult) {
	for _, x := range r.Served() {
		next, want := r.NextAttempt(x), x.Turn.Step.RetryAfter
		if next == nil || want == nil || *want > longestOwed || formOf(x.Turn.Step) != form || otherModel(x.Request, next.Request) {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(next.Request)
		since := x.End
		if form == scenarios.WaitDate {
			since = x.Start // the date was set before the answer went out, which may take its time
		}
		if waited := next.Start - since; waited < *want-early {
			j.Find(trace.Finding{
				Request:  next.Number,
				Message:  "the retry came too early",
				Expected: fmt.Sprintf("at least %s after the error", *want),
				Actual:   fmt.Sprintf("%s after it", waited.Round(time.Millisecond)),
			})
		}
	}
	return j
}

// otherModel reports whether two requests are for different models. The wait is for the one that is
// busy: some loops ask another one at once.
func otherModel(a, b *wire.Request) bool {
	return a.Model != b.Model
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
			j.FindInAnswer(x,
				fmt.Sprintf("the loop waits in silence, since the provider asked for %s", *x.Turn.Step.RetryAfter),
				"an error for the caller, or an earlier request",
				"no outcome in time")
			continue
		}
		j.HasEvidence = j.HasEvidence || r.NextAttempt(x) != nil || r.Outcome != nil
	}
	return j
}

func waitsInTime(r *rules.Run) (j rules.CheckResult) {
	last, waits := r.Last(), r.Waits()
	within := fmt.Sprintf("an outcome within %d ms", r.Task.TimeoutMS)
	switch {
	case r.WaitsToAskAgain():
		j.FindInAnswer(last, "the time of the task was over while the loop waited to ask again", within,
			fmt.Sprintf("no request for %s after an error, where the wait before was %s", (r.Ending.At-last.End).Round(time.Second), waits.Longest.Round(time.Second))+r.PatienceAdvice())
	case r.HungInWaits() && !r.SleepsAsTold():
		j.FindInAnswer(last, "the time of the task was over after waits of the loop before further attempts", within,
			fmt.Sprintf("waits of %s in all", waits.All.Round(time.Second))+r.PatienceAdvice())
	default:
		j.HasEvidence = waits.Longest > 0 && r.Outcome != nil && r.UsedTools()
	}
	return j
}

// A client that comes again more often than a few times, each time closer than closest to the time
// before, hammers.
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
