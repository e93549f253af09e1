package wire

import (
	"fmt"
	"slices"
	"strings"
)

// withOwn returns quirks that dialects share, and those of a dialect itself. One that has its name
// takes the place of the shared one.
func withOwn(shared, own []Quirk) []Quirk {
	isOwn := func(q Quirk) bool {
		return slices.ContainsFunc(own, func(o Quirk) bool { return o.Name == q.Name })
	}
	return append(slices.DeleteFunc(shared, isOwn), own...)
}

// IdleQuirks returns the quirks of payloads that say nothing, by which what is between a loop and
// a provider keeps a connection alive, and those of a dialect itself.
func IdleQuirks(own ...Quirk) []Quirk {
	return withOwn([]Quirk{
		{Name: "chunk-null", Does: "sends null between two events", Events: BehindFirst(Event{Data: []byte("null")})},
		{Name: "payloads-no-object", Does: "sends payloads that are no object between the others: null and an empty list", Events: payloadsNoObject},
	}, own)
}

// BehindFirst puts an event after the first one that says something.
func BehindFirst(more Event) func([]Event) []Event {
	return func(events []Event) []Event {
		at := slices.IndexFunc(events, func(e Event) bool { return e.Data != nil })
		if at < 0 {
			return events
		}
		return slices.Insert(slices.Clone(events), at+1, more)
	}
}

// ToolProgress is an event that a gateway may send between those of an answer: of a name and a form
// that the API does not have.
func ToolProgress() Event {
	return Event{Lines: []string{"event: tool.progress"}, Data: []byte(`{"tool":"web_search","status":"running"}`)}
}

func payloadsNoObject(events []Event) (changed []Event) {
	for i, e := range events {
		changed = append(changed, Event{Data: []byte([]string{"null", "[]"}[i%2])}, e)
	}
	return changed
}

// CallIDs is where the calls of a dialect have their ids.
type CallIDs struct {
	Key string // "call_id"

	// In returns the calls in a payload of a stream, or in a whole answer.
	In func(payload *Node) []*Node
}

// Quirks returns the quirks about the ids of calls.
func (c CallIDs) Quirks() []Quirk {
	ids := func(change func(id string) string) func(*Answer) {
		return func(a *Answer) {
			for i, c := range a.Calls {
				if c.ID != "" {
					a.Calls[i].ID = change(c.ID)
				}
			}
		}
	}
	none := ids(func(string) string { return "" })
	remove := func(payload *Node) {
		for _, call := range c.In(payload) {
			call.Remove(c.Key)
		}
	}
	return []Quirk{
		{Name: "call-id-missing", Does: "sends tool calls without an id", Answer: none, Events: EachPayload(remove), Whole: InBody(remove)},
		{Name: "call-id-empty", Does: "sends tool calls with an empty id", Answer: none},
		{
			Name:   "call-id-long",
			Does:   "sends tool calls with ids of more than 64 characters",
			Answer: ids(func(id string) string { return id + "__thought__" + strings.Repeat("EsUBCpIBAXLI2n", 3) }),
		},
		{
			Name:   "call-id-punctuated",
			Does:   "sends tool calls with dots, colons and vertical bars in their ids",
			Answer: ids(func(id string) string { return "functions.lookup:" + id + "|fc.0" }),
		},
	}
}

// Indexes is what the events of a stream have an index for, such as the calls of an answer, by which
// the rest of them is found.
type Indexes struct {
	Name   string // "tool calls"
	First  string // "the only tool call of a turn"
	Second string // "the second tool call of a turn"
	Shared string // what shares an index: "all tool calls of a turn the index 0 and different ids"

	// Number gives each another index, which follows from how many are before it.
	Number func(index func(nth int) int) func([]Event) []Event
}

// EachIndex returns how each index under a key of a payload is changed.
func EachIndex(key string) func(index func(nth int) int) func([]Event) []Event {
	return func(index func(nth int) int) func([]Event) []Event {
		return EachPayload(func(payload *Node) {
			if nth, has := payload.Get(key).Int(); has {
				payload.Set(key, index(nth))
			}
		})
	}
}

// Quirks returns the quirks about the indexes.
func (x Indexes) Quirks() []Quirk {
	return []Quirk{
		{Name: "call-index-from-one", Does: "begins the indexes of " + x.Name + " at 1", Events: x.Number(func(nth int) int { return nth + 1 })},
		{Name: "call-index-sparse", Does: "leaves gaps in the indexes of " + x.Name + ": 2, 5, 8", Events: x.Number(func(nth int) int { return 2 + 3*nth })},
		{Name: "call-index-negative", Does: "gives " + x.First + " the index -1", Events: x.Number(func(nth int) int { return nth - 1 })},
		{Name: "call-index-huge", Does: "gives " + x.Second + " the index 1000000", Events: x.Number(func(nth int) int { return 1_000_000 * nth })},
		{Name: "call-index-shared", Does: "gives " + x.Shared, Events: x.Number(func(int) int { return 0 })},
	}
}

// StopWord is where the answers of a dialect say why the model stopped, or how the answer ended.
type StopWord struct {
	Key string // "finish_reason"
	Is  string // in words: "finish reason"

	// In returns what has the key in a payload of a stream, or in a whole answer, and nil where
	// nothing has it.
	In func(payload *Node) *Node
}

// Quirks returns the quirks about the word, and those of a dialect itself.
func (w StopWord) Quirks(own ...Quirk) []Quirk {
	atTheEnd := func(name, does string, change func(of *Node)) Quirk {
		return Quirk{Name: name, Does: does, Events: w.inEvents(true, change), Whole: InBody(w.inBody(change))}
	}
	say := func(value any) func(*Node) { return func(of *Node) { of.Set(w.Key, value) } }
	remove := func(of *Node) { of.Remove(w.Key) }
	return withOwn([]Quirk{
		atTheEnd("finish-unknown", fmt.Sprintf("ends its answers with the %s %q", w.Is, "end"), say("end")),
		atTheEnd("finish-null", "ends an answer with null as the "+w.Is, say(nil)),
		atTheEnd("finish-empty", "ends an answer with an empty "+w.Is, say("")),
		atTheEnd("finish-missing", "ends an answer without a "+w.Is, remove),
		{Name: "finish-key-missing", Does: "omits the key " + w.Key + " until the end", Events: w.inEvents(false, remove)},
		{Name: "finish-empty-before-the-end", Does: "sends an empty " + w.Is + " in every event before the last one", Events: w.inEvents(false, say(""))},
		{Name: "finish-twice", Does: "sends the event with the " + w.Is + " twice", Events: finishTwice},
	}, own)
}

func (w StopWord) inBody(change func(of *Node)) func(*Node) {
	return func(body *Node) {
		if of := w.In(body); of != nil {
			change(of)
		}
	}
}

// inEvents changes what has the word in the event that ends the answer, or has its key in those
// before it.
func (w StopWord) inEvents(last bool, change func(of *Node)) func([]Event) []Event {
	return func(events []Event) []Event {
		changed := slices.Clone(events)
		for i, e := range changed {
			payload := Parsed(e.Data)
			if of := w.In(payload); of != nil && e.Finish == last && (last || of.Has(w.Key)) {
				change(of)
				changed[i].Data = payload.JSON()
			}
		}
		return changed
	}
}

func finishTwice(events []Event) (changed []Event) {
	for _, e := range events {
		if changed = append(changed, e); e.Finish {
			changed = append(changed, e)
		}
	}
	return changed
}
