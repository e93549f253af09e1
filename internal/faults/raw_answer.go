package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// RawAnswer is an answer of the model on its way in: one document, or the payloads of a stream without the end mark.
type RawAnswer struct {
	Status   int
	Header   http.Header
	Streamed bool
	Packed   bool // it came compressed
	Payloads []string

	done bool  // the stream had its end mark
	err  error // the reading ended with
}

func readAnswer(resp *http.Response, streamed bool) *RawAnswer {
	read := io.ReadAll
	if streamed {
		read = readToDone
	}
	data, err := read(resp.Body)
	resp.Body.Close()
	a := &RawAnswer{Status: resp.StatusCode, Header: resp.Header, Streamed: streamed, Packed: resp.Uncompressed, err: err}
	if !streamed {
		a.Payloads = []string{string(data)}
		return a
	}
	for _, payload := range payloads(string(data)) {
		if payload == "[DONE]" {
			a.done = true
			break
		}
		a.Payloads = append(a.Payloads, payload)
	}
	return a
}

func (a *RawAnswer) into(resp *http.Response) {
	resp.StatusCode = a.Status
	resp.Status = strconv.Itoa(a.Status) + " " + http.StatusText(a.Status)
	if !a.Streamed {
		resp.Body = rest([]byte(strings.Join(a.Payloads, "")), a.err)
		return
	}
	var b bytes.Buffer
	for _, p := range a.Payloads {
		fmt.Fprintf(&b, "data: %s\n\n", strings.ReplaceAll(p, "\n", "\ndata: "))
	}
	if a.done {
		b.WriteString("data: [DONE]\n\n")
	}
	resp.Body = rest(b.Bytes(), a.err)
}

// cancelled reports whether the answer broke off since the user cancelled.
func (a *RawAnswer) cancelled() bool { return errors.Is(a.err, context.Canceled) }

// saying is where in a payload the model says something.
func (a *RawAnswer) saying() string {
	if a.Streamed {
		return "choices.0.delta."
	}
	return "choices.0.message."
}

// Text returns the text of the whole answer.
func (a *RawAnswer) Text() string { return a.joined("content") }

// Reasoning returns the plain reasoning of the whole answer.
func (a *RawAnswer) Reasoning() string { return a.joined("reasoning_content") + a.joined("reasoning") }

func (a *RawAnswer) joined(key string) string {
	text := ""
	for _, p := range a.Payloads {
		if said := gjson.Get(p, a.saying()+key); said.Type == gjson.String { // a list has thinking in it
			text += said.String()
		}
	}
	return text
}

// usage returns the tokens that the answer says it cost, the last time that it says so.
func (a *RawAnswer) usage() protocol.Usage {
	var u protocol.Usage
	for _, p := range a.Payloads {
		if counts := gjson.Get(p, "usage"); counts.IsObject() {
			u = protocol.Usage{InputTokens: int(counts.Get("prompt_tokens").Int()), OutputTokens: int(counts.Get("completion_tokens").Int())}
		}
	}
	return u
}

// Finish returns the finish word, "" when there was none.
func (a *RawAnswer) Finish() string {
	for _, p := range a.Payloads {
		if word := gjson.Get(p, "choices.0.finish_reason").String(); word != "" {
			return word
		}
	}
	return ""
}

// SetFinish changes the finish word wherever it stands.
func (a *RawAnswer) SetFinish(word string) {
	for i, p := range a.Payloads {
		if gjson.Get(p, "choices.0.finish_reason").String() != "" {
			a.Payloads[i] = set(p, "choices.0.finish_reason", word)
		}
	}
}

// AddFinish ends an answer that broke off as if it had come to its end.
func (a *RawAnswer) AddFinish(word string) {
	end := `{"choices":[{"index":0,"message":{"content":""},"finish_reason":"` + word + `"}]}`
	if a.Streamed {
		end = `{"choices":[{"index":0,"delta":{},"finish_reason":"` + word + `"}]}`
	}
	a.Payloads = append(a.Payloads, end)
	a.done, a.err = true, nil
}

// heard is a tool call as the answer makes it.
type heard struct{ id, name, arguments string }

// Calls returns the tool calls of the answer, put together in whatever way they come.
func (a *RawAnswer) Calls() []heard {
	var calls []heard
	var heads opened
	places := map[string]int{}
	for _, p := range a.Payloads {
		for _, c := range gjson.Get(p, a.saying()+"tool_calls").Array() {
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

// SetCalls replaces all tool calls by others.
func (a *RawAnswer) SetCalls(calls []heard) {
	first := true
	var kept []string
	for _, p := range a.Payloads {
		if !gjson.Get(p, a.saying()+"tool_calls").IsArray() {
			kept = append(kept, p)
			continue
		}
		p = remove(p, a.saying()+"tool_calls")
		if first && len(calls) > 0 {
			first = false
			for i, c := range calls {
				p = set(p, fmt.Sprintf("%stool_calls.%d", a.saying(), i), map[string]any{
					"index": i, "id": c.id, "type": "function",
					"function": map[string]any{"name": c.name, "arguments": c.arguments},
				})
			}
		}
		kept = append(kept, p)
	}
	a.Payloads = kept
}

// peekError returns the error inside an answer with the status 200, and false when there is none.
func (a *RawAnswer) peekError() (string, bool) {
	for _, p := range a.Payloads {
		if a.Status == http.StatusOK && isErrorPayload(p) {
			return p, true
		}
	}
	return "", false
}

func (a *RawAnswer) dropErrors() {
	a.Payloads = slices.DeleteFunc(a.Payloads, isErrorPayload)
}

func isErrorPayload(p string) bool {
	failure := gjson.Get(p, "error")
	return failure.IsObject() || failure.String() != "" || gjson.Get(p, "object").String() == "error"
}
