package responses

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// conversationOf returns the id of the conversation in which a request is: a text, or an object
// with an id.
func conversationOf(req *wire.Request) string {
	c := req.Body.Get("conversation")
	if c.Is(wire.String) {
		return c.Text()
	}
	return c.Get("id").Text()
}

// aboutConversation is what is kept of a conversation besides its items. created is the time that
// all answers carry.
func aboutConversation(id string, metadata wire.Raw) wire.Raw {
	about := wire.Fields{{Key: "id", Value: id}, {Key: "object", Value: "conversation"}, {Key: "created_at", Value: created}, {Key: "metadata", Value: metadata}}
	return wire.Fields{{Key: "conversation", Value: about}}.JSON()
}

// created is the time at which conversations begin. It is fixed, so that the same requests give the
// same bytes.
const created = 1767225600 // 2026-01-01

func answered(body wire.Fields) wire.KeptAnswer {
	return wire.KeptAnswer{Status: http.StatusOK, Body: body}
}

func createConversation(r wire.KeptRequest) wire.KeptAnswer {
	if refusal := tooMany(r.Body); refusal != nil {
		return *refusal
	}
	about := aboutConversation(r.ID, orRaw(metadataOf(r.Body), "{}"))
	answer := answered(wire.Parsed(about).Get("conversation").AsFields())
	var none *wire.History
	answer.Keep = none.Then(rawOfAll(allNamed(r.Body.Get("items").All(), r.ID, 0)), 0, about)
	return answer
}

// rawOfAll returns items as they are kept.
func rawOfAll(items []wire.Fields) []wire.Raw {
	raw := make([]wire.Raw, len(items))
	for i, item := range items {
		raw[i] = item.JSON()
	}
	return raw
}

// parsed returns items that are kept as they can be looked at.
func parsed(items []wire.Raw) []*wire.Node {
	nodes := make([]*wire.Node, len(items))
	for i, item := range items {
		nodes[i] = wire.Parsed(item)
	}
	return nodes
}

func metadataOf(body *wire.Node) *wire.Node {
	if m := body.Get("metadata"); m.Is(wire.Object) {
		return m
	}
	return nil
}

// maxAdded is how many items may be added at once, by the same reference.
const maxAdded = 20

// tooMany refuses a request that adds too many items, or nil if it does not. The words are those of
// OpenAI about other lists.
func tooMany(body *wire.Node) *wire.KeptAnswer {
	n := len(body.Get("items").All())
	if n <= maxAdded {
		return nil
	}
	message := fmt.Sprintf("Invalid 'items': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", maxAdded, n)
	return &wire.KeptAnswer{Status: http.StatusBadRequest, Body: errorBody(message, "items", "array_above_max_length")}
}

func conversation(r wire.KeptRequest) wire.KeptAnswer {
	return answered(r.About.Get("conversation").AsFields())
}

func updateConversation(r wire.KeptRequest) wire.KeptAnswer {
	about := aboutConversation(r.ID, orRaw(metadataOf(r.Body), "{}"))
	answer := answered(wire.Parsed(about).Get("conversation").AsFields())
	answer.Keep = r.Kept.Then(nil, 0, about)
	return answer
}

func deleteConversation(r wire.KeptRequest) wire.KeptAnswer {
	answer := answered(wire.Fields{{Key: "id", Value: r.ID}, {Key: "object", Value: "conversation.deleted"}, {Key: "deleted", Value: true}})
	answer.Forgets = true
	return answer
}

func conversationItems(r wire.KeptRequest) wire.KeptAnswer {
	return answered(page(allNamed(parsed(r.Kept.All()), r.ID, 0), r.Query))
}

func addItems(r wire.KeptRequest) wire.KeptAnswer {
	if refusal := tooMany(r.Body); refusal != nil {
		return *refusal
	}
	added := allNamed(r.Body.Get("items").All(), r.ID, r.Kept.Len())
	answer := answered(page(added, map[string][]string{"order": {"asc"}}))
	answer.Keep = r.Kept.Then(rawOfAll(added), 0, r.Kept.About)
	return answer
}

// found returns the item that a path names, and its index, which is less than 0 where there is
// none.
func found(r wire.KeptRequest) (*wire.Node, int) {
	items := parsed(r.Kept.All())
	i := slices.IndexFunc(items, func(n *wire.Node) bool { return n.Get("id").Text() == r.Item })
	if i < 0 {
		return nil, i
	}
	return items[i], i
}

func noItem(r wire.KeptRequest) wire.KeptAnswer {
	return wire.KeptAnswer{Status: http.StatusNotFound, Body: errorBody("Item with id '"+r.Item+"' not found in conversation with id '"+r.ID+"'.", nil, nil)}
}

func conversationItem(r wire.KeptRequest) wire.KeptAnswer {
	item, i := found(r)
	if i < 0 {
		return noItem(r)
	}
	return answered(item.AsFields())
}

func deleteItem(r wire.KeptRequest) wire.KeptAnswer {
	_, i := found(r)
	if i < 0 {
		return noItem(r)
	}
	answer := answered(r.About.Get("conversation").AsFields())
	var none *wire.History
	answer.Keep = none.Then(slices.Delete(r.Kept.All(), i, i+1), 0, r.Kept.About)
	return answer
}

// extend puts a request, and the items of its answer, to a conversation.
func extend(kept *wire.History, req *wire.Request, answer *wire.Node) *wire.History {
	id := wire.Parsed(kept.About).Get("conversation").Get("id").Text()
	items := rawOfAll(allNamed(parsed(inputOf(req)), id, kept.Len()))
	output := wire.RawItems(answer.Get("output"))
	return kept.Then(append(items, output...), len(output), kept.About)
}
