package faults

import (
	"slices"

	"github.com/tidwall/gjson"
)

// requestInBlocks is the way back from [requestInChat].
func requestInBlocks(body string) string {
	var messages []string
	var results []string
	send := func() {
		if len(results) > 0 {
			messages = append(messages, setRaw(`{"role":"user"}`, "content", list(results)))
			results = nil
		}
	}
	for i, m := range gjson.Get(body, "messages").Array() {
		switch role := m.Get("role").String(); {
		case role == "tool":
			results = append(results, resultInBlocks(m))
			continue
		case role == "system" && i == 0:
			body = setRaw(body, "system", m.Get("content").Raw)
			continue
		case role == "assistant":
			send()
			messages = append(messages, turnInBlocks(m))
		default:
			send()
			messages = append(messages, promptInBlocks(m))
		}
	}
	send()
	body = setRaw(body, "messages", list(messages))
	if tools := gjson.Get(body, "tools"); tools.IsArray() {
		body = setRaw(body, "tools", each(tools, toolInBlocks))
	}
	return body
}

func promptInBlocks(m gjson.Result) string {
	if blocks := m.Get("blocks"); blocks.Exists() && m.Get("content").String() == textOf(blocks.Array()) {
		return remove(setRaw(m.Raw, "content", blocks.Raw), "blocks")
	}
	return remove(m.Raw, "blocks")
}

func turnInBlocks(m gjson.Result) string {
	was := m.Get("blocks")
	if was.Exists() && turnInChat(was) == m.Raw {
		return setRaw(`{"role":"assistant"}`, "content", was.Raw)
	}
	blocks := raws(m.Get("reasoning_details").Array())
	for _, b := range was.Array() {
		if !isBlock(b, "text", "tool_use", "thinking", "redacted_thinking") {
			blocks = append(blocks, b.Raw)
		}
	}
	if text := m.Get("content").String(); text != "" {
		blocks = append(blocks, set(`{"type":"text"}`, "text", text))
	}
	for _, c := range m.Get("tool_calls").Array() {
		blocks = append(blocks, callInBlocks(c))
	}
	if len(blocks) == 0 {
		return setRaw(`{"role":"assistant"}`, "content", m.Get("content").Raw)
	}
	return setRaw(`{"role":"assistant"}`, "content", list(blocks))
}

func callInBlocks(c gjson.Result) string {
	block := `{"type":"tool_use"}`
	if was := c.Get("block"); was.Exists() {
		block = was.Raw
	}
	block = moved(block, "id", c.Get("id"))
	block = moved(block, "name", c.Get("function.name"))
	arguments := c.Get("function.arguments")
	if raw := arguments.String(); gjson.Valid(raw) {
		return setRaw(block, "input", raw)
	}
	return moved(block, "input", arguments)
}

func resultInBlocks(m gjson.Result) string {
	block := `{"type":"tool_result"}`
	if isError(m.Get("content").String()) {
		block = `{"type":"tool_result","is_error":true}`
	}
	if was := m.Get("block"); was.Exists() {
		block = was.Raw
	}
	block = moved(block, "tool_use_id", m.Get("tool_call_id"))
	if m.Get("content").String() == gjson.Get(block, "content").String() {
		return block
	}
	return moved(block, "content", m.Get("content"))
}

// moved returns a JSON text with a value that is there under a key, or without the key.
func moved(raw, key string, value gjson.Result) string {
	if !value.Exists() {
		return remove(raw, key)
	}
	return setRaw(raw, key, value.Raw)
}

func toolInBlocks(t gjson.Result) string {
	if !t.Get("function").Exists() {
		return t.Raw
	}
	tool := `{}`
	for chat, messages := range toolKeys {
		tool = moved(tool, messages, t.Get("function."+chat))
	}
	return tool
}

// stops are the finish words of chat for the reasons to stop in messages.
var stops = [][2]string{
	{"end_turn", "stop"}, {"tool_use", "tool_calls"}, {"max_tokens", "length"}, {"refusal", "content_filter"},
}

// translated returns a word of one side of [stops] on the other.
func translated(word string, from, to int) string {
	if i := slices.IndexFunc(stops, func(pair [2]string) bool { return pair[from] == word }); i >= 0 {
		return stops[i][to]
	}
	return word
}
