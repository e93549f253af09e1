package responses

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// itemQuirks are about the events of items: which there are, what they say, and how they tell what
// they are about.
func itemQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name: "pings-anywhere",
			Does: "sends a keepalive after every event",
			Events: behindEach(func(wire.Event, *wire.Node) []wire.Event {
				return []wire.Event{{Lines: []string{"event: keepalive"}, Data: []byte(`{"type":"keepalive"}`)}}
			}),
		},
		{
			Name: "item-ids-changing",
			Does: "sends another id of an item in each event",
			Events: eachNumbered(func(number int, payload *wire.Node) {
				id := "cGlsb3Q" + strconv.Itoa(number)
				if payload.Has("item_id") {
					payload.Set("item_id", id)
				}
				if kindOf(payload) == "response.output_item.added" {
					payload.Path("item").Set("id", id)
				}
			}),
		},
		{
			Name:   "items-done-twice",
			Does:   "sends the end of each item twice",
			Events: behindSome("response.output_item.done", func(payload *wire.Node) []*wire.Node { return []*wire.Node{payload} }),
		},
		{
			Name:   "items-unannounced",
			Does:   "sends items without the events that announce them",
			Events: without("response.output_item.added", "response.content_part.added", "response.reasoning_summary_part.added"),
		},
		{
			Name:   "parts-unannounced",
			Does:   "sends texts without the events that announce them in their items",
			Events: without("response.content_part.added", "response.content_part.done"),
		},
		{
			Name:   "arguments-when-done",
			Does:   "sends the arguments of a call only when they are done, and no pieces of them",
			Events: without("response.function_call_arguments.delta"),
		},
		{
			Name:   "text-when-done",
			Does:   "sends a text only when it is done, and no pieces of it",
			Events: without("response.output_text.delta"),
		},
		{
			Name:   "items-when-done",
			Does:   "sends items only when they are done, and nothing of them before",
			Events: onlyWhole,
		},
		{
			Name:   "output-empty-at-the-end",
			Does:   "ends a stream with a response whose output is empty",
			Events: atEnd(func(response *wire.Node) { response.Set("output", []any{}) }),
		},
		{
			Name:   "output-missing-at-the-end",
			Does:   "ends a stream with a response without an output",
			Events: atEnd(func(response *wire.Node) { response.Remove("output") }),
		},
		{
			Name: "queued-first",
			Does: "says of a response that it is queued before it is made",
			Events: behindSome("response.created", func(created *wire.Node) []*wire.Node {
				return []*wire.Node{saying(created, "response.queued", "queued")}
			}),
		},
		{
			Name:   "in-progress-again",
			Does:   "says of a response after each event that it is being made",
			Events: inProgressAgain,
		},
		{
			Name:   "created-missing",
			Does:   "begins a stream with the first item of a response",
			Events: without("response.created", "response.in_progress"),
		},
		{
			Name:   "sequence-missing",
			Does:   "does not number the events of a stream",
			Events: wire.EachPayload(func(payload *wire.Node) { payload.Remove("sequence_number") }),
		},
		{
			Name:   "indexes-missing",
			Does:   "sends events without the indexes of their item and its part",
			Events: wire.EachPayload(func(payload *wire.Node) { payload.Remove("output_index", "content_index", "summary_index") }),
		},
		{
			Name:   "annotations-missing",
			Does:   "sends texts without a list of annotations",
			Events: wire.EachPayload(withoutInItems("annotations", "logprobs")),
			Whole:  wire.InBody(withoutInItems("annotations", "logprobs")),
		},
		{
			Name:   "item-status-missing",
			Does:   "sends items without their status",
			Events: wire.EachPayload(withoutInItems("status")),
			Whole:  wire.InBody(withoutInItems("status")),
		},
		{
			Name:   "usage-bare",
			Does:   "counts tokens without the details of the counts",
			Events: wire.EachPayload(func(payload *wire.Node) { bareUsage(payload.Get("response")) }),
			Whole:  wire.InBody(bareUsage),
		},
		{
			Name:   "citations",
			Does:   "sends citations between the pieces of a text",
			Events: behindSome("response.output_text.delta", annotation),
		},
		{
			Name:   "provider-items",
			Does:   "uses a tool of its own before it calls others, and says so in an item",
			Answer: func(a *wire.Answer) { a.Blocks = append(a.Blocks, wire.Raw(searchItem)) },
			Events: behindSome("response.output_item.added", searching),
		},
		{
			Name:   "input-in-the-start",
			Does:   "sends the arguments of a call whole with its start, and no pieces",
			Events: argumentsInStart,
		},
		{
			Name: "fragments-none",
			Does: "sends a call without arguments without any piece of them",
			Events: func(events []wire.Event) []wire.Event {
				return recut(events, func(arguments string) []string {
					if wire.BlankArguments(arguments) || arguments == "{}" {
						return nil
					}
					return []string{arguments}
				})
			},
		},
		{
			Name: "arguments-by-letter",
			Does: "sends the arguments of a tool call letter by letter, and so cuts escapes and numbers",
			Events: func(events []wire.Event) []wire.Event {
				return recut(events, func(arguments string) []string { return strings.Split(arguments, "") })
			},
		},
		{
			Name: "arguments-empty-pieces",
			Does: "sends empty pieces between those of the arguments of a tool call",
			Events: func(events []wire.Event) []wire.Event {
				return recut(events, func(arguments string) []string {
					letters := []rune(arguments)
					half := len(letters) / 2
					return []string{"", "", string(letters[:half]), "", string(letters[half:]), ""}
				})
			},
		},
	}
}

func kindOf(payload *wire.Node) string { return payload.Path("type").Text() }

// eachNumbered changes the payload of every event, with its place among them.
func eachNumbered(change func(number int, payload *wire.Node)) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		number := 0
		return wire.EachPayload(func(payload *wire.Node) {
			change(number, payload)
			number++
		})(events)
	}
}

// without leaves out the events of some types.
func without(kinds ...string) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		return renumbered(slices.DeleteFunc(slices.Clone(events), func(e wire.Event) bool {
			return slices.Contains(kinds, kindOf(wire.Parsed(e.Data)))
		}))
	}
}

// onlyWhole removes the pieces of items before their end.
func onlyWhole(events []wire.Event) []wire.Event {
	return renumbered(slices.DeleteFunc(slices.Clone(events), func(e wire.Event) bool {
		payload := wire.Parsed(e.Data)
		return payload.Has("output_index") && kindOf(payload) != "response.output_item.done"
	}))
}

// behindSome sends more events after those of a type.
func behindSome(kind string, more func(payload *wire.Node) []*wire.Node) func([]wire.Event) []wire.Event {
	return behindEach(func(_ wire.Event, payload *wire.Node) (all []wire.Event) {
		if kindOf(payload) != kind {
			return nil
		}
		for _, p := range more(payload) {
			all = append(all, wire.Event{Lines: []string{"event: " + kindOf(p)}, Data: p.JSON()})
		}
		return all
	})
}

// atEnd changes the response with which a stream ends.
func atEnd(change func(response *wire.Node)) func([]wire.Event) []wire.Event {
	return wire.EachPayload(func(payload *wire.Node) {
		if kind := kindOf(payload); kind == "response.completed" || kind == "response.incomplete" {
			change(payload.Path("response"))
		}
	})
}

// saying returns the event that creates a response as one that says its status.
func saying(created *wire.Node, kind, status string) *wire.Node {
	said := created.Clone()
	said.Set("type", kind)
	said.Path("response").Set("status", status)
	return said
}

// inProgressAgain says after each event that the response is being made.
func inProgressAgain(events []wire.Event) []wire.Event {
	said := saying(wire.Parsed(events[0].Data), "response.in_progress", inProgress)
	return behindEach(func(wire.Event, *wire.Node) []wire.Event {
		return []wire.Event{{Lines: []string{"event: response.in_progress"}, Data: said.JSON()}}
	})(events)
}

// withoutInItems takes keys out of the items of a response or an event, and of the parts of their
// contents.
func withoutInItems(keys ...string) func(*wire.Node) {
	return func(payload *wire.Node) {
		for _, item := range itemsIn(payload) {
			for _, part := range slices.Concat(item.Get("content").All(), []*wire.Node{item}) {
				if part.Is(wire.Object) && part.Get("type").Text() != reasoningItem {
					part.Remove(keys...)
				}
			}
		}
		if part := payload.Get("part"); part.Is(wire.Object) {
			part.Remove(keys...)
		}
	}
}

// bareUsage leaves the details of token counts out.
func bareUsage(response *wire.Node) {
	if usage := response.Get("usage"); usage.Is(wire.Object) {
		usage.Remove("input_tokens_details", "output_tokens_details")
	}
}

// annotation is what is in a text where the model cites something.
func annotation(delta *wire.Node) []*wire.Node {
	fields := wire.Fields{{Key: "annotation", Value: wire.Raw(`{"type":"url_citation","start_index":0,"end_index":2,"url":"https://example.com","title":"Weather"}`)}, {Key: "annotation_index", Value: 0}}
	for _, key := range []string{"content_index", "item_id", "output_index"} {
		fields = fields.With(key, wire.Raw(delta.Path(key).JSON()))
	}
	return []*wire.Node{wire.Parsed(event("response.output_text.annotation.added", fields).Data)}
}

// searchItem is what the quirk provider-items sends.
const searchItem = `{"id":"ws_","type":"web_search_call","status":"completed","action":{"type":"search","query":"weather"}}`

// searching returns the events of a search of the provider's own.
func searching(added *wire.Node) (all []*wire.Node) {
	if added.Path("item", "type").Text() != "web_search_call" {
		return nil
	}
	for _, state := range []string{"in_progress", "searching", "completed"} {
		fields := wire.Fields{{Key: "item_id", Value: added.Path("item", "id").Text()}, {Key: "output_index", Value: wire.Raw(added.Path("output_index").JSON())}}
		all = append(all, wire.Parsed(event("response.web_search_call."+state, fields).Data))
	}
	return all
}

// argumentsOf returns the arguments of the calls of a stream by the places of their items.
func argumentsOf(events []wire.Event) map[int]string {
	all := map[int]string{}
	for _, e := range events {
		if payload := wire.Parsed(e.Data); kindOf(payload) == "response.function_call_arguments.done" {
			index, _ := payload.Path("output_index").Int()
			all[index] = payload.Path("arguments").Text()
		}
	}
	return all
}

// argumentsInStart puts the arguments of calls into the events that announce them.
func argumentsInStart(events []wire.Event) []wire.Event {
	arguments := argumentsOf(events)
	return without("response.function_call_arguments.delta")(wire.EachPayload(func(payload *wire.Node) {
		index, _ := payload.Path("output_index").Int()
		if item := payload.Path("item"); kindOf(payload) == "response.output_item.added" && item.Path("type").Text() == callItem {
			item.Set("arguments", arguments[index])
		}
	})(events))
}

// recut cuts the arguments of calls into other pieces.
func recut(events []wire.Event, cut func(arguments string) []string) []wire.Event {
	arguments := argumentsOf(events)
	var changed []wire.Event
	for _, e := range events {
		payload := wire.Parsed(e.Data)
		index, _ := payload.Path("output_index").Int()
		switch kindOf(payload) {
		case "response.function_call_arguments.delta":
			continue
		case "response.function_call_arguments.done":
			for _, piece := range cut(arguments[index]) {
				delta := payload.Clone()
				delta.Remove("arguments", "name")
				delta.Set("type", "response.function_call_arguments.delta")
				delta.Set("delta", piece)
				changed = append(changed, wire.Event{Lines: []string{"event: response.function_call_arguments.delta"}, Data: delta.JSON()})
			}
		}
		changed = append(changed, e)
	}
	return renumbered(changed)
}
