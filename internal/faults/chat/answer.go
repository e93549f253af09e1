package chat

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// saying is where in a payload the model says something.
func saying(a *raw.Answer) string {
	if a.Streamed {
		return "choices.0.delta."
	}
	return "choices.0.message."
}

func joined(a *raw.Answer, key string) string {
	text := ""
	for _, p := range a.Payloads {
		if said := gjson.Get(p, saying(a)+key); said.Type == gjson.String { // a list has thinking in it
			text += said.String()
		}
	}
	return text
}

// finishOf returns the finish reason, "" when there was none.
func finishOf(a *raw.Answer) string {
	for _, p := range a.Payloads {
		if word := gjson.Get(p, "choices.0.finish_reason").String(); word != "" {
			return word
		}
	}
	return ""
}

// addFinish ends an answer that broke off as if it had ended.
func addFinish(a *raw.Answer, word string) {
	end := `{"choices":[{"index":0,"message":{"content":""},"finish_reason":"` + word + `"}]}`
	if a.Streamed {
		end = `{"choices":[{"index":0,"delta":{},"finish_reason":"` + word + `"}]}`
	}
	a.Payloads = append(a.Payloads, end)
	a.Done, a.Err = true, nil
}

// heard is a tool call as the answer contains it.
type heard struct{ id, name, arguments string }

// callsOf returns the tool calls of the answer, put together in whatever way they come.
func callsOf(a *raw.Answer) []heard {
	var calls []heard
	var heads opened
	places := map[string]int{}
	for _, p := range a.Payloads {
		for _, c := range gjson.Get(p, saying(a)+"tool_calls").Array() {
			entry := &piece{raw: c.Raw}
			index := entry.get("index").Raw
			if !a.Streamed || heads.take(entry) {
				places[index] = len(calls)
				calls = append(calls, heard{})
			}
			calls[places[index]].hear(entry)
		}
	}
	return calls
}

func (h *heard) hear(p *piece) {
	if h.id == "" {
		h.id = p.text("id")
	}
	if name := p.text("function.name"); name != h.name {
		h.name += name
	}
	if arguments := p.text("function.arguments"); h.arguments == "{}" && strings.HasPrefix(arguments, "{") {
		h.arguments = arguments
	} else {
		h.arguments += arguments
	}
}

// setCalls replaces all tool calls by others.
func setCalls(a *raw.Answer, calls []heard) {
	first := true
	var kept []string
	for _, p := range a.Payloads {
		if !gjson.Get(p, saying(a)+"tool_calls").IsArray() {
			kept = append(kept, p)
			continue
		}
		p = raw.Remove(p, saying(a)+"tool_calls")
		if first && len(calls) > 0 {
			first = false
			for i, c := range calls {
				p = raw.Set(p, fmt.Sprintf("%stool_calls.%d", saying(a), i), map[string]any{
					"index": i, "id": c.id, "type": "function",
					"function": map[string]any{"name": c.name, "arguments": c.arguments},
				})
			}
		}
		kept = append(kept, p)
	}
	a.Payloads = kept
}

// saysReasoning reports whether a delta has plain reasoning that says something.
func saysReasoning(delta gjson.Result) bool {
	return delta.Get("reasoning_content").String()+delta.Get("reasoning").String() != ""
}

// unusual is what most ids do not hold.
var unusual = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)
