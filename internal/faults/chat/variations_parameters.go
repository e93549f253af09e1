package chat

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/protocol"
)

var variationsInParameters = []raw.Variation{
	{
		Name:     "parameters/penalties",
		Does:     "A request has penalties for words that come again, and the share of the tokens that count.",
		Sources:  []string{openaiAPI + " (frequency_penalty, presence_penalty, top_p)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/settings.py"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Set("presence_penalty", 0.1)
			r.Set("frequency_penalty", 0.1)
			r.Set("top_p", 0.9)
		}),
	},
	{
		Name:     "parameters/limit-of-tokens",
		Does:     "A request says how long the answer may be, thoughts included.",
		Sources:  []string{openaiAPI + " (max_completion_tokens)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/openai.py"},
		Profiles: []string{"openai", "azure", "groq"},
		Make:     setting("max_completion_tokens", 1024),
	},
	{
		Name:    "parameters/limit-of-tokens-by-its-old-name",
		Does:    "A request says how long the answer may be under the name that came first, which compatible servers know.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/openai-compatible-chat-language-model.ts"},
		Make:    setting("max_tokens", 1024),
	},
	{
		Name:     "parameters/seed",
		Does:     "A request has a seed, so that the same one is answered the same way.",
		Sources:  []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-openai/src/chat_models/completions.ts"},
		Profiles: []string{"openai", "groq", "vllm", "openrouter"},
		Make:     setting("seed", 7),
	},
	{
		Name:     "parameters/who-asks-by-a-hash",
		Does:     "A request says in safety_identifier for which user it is made.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/openai-chat-language-model.ts"},
		Profiles: []string{"openai"},
		Make:     setting("safety_identifier", "a1b2c3"),
	},
	{
		Name:     "parameters/stored",
		Does:     "A request asks the provider to keep the answer, with labels of the caller.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_helpers.py (store defaults to true)"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Set("store", true)
			r.Set("metadata", map[string]string{"test": "yes"})
		}),
	},
	{
		Name:     "parameters/cache-key",
		Does:     "A request names the conversation for the provider's cache.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (prompt_cache_key)"},
		Profiles: []string{"openai"},
		Make:     setting("prompt_cache_key", "ada-1"),
	},
	{
		Name:     "parameters/verbosity",
		Does:     "A request says how much the model should write.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (verbosity)"},
		Profiles: []string{"openai"},
		Make:     setting("verbosity", "low"),
	},
	{
		Name:     "parameters/plain-text-asked",
		Does:     "A request says that the answer is to be text, in form and in kind.",
		Sources:  []string{openaiAPI + " (response_format)", "https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/openai/chat.py (modalities)"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.SetRaw("response_format", `{"type":"text"}`)
			r.Set("modalities", []string{"text"})
		}),
	},
	{
		Name:     "parameters/one-answer-asked",
		Does:     "A request says that one answer will do, and that its tokens need no probabilities.",
		Sources:  []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-openai/src/chat_models/completions.ts (n, logprobs)"},
		Profiles: []string{"openai", "vllm", "deepseek"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Set("n", 1)
			r.Set("logprobs", false)
		}),
	},
	{
		Name:     "parameters/nothing-in-every-key",
		Does:     "A request has null for each parameter that the caller did not set.",
		Sources:  []string{"https://github.com/openai/openai-openapi (the parameters are nullable)"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for _, key := range []string{"temperature", "top_p", "n", "stop", "max_completion_tokens", "seed", "metadata", "store"} {
				r.SetRaw(key, "null")
			}
		}),
	},
	{
		Name:    "parameters/no-usage-asked",
		Does:    "A stream is asked for without its usage.",
		Sources: []string{openaiAPI + " (stream_options is optional)"},
		Without: []protocol.Feature{protocol.UsageCounts},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Delete("stream_options") }),
	},
	{
		Name:     "parameters/no-padding-asked",
		Does:     "A stream is asked for without the random letters that hide its lengths.",
		Sources:  []string{"https://github.com/openai/openai-python/blob/main/src/openai/types/chat/chat_completion_stream_options_param.py (include_obfuscation)"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("stream").Bool() {
				r.Set("stream_options.include_obfuscation", false)
			}
		}),
	},
	{
		Name:     "parameters/routed",
		Does:     "A request tells a router which providers it may use, and asks for what the answer cost.",
		Sources:  []string{"https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/providers/openai-completions.ts (openRouterRouting)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/openrouter.py (openrouter_usage)"},
		Profiles: []string{"openrouter"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.SetRaw("provider", `{"order":["one","another"]}`)
			r.SetRaw("usage", `{"include":true}`)
		}),
	},
	{
		Name:     "parameters/thinking-on",
		Does:     "A request switches the thinking on by the key that the provider added to the API.",
		Sources:  []string{"https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/providers/openai-completions.ts (enable_thinking)"},
		Profiles: []string{"dashscope", "zai"},
		Make:     setting("enable_thinking", true),
	},
}
