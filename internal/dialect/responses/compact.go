package responses

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/wire"
)

// compactions returns the items of a request that stand for conversations.
func compactions(req *wire.Request) (items []*wire.Node) {
	for _, item := range req.Body.Get("input").All() {
		if TypeOf(item) == compactionItem && item.Get("encrypted_content").Is(wire.String) {
			items = append(items, item)
		}
	}
	return items
}

// compacted answers a conversation with a shorter one: what the user said, and an item that stands
// for the rest. https://platform.openai.com/docs/api-reference/responses/compact
func compacted(r wire.KeptRequest) wire.KeptAnswer {
	if r.Body.Get("model").Text() == "" {
		return wire.KeptAnswer{Status: http.StatusBadRequest, Body: errorBody("Missing required parameter: 'model'.", "model", "missing_required_parameter")}
	}
	items := r.Body.Get("input").All()
	if previous := r.Body.Get("previous_response_id").Text(); previous != "" {
		kept := r.Find(previous)
		if kept == nil {
			return wire.KeptAnswer{Status: http.StatusBadRequest, Body: errorBody("Previous response with id '"+previous+"' not found.", "previous_response_id", "previous_response_not_found")}
		}
		items = append(parsed(kept.All()), items...)
	}
	seal := r.Seal(compactionItem, rawOf(r.Body.Get("input")), rawOf(r.Body.Get("previous_response_id")))
	output := []any{}
	for i, n := range items {
		if TypeOf(n) == messageItem && n.Get("role").Text() == "user" {
			output = append(output, named(n, seal, i))
		}
	}
	if said := r.Body.Get("input"); said.Is(wire.String) {
		output = append(output, wire.Fields{
			{Key: "id", Value: itemID("msg", seal, 0)}, {Key: "type", Value: messageItem}, {Key: "status", Value: completed}, {Key: "role", Value: "user"},
			{Key: "content", Value: []wire.Fields{{{Key: "type", Value: "input_text"}, {Key: "text", Value: said.Text()}}}},
		})
	}
	output = append(output, wire.Fields{{Key: "id", Value: itemID(compactionPrefix, seal, len(items))}, {Key: "type", Value: compactionItem}, {Key: "encrypted_content", Value: seal}})
	tokens := len(r.Body.Raw) / 4
	return answered(wire.Fields{
		{Key: "id", Value: itemID("resp", seal, 0)}, {Key: "object", Value: "response.compaction"}, {Key: "created_at", Value: created},
		{Key: "output", Value: output},
		{Key: "usage", Value: wire.Fields{
			{Key: "input_tokens", Value: tokens}, {Key: "input_tokens_details", Value: wire.Fields{{Key: "cached_tokens", Value: 0}}},
			{Key: "output_tokens", Value: 20}, {Key: "output_tokens_details", Value: wire.Fields{{Key: "reasoning_tokens", Value: 0}}},
			{Key: "total_tokens", Value: tokens + 20},
		}},
	})
}
