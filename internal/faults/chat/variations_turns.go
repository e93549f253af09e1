package chat

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInTurns = []raw.Variation{
	{
		Name:    "turns/null-beside-calls",
		Does:    "A turn of calls alone goes back with the content null.",
		Sources: []string{openaiAPI + " (content is optional alongside tool_calls)", "https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts", "https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (text || null)"},
		Make:    onCallsAlone(func(r *raw.Request, path string) { r.SetRaw(path+".content", "null") }),
	},
	{
		Name:     "turns/empty-text-beside-calls",
		Does:     "A turn of calls alone goes back with an empty text.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts"},
		Profiles: []string{"openai", "deepseek", "groq", "vllm", "openrouter", "mistral"},
		Make:     onCallsAlone(func(r *raw.Request, path string) { r.Set(path+".content", "") }),
	},
	{
		Name:     "turns/null-refusal",
		Does:     "A turn goes back as the SDK read it, with refusal null and no annotations.",
		Sources:  []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (pushes the message that it got)"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, _ gjson.Result) {
				r.SetRaw(path+".refusal", "null")
				r.SetRaw(path+".annotations", "[]")
			})
		}),
	},
	{
		Name:     "turns/in-parts",
		Does:     "The text of a turn goes back as a list of one part.",
		Sources:  []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/openai.py (formatted_contents)", openaiAPI + " (content of an assistant message is a string or an array)"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if said := m.Get("content"); said.Type == gjson.String {
					r.SetRaw(path+".content", raw.Texts(said.String()))
				}
			})
		}),
	},
	{
		Name:     "turns/named",
		Does:     "A turn goes back under the name of the agent that it came from.",
		Sources:  []string{openaiAPI + " (name, an optional name for the participant)", "https://github.com/deepset-ai/haystack/blob/main/haystack/dataclasses/chat_message.py (openai_msg[\"name\"])"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".name", "ada") })
		}),
	},
	{
		Name:     "turns/refusal-under-its-own-key",
		Does:     "What a model said when it refused goes back as its refusal, and not as its text.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (new_asst[\"refusal\"])"},
		Profiles: []string{"openai"},
		Make: func() raw.Mutation {
			refusals := map[string]bool{}
			return raw.Mutation{
				Answer: func(a *raw.Answer) { refusals[joined(a, "refusal")] = true },
				Request: func(r *raw.Request) {
					r.Each("assistant", func(path string, m gjson.Result) {
						if said := m.Get("content").String(); said != "" && refusals[said] {
							r.Set(path+".refusal", said)
							r.Delete(path + ".content")
						}
					})
				},
			}
		},
	},
}
