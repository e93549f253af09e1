package faults

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/loopproof/loopproof/protocol"
)

// RawRequest is a request for the model on its way out. Paths are those of github.com/tidwall/sjson.
type RawRequest struct {
	Body   string
	Number int // of the model requests of the task, from 1
	Task   protocol.Task

	aborted bool
	world   http.RoundTripper // through which it is sent
}

// Abort lets the request fail as if the loop had given up.
func (r *RawRequest) Abort() { r.aborted = true }

// Get returns a value of the request.
func (r *RawRequest) Get(path string) gjson.Result { return gjson.Get(r.Body, path) }

// Set sets a value of the request.
func (r *RawRequest) Set(path string, value any) {
	r.Body = set(r.Body, path, value)
}

// SetRaw sets a value of the request to a JSON text.
func (r *RawRequest) SetRaw(path, raw string) {
	r.Body = setRaw(r.Body, path, raw)
}

// Delete removes a key.
func (r *RawRequest) Delete(path string) {
	if changed, err := sjson.Delete(r.Body, path); err == nil {
		r.Body = changed
	}
}

// Messages returns the JSON of every message.
func (r *RawRequest) Messages() []string {
	var messages []string
	for _, m := range r.Get("messages").Array() {
		messages = append(messages, m.Raw)
	}
	return messages
}

// SetMessages replaces all messages.
func (r *RawRequest) SetMessages(messages []string) {
	r.SetRaw("messages", "["+strings.Join(messages, ",")+"]")
}

// Each changes every message of a role.
func (r *RawRequest) Each(role string, change func(path string, m gjson.Result)) {
	for i, m := range r.Get("messages").Array() {
		if m.Get("role").String() == role {
			change(fmt.Sprintf("messages.%d", i), m)
		}
	}
}

// EachCall changes every tool call in the history.
func (r *RawRequest) EachCall(change func(path string, call gjson.Result)) {
	r.Each("assistant", func(path string, m gjson.Result) {
		for n, call := range m.Get("tool_calls").Array() {
			change(fmt.Sprintf("%s.tool_calls.%d", path, n), call)
		}
	})
}

// turn is an assistant message with tool calls and the tool messages behind it.
type turn struct {
	assistant string
	results   []string
}

// EachTurn rewrites every turn that called tools. change returns the messages that take its place.
func (r *RawRequest) EachTurn(change func(t turn) []string) {
	var rewritten []string
	messages := r.Messages()
	for i := 0; i < len(messages); {
		if !gjson.Get(messages[i], "tool_calls.0").Exists() {
			rewritten = append(rewritten, messages[i])
			i++
			continue
		}
		t := turn{assistant: messages[i]}
		for i++; i < len(messages) && gjson.Get(messages[i], "role").String() == "tool"; i++ {
			t.results = append(t.results, messages[i])
		}
		rewritten = append(rewritten, change(t)...)
	}
	r.SetMessages(rewritten)
}

// messages returns the turn as it was.
func (t turn) messages() []string { return append([]string{t.assistant}, t.results...) }

// set returns a JSON text with a value changed.
func set(raw, path string, value any) string {
	changed, err := sjson.Set(raw, path, value)
	if err != nil {
		panic(fmt.Sprintf("faults: %s: %v", path, err))
	}
	return changed
}

func remove(raw, path string) string {
	changed, err := sjson.Delete(raw, path)
	if err != nil {
		return raw
	}
	return changed
}

// setRaw returns a JSON text with a value changed to another JSON text.
func setRaw(raw, path, value string) string {
	changed, err := sjson.SetRaw(raw, path, value)
	if err != nil {
		panic(fmt.Sprintf("faults: %s: %v", path, err))
	}
	return changed
}

// list returns a JSON list of JSON texts.
func list(items []string) string { return "[" + strings.Join(items, ",") + "]" }

// each returns a JSON list with every item changed.
func each(items gjson.Result, change func(gjson.Result) string) string {
	var changed []string
	for _, item := range items.Array() {
		changed = append(changed, change(item))
	}
	return list(changed)
}
