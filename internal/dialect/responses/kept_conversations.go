package responses

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// conversationPaths are those of conversations, to which requests and their answers are added:
// https://platform.openai.com/docs/api-reference/conversations
var conversationPaths = []wire.KeptPath{
	{Method: http.MethodPost, Path: "/v1/conversations", Answer: createConversation, Creates: "conv_"},
	{Method: http.MethodGet, Path: "/v1/conversations/{id}", Answer: conversation, Unknown: wire.HistoryNoConversation},
	{Method: http.MethodPost, Path: "/v1/conversations/{id}", Answer: updateConversation, Unknown: wire.HistoryNoConversation},
	{Method: http.MethodDelete, Path: "/v1/conversations/{id}", Answer: deleteConversation, Unknown: wire.HistoryNoConversation},
	{Method: http.MethodGet, Path: "/v1/conversations/{id}/items", Answer: conversationItems, Unknown: wire.HistoryNoConversation},
	{Method: http.MethodPost, Path: "/v1/conversations/{id}/items", Answer: addItems, Unknown: wire.HistoryNoConversation},
	{Method: http.MethodGet, Path: "/v1/conversations/{id}/items/{item}", Answer: conversationItem, Unknown: wire.HistoryNoConversation},
	{Method: http.MethodDelete, Path: "/v1/conversations/{id}/items/{item}", Answer: deleteItem, Unknown: wire.HistoryNoConversation},
}

// conversationOf returns the id of the conversation in which a request is: a text, or an object with an id.
func conversationOf(req *wire.Request) string {
	c := req.Body.Get("conversation")
	if c.Is(wire.String) {
		return c.Text()
	}
	return c.Get("id").Text()
}

// keptConversation is what is kept of a conversation. created is the time that all answers carry.
func keptConversation(id string, metadata wire.Raw, items []wire.Fields) []byte {
	about := wire.Fields{{Key: "id", Value: id}, {Key: "object", Value: "conversation"}, {Key: "created_at", Value: created}, {Key: "metadata", Value: metadata}}
	return wire.Fields{{Key: "conversation", Value: about}, {Key: "items", Value: items}}.JSON()
}

// created is the time at which conversations begin. It is fixed, so that the same requests give the same bytes.
const created = 1767225600 // 2026-01-01

// changed returns what is kept of a conversation, with other items.
func changed(kept *wire.Node, items []wire.Fields) []byte {
	about := kept.Get("conversation")
	return keptConversation(about.Get("id").Text(), wire.Raw(rawOf(about.Get("metadata"))), items)
}

func answered(body wire.Fields) wire.KeptAnswer {
	return wire.KeptAnswer{Status: http.StatusOK, Body: body}
}

func createConversation(r wire.KeptRequest) wire.KeptAnswer {
	if refusal := tooMany(r.Body); refusal != nil {
		return *refusal
	}
	kept := keptConversation(r.ID, orRaw(metadataOf(r.Body), "{}"), allNamed(r.Body.Get("items"), r.ID))
	answer := answered(asFields(wire.Parsed(kept).Get("conversation")))
	answer.Keep = kept
	return answer
}

func metadataOf(body *wire.Node) *wire.Node {
	if m := body.Get("metadata"); m.Is(wire.Object) {
		return m
	}
	return nil
}

// maxAdded is how many items may be added at once, by the same reference.
const maxAdded = 20

// tooMany refuses a request that adds too many items; nil: it does not. The words are those of OpenAI about other lists.
func tooMany(body *wire.Node) *wire.KeptAnswer {
	n := len(body.Get("items").All())
	if n <= maxAdded {
		return nil
	}
	message := fmt.Sprintf("Invalid 'items': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", maxAdded, n)
	return &wire.KeptAnswer{Status: http.StatusBadRequest, Body: errorBody(message, "items", "array_above_max_length")}
}

func conversation(r wire.KeptRequest) wire.KeptAnswer {
	return answered(asFields(r.Kept.Get("conversation")))
}

func updateConversation(r wire.KeptRequest) wire.KeptAnswer {
	kept := keptConversation(r.ID, orRaw(metadataOf(r.Body), "{}"), allNamed(r.Kept.Get("items"), r.ID))
	answer := answered(asFields(wire.Parsed(kept).Get("conversation")))
	answer.Keep = kept
	return answer
}

func deleteConversation(r wire.KeptRequest) wire.KeptAnswer {
	answer := answered(wire.Fields{{Key: "id", Value: r.ID}, {Key: "object", Value: "conversation.deleted"}, {Key: "deleted", Value: true}})
	answer.Forgets = true
	return answer
}

func conversationItems(r wire.KeptRequest) wire.KeptAnswer {
	return answered(page(allNamed(r.Kept.Get("items"), r.ID), r.Query))
}

func addItems(r wire.KeptRequest) wire.KeptAnswer {
	if refusal := tooMany(r.Body); refusal != nil {
		return *refusal
	}
	before := allNamed(r.Kept.Get("items"), r.ID)
	var added []wire.Fields
	for i, n := range r.Body.Get("items").All() {
		added = append(added, named(n, r.ID, len(before)+i))
	}
	answer := answered(page(added, map[string][]string{"order": {"asc"}}))
	answer.Keep = changed(r.Kept, append(before, added...))
	return answer
}

// found returns the index of the item that a path names.
func found(r wire.KeptRequest) int {
	return slices.IndexFunc(r.Kept.Get("items").All(), func(n *wire.Node) bool { return n.Get("id").Text() == r.Item })
}

func noItem(r wire.KeptRequest) wire.KeptAnswer {
	return wire.KeptAnswer{Status: http.StatusNotFound, Body: errorBody("Item with id '"+r.Item+"' not found in conversation with id '"+r.ID+"'.", nil, nil)}
}

func conversationItem(r wire.KeptRequest) wire.KeptAnswer {
	i := found(r)
	if i < 0 {
		return noItem(r)
	}
	return answered(asFields(r.Kept.Get("items").All()[i]))
}

func deleteItem(r wire.KeptRequest) wire.KeptAnswer {
	i := found(r)
	if i < 0 {
		return noItem(r)
	}
	answer := answered(asFields(r.Kept.Get("conversation")))
	answer.Keep = changed(r.Kept, slices.Delete(allNamed(r.Kept.Get("items"), r.ID), i, i+1))
	return answer
}

// extend puts what is new of a request, and the items of its answer, to a conversation.
func extend(kept *wire.Node, req *wire.Request, answer *wire.Node) []byte {
	id := kept.Get("conversation").Get("id").Text()
	items := allNamed(kept.Get("items"), id)
	whole := req.Body.Get("input").All()
	for i, n := range whole[min(len(items), len(whole)):] {
		items = append(items, named(n, id, len(items)+i))
	}
	for _, n := range answer.Get("output").All() {
		items = append(items, asFields(n))
	}
	return changed(kept, items)
}
