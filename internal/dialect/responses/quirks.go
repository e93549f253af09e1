package responses

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Quirks returns the known ways in which the answers of Responses depart from the regular shape of
// their profile.
func Quirks() []wire.Quirk {
	return wire.WithNeeds(slices.Concat(
		eventQuirks(), betweenQuirks(), finishQuirks(), stopWord.Quirks(), errorQuirks(), itemQuirks(), idQuirks(), indexes.Quirks(), argumentQuirks(),
		endQuirks(), partQuirks(), wire.IdleQuirks(), framingQuirks(),
	), needs)
}

// needs are what a dialect has to be able to say before answers can have these quirks.
var needs = map[wire.Abilities][]string{
	wire.OwnItems: {
		"annotations-missing", "arguments-when-done", "calls-named-when-done", "created-missing", "in-progress-again", "indexes-missing", "item-ids-changing",
		"item-ids-missing", "item-status-missing", "items-done-twice", "items-end-backwards", "items-end-together", "items-not-done", "items-unannounced",
		"items-when-done", "output-empty-at-the-end", "output-missing-at-the-end", "parts-not-done", "parts-unannounced",
		"pieces-not-done", "provider-items", "queued-first", "response-start-bare", "sequence-missing", "text-when-done", "usage-bare", "failed-alone",
		"summary-in-parts", "incomplete-without-a-reason", "incomplete-as-completed", "calls-unnamed-when-done",
	},
	wire.TypedEvents: {"error-untyped", "error-flat"},
}

// eventQuirks are about events and items that are between those of a response.
func eventQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name: "unknown-events",
			Does: "sends events of unknown types",
			Events: behindEach(func(_ wire.Event, _ *wire.Node) []wire.Event {
				return []wire.Event{event("response.progress", wire.Fields{{Key: "output_index", Value: 7}, {Key: "delta", Value: wire.Raw(`{"type":"steps","done":1}`)}})}
			}),
		},
		{
			Name:   "unknown-keys",
			Does:   "sends keys that the reference does not know, alongside those of events, responses and token counts",
			Events: wire.EachPayload(addUnknownKeys),
			Whole:  wire.InBody(addUnknownKeys),
		},
		{
			Name:   "unknown-blocks",
			Does:   "sends an item of an unknown type before another one",
			Answer: func(a *wire.Answer) { a.Blocks = append(a.Blocks, wire.Raw(unknownItem)) },
		},
		{
			Name:   "response-start-bare",
			Does:   "begins streams with a response that has no more than an id, a type and a status",
			Events: wire.EachPayload(bareStart),
		},
	}
}

// bareStart leaves out what a response has at the beginning besides its id, its type and its
// status.
func bareStart(payload *wire.Node) {
	if kind := kindOf(payload); kind != "response.created" && kind != "response.in_progress" {
		return
	}
	response := payload.Path("response")
	for _, key := range response.Keys() {
		if !slices.Contains([]string{"id", "object", "status"}, key) {
			response.Remove(key)
		}
	}
}

// unknownItem is what the quirk unknown-blocks sends.
const unknownItem = `{"id":"prg_","type":"loopproof:progress_update","status":"completed","step":1}`

func finishQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "stop-reason-unknown",
			Does:   "stops for an unknown reason",
			Answer: func(a *wire.Answer) { a.Finish = "budget_reached" },
		},
		{
			Name:   "incomplete-without-a-reason",
			Does:   "says of an answer that was cut off that it is incomplete, and not why",
			Answer: cutOff,
			Events: wire.EachPayload(func(payload *wire.Node) { withoutReason(payload.Path("response")) }),
			Whole:  wire.InBody(withoutReason),
		},
		{
			Name:   "incomplete-as-completed",
			Does:   "ends the stream of an incomplete response with response.completed, without the reason",
			Answer: cutOff,
			Events: func(events []wire.Event) []wire.Event {
				changed := slices.Clone(events)
				for i, e := range changed {
					if payload := wire.Parsed(e.Data); kindOf(payload) == "response.incomplete" {
						payload.Set("type", "response.completed")
						withoutReason(payload.Path("response"))
						changed[i].Lines, changed[i].Data = []string{"event: response.completed"}, payload.JSON()
					}
				}
				return changed
			},
		},
		{
			Name:   "usage-missing",
			Does:   "sends no token counts",
			Events: wire.EachPayload(func(payload *wire.Node) { payload.Path("response").Remove("usage") }),
			Whole:  wire.InBody(func(body *wire.Node) { body.Remove("usage") }),
		},
	}
}

// cutOff makes an answer one that the token limit cut off.
func cutOff(a *wire.Answer) { a.Finish = wire.FinishLength }

func withoutReason(response *wire.Node) {
	if response.Get("incomplete_details").Is(wire.Object) {
		response.Set("incomplete_details", nil)
	}
}

// addUnknownKeys puts keys of every type besides the known ones. Items stay as they are, since they
// go back.
func addUnknownKeys(payload *wire.Node) {
	wire.AddUnknownKeys("x_server", payload, payload.Path("response"), payload.Path("usage"), payload.Path("response", "usage"))
}

// event returns an event whose payload begins with its type, without a number.
func event(kind string, rest wire.Fields) wire.Event {
	payload := append(wire.Fields{{Key: "type", Value: kind}}, rest...)
	return wire.Event{Lines: []string{"event: " + kind}, Data: payload.JSON()}
}

// behindEach sends events after every event of the provider's but the last, which ends the stream.
func behindEach(more func(e wire.Event, payload *wire.Node) []wire.Event) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		var changed []wire.Event
		for i, e := range events {
			changed = append(changed, e)
			if payload := wire.Parsed(e.Data); payload != nil && i < len(events)-1 {
				changed = append(changed, more(e, payload)...)
			}
		}
		return renumbered(changed)
	}
}

// renumbered counts the events again.
func renumbered(events []wire.Event) []wire.Event {
	number := 0
	return wire.EachPayload(func(payload *wire.Node) {
		payload.Set("sequence_number", number)
		number++
	})(events)
}
