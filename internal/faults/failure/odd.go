package failure

import (
	"errors"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// afterOddError changes the outcome of runs that end at an error whose body is not what one
// expects.
func afterOddError(change func(*protocol.Outcome)) func() hooks.Mutation {
	return onEnding(func(a *hooks.Answer) bool { return a.Status >= 400 && !hooks.IsEnvelope(a.Body) }, change)
}

// isPlainError reports whether an answer is an error of a provider itself, in its own words.
func isPlainError(a *hooks.Answer) bool {
	return a.Status >= 400 && hooks.IsEnvelope(a.Body) && !gjson.GetBytes(a.Body, "error.metadata").Exists()
}

// isRefusal reports whether an error is about what was asked, and not about where or how.
func isRefusal(a *hooks.Answer) bool {
	return isPlainError(a) && a.Status != http.StatusNotFound && a.Status != http.StatusMethodNotAllowed
}

// onEnding changes the outcome of runs whose last answer is of a kind, and that the user did not
// cancel after it.
func onEnding(kind func(*hooks.Answer) bool, change func(*protocol.Outcome)) func() hooks.Mutation {
	return func() hooks.Mutation {
		last := false
		return hooks.Mutation{
			Answer: func(a *hooks.Answer) { last = kind(a) },
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if last && o.Status != protocol.Stopped {
					change(&o)
				}
				return o
			},
		}
	}
}

func becomesNothing(o *protocol.Outcome) { *o = protocol.Outcome{Status: protocol.Completed} }

// onError changes the outcome of runs that fail in a way.
func onError(kind func(message string) bool, change func(*protocol.Outcome)) func() hooks.Mutation {
	return hooks.OnOutcome(func(o *protocol.Outcome) {
		if o.Status == protocol.Failed && kind(o.Error) {
			change(o)
		}
	})
}

// breaksDown reports whether an error is that of a connection which was lost before an answer.
func breaksDown(message string) bool {
	return strings.HasPrefix(message, "Post ") && (strings.Contains(message, "EOF") || strings.Contains(message, "reset"))
}

func isRefused(message string) bool { return strings.Contains(message, "connection refused") }

// onRedirect says what the loop does when it is sent elsewhere.
func onRedirect(follow func(*http.Request) error) func() hooks.Mutation {
	return hooks.OnLoop(func(l *refloop.Loop) {
		l.Client.CheckRedirect = func(req *http.Request, _ []*http.Request) error { return follow(req) }
	})
}

// odd are loops that fail at what comes instead of an answer, or in another form.
var odd = []hooks.Fault{
	{
		Name:    "failure/takes-odd-errors-for-answers",
		Does:    "An error status is only noticed when the body has the key error.",
		Reports: []string{"https://github.com/TanStack/ai/pull/938"},
		Breaks:  []string{"failure/any-error-body-reported"},
		Make:    afterOddError(becomesNothing),
	},
	{
		Name:    "failure/shows-what-its-parser-says",
		Does:    "Of an error that is not JSON object the caller sees only that it could not be parsed.",
		Reports: []string{"https://github.com/openai/openai-node/issues/1528"},
		Breaks:  []string{"failure/odd-error-says-why"},
		Make:    afterOddError(func(o *protocol.Outcome) { o.Error = "Unexpected token < in JSON at position 0" }),
	},
	{
		Name:    "failure/takes-any-body-for-an-answer",
		Does:    "Whatever comes with the status 200 is the answer.",
		Reports: []string{"https://github.com/brainlid/langchain/issues/500"},
		Breaks:  []string{"failure/no-completion-reported"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.OK() && !a.Streamed && a.Err != nil && !a.Failed() && !errors.Is(a.Err, neutral.ErrBroken) {
				a.Become(string(a.Body))
			}
		}),
	},
	{
		Name:    "failure/reads-events-only",
		Does:    "A document where a stream was expected is an empty answer.",
		Reports: []string{"https://github.com/sashabaranov/go-openai/issues/184"},
		Breaks:  []string{"failure/other-form-read-or-reported"},
		Unless:  neutral.Lines, Elsewhere: "a document is a line of a stream.",
		Make: func() hooks.Mutation {
			streams := false
			c := onEnding(func(a *hooks.Answer) bool { return streams && a.OK() && !a.Streamed && a.Err == nil }, becomesNothing)()
			c.Request = func(r *hooks.Request) { streams = r.Stream }
			return c
		},
	},
	{
		Name:   "failure/hands-on-plain-text",
		Does:   "An answer under text/plain is handed on as it is, JSON and all.",
		Breaks: []string{"failure/other-form-read-or-reported"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.OK() && strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") {
				a.Become(string(a.Body))
			}
		}),
	},
	{
		Name:    "failure/goes-by-the-content-type",
		Does:    "A stream that does not say what it is is treated as an answer without a text.",
		Reports: []string{"https://github.com/nearai/private-ml-sdk/pull/20"},
		Breaks:  []string{"failure/other-form-read-or-reported"},
		Make:    onEnding(func(a *hooks.Answer) bool { return a.OK() && a.Streamed && a.Header.Get("Content-Type") == "" }, becomesNothing),
	},
	{
		Name:   "failure/asks-for-gzip-and-cannot-read-it",
		Does:   "The loop sends Accept-Encoding: gzip and reads the answer as it comes.",
		Breaks: []string{"failure/compressed-answer-read"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
				resp, err := send(req)
				if err == nil && resp.Uncompressed && resp.StatusCode == http.StatusOK {
					resp.Body.Close()
					resp.Body = raw.Body([]byte("\x1f\x8b\x08\x00"), nil)
				}
				return resp, err
			}}
		},
	},
	{
		Name:      "failure/shows-the-router-only",
		Does:      "Of an error that a router passes on, only the router's own words are shown.",
		Only:      neutral.RoutedErrors,
		Elsewhere: "no router wraps the error of another provider.",
		Breaks:    []string{"failure/upstream-words-reported"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if words, _, found := strings.Cut(o.Error, "Provider returned error "); found {
				o.Error = words + "Provider returned error"
			}
		}),
	},
	{
		Name:   "failure/takes-a-lost-connection-for-an-answer",
		Does:   "A connection that closes before the answer ends the run as if it had been one.",
		Breaks: []string{"failure/lost-connection-reported"},
		Make:   onError(breaksDown, becomesNothing),
	},
	{
		Name:   "failure/takes-a-refused-connection-for-an-answer",
		Does:   "When the connection is refused, the run ends with the last text.",
		Breaks: []string{"failure/refused-connection-reported"},
		Make:   onError(isRefused, becomesNothing),
	},
	{
		Name:    "failure/panics-at-a-refused-connection",
		Does:    "A connection that is refused crashes the program.",
		Reports: []string{"https://github.com/nlpodyssey/openai-agents-go/commit/dde2b8c"},
		Breaks:  []string{"outcome/run-ends"},
		Make:    onError(isRefused, func(*protocol.Outcome) { panic("runtime error: invalid memory address or nil pointer dereference") }),
	},
	{
		Name:      "failure/panics-at-an-empty-stream",
		Does:      "The first event of a stream is looked at, also where there is none.",
		Reports:   []string{"https://github.com/camel-ai/camel/issues/4015"},
		Only:      neutral.WordlessEnds,
		Elsewhere: "a whole stream says why it ends; one without an event broke off.",
		Breaks:    []string{"outcome/run-ends"},
		Make:      onEnding(func(a *hooks.Answer) bool { return a.OK() && a.Streamed && len(a.Pieces) == 0 && !a.Failed() }, func(*protocol.Outcome) { panic("list index out of range") }),
	},
	{
		Name:   "failure/gets-what-it-should-post",
		Does:   "A redirected request becomes a GET, whatever the redirect says.",
		Breaks: []string{"failure/redirect-keeps-the-request"},
		Make: onRedirect(func(req *http.Request) error {
			req.Method, req.Body, req.ContentLength, req.GetBody = http.MethodGet, nil, 0, nil
			return nil
		}),
	},
	{
		Name:   "failure/stays-at-a-redirect",
		Does:   "A redirect ends the run.",
		Breaks: []string{"failure/redirect-followed"},
		Make:   onRedirect(func(*http.Request) error { return http.ErrUseLastResponse }),
	},
	{
		Name:   "failure/waits-for-ever",
		Does:   "The time of the task is not looked at while the model is asked.",
		Breaks: []string{"failure/silence-given-up"},
		Make:   func() hooks.Mutation { return hooks.Mutation{Send: asksUntilCancelled} },
	},
}

// asksUntilCancelled asks the model without looking at the time; only the user may end it.
func asksUntilCancelled(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	return send(req.Clone(hooks.UntilCancelled(req.Context())))
}
