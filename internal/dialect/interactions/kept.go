package interactions

import (
	"net/http"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/dialect/stored"
	"github.com/loopproof/loopproof/internal/wire"
)

// kept is how Google keeps interactions, unless a request says that they are not to be stored:
// https://ai.google.dev/gemini-api/docs/interactions. What it answers about one that it does not keep is
// known for a request for the interaction alone (https://github.com/googleapis/python-genai/issues/2985).
var kept = &wire.KeptHistory{
	Life: 55 * 24 * time.Hour, // of the paid tier
	Continues: func(req *wire.Request) *wire.Continuation {
		return stored.Continues(req, req.Body.Get("previous_interaction_id").Text(), "")
	},
	Keep:     items.Keep,
	Whole:    items.Whole,
	Document: document,
	// The first event of a stream tells the id. What Google keeps of an interaction whose stream broke off is not documented,
	// so that one which names it is not refused.
	KeepsBroken: true,
	MayStayOpen: true, // what was refused is a result whose call was lost: https://github.com/googleapis/python-genai/issues/3003
	Refusals: map[wire.HistoryProblem]wire.HistoryRefusal{
		wire.HistoryUnsupported: {Status: http.StatusBadRequest, Code: "invalid_request", Message: "Interactions are not kept here: send all steps, without previous_interaction_id."},
		wire.HistoryNotFound:    {Status: http.StatusNotFound, Code: "not_found", Message: "The interaction {id} was not found."},
		wire.HistoryUnknown:     {Status: http.StatusNotFound, Code: "not_found", Message: "The interaction {id} was not found."},
	},
	ErrorBody: func(r wire.HistoryRefusal) wire.Fields { return errorBody(r.Message, r.Code) },
}

func errorBody(message, code string) wire.Fields {
	return wire.Fields{{Key: "error", Value: wire.Fields{{Key: "message", Value: message}, {Key: "code", Value: code}}}}
}

// items is how interactions are stored. Tools and instructions are not.
var items = stored.Form{
	Input: "input", Output: "steps", Items: inputOf,
	Unfinished: func(answer *wire.Node, state string) {
		answer.Set("status", state)
		answer.Remove("steps", "usage")
	},
	Fetched: func(r wire.KeptRequest) wire.Fields { // with the input, which the answer itself does not have
		return r.About.Get("response").AsFields().Without("steps").With("steps", r.Kept.Items)
	},
}

// inputOf returns the input of a request as steps, without thoughts that are kept: Google's own Agent
// Development Kit 2.13.0 sends them again with the results, and whether they are refused is not known.
func inputOf(before *wire.History, req *wire.Request) []wire.Raw {
	input := req.Body.Get("input")
	said := []any{}
	switch {
	case input.Is(wire.String):
		said = append(said, textOf(input.Text()))
	case input.Is(wire.Object):
		said = append(said, wire.Raw(input.Raw))
	case len(input.All()) > 0 && isContent(input.Items[0]):
		for _, n := range input.Items {
			said = append(said, wire.Raw(n.Raw))
		}
	default:
		known := map[string]bool{}
		for _, step := range before.All() {
			known[signatureOf(step)] = true
		}
		return slices.DeleteFunc(wire.RawItems(input), func(step wire.Raw) bool {
			signature := signatureOf(step)
			return signature != "" && known[signature]
		})
	}
	return []wire.Raw{typed(userStep).With("content", said).JSON()}
}

// signatureOf returns the signature of a thought, "" of any other step.
func signatureOf(step wire.Raw) string {
	n := wire.Parsed(step)
	if n.Get("type").Text() != thoughtStep {
		return ""
	}
	return n.Get("signature").Text()
}

// retrieved returns an interaction, or the events of one in the background after the one that a client
// has got.
func retrieved(r wire.KeptRequest) wire.KeptAnswer {
	if r.Query.Get("stream") != "true" {
		return items.Retrieved(r)
	}
	if r.About.Get("events") == nil {
		return wire.KeptAnswer{Status: http.StatusBadRequest, Body: errorBody("Only an interaction that was streamed in the background can be streamed again.", "invalid_request")}
	}
	last := r.Query.Get("last_event_id")
	seen := last == ""
	return stored.Streamed(r, "event_type", func(payload *wire.Node) bool {
		after := seen
		seen = seen || payload.Get("event_id").Text() == last
		return after
	})
}

func deleted(wire.KeptRequest) wire.KeptAnswer {
	return wire.KeptAnswer{Status: http.StatusOK, Forgets: true, Body: wire.Fields{}}
}

// cancelled cancels an interaction in the background.
func cancelled(r wire.KeptRequest) wire.KeptAnswer {
	return items.Cancelled(r, errorBody("Only an interaction in the background can be cancelled.", "invalid_request"))
}
