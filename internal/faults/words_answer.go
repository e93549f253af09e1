package faults

import (
	"fmt"
	"net/http"

	"github.com/tidwall/gjson"
)

// answerInChat returns an answer in the words of chat: what the model said, why it stopped, and what that cost. A stream
// is put together.
func answerInChat(a *RawAnswer) *RawAnswer {
	said := &RawAnswer{Status: a.Status, Header: a.Header, Streamed: a.Streamed, done: a.done, err: a.err}
	m := readMessage(a)
	if a.Status != http.StatusOK || m.raw == "" {
		said.Payloads = append(said.Payloads, a.Payloads...)
		return said
	}
	turn := remove(remove(turnInChat(gjson.Parse(list(m.blocks))), "blocks"), "reasoning_details")
	for i := range gjson.Get(turn, "tool_calls").Array() {
		turn = set(remove(turn, fmt.Sprintf("tool_calls.%d.block", i)), fmt.Sprintf("tool_calls.%d.index", i), i)
	}
	said.Payloads = []string{setRaw(`{"choices":[{"index":0}]}`, "choices.0."+map[bool]string{true: "delta", false: "message"}[a.Streamed], turn)}
	if m.stop != "" {
		last := &said.Payloads[0]
		if a.Streamed {
			said.Payloads = append(said.Payloads, `{"choices":[{"index":0,"delta":{}}]}`)
			last = &said.Payloads[1]
		}
		*last = set(*last, "choices.0.finish_reason", translated(m.stop, 0, 1))
		*last = set(*last, "usage", map[string]int64{"prompt_tokens": m.input, "completion_tokens": m.output})
	}
	if e, failed := a.peekError(); failed {
		said.Payloads = append(said.Payloads, e)
	}
	return said
}

// answerInBlocks writes what became of an answer in the words of chat as one of messages.
func answerInBlocks(a, said *RawAnswer) []string {
	m := readMessage(a)
	if m.raw == "" {
		return said.Payloads
	}
	var blocks []string
	for _, raw := range m.blocks {
		if b := gjson.Parse(raw); !isBlock(b, "text", "tool_use") {
			blocks = append(blocks, raw)
		}
	}
	if text := said.Text(); text != "" {
		blocks = append(blocks, set(`{"type":"text"}`, "text", text))
	}
	for _, c := range said.Calls() {
		blocks = append(blocks, set(set(set(`{"type":"tool_use","input":{}}`, "id", c.id), "name", c.name), "written", c.arguments))
	}
	stop := translated(said.Finish(), 1, 0)
	if !a.Streamed {
		for i, b := range blocks {
			if written := gjson.Get(b, "written"); written.Exists() {
				blocks[i] = remove(callInput(b, written.String()), "written")
			}
		}
		return []string{set(setRaw(m.raw, "content", list(blocks)), "stop_reason", stop)}
	}
	payloads := []string{set(`{"type":"message_start"}`, "message", map[string]any{"content": []any{}, "usage": map[string]int64{"input_tokens": m.input}})}
	for i, b := range blocks {
		payloads = append(payloads, blockEvents(i, b)...)
	}
	if e, failed := said.peekError(); failed {
		return append(payloads, e)
	}
	if stop == "" {
		return payloads
	}
	end := set(`{"type":"message_delta"}`, "delta.stop_reason", stop)
	return append(payloads, set(end, "usage.output_tokens", m.output), `{"type":"message_stop"}`)
}

// callInput returns a call with the input that was written for it, a text where that is no JSON.
func callInput(block, written string) string {
	if gjson.Valid(written) {
		return setRaw(block, "input", written)
	}
	return set(block, "input", written)
}

// blockEvents returns the events in which a block comes.
func blockEvents(index int, raw string) []string {
	b := gjson.Parse(raw)
	event := func(kind string) string { return set(set(`{}`, "type", kind), "index", index) }
	start := remove(raw, "written")
	for _, key := range []string{"text", "thinking", "signature"} { // what comes in pieces
		if b.Get(key).Exists() {
			start = set(start, key, "")
		}
	}
	events := []string{setRaw(event("content_block_start"), "content_block", start)}
	delta := func(kind, key string, value gjson.Result) {
		if value.String() != "" {
			events = append(events, set(event("content_block_delta"), "delta", map[string]string{"type": kind, key: value.String()}))
		}
	}
	delta("input_json_delta", "partial_json", b.Get("written"))
	if isBlock(b, "text") {
		delta("text_delta", "text", b.Get("text"))
	}
	if isBlock(b, "thinking") {
		delta("thinking_delta", "thinking", b.Get("thinking"))
		delta("signature_delta", "signature", b.Get("signature"))
	}
	return append(events, event("content_block_stop"))
}

// message is an answer of messages, whole or as much of it as came.
type message struct {
	raw           string // the answer, or the message with which the stream starts; "" is no message
	blocks        []string
	stop          string
	input, output int64
}

func readMessage(a *RawAnswer) message {
	var m message
	for _, p := range a.Payloads {
		e := gjson.Parse(p)
		switch at := e.Get("index").Int(); e.Get("type").String() {
		case "message":
			m = message{raw: p, blocks: raws(e.Get("content").Array()), stop: e.Get("stop_reason").String(), input: e.Get("usage.input_tokens").Int(), output: e.Get("usage.output_tokens").Int()}
		case "message_start":
			m.raw, m.input = e.Get("message").Raw, e.Get("message.usage.input_tokens").Int()
		case "content_block_start":
			m.blocks = append(m.blocks, e.Get("content_block").Raw)
		case "content_block_delta":
			if at < int64(len(m.blocks)) {
				m.blocks[at] = grown(m.blocks[at], e.Get("delta"))
			}
		case "message_delta":
			m.stop, m.output = e.Get("delta.stop_reason").String(), e.Get("usage.output_tokens").Int()
		}
	}
	for i, b := range m.blocks {
		if written := gjson.Get(b, "written"); written.Exists() {
			m.blocks[i] = remove(callInput(b, whole(written.String())), "written")
		}
	}
	return m
}

// grown returns a block with what a delta adds to it.
func grown(block string, delta gjson.Result) string {
	for from, to := range map[string]string{"text": "text", "thinking": "thinking", "signature": "signature", "partial_json": "written"} {
		if more := delta.Get(from); more.Exists() {
			block = set(block, to, gjson.Get(block, to).String()+more.String())
		}
	}
	return block
}

// whole returns the input that was written, or the empty one.
func whole(written string) string {
	if written == "" {
		return "{}"
	}
	return written
}
