package faults

import (
	"github.com/loopproof/loopproof/protocol"
)

const (
	openaiAPI   = "https://platform.openai.com/docs/api-reference/chat/create"
	messagesAPI = "https://platform.claude.com/docs/en/api/messages"
)

// setting sets a key of every request.
func setting(key string, value any) func() Changes {
	return onRawRequest(func(r *RawRequest) { r.Set(key, value) })
}

// settingBesideTools sets a key of every request that offers tools.
func settingBesideTools(key, raw string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		if r.Get("tools.0").Exists() {
			r.SetRaw(key, raw)
		}
	})
}

// settingForNoThought sets a key of every request, and switches the thinking off that does not go with it.
func settingForNoThought(key string, value any) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.SetRaw("thinking", `{"type":"disabled"}`)
		r.Set(key, value)
	})
}

var variationsInParameters = []Variation{
	{
		Name:     "parameters/temperature",
		Does:     "A request has a temperature; in messages the thinking is off, with which it does not go.",
		Sources:  []string{openaiAPI + " (temperature)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/settings.py"},
		Profiles: []string{"anthropic-4.5"},
		Dialect:  inChat,
		Make:     setting("temperature", 0.2),
	},
	{
		Name:     "parameters/temperature",
		Does:     "A request has a temperature; in messages the thinking is off, with which it does not go.",
		Sources:  []string{openaiAPI + " (temperature)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/settings.py"},
		Profiles: []string{"anthropic-4.5"},
		Dialect:  inBlocks,
		Make:     settingForNoThought("temperature", 0.2),
	},
	{
		Name:     "parameters/top-k",
		Does:     "A request says of how many tokens the next one is drawn.",
		Sources:  []string{"https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/anthropic/claude.py (top_k)"},
		Profiles: []string{"anthropic-4.5"},
		Dialect:  inBlocks,
		Make:     settingForNoThought("top_k", 40),
	},
	{
		Name:     "parameters/penalties",
		Does:     "A request has penalties for words that come again, and the share of the tokens that count.",
		Sources:  []string{openaiAPI + " (frequency_penalty, presence_penalty, top_p)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/settings.py"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
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
		Dialect:  inChat,
		Make:     setting("max_completion_tokens", 1024),
	},
	{
		Name:    "parameters/limit-of-tokens-by-its-old-name",
		Does:    "A request says how long the answer may be under the name that came first, which compatible servers know.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/openai-compatible-chat-language-model.ts"},
		Dialect: inChat,
		Make:    setting("max_tokens", 1024),
	},
	{
		Name:     "parameters/seed",
		Does:     "A request has a seed, so that the same one is answered the same way.",
		Sources:  []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-openai/src/chat_models/completions.ts"},
		Profiles: []string{"openai", "groq", "vllm", "openrouter"},
		Dialect:  inChat,
		Make:     setting("seed", 7),
	},
	{
		Name:     "parameters/who-asks",
		Does:     "A request says for which user it is made.",
		Sources:  []string{openaiAPI + " (user)", messagesAPI + " (metadata.user_id)"},
		Profiles: []string{"openai", "groq", "openrouter"},
		Dialect:  inChat,
		Make:     setting("user", "ada"),
	},
	{
		Name:     "parameters/who-asks",
		Does:     "A request says for which user it is made.",
		Sources:  []string{openaiAPI + " (user)", messagesAPI + " (metadata.user_id)"},
		Profiles: []string{"openai", "groq", "openrouter"},
		Dialect:  inBlocks,
		Make:     setting("metadata", map[string]string{"user_id": "ada"}),
	},
	{
		Name:     "parameters/who-asks-by-a-hash",
		Does:     "A request says in safety_identifier for which user it is made.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/openai-chat-language-model.ts"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make:     setting("safety_identifier", "a1b2c3"),
	},
	{
		Name:     "parameters/stored",
		Does:     "A request asks the provider to keep the answer, with labels of the caller.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_helpers.py (store defaults to true)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.Set("store", true)
			r.Set("metadata", map[string]string{"test": "yes"})
		}),
	},
	{
		Name:     "parameters/service-tier",
		Does:     "A request says how urgent it is.",
		Sources:  []string{"https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/settings.py (service_tier)", messagesAPI + " (service_tier)"},
		Profiles: []string{"openai", "groq"},
		Dialect:  inChat,
		Make:     setting("service_tier", "auto"),
	},
	{
		Name:     "parameters/service-tier",
		Does:     "A request says how urgent it is.",
		Sources:  []string{"https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/settings.py (service_tier)", messagesAPI + " (service_tier)"},
		Profiles: []string{"openai", "groq"},
		Dialect:  inBlocks,
		Make:     setting("service_tier", "auto"),
	},
	{
		Name:     "parameters/several-calls-allowed",
		Does:     "A request with tools says that the model may call several at once.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (parallel_tool_calls)", messagesAPI + " (tool_choice.disable_parallel_tool_use)"},
		Profiles: []string{"openai", "groq", "xai"},
		Dialect:  inChat,
		Make:     settingBesideTools("parallel_tool_calls", "true"),
	},
	{
		Name:     "parameters/several-calls-allowed",
		Does:     "A request with tools says that the model may call several at once.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (parallel_tool_calls)", messagesAPI + " (tool_choice.disable_parallel_tool_use)"},
		Profiles: []string{"openai", "groq", "xai"},
		Dialect:  inBlocks,
		Make:     settingBesideTools("tool_choice", `{"type":"auto","disable_parallel_tool_use":false}`),
	},
	{
		Name:     "parameters/one-call-at-a-time",
		Does:     "A request with tools asks for one call at a time, and the loop takes several all the same.",
		Sources:  []string{"https://github.com/langchain4j/langchain4j/blob/main/langchain4j-anthropic/src/main/java/dev/langchain4j/model/anthropic/AnthropicChatModel.java (disableParallelToolUse)", openaiAPI + " (parallel_tool_calls)"},
		Profiles: []string{"openai", "groq", "xai"},
		Dialect:  inChat,
		Make:     settingBesideTools("parallel_tool_calls", "false"),
	},
	{
		Name:     "parameters/one-call-at-a-time",
		Does:     "A request with tools asks for one call at a time, and the loop takes several all the same.",
		Sources:  []string{"https://github.com/langchain4j/langchain4j/blob/main/langchain4j-anthropic/src/main/java/dev/langchain4j/model/anthropic/AnthropicChatModel.java (disableParallelToolUse)", openaiAPI + " (parallel_tool_calls)"},
		Profiles: []string{"openai", "groq", "xai"},
		Dialect:  inBlocks,
		Make:     settingBesideTools("tool_choice", `{"type":"auto","disable_parallel_tool_use":true}`),
	},
	{
		Name:    "parameters/choice-named",
		Does:    "A request with tools says that the model may choose.",
		Sources: []string{openaiAPI + " (tool_choice, auto is the default if tools are present)", messagesAPI + " (tool_choice)"},
		Dialect: inChat,
		Make:    settingBesideTools("tool_choice", `"auto"`),
	},
	{
		Name:    "parameters/choice-named",
		Does:    "A request with tools says that the model may choose.",
		Sources: []string{openaiAPI + " (tool_choice, auto is the default if tools are present)", messagesAPI + " (tool_choice)"},
		Dialect: inBlocks,
		Make:    settingBesideTools("tool_choice", `{"type":"auto"}`),
	},
	{
		Name:     "parameters/choice-forced-at-first",
		Does:     "The first request of a task demands a call; the later ones leave it to the model.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/agent.py (reset_tool_choice)"},
		Profiles: []string{"openai", "anthropic-4.5"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("tools.0").Exists() && r.Number == 1 {
				r.Set("tool_choice", "required")
			}
		}),
	},
	{
		Name:     "parameters/choice-forced-at-first",
		Does:     "The first request of a task demands a call; the later ones leave it to the model.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/agent.py (reset_tool_choice)"},
		Profiles: []string{"openai", "anthropic-4.5"},
		Dialect:  inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			r.Delete("thinking") // which leaves the choice to the model
			if r.Get("tools.0").Exists() && r.Number == 1 {
				r.SetRaw("tool_choice", `{"type":"any"}`)
			}
		}),
	},
	{
		Name:     "parameters/stop-sequences",
		Does:     "A request names texts at which the model stops.",
		Sources:  []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py (stop_sequences)", messagesAPI + " (stop_sequences)"},
		Profiles: []string{"openai", "groq", "mistral", "deepseek"},
		Dialect:  inChat,
		Make:     setting("stop", []string{"Observation:"}),
	},
	{
		Name:     "parameters/stop-sequences",
		Does:     "A request names texts at which the model stops.",
		Sources:  []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py (stop_sequences)", messagesAPI + " (stop_sequences)"},
		Profiles: []string{"openai", "groq", "mistral", "deepseek"},
		Dialect:  inBlocks,
		Make:     setting("stop_sequences", []string{"Observation:"}),
	},
	{
		Name:     "parameters/cache-key",
		Does:     "A request names the conversation for the provider's cache.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (prompt_cache_key)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make:     setting("prompt_cache_key", "ada-1"),
	},
	{
		Name:     "parameters/effort",
		Does:     "A request says how hard the model should think.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (reasoning_effort)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py (anthropic_effort)"},
		Profiles: []string{"openai", "anthropic"},
		Dialect:  inChat,
		Make:     setting("reasoning_effort", "low"),
	},
	{
		Name:     "parameters/effort",
		Does:     "A request says how hard the model should think.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (reasoning_effort)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py (anthropic_effort)"},
		Profiles: []string{"openai", "anthropic"},
		Dialect:  inBlocks,
		Make:     setting("output_config", map[string]string{"effort": "low"}),
	},
	{
		Name:     "parameters/verbosity",
		Does:     "A request says how much the model should write.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (verbosity)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make:     setting("verbosity", "low"),
	},
	{
		Name:     "parameters/plain-text-asked",
		Does:     "A request says that the answer is to be text, in form and in kind.",
		Sources:  []string{openaiAPI + " (response_format)", "https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/openai/chat.py (modalities)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.SetRaw("response_format", `{"type":"text"}`)
			r.Set("modalities", []string{"text"})
		}),
	},
	{
		Name:     "parameters/one-answer-asked",
		Does:     "A request says that one answer will do, and that its tokens need no probabilities.",
		Sources:  []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-openai/src/chat_models/completions.ts (n, logprobs)"},
		Profiles: []string{"openai", "vllm", "deepseek"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.Set("n", 1)
			r.Set("logprobs", false)
		}),
	},
	{
		Name:     "parameters/nothing-in-every-key",
		Does:     "A request has null for each parameter that the caller did not set.",
		Sources:  []string{"https://github.com/openai/openai-openapi (the parameters are nullable)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			for _, key := range []string{"temperature", "top_p", "n", "stop", "max_completion_tokens", "seed", "metadata", "store"} {
				r.SetRaw(key, "null")
			}
		}),
	},
	{
		Name:    "parameters/no-usage-asked",
		Does:    "A stream is asked for without its usage.",
		Sources: []string{openaiAPI + " (stream_options is optional)"},
		Dialect: inChat,
		Without: []protocol.Feature{protocol.UsageCounts},
		Make:    onRawRequest(func(r *RawRequest) { r.Delete("stream_options") }),
	},
	{
		Name:     "parameters/no-padding-asked",
		Does:     "A stream is asked for without the random letters that hide its lengths.",
		Sources:  []string{"https://github.com/openai/openai-python/blob/main/src/openai/types/chat/chat_completion_stream_options_param.py (include_obfuscation)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("stream").Bool() {
				r.Set("stream_options.include_obfuscation", false)
			}
		}),
	},
	{
		Name:    "parameters/stream-false",
		Does:    "A request that is not for a stream says so.",
		Sources: []string{openaiAPI + " (stream, defaults to false)", messagesAPI + " (stream)"},
		Make: onRawRequest(func(r *RawRequest) {
			if !r.Get("stream").Bool() {
				r.Set("stream", false)
			}
		}),
	},
	{
		Name:     "parameters/routed",
		Does:     "A request tells a router which providers it may use, and asks for what the answer cost.",
		Sources:  []string{"https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/providers/openai-completions.ts (openRouterRouting)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/openrouter.py (openrouter_usage)"},
		Profiles: []string{"openrouter"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.SetRaw("provider", `{"order":["one","another"]}`)
			r.SetRaw("usage", `{"include":true}`)
		}),
	},
	{
		Name:     "parameters/thinking-on",
		Does:     "A request switches the thinking on by the key that the provider added to the API.",
		Sources:  []string{"https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/providers/openai-completions.ts (enable_thinking)"},
		Profiles: []string{"dashscope", "zai"},
		Dialect:  inChat,
		Make:     setting("enable_thinking", true),
	},
	{
		Name:    "parameters/thinking-not-asked-for",
		Does:    "A request says nothing about thinking.",
		Sources: []string{messagesAPI + " (thinking is optional)"},
		Dialect: inBlocks,
		Make:    onRawRequest(func(r *RawRequest) { r.Delete("thinking") }),
	},
	{
		Name:    "parameters/beta-feature",
		Does:    "A request asks for a feature that is a beta, in its header and in its body.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/context-editing", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py (context_management)"},
		Dialect: inBlocks,
		Make: func() Changes {
			c := onSend(setHeader("Anthropic-Beta", "context-management-2025-06-27"))()
			c.RawRequest = func(r *RawRequest) {
				r.SetRaw("context_management", `{"edits":[{"type":"clear_tool_uses_20250919"}]}`)
			}
			return c
		},
	},
}
