package ollama

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Where it is written what a request may have, and which clients send it.
const (
	chatAPI       = "https://docs.ollama.com/api/chat"
	types         = "https://github.com/ollama/ollama/blob/v0.32.10/api/types.go"
	langchainCode = "https://github.com/langchain-ai/langchain/blob/master/libs/partners/ollama/langchain_ollama/chat_models.py"
)

// variations are what correct loops do otherwise with the bytes of the dialect.
var variations = []raw.Variation{
	{
		Name: "results/by-their-order", Does: "A result does not name its tool: the first is for the first call.",
		Sources: []string{types + " (tool_name: omitempty)", "https://github.com/ollama/ollama/blob/v0.9.0/docs/api.md (messages of the role tool)"},
		Make:    onResults(func(r *raw.Request, path string, _ gjson.Result) { r.Delete(path + ".tool_name") }),
	},
	{
		Name: "results/by-ids-of-the-loop", Does: "Calls go back with ids that the loop made, and results name those besides.",
		Sources: []string{types + " (ToolCall.ID, tool_call_id)", langchainCode + " (tool_call_id)"},
		Make:    withIDs(false),
	},
	{
		Name: "results/by-ids-of-the-loop-alone", Does: "Calls go back with ids that the loop made, and results name those alone.",
		Sources: []string{types + " (ToolCall.ID, tool_call_id)", langchainCode + " (tool_call_id, and no tool_name)"},
		Make:    withIDs(true),
	},
	{
		Name: "results/name-as-in-chat-completions", Does: "A result has its tool's name also under the key that OpenAI once had.",
		Sources: []string{"https://github.com/BerriAI/litellm/blob/main/litellm/llms/ollama/chat/transformation.py (name)"},
		Make: onResults(func(r *raw.Request, path string, m gjson.Result) {
			r.Set(path+".name", m.Get("tool_name").String())
		}),
	},
	{
		Name: "turns/calls-with-a-type", Does: "A call goes back with the type function, as OpenAI's has it.",
		Sources: []string{langchainCode + " (type: function)"},
		Make:    onCalls(func(r *raw.Request, path string, _ gjson.Result) { r.Set(path+".type", "function") }),
	},
	{
		Name: "turns/calls-with-their-index", Does: "A call goes back with the index that it came with.",
		Sources: []string{types + " (ToolCallFunction.Index)"},
		Make: onCalls(func(r *raw.Request, path string, _ gjson.Result) {
			var index int
			fmt.Sscan(path[strings.LastIndexByte(path, '.')+1:], &index)
			r.Set(path+".function.index", index)
		}),
	},
	{
		Name: "turns/calls-without-content", Does: "A turn with calls that said nothing goes back without a content.",
		Sources: []string{"https://github.com/ollama/ollama-python/blob/main/ollama/_types.py (content: Optional)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if m.Get("tool_calls").Exists() && m.Get("content").String() == "" {
					r.Delete(path + ".content")
				}
			})
		}),
	},
	{
		Name: "turns/empty-lists-of-images", Does: "Each message has a list of images, which may be empty.",
		Sources: []string{langchainCode + " (images)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, m := range r.Messages() {
				if !gjson.Get(m, "images").Exists() {
					r.SetRaw(fmt.Sprintf("messages.%d.images", i), "[]")
				}
			}
		}),
	},
	{
		Name: "parameters/kept-loaded", Does: "A request says for how long the model stays in memory.",
		Sources: []string{chatAPI + " (keep_alive)"},
		Make:    sets("keep_alive", "30m"),
	},
	{
		Name: "parameters/kept-loaded-for-ever", Does: "A request says by a number that the model stays in memory.",
		Sources: []string{"https://docs.ollama.com/faq (keep_alive: -1)"},
		Make:    sets("keep_alive", -1),
	},
	{
		Name: "parameters/options", Does: "A request has options of the model, and some that Ollama does not know.",
		Sources: []string{"https://docs.ollama.com/modelfile (PARAMETER)", types + " (FromMap)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Set("options.num_ctx", 32768)
			r.Set("options.top_p", 0.9)
			r.Set("options.seed", 7)
			r.Set("options.mirostat", 0)
		}),
	},
	{
		Name: "parameters/thinks", Does: "A request asks for the model's thinking.",
		Sources: []string{"https://docs.ollama.com/capabilities/thinking"},
		Make:    sets("think", true),
	},
	{
		Name: "parameters/cuts-nothing", Does: "A request that is too long is to fail, and not to be cut.",
		Sources: []string{types + " (Truncate, Shift)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Set("truncate", false)
			r.Set("shift", false)
		}),
	},
	{
		Name: "parameters/streams-unsaid", Does: "A request for a stream does not say so: that is what Ollama does.",
		Sources: []string{"https://docs.ollama.com/api/streaming"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("stream").Bool() {
				r.Delete("stream")
			}
		}),
	},
	{
		Name: "parameters/empty-format", Does: "A request that wants no format has an empty one.",
		Sources: []string{"https://github.com/ollama/ollama/releases/tag/v0.5.3", "https://github.com/langchain-ai/langchain/issues/28753"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if !r.Get("format").Exists() {
				r.Set("format", "")
			}
		}),
	},
}

func onCalls(change func(r *raw.Request, path string, call gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		eachCall(r, func(path string, call gjson.Result) { change(r, path, call) })
	})
}

func onResults(change func(r *raw.Request, path string, result gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.Each("tool", func(path string, m gjson.Result) { change(r, path, m) })
	})
}

// withIDs gives each call an id, and each result that of its call: the first of its tool that has none
// yet.
func withIDs(alone bool) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		open := map[string][]string{}
		for i, written := range r.Messages() {
			m, path := gjson.Parse(written), fmt.Sprintf("messages.%d", i)
			for n, c := range m.Get("tool_calls").Array() {
				id, name := fmt.Sprintf("call_%d_%d", i, n), c.Get("function.name").String()
				r.Set(fmt.Sprintf("%s.tool_calls.%d.id", path, n), id)
				open[name] = append(open[name], id)
			}
			name := m.Get("tool_name").String()
			if m.Get("role").String() != "tool" || len(open[name]) == 0 {
				continue
			}
			r.Set(path+".tool_call_id", open[name][0])
			open[name] = open[name][1:]
			if alone {
				r.Delete(path + ".tool_name")
			}
		}
	})
}
