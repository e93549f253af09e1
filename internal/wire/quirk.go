package wire

import "slices"

// Quirk is a named way in which a provider's answers depart from the regular shape of its profile.
// Each codec has its own, a profile lists those that its provider was seen to show, and a scenario
// asks for them by name:
//
//	for _, q := range chat.Quirks() {
//		fmt.Println("The provider", q.Does)
//	}
type Quirk struct {
	Name string // "call-index-missing"
	Does string // what the provider does, to be read after "the provider": "sends tool calls without an index"

	// Needs are the abilities without which a dialect cannot have the quirk.
	Needs Abilities

	// AllowedBy is the standard that lets every provider do so, and "" where it is no more than
	// what some were seen to do.
	AllowedBy string

	// Answer changes what the model says, before it is written.
	Answer func(*Answer)

	// Events changes the events of a stream, the end mark among them, of which there is one at
	// least. A stream may break off anywhere.
	Events func([]Event) []Event

	// Framing changes how the events of a stream become bytes.
	Framing func(*Framing)

	// Whole changes the body of an answer that is not streamed. Where it is nil, and Answer too,
	// the quirk is one of streams alone.
	Whole func([]byte) []byte
}

// Shows reports whether the quirk shows in a delivery. How bytes are framed is a matter of its own,
// that is not mixed with deliveries which frame them in an odd way themselves.
func (q Quirk) Shows(d Delivery) bool {
	switch {
	case !d.Streams():
		return q.Whole != nil || q.Answer != nil
	case q.Framing != nil && d == DeliverSocket:
		return false
	case q.Framing != nil:
		return d.Like() == DeliverSSE || d.Like() == DeliverBytes
	default:
		return true
	}
}

// needed are the abilities that quirks need which are much the same in every dialect that has them,
// and those that only some dialects have.
var needed = map[Abilities][]string{
	AnyIDs:          {"call-id-punctuated"},
	OpenFinishes:    {"finish-unknown"},
	EarlyFinishKeys: {"finish-key-missing"},
	TypedEvents:     {"error-untyped"},
	LooseRoles:      {"role-in-every-chunk"},
	TextAtFinish:    {"text-on-finish", "empty-text-after-finish"},
	OwnItems:        {"summary-in-parts"},
	ManyFinishes: {
		"finish-recitation", "finish-blocklist", "finish-prohibited-content", "finish-spii", "finish-language", "finish-other",
		"call-malformed", "call-unexpected", "calls-too-many",
	},
	PromptFeedback: {"prompt-blocked"},
	ApartThoughts:  {"thoughts-counted-apart"},

	CallPieces | InterleavedCalls: {"text-inside-call"},
	CallPieces | SignedCalls:      {"call-signature-behind"},
}

// WithNeeds gives quirks the abilities that they need, by their names: those of needs, all of which
// are among the quirks, and what a quirk of its name needs in every dialect.
func WithNeeds(all []Quirk, needs map[Abilities][]string) []Quirk {
	for of, names := range needed {
		for i := range all {
			if slices.Contains(names, all[i].Name) {
				all[i].Needs |= of
			}
		}
	}
	for of, names := range needs {
		for _, name := range names {
			i := slices.IndexFunc(all, func(q Quirk) bool { return q.Name == name })
			if i < 0 {
				panic("there is no quirk " + name)
			}
			all[i].Needs |= of
		}
	}
	return all
}

// EachPayload returns a change of events that changes the payload of each. Comments and the end
// mark stay.
func EachPayload(change func(payload *Node)) func([]Event) []Event {
	return func(events []Event) []Event {
		changed := slices.Clone(events)
		for i, e := range changed {
			if payload := Parsed(e.Data); payload != nil {
				change(payload)
				changed[i].Data = payload.JSON()
			}
		}
		return changed
	}
}

// InBody returns a change of the bytes of an answer that is not streamed.
func InBody(change func(body *Node)) func([]byte) []byte {
	return func(data []byte) []byte {
		body := Parsed(data)
		change(body)
		return body.JSON()
	}
}

// AddUnknownKeys puts keys of every type, which no client knows, into objects. server is how the
// dialect writes the name of one with two words.
func AddUnknownKeys(server string, objects ...*Node) {
	for _, of := range objects {
		if !of.Is(Object) {
			continue
		}
		of.Set("p", []any{1, "abc"})
		of.Set(server, Fields{{Key: "queue", Value: 2}, {Key: "text", Value: "none"}})
		of.Set("trace", nil)
	}
}
