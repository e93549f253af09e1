package variations

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

const (
	openaiAPI   = "https://platform.openai.com/docs/api-reference/chat/create"
	messagesAPI = "https://platform.claude.com/docs/en/api/messages"
)

// settings makes a loop that asks for something besides the conversation.
func settings(set func(*neutral.Settings)) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) { set(&r.Settings) })
}

// choosing returns a change that says in a request with tools whether the model calls them.
func choosing(c neutral.Choice) func(*hooks.Request) {
	return func(r *hooks.Request) {
		if len(r.Tools) > 0 {
			r.Settings.Choice = c
		}
	}
}

// allowingSeveralCalls makes a loop that says in a request with tools whether the model may call
// several at once.
func allowingSeveralCalls(may bool) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) {
		if len(r.Tools) > 0 {
			r.Settings.SeveralCalls = &may
		}
	})
}

var parameters = []hooks.Variation{
	{
		Name:     "parameters/temperature",
		Does:     "A request has a temperature; in messages the thinking is off, with which it does not go.",
		Sources:  []string{openaiAPI + " (temperature)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/settings.py"},
		Profiles: []string{"anthropic-4.5"},
		Make: settings(func(s *neutral.Settings) {
			temperature := 0.2
			s.Temperature, s.NoThinking = &temperature, true
		}),
	},
	{
		Name:     "parameters/who-asks",
		Does:     "A request says for which user it is made.",
		Sources:  []string{openaiAPI + " (user)", messagesAPI + " (metadata.user_id)"},
		Profiles: []string{"openai", "groq", "openrouter"},
		Make:     settings(func(s *neutral.Settings) { s.User = "ada" }),
	},
	{
		Name:     "parameters/service-tier",
		Does:     "A request says how urgent it is.",
		Sources:  []string{"https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/settings.py (service_tier)", messagesAPI + " (service_tier)"},
		Profiles: []string{"openai", "groq"},
		Make:     settings(func(s *neutral.Settings) { s.Tier = "auto" }),
	},
	{
		Name:     "parameters/several-calls-allowed",
		Does:     "A request with tools says that the model may call several at once.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (parallel_tool_calls)", messagesAPI + " (tool_choice.disable_parallel_tool_use)"},
		Profiles: []string{"openai", "groq", "xai"},
		Make:     allowingSeveralCalls(true),
	},
	{
		Name:     "parameters/one-call-at-a-time",
		Does:     "A request with tools asks for one call at a time, and the loop takes several anyway.",
		Sources:  []string{"https://github.com/langchain4j/langchain4j/blob/main/langchain4j-anthropic/src/main/java/dev/langchain4j/model/anthropic/AnthropicChatModel.java (disableParallelToolUse)", openaiAPI + " (parallel_tool_calls)"},
		Profiles: []string{"openai", "groq", "xai"},
		Make:     allowingSeveralCalls(false),
	},
	{
		Name:    "parameters/choice-named",
		Does:    "A request with tools says that the model may choose.",
		Sources: []string{openaiAPI + " (tool_choice, auto is the default if tools are present)", messagesAPI + " (tool_choice)"},
		Make:    hooks.OnRequest(choosing(neutral.ChoiceAuto)),
	},
	{
		Name:     "parameters/choice-forced-at-first",
		Does:     "The first request of a task demands a call; the later ones leave it to the model. The thinking is off, with which a demand does not go.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/agent.py (reset_tool_choice)"},
		Profiles: []string{"openai", "anthropic-4.5", "bedrock-claude"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.Settings.NoThinking = true; r.Number == 1 {
				choosing(neutral.ChoiceRequired)(r)
			}
		}),
	},
	{
		Name:     "parameters/stop-sequences",
		Does:     "A request names texts at which the model stops.",
		Sources:  []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py (stop_sequences)", messagesAPI + " (stop_sequences)"},
		Profiles: []string{"openai", "groq", "mistral", "deepseek"},
		Make:     settings(func(s *neutral.Settings) { s.StopAt = []string{"Observation:"} }),
	},
	{
		Name:     "parameters/effort",
		Does:     "A request says how hard the model should think.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (reasoning_effort)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py (anthropic_effort)"},
		Profiles: []string{"openai", "anthropic", "gemini-3"},
		Make:     settings(func(s *neutral.Settings) { s.Effort = "low" }),
	},
	{
		Name:      "parameters/stream-false",
		Does:      "A request that is not for a stream says so.",
		Sources:   []string{openaiAPI + " (stream, defaults to false)", messagesAPI + " (stream)"},
		Unless:    neutral.ModelInURL,
		Elsewhere: "the URL says whether a stream is wanted.",
		Make: hooks.OnRawRequest(func(r *raw.Request) {
			if r.Get("model").Exists() && !r.Get("stream").Bool() { // not at the door of a cloud, whose path says both
				r.Set("stream", false)
			}
		}),
	},
}
