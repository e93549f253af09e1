package faults

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// inWordsOfChat returns the changes of a fault that speaks of messages as Chat Completions writes them, for the dialect
// messages: what they are shown is a request or an answer in the words of chat, and what they change in it is changed in
// the blocks. What they leave alone stays as it is to the byte.
func inWordsOfChat(c Changes) Changes {
	if request := c.RawRequest; request != nil {
		c.RawRequest = func(r *RawRequest) {
			blocks, words := r.Body, requestInChat(r.Body)
			r.Body = words
			if request(r); r.Body == words {
				r.Body = blocks
			} else {
				r.Body = requestInBlocks(r.Body)
			}
		}
	}
	if answer := c.RawAnswer; answer != nil {
		c.RawAnswer = func(a *RawAnswer) {
			said := answerInChat(a)
			before := slices.Clone(said.Payloads)
			answer(said)
			a.Status, a.err = said.Status, said.err
			if !slices.Equal(said.Payloads, before) {
				a.Payloads = answerInBlocks(a, said)
			}
		}
	}
	return c
}

// requestInChat returns a request with the messages and the tools in the words of chat. Beside each message and call
// stands what it was made of.
func requestInChat(body string) string {
	var messages []string
	if system := gjson.Get(body, "system"); system.Exists() {
		messages = append(messages, setRaw(`{"role":"system"}`, "content", system.Raw))
	}
	for _, m := range gjson.Get(body, "messages").Array() {
		blocks := m.Get("content").Array()
		switch {
		case m.Get("role").String() == "assistant":
			messages = append(messages, turnInChat(m.Get("content")))
		case len(blocks) > 0 && isBlock(blocks[0], "tool_result"):
			for _, b := range blocks {
				messages = append(messages, resultInChat(b))
			}
		default:
			text := set(`{"role":"user"}`, "content", textOf(blocks))
			messages = append(messages, setRaw(text, "blocks", m.Get("content").Raw))
		}
	}
	body = setRaw(remove(body, "system"), "messages", list(messages))
	if tools := gjson.Get(body, "tools"); tools.IsArray() {
		body = setRaw(body, "tools", each(tools, toolInChat))
	}
	return body
}

func textOf(blocks []gjson.Result) string {
	text := ""
	for _, b := range blocks {
		if isBlock(b, "text") {
			text += b.Get("text").String()
		}
	}
	return text
}

func turnInChat(blocks gjson.Result) string {
	turn := `{"role":"assistant","content":null}`
	if text := textOf(blocks.Array()); text != "" {
		turn = set(turn, "content", text)
	}
	for _, b := range blocks.Array() {
		switch {
		case isBlock(b, "tool_use"):
			turn = setRaw(turn, "tool_calls.-1", callInChat(b))
		case isBlock(b, "thinking", "redacted_thinking"):
			turn = setRaw(turn, "reasoning_details.-1", b.Raw)
		}
	}
	return setRaw(turn, "blocks", blocks.Raw)
}

func callInChat(b gjson.Result) string {
	call := set(`{"type":"function"}`, "id", b.Get("id").String())
	call = set(call, "function.name", b.Get("name").String())
	arguments := b.Get("input").Raw
	if b.Get("input").Type == gjson.String { // it is no JSON: see callInput
		arguments = b.Get("input").String()
	}
	call = set(call, "function.arguments", arguments)
	return setRaw(call, "block", b.Raw)
}

func resultInChat(b gjson.Result) string {
	result := set(`{"role":"tool"}`, "tool_call_id", b.Get("tool_use_id").String())
	return setRaw(set(result, "content", b.Get("content").String()), "block", b.Raw)
}

func toolInChat(t gjson.Result) string {
	tool := `{"type":"function"}`
	for chat, messages := range toolKeys {
		if v := t.Get(messages); v.Exists() {
			tool = setRaw(tool, "function."+chat, v.Raw)
		}
	}
	return tool
}

// toolKeys are the keys of a tool in chat, and in messages.
var toolKeys = map[string]string{"name": "name", "description": "description", "parameters": "input_schema"}

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
