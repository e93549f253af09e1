package chat

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInResults = []raw.Variation{
	{
		Name:     "results/in-parts",
		Does:     "The content of a result is a list of one text.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (ChatCompletionContentPartTextParam)"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("tool", func(path string, m gjson.Result) {
				if said := m.Get("content"); said.Type == gjson.String && said.String() != "" {
					r.SetRaw(path+".content", raw.Texts(said.String()))
				}
			})
		}),
	},
	{
		Name:     "results/in-parts-behind-a-note",
		Does:     "The content of a result is a list of two texts: what the loop says of it, and what the tool returned.",
		Sources:  []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (content.append(system(tool_result.return_value.message)))"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("tool", func(path string, m gjson.Result) {
				if said := m.Get("content"); said.Type == gjson.String && said.String() != "" {
					r.SetRaw(path+".content", raw.Texts("<system>The tool has run.</system>", said.String()))
				}
			})
		}),
	},
	{
		Name:     "results/named",
		Does:     "A tool message has the name of the tool.",
		Sources:  []string{"https://github.com/langchain-ai/langchain/blob/master/libs/partners/openai/langchain_openai/chat_models/base.py (message.name)", "https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/deepseek/deepseek.py (\"name\": message.name)"},
		Profiles: []string{"openai", "groq", "vllm"},
		Make: raw.OnRequest(func(r *raw.Request) {
			names := map[string]string{}
			eachCall(r, func(_ string, c gjson.Result) { names[c.Get("id").String()] = c.Get("function.name").String() })
			r.Each("tool", func(path string, m gjson.Result) {
				if name := names[m.Get("tool_call_id").String()]; name != "" {
					r.Set(path+".name", name)
				}
			})
		}),
	},
	{
		Name:    "results/images-in-detail",
		Does:    "An image says how closely the model should look at it.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (\"detail\": detail)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, m := range r.Get("messages").Array() {
				for n, part := range m.Get("content").Array() {
					if part.Get("type").String() == "image_url" {
						r.Set(fmt.Sprintf("messages.%d.content.%d.image_url.detail", i, n), "auto")
					}
				}
			}
		}),
	},
}
