package responses

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/wire"
)

// The states of a response in the background besides those of every response:
// https://platform.openai.com/docs/guides/background
const (
	queued         = "queued"
	cancelledState = "cancelled"
)

// retrieved returns a response. One in the background is being made when it is asked for the first
// time, and is complete when it is asked for again.
func retrieved(r wire.KeptRequest) wire.KeptAnswer {
	if r.Query.Get("stream") == "true" {
		return streamedAgain(r)
	}
	answer := wire.KeptAnswer{Status: http.StatusOK}
	switch r.About.Get("state").Text() {
	case queued:
		answer.Body, answer.Keep = unfinished(r.About, inProgress), inState(r, inProgress)
	case inProgress:
		answer.Body, answer.Keep = asFields(r.About.Get("response")), inState(r, completed)
	case cancelledState:
		answer.Body = unfinished(r.About, cancelledState)
	default:
		answer.Body = asFields(r.About.Get("response"))
	}
	return answer
}

// unfinished returns a response that has no output yet, or none any more.
func unfinished(kept *wire.Node, state string) wire.Fields {
	response := wire.Parsed(kept.Get("response").Raw)
	response.Set("status", state)
	response.Set("output", []any{})
	for _, key := range []string{"completed_at", "incomplete_details", "usage"} {
		if response.Has(key) {
			response.Set(key, nil)
		}
	}
	return asFields(response)
}

// inState returns what is kept of a response in the background, in another state.
func inState(r wire.KeptRequest, state string) *wire.History {
	about := wire.Parsed(r.Kept.About)
	about.Set("state", state)
	return r.Kept.Then(nil, 0, about.JSON())
}

// streamedAgain sends the events of a response after the one that a client has got. Only a response
// in the background has them: https://github.com/openai/openai-python/issues/2579. That one needs
// to have been streamed from its beginning is documented
// (https://platform.openai.com/docs/guides/background), and the words about it are our own.
func streamedAgain(r wire.KeptRequest) wire.KeptAnswer {
	missing := ""
	switch {
	case r.About.Get("state") == nil:
		missing = "background"
	case r.About.Get("events") == nil:
		missing = "stream"
	}
	if missing != "" {
		message := "This response cannot be streamed because it was not created with " + missing + "=true."
		return wire.KeptAnswer{Status: http.StatusBadRequest, Body: errorBody(message, "stream", "invalid_request_error")}
	}
	after, err := strconv.Atoi(r.Query.Get("starting_after"))
	if err != nil {
		after = -1
	}
	events := []wire.Event{}
	for _, payload := range r.About.Get("events").All() {
		if number, _ := payload.Get("sequence_number").Int(); number > after {
			events = append(events, wire.Event{Lines: []string{"event: " + payload.Get("type").Text()}, Data: slices.Clone(payload.Raw)})
		}
	}
	return wire.KeptAnswer{Events: events, Keep: inState(r, completed)}
}

// payloadsOf returns what the events of a stream say.
func payloadsOf(events []wire.Event) []any {
	payloads := []any{}
	for _, e := range events {
		payloads = append(payloads, wire.Raw(e.Data))
	}
	return payloads
}

func deleted(r wire.KeptRequest) wire.KeptAnswer {
	return wire.KeptAnswer{Status: http.StatusOK, Forgets: true, Body: wire.Fields{
		{Key: "id", Value: r.ID}, {Key: "object", Value: "response"}, {Key: "deleted", Value: true},
	}}
}

// cancelled cancels a response in the background, once:
// https://platform.openai.com/docs/api-reference/responses/cancel. What is refused of other
// responses is in the source of SGLang (serving_responses.py), which repeats OpenAI's words.
func cancelled(r wire.KeptRequest) wire.KeptAnswer {
	switch r.About.Get("state").Text() {
	case "":
		return wire.KeptAnswer{Status: http.StatusBadRequest, Body: errorBody("Cannot cancel a synchronous response.", nil, nil)}
	case completed:
		return wire.KeptAnswer{Status: http.StatusOK, Body: asFields(r.About.Get("response"))}
	default:
		return wire.KeptAnswer{Status: http.StatusOK, Body: unfinished(r.About, cancelledState), Keep: inState(r, cancelledState)}
	}
}
