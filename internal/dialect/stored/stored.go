// Package stored is what dialects share whose provider stores each answer under its id, with the input that led to it, and
// makes some answers in the background.
package stored

import (
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// The states of an answer in the background. It is being made when it is asked for the first time, and
// is complete when it is asked for again.
const (
	Queued     = "queued"
	InProgress = "in_progress"
	Completed  = "completed"
	Cancelled  = "cancelled"
)

// Form says how a dialect writes what is stored.
type Form struct {
	Input  string // the key of a request with the list of items
	Output string // the key of an answer with those of the model

	// Items returns what the input of a request adds to the history before it, as items.
	Items func(before *wire.History, req *wire.Request) []wire.Raw

	// Unfinished changes an answer to one in a state in which it has no output.
	Unfinished func(answer *wire.Node, state string)

	// Fetched returns an answer as it is fetched. Nil: as it was given.
	Fetched func(wire.KeptRequest) wire.Fields
}

// Continues returns what a request says of what is stored, which names an answer before it or the
// conversation in which it is.
func Continues(req *wire.Request, previous, conversation string) *wire.Continuation {
	// An answer in the background is kept for some ten minutes in any case:
	// https://developers.openai.com/api/docs/guides/background
	background := req.Body.Get("background").True()
	unkept := req.Body.Get("store").Is(wire.Bool) && !req.Body.Get("store").True() && !background
	ambiguous := previous != "" && conversation != ""
	if ambiguous {
		conversation = "" // the rules read a request with both as one that continues from an answer
	}
	alone := previous == "" && conversation == ""
	if alone && unkept {
		return nil
	}
	return &wire.Continuation{
		Begins: alone, ByDefault: alone, Previous: previous, Conversation: conversation, NotStored: unkept,
		Ambiguous: ambiguous, Background: background,
	}
}

// Keep keeps the input and the answer to it. One that is made in the background is also kept as the
// events of its stream, if there is one, and with its state.
func (f Form) Keep(before *wire.History, req *wire.Request, given wire.Given) *wire.History {
	answer := given.Answer
	if given.Broken {
		answer = answer.Clone()
		f.Unfinished(answer, InProgress)
	}
	about := wire.Fields{{Key: "response", Value: answer.AsFields()}}
	if req.Body.Get("background").True() {
		about = about.With("state", Queued)
		if req.Stream {
			about = about.With("events", payloadsOf(given.Events()))
		}
	}
	output := wire.RawItems(answer.Get(f.Output))
	return before.Then(append(f.Items(before, req), output...), len(output), slices.Clone(about.JSON())) // without the room that was left
}

// payloadsOf returns what the events of a stream say.
func payloadsOf(events []wire.Event) []any {
	payloads := []any{}
	for _, e := range events {
		payloads = append(payloads, wire.Raw(e.Data))
	}
	return payloads
}

// Whole puts the items that are kept before what a request says. Nothing else of it is kept.
func (f Form) Whole(kept *wire.History, short *wire.Request) []byte {
	input := wire.Fields{{Key: f.Input, Value: append(kept.All(), f.Items(kept, short)...)}}
	return append(input, short.Body.AsFields().Without(f.Input)...).JSON()
}

// Retrieved returns an answer.
func (f Form) Retrieved(r wire.KeptRequest) wire.KeptAnswer {
	answer := wire.KeptAnswer{Status: http.StatusOK}
	switch r.About.Get("state").Text() {
	case Queued:
		answer.Body, answer.Keep = f.unfinished(r, InProgress), InState(r, InProgress)
	case InProgress:
		answer.Body, answer.Keep = f.whole(r), InState(r, Completed)
	case Cancelled:
		answer.Body = f.unfinished(r, Cancelled)
	default:
		answer.Body = f.whole(r)
	}
	return answer
}

// Cancelled cancels an answer in the background, once. Another one is refused with a message.
func (f Form) Cancelled(r wire.KeptRequest, refusal wire.Fields) wire.KeptAnswer {
	switch r.About.Get("state").Text() {
	case "":
		return wire.KeptAnswer{Status: http.StatusBadRequest, Body: refusal}
	case Completed:
		return wire.KeptAnswer{Status: http.StatusOK, Body: f.whole(r)}
	default:
		return wire.KeptAnswer{Status: http.StatusOK, Body: f.unfinished(r, Cancelled), Keep: InState(r, Cancelled)}
	}
}

// Streamed sends the events of an answer again, those that are after the one that a client has got.
func Streamed(r wire.KeptRequest, name string, after func(*wire.Node) bool) wire.KeptAnswer {
	events := []wire.Event{}
	for _, payload := range r.About.Get("events").All() {
		if after(payload) {
			events = append(events, wire.Event{Lines: []string{"event: " + payload.Get(name).Text()}, Data: slices.Clone(payload.Raw)})
		}
	}
	return wire.KeptAnswer{Events: events, Keep: InState(r, Completed)}
}

func (f Form) whole(r wire.KeptRequest) wire.Fields {
	if f.Fetched != nil {
		return f.Fetched(r)
	}
	return r.About.Get("response").AsFields()
}

func (f Form) unfinished(r wire.KeptRequest, state string) wire.Fields {
	answer := r.About.Get("response").Clone()
	f.Unfinished(answer, state)
	return answer.AsFields()
}

// InState returns what is kept of an answer in the background, in another state.
func InState(r wire.KeptRequest, state string) *wire.History {
	about := wire.Parsed(r.Kept.About)
	about.Set("state", state)
	return r.Kept.Then(nil, 0, about.JSON())
}
