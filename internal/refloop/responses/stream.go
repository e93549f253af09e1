package responses

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// event is an event of a stream: https://platform.openai.com/docs/api-reference/responses-streaming
type event struct {
	Type         json.RawMessage `json:"type"`
	Error        json.RawMessage `json:"error"`
	OutputIndex  *int            `json:"output_index"`
	ContentIndex int             `json:"content_index"`
	ItemID       string          `json:"item_id"`
	Item         json.RawMessage `json:"item"`
	Part         said            `json:"part"`
	Delta        string          `json:"delta"`
	Text         string          `json:"text"`
	Refusal      string          `json:"refusal"`
	Arguments    text            `json:"arguments"`
	Input        string          `json:"input"`
	Response     reply           `json:"response"`
}

// place returns the item that an event is about. Its index says so; some servers write another id
// in each event, and others begin several items at one index. Where there is no index, the id says
// so, which events with the whole item have in the item.
func (r *reader) place(e event) string {
	if e.OutputIndex != nil {
		at := itemPlace(*e.OutputIndex)
		return at + strings.Repeat(" again", max(1, len(r.beganAt[at]))-1)
	}
	if id := e.idOfItem(); id != "" {
		return "item " + id
	}
	return "item " + e.ItemID
}

// announces notes that an item begins, perhaps where another one did.
func (r *reader) announces(e event) {
	if e.OutputIndex == nil {
		return
	}
	if at, id := itemPlace(*e.OutputIndex), e.idOfItem(); len(r.beganAt[at]) == 0 || !slices.Contains(r.beganAt[at], id) {
		r.beganAt[at] = append(r.beganAt[at], id)
	}
}

func (e event) idOfItem() string {
	var i item
	if e.ItemID != "" || !reads(e.Item, &i) {
		return ""
	}
	return i.ID
}

func itemPlace(index int) string { return "item " + strconv.Itoa(index) }

func (r *reader) textPlace(e event) string { return textPlace(r.place(e), e.ContentIndex) }

func textPlace(item string, index int) string { return item + " part " + strconv.Itoa(index) }

// rankOf returns the rank of the part at a place: items are in the order of their indices,
// whichever comes first.
func rankOf(at string) int {
	item, index := 0, 0
	if n, _ := fmt.Sscanf(at, "item %d part %d", &item, &index); n == 0 {
		return 0
	}
	return item<<20 + index + 1
}

// Stream reads a stream of events.
func (Dialect) Stream() neutral.Stream { return newReader() }

// Event reads an event; its type is in its data. Events that are not known say nothing that the
// items do not say at their end. Only one of the last events ends a stream, whatever comes after
// it.
func (r *reader) Event(_ string, data []byte) (pieces []neutral.Piece, done bool, err error) {
	if string(data) == "[DONE]" {
		return nil, false, neutral.ErrBroken
	}
	e, kind, err := readEvent(data)
	if !known[kind] {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("the answer is not JSON: %w", err)
	}
	switch kind {
	case "error":
		return nil, false, neutral.Reported(data)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		pieces, err = r.end(e.Response, data)
		return pieces, err == nil, err
	case "response.created":
		*r = *newReader()
		return []neutral.Piece{{Begins: &neutral.Beginning{ID: e.Response.ID}}}, false, nil
	case "response.output_item.added":
		r.announces(e)
		return r.begin(r.place(e), e.Item), false, nil
	case "response.output_item.done":
		return r.finish(r.place(e), e.Item), false, nil
	}
	return r.grow(kind, e), false, nil
}

// known are the types of events that are read.
var known = map[string]bool{
	"error": true, "response.created": true, "response.completed": true, "response.incomplete": true, "response.failed": true,
	"response.cancelled": true, "response.output_item.added": true, "response.output_item.done": true,
	"response.content_part.added": true, "response.output_text.delta": true, "response.output_text.done": true,
	"response.refusal.delta": true, "response.refusal.done": true,
	"response.reasoning_summary_text.delta": true, "response.reasoning_text.delta": true, "response.reasoning.delta": true,
	"response.function_call_arguments.delta": true, "response.function_call_arguments.done": true,
	"response.custom_tool_call_input.delta": true, "response.custom_tool_call_input.done": true,
}

// readEvent reads an event and its type. What is not an object has none. The error says that the
// event is not JSON, or that something in it is not of the form that it should have, which matters
// only if the type is known.
func readEvent(data []byte) (e event, kind string, err error) {
	if neutral.NoObject(data) {
		return e, "", nil
	}
	err = json.Unmarshal(data, &e)
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		return e, "error", err
	}
	said := json.Unmarshal(e.Type, &kind) == nil && neutral.Given(e.Type)
	if !said && neutral.Given(e.Error) { // of a gateway
		kind = "error"
	}
	return e, kind, err
}

// grow reads what is added to a part of an item.
func (r *reader) grow(kind string, e event) []neutral.Piece {
	switch kind {
	case "response.content_part.added":
		switch e.Part.Type {
		case "output_text":
			return r.add(r.textPlace(e), &neutral.Text{}, e.Part.Text)
		case "refusal":
			return r.add(r.textPlace(e), &neutral.Text{Refusal: true}, e.Part.Refusal)
		}
		return nil
	case "response.output_text.delta":
		return r.add(r.textPlace(e), &neutral.Text{}, e.Delta)
	case "response.output_text.done":
		return r.complete(r.textPlace(e), &neutral.Text{}, e.Text)
	case "response.refusal.delta":
		return r.add(r.textPlace(e), &neutral.Text{Refusal: true}, e.Delta)
	case "response.refusal.done":
		return r.complete(r.textPlace(e), &neutral.Text{Refusal: true}, e.Refusal)
	case "response.function_call_arguments.delta":
		return r.add(r.place(e), &neutral.Call{}, e.Delta)
	case "response.function_call_arguments.done":
		return r.complete(r.place(e), &neutral.Call{}, string(e.Arguments))
	case "response.custom_tool_call_input.delta":
		return r.add(r.place(e), &neutral.Call{FreeText: true}, e.Delta)
	case "response.custom_tool_call_input.done":
		return r.complete(r.place(e), &neutral.Call{FreeText: true}, e.Input)
	}
	return r.add(r.place(e), &neutral.Reasoning{Place: neutral.InItem}, e.Delta)
}

// End is called when a stream ends without one of the last events.
func (r *reader) End() ([]neutral.Piece, error) { return nil, neutral.ErrBroken }
