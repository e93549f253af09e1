package variations

import (
	"net/http"
	"net/textproto"
	"strings"
	"sync/atomic"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
)

// setHeader returns a change that sets headers, of names and values in turn.
func setHeader(pairs ...string) func(*http.Request) {
	return func(req *http.Request) {
		for i := 0; i < len(pairs); i += 2 {
			req.Header.Set(pairs[i], pairs[i+1])
		}
	}
}

var inHTTP = []hooks.Variation{
	{
		Name:    "http/says-who-made-it",
		Does:    "A request says which client made it, in which language, for how long it waits, and how often it was tried.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/client.ts (X-Stainless-Retry-Count, X-Stainless-Timeout)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/__init__.py (User-Agent)"},
		Make: func() hooks.Mutation {
			var tries atomic.Int64
			return hooks.OnSend(func(req *http.Request) {
				setHeader("User-Agent", "ada/1.0", "X-Stainless-Lang", "go", "X-Stainless-Timeout", "600")(req)
				req.Header.Set("X-Stainless-Retry-Count", string(rune('0'+tries.Add(1)%10)))
			})()
		},
	},
	{
		Name:    "http/json-with-charset",
		Does:    "The content type of a request names its charset.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1 (parameters of a media type)"},
		Make:    hooks.OnSend(setHeader("Content-Type", "application/json; charset=utf-8")),
	},
	{
		Name:    "http/takes-json",
		Does:    "A request says that it takes JSON, also where it asks for a stream.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/_base_client.py (\"Accept\": \"application/json\")"},
		Make:    hooks.OnSend(setHeader("Accept", "application/json")),
	},
	{
		Name:    "http/takes-events",
		Does:    "A request says that it takes a stream of events, and that none of it may be cached.",
		Sources: []string{"https://github.com/0xPlaygrounds/rig/blob/main/crates/rig-core/src/http_client/sse.rs (text/event-stream)", "https://html.spec.whatwg.org/multipage/server-sent-events.html#the-eventsource-interface"},
		Make:    hooks.OnSend(setHeader("Accept", "text/event-stream", "Cache-Control", "no-store")),
	},
	{
		Name:    "http/key-for-repeats",
		Does:    "A request has a key of its own, by which the server can tell that it was sent twice.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py (idempotency_key)"},
		Make:    hooks.OnSend(setHeader("Idempotency-Key", "stainless-python-retry-1")),
	},
	{
		Name:    "http/lower-case-headers",
		Does:    "The names of the headers are in lower case.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9110#section-5.1 (field names are case-insensitive)"},
		Make: hooks.OnSend(func(req *http.Request) {
			for name, values := range req.Header.Clone() {
				delete(req.Header, textproto.CanonicalMIMEHeaderKey(name))
				req.Header[strings.ToLower(name)] = values
			}
		}),
	},
	{
		Name:    "http/chunked",
		Does:    "A request is sent without its length.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9112#section-7.1"},
		Make:    hooks.OnSend(func(req *http.Request) { req.ContentLength = -1 }),
	},
	{
		Name:    "http/connection-each",
		Does:    "Each request has a connection of its own.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9112#section-9.6"},
		Make:    hooks.OnSend(func(req *http.Request) { req.Close = true }),
	},
	{
		Name:    "http/asks-before-it-sends",
		Does:    "The body of a request follows when the server has said that it will take it.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1 (Expect: 100-continue)"},
		Make:    hooks.OnSend(setHeader("Expect", "100-continue")),
	},
	{
		Name:    "http/traced",
		Does:    "A request carries the trace that it belongs to, and the task of the loop.",
		Sources: []string{"https://www.w3.org/TR/trace-context/#traceparent-header", "https://github.com/spring-projects/spring-ai/blob/main/models/spring-ai-anthropic/src/main/java/org/springframework/ai/anthropic/AnthropicChatModel.java (traceparent)"},
		Make:    hooks.OnSend(setHeader("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "X-Task-ID", "ada")),
	},
	{
		Name:    "http/query",
		Does:    "The address of a request has a query: which version of the API, or that it is the beta.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/resources/beta/messages/messages.py (/v1/messages?beta=true)", "https://github.com/openai/openai-python/blob/main/src/openai/lib/azure.py (api-version)"},
		Make: hooks.OnSend(func(req *http.Request) {
			query := req.URL.Query() // some APIs have one of their own
			query.Set("beta", "true")
			query.Set("api-version", "2024-10-21")
			req.URL.RawQuery = query.Encode()
		}),
	},
	{
		Name:    "http/nothing-compressed",
		Does:    "A request asks for an answer that is not compressed.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 (identity)"},
		Make:    hooks.OnSend(setHeader("Accept-Encoding", "identity")),
	},
	{
		Name:    "http/follows-no-redirects",
		Does:    "An answer that points elsewhere is an error for the caller.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9110#section-15.4 (a client may follow)"},
		Make: hooks.OnLoop(func(l *refloop.Loop) {
			l.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		}),
	},
	{
		Name:    "http/json-in-capitals",
		Does:    "The content type of a request is Application/JSON.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1 (types and subtypes are case-insensitive)"},
		Make:    hooks.OnSend(func(req *http.Request) { req.Header.Set("Content-Type", "Application/JSON") }),
	},
}
