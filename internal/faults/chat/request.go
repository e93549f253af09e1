package chat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// eachCall changes every tool call in the history.
func eachCall(r *raw.Request, change func(path string, call gjson.Result)) {
	r.Each("assistant", func(path string, m gjson.Result) {
		for n, call := range m.Get("tool_calls").Array() {
			change(fmt.Sprintf("%s.tool_calls.%d", path, n), call)
		}
	})
}

// turn is an assistant message with tool calls and the tool messages after it.
type turn struct {
	assistant string
	results   []string
}

// eachTurn rewrites every turn that called tools. change returns the messages that take its place.
func eachTurn(r *raw.Request, change func(t turn) []string) {
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

// addKey adds a key to every message of a role.
func addKey(role, key string, value any) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.Each(role, func(path string, _ gjson.Result) { r.Set(path+"."+key, value) })
	})
}

// addMessage puts a message before all others.
func addMessage(message string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) { r.SetMessages(slices.Insert(r.Messages(), 0, message)) })
}

// onTools changes every tool that a request offers.
func onTools(change func(r *raw.Request, path string, tool gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		for i, t := range r.Get("tools").Array() {
			change(r, fmt.Sprintf("tools.%d", i), t)
		}
	})
}

// asParts sends the content of every message of a role as a list.
func asParts(role string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.Each(role, func(path string, m gjson.Result) {
			if text := content(m.Raw); text != "" {
				r.Set(path+".content", []map[string]string{{"type": "text", "text": text}})
			}
		})
	})
}

// rounds is how long a run goes well for the faults that only show in long ones.
const rounds = 4

// late changes the requests of long runs.
func late(change func(*raw.Request)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		if r.Get(`messages.#(tool_calls)#|#`).Int() >= rounds {
			change(r)
		}
	})
}

func content(message string) string {
	if said := gjson.Get(message, "content"); said.Type == gjson.String { // a list has thinking in it
		return said.String()
	}
	return ""
}

func isError(content string) bool { return strings.HasPrefix(content, "Error: ") }

// onCallsAlone changes the turns that go back with calls and without text.
func onCallsAlone(change func(r *raw.Request, path string)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.Each("assistant", func(path string, m gjson.Result) {
			if m.Get("tool_calls.0").Exists() && m.Get("content").String() == "" {
				change(r, path)
			}
		})
	})
}

// none are the ways in which a model says that a call has no arguments.
func none(arguments string) bool { return blank(arguments) || arguments == "{}" }

func blank(s string) bool { return s == "" || s == "null" }

// onRawBlocks changes the blocks of structured reasoning of every assistant message of Chat
// Completions.
func onRawBlocks(change func(blocks []string) []string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.Each("assistant", func(path string, m gjson.Result) {
			if blocks := raw.Items(m.Get("reasoning_details").Array()); len(blocks) > 0 {
				r.SetRaw(path+".reasoning_details", raw.List(change(blocks)))
			}
		})
	})
}

// onThoughts changes the content of every assistant message that has thinking in it.
func onThoughts(change func(r *raw.Request, path string, m gjson.Result, thought, text string)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.Each("assistant", func(path string, m gjson.Result) {
			var thought, text strings.Builder
			for _, part := range m.Get("content").Array() {
				text.WriteString(part.Get("text").String())
				for _, piece := range part.Get("thinking").Array() {
					thought.WriteString(piece.Get("text").String())
				}
			}
			if thought.Len() > 0 {
				change(r, path, m, thought.String(), text.String())
			}
		})
	})
}

// eachPicture changes every image that goes to the model in Chat Completions, wherever it is.
func eachPicture(change func(r *raw.Request, path string, part gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		for i, m := range r.Get("messages").Array() {
			for n, part := range m.Get("content").Array() {
				if part.Get("type").String() == "image_url" {
					change(r, fmt.Sprintf("messages.%d.content.%d", i, n), part)
				}
			}
		}
	})
}

// rawURL changes the data URL of every image.
func rawURL(change func(url string) string) func() raw.Mutation {
	return eachPicture(func(r *raw.Request, path string, part gjson.Result) {
		r.Set(path+".image_url.url", change(part.Get("image_url.url").String()))
	})
}
