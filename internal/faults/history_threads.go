package faults

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/refloop"
)

// threaded makes a loop that leaves its history to providers that keep it, and changes something in its requests.
func threaded(c Changes) func() Changes {
	c.Loop = func(l *refloop.Loop) { l.Threads = true }
	return func() Changes { return c }
}

// continues reports whether a request goes on with a thread.
func (r *RawRequest) continues() bool { return r.Get("thread.type").String() == "continue" }

// headers changes the headers of requests.
func headers(change func(http.Header)) Changes {
	return Changes{Send: func(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
		change(req.Header)
		return next(req)
	}}
}

var historyThreads = inMessages(
	Fault{
		Name:   "egress/asks-for-threads-without-the-beta",
		Does:   "Requests with a thread do not name the beta.",
		Breaks: []string{"egress/threads-beta-named"},
		Make:   threaded(headers(func(h http.Header) { h.Del("Anthropic-Beta") })),
	},
)

var egressHeaders = inMessages(
	Fault{
		Name:   "egress/leaves-the-version-out",
		Does:   "Requests do not say which version of the API they speak.",
		Models: []string{"https://github.com/PipedreamHQ/pipedream/issues/9697", "https://github.com/explosion/spacy-llm/issues/323", "https://github.com/Farama-Foundation/ChatArena/issues/124"},
		Breaks: []string{"egress/version-named"},
		Make:   func() Changes { return headers(func(h http.Header) { h.Del("Anthropic-Version") }) },
	},
	Fault{
		Name:   "egress/says-the-version-twice",
		Does:   "The header with the version of the API is sent twice.",
		Models: []string{"https://github.com/decolua/9router/issues/2357"},
		Breaks: []string{"egress/version-named"},
		Make:   func() Changes { return headers(func(h http.Header) { h.Add("Anthropic-Version", "2023-06-01") }) },
	},
	Fault{
		Name:   "egress/posts-a-form",
		Does:   "The body of a request is declared to be a form.",
		Breaks: []string{"egress/json-declared"},
		Make: func() Changes {
			return headers(func(h http.Header) { h.Set("Content-Type", "application/x-www-form-urlencoded") })
		},
	},
)
