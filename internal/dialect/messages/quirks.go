package messages

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Quirks returns the known ways in which the answers of Messages depart from the regular shape of
// their profile.
func Quirks() []wire.Quirk {
	return wire.WithNeeds(slices.Concat(
		stopWord.Quirks(), callIDs.Quirks(), errorQuirks(), wire.IdleQuirks(), indexQuirks(), pieceQuirks(), eventQuirks(), streamQuirks(), textQuirks(), framingQuirks(),
	), needs)
}

// needs are what a dialect has to be able to say before answers can have these quirks.
var needs = map[wire.Abilities][]string{
	wire.Pings:          {"pings-anywhere"},
	wire.TypedEvents:    {"unknown-events", "unknown-deltas"},
	wire.StartEvents:    {"message-start-twice", "message-start-bare", "message-start-spliced"},
	wire.PartsOfAnswers: {"empty-text-block", "white-text-block", "text-in-parts", "unknown-blocks"},
	wire.CallPieces:     {"input-in-the-start"},
	wire.UsageInPieces:  {"usage-in-several-deltas", "end-usage-null", "end-usage-output-only"},
	wire.CallsFinish:    {"finish-calls-without-call"},
}

// eventQuirks are about events and deltas that are between those of a message.
func eventQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "unknown-events",
			Does:   "sends events of unknown types",
			Events: behindEach(wire.Event{Lines: []string{"event: progress"}, Data: []byte(`{"type":"progress","index":7,"delta":{"type":"steps","done":1}}`)}),
		},
		{
			Name:   "pings-anywhere",
			Does:   "sends a ping after every event",
			Events: behindEach(wire.Event{Lines: []string{"event: ping"}, Data: []byte(`{"type": "ping"}`)}),
		},
		{
			Name:   "unknown-deltas",
			Does:   "sends deltas of unknown types",
			Events: atEndOfBlocks("text", `{"type":"confidence_delta","confidence":0.9}`),
		},
		{
			Name: "unknown-keys",
			Does: "sends unknown keys in events, messages and deltas",
			Events: func(events []wire.Event) []wire.Event {
				changed := slices.Clone(events)
				for i, e := range changed {
					if payload := wire.Parsed(e.Data); payload != nil && payload.Path("type").Text() != "ping" {
						addUnknownKeys(payload)
						changed[i].Data = payload.JSON()
					}
				}
				return changed
			},
			Whole: func(body []byte) []byte {
				message := wire.Parsed(body)
				addUnknownKeys(message)
				return message.JSON()
			},
		},
		{
			Name:   "citations",
			Does:   "sends citations between the pieces of a text",
			Events: atEndOfBlocks("text", `{"type":"citations_delta","citation":{"type":"char_location","cited_text":"4 C","document_index":0,"document_title":null,"start_char_index":0,"end_char_index":3}}`),
		},
	}
}

// addUnknownKeys puts keys of every type besides the known ones. Blocks stay as they are, since
// they go back.
func addUnknownKeys(payload *wire.Node) {
	wire.AddUnknownKeys("x_server", payload, payload.Path("message"), payload.Path("delta"), payload.Path("usage"))
}

// behindEach sends an event after every event of the provider's but the last, which ends the
// stream.
func behindEach(more wire.Event) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		var changed []wire.Event
		for i, e := range events {
			if changed = append(changed, e); len(e.Data) > 0 && i < len(events)-1 {
				changed = append(changed, more)
			}
		}
		return changed
	}
}

// atEndOfBlocks sends a delta before the end of every block of a type.
func atEndOfBlocks(kind, delta string) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		var changed []wire.Event
		open := ""
		for _, e := range events {
			payload := wire.Parsed(e.Data)
			switch what := payload.Path("type").Text(); {
			case what == "content_block_start":
				open = payload.Path("content_block", "type").Text()
			case what == "content_block_stop" && open == kind:
				index, _ := payload.Path("index").Int()
				changed = append(changed, event("content_block_delta", wire.Fields{{Key: "index", Value: index}, {Key: "delta", Value: wire.Raw(delta)}}))
			}
			changed = append(changed, e)
		}
		return changed
	}
}
