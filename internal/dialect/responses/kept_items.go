package responses

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/loopproof/loopproof/internal/wire"
)

// inputItems lists the items of the input, by default the last one first:
// https://platform.openai.com/docs/api-reference/responses/input-items
func inputItems(r wire.KeptRequest) wire.KeptAnswer {
	return wire.KeptAnswer{Status: http.StatusOK, Body: page(allNamed(parsed(r.Kept.Input()), r.ID, 0), r.Query)}
}

// allNamed returns items with ids. The first one has the given index.
func allNamed(list []*wire.Node, of string, first int) []wire.Fields {
	items := []wire.Fields{}
	for i, n := range list {
		items = append(items, named(n, of, first+i))
	}
	return items
}

// page returns the part of a list for which a client asks.
func page(items []wire.Fields, query url.Values) wire.Fields {
	if query.Get("order") != "asc" {
		for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
			items[i], items[j] = items[j], items[i]
		}
	}
	items = behind(items, query.Get("after"))
	limit, err := strconv.Atoi(query.Get("limit"))
	if err != nil || limit < 1 || limit > 100 {
		limit = 20
	}
	more := len(items) > limit
	items = items[:min(limit, len(items))]
	list := wire.Fields{{Key: "object", Value: "list"}, {Key: "data", Value: items}}
	var first, last any
	if len(items) > 0 {
		first, last = textOf(items[0], "id"), textOf(items[len(items)-1], "id")
	}
	return append(list, wire.Field{Key: "first_id", Value: first}, wire.Field{Key: "last_id", Value: last}, wire.Field{Key: "has_more", Value: more})
}

// named returns an item of an input as the provider lists it: with an id, which it gives to those
// that came without, and a message with a status and a content of parts.
func named(n *wire.Node, response string, index int) wire.Fields {
	f := n.AsFields()
	if TypeOf(n) == messageItem {
		f = inParts(f, n)
	}
	if n.Get("id").Text() == "" {
		f = f.Without("id").With("id", itemID(prefixOf(n), response+" input", index))
	}
	if n.Get("type") == nil { // which a message may leave out
		f = f.With("type", TypeOf(n))
	}
	return f
}

// inParts returns a message whose text is a part of its content, and which is completed unless it
// says otherwise.
func inParts(f wire.Fields, n *wire.Node) wire.Fields {
	if said := n.Get("content"); said.Is(wire.String) {
		part := wire.Fields{{Key: "type", Value: "input_text"}, {Key: "text", Value: said.Text()}}
		if n.Get("role").Text() == "assistant" {
			part = wire.Fields{{Key: "type", Value: "output_text"}, {Key: "text", Value: said.Text()}, {Key: "annotations", Value: []any{}}}
		}
		f = f.Without("content").With("content", []wire.Fields{part})
	}
	if n.Get("status") == nil {
		f = f.With("status", completed)
	}
	return f
}

func prefixOf(n *wire.Node) string {
	switch TypeOf(n) {
	case callItem:
		return "fc"
	case resultItem:
		return "fco"
	case reasoningItem:
		return "rs"
	case customItem:
		return "ctc"
	case customResultItem:
		return "ctco"
	case approvalItem:
		return "mcpa"
	default:
		return "msg"
	}
}

func behind(items []wire.Fields, id string) []wire.Fields {
	for i, f := range items {
		if id != "" && textOf(f, "id") == id {
			return items[i+1:]
		}
	}
	return items
}

func textOf(f wire.Fields, key string) string {
	n, _ := wire.ParseNode(f.JSON())
	return n.Get(key).Text()
}
