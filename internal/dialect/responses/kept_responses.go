package responses

import (
	"net/http"
	"strconv"

	"github.com/loopproof/loopproof/internal/dialect/stored"
	"github.com/loopproof/loopproof/internal/wire"
)

// queued is the state of a response in the background besides those of every response:
// https://platform.openai.com/docs/guides/background
const queued = stored.Queued

func retrieved(r wire.KeptRequest) wire.KeptAnswer {
	if r.Query.Get("stream") == "true" {
		return streamedAgain(r)
	}
	return items.Retrieved(r)
}

// unfinished makes a response one that has no output yet, or none any more.
func unfinished(response *wire.Node, state string) {
	response.Set("status", state)
	response.Set("output", []any{})
	for _, key := range []string{"completed_at", "incomplete_details", "usage"} {
		if response.Has(key) {
			response.Set(key, nil)
		}
	}
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
	return stored.Streamed(r, "type", func(payload *wire.Node) bool {
		number, _ := payload.Get("sequence_number").Int()
		return number > after
	})
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
	return items.Cancelled(r, errorBody("Cannot cancel a synchronous response.", nil, nil))
}
