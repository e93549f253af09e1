package mockprovider

import (
	"net/http"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/wire"
)

// asksForThread reports whether a request wants the server to keep the conversation, or to go on with one that it kept.
func (d dialect) asksForThread(req *wire.Request) bool {
	return d.name == messagesDialect.name && req.Body.Get("thread").Is(wire.Object)
}

// withoutThread tells a client that its conversation is not kept here, in the way in which Anthropic's API says so of
// requests that it cannot keep, and gateways to others' models of all. Clients that know of threads send the same again
// with its history and without a thread; so the refused request is no part of the conversation, and nothing is lost
// that could be judged.
func withoutThread(p *profiles.Profile) response {
	resp := errorResponse(p, http.StatusBadRequest, p.WordsFor(http.StatusBadRequest))
	resp.body = wire.Fields{
		{Key: "type", Value: "error"},
		{Key: "error", Value: wire.Fields{
			{Key: "type", Value: "invalid_request_error"},
			{Key: "message", Value: "thread: conversations are not kept here; send all messages, without a thread"},
			{Key: "details", Value: wire.Fields{{Key: "error_code", Value: "thread_unsupported_request"}}},
		}},
	}.JSON()
	return resp
}
