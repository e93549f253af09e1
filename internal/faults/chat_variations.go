package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// variationsOfChat are about the bytes of Chat Completions.
var variationsOfChat = about(inChat,
	Variation{
		Name:     "caching/through-a-router",
		Does:     "The system prompt and what the user said first are lists of one part, which are cached.",
		Sources:  []string{"https://openrouter.ai/docs/client-sdks/typescript/models/anthropiccachecontroldirective", "https://github.com/Aider-AI/aider/blob/main/aider/coders/chat_chunks.py (add_cache_control)"},
		Profiles: []string{"openrouter"},
		Make: onRawRequest(func(r *RawRequest) {
			for i, m := range r.Get("messages").Array()[:min(2, len(r.Messages()))] {
				if m.Get("role").String() != "assistant" && m.Get("content").Type == gjson.String {
					r.SetRaw("messages."+strconv.Itoa(i)+".content", setRaw(texts(m.Get("content").String()), "0.cache_control", mark))
				}
			}
		}),
	},
	Variation{
		Name:     "caching/up-to-a-breakpoint",
		Does:     "The system prompt is a list of one part, up to which the provider is asked to cache.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (prompt_cache_breakpoint)", "https://developers.openai.com/api/docs/guides/prompt-caching"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, m gjson.Result) {
				r.SetRaw(path+".content", setRaw(texts(m.Get("content").String()), "0.prompt_cache_breakpoint", `{"mode":"explicit"}`))
			})
		}),
	},
	Variation{
		Name:    "http/whose-account",
		Does:    "A request names the organization and the project that pay for it.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/_client.py (OpenAI-Organization, OpenAI-Project)"},
		Make:    onSend(setHeader("OpenAI-Organization", "org-ada", "OpenAI-Project", "proj_ada")),
	},
	Variation{
		Name:    "http/which-application",
		Does:    "A request names the application that sends it, for the router's statistics.",
		Sources: []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-openrouter/src/chat_models/index.ts (HTTP-Referer)"},
		Make:    onSend(setHeader("HTTP-Referer", "https://ada.example", "X-Title", "Ada")),
	},
	Variation{
		Name:     "http/key-of-azure",
		Does:     "The key stands in the header api-key.",
		Sources:  []string{"https://github.com/openai/openai-python/blob/main/src/openai/lib/azure.py (api-key)"},
		Profiles: []string{"azure"},
		Make: onSend(func(req *http.Request) {
			req.Header.Set("Api-Key", strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer "))
			req.Header.Del("Authorization")
		}),
	},
	Variation{
		Name:    "http/looks-for-models",
		Does:    "Before it asks the model, the loop asks which models there are.",
		Sources: []string{"https://platform.openai.com/docs/api-reference/models/list", "https://platform.claude.com/docs/en/api/models-list"},
		Make: asksFirst(func(task protocol.Task) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, task.BaseURL+"/models", nil)
		}),
	},
	Variation{
		Name:     "tools/of-the-provider",
		Does:     "Beside the tools of the task the provider's own search is offered.",
		Sources:  []string{"https://console.groq.com/docs/browser-search", "https://docs.z.ai/guides/tools/web-search", "https://openrouter.ai/docs/guides/features/server-tools", "https://platform.moonshot.ai/docs/guide/use-web-search"},
		Profiles: []string{"groq", "zai", "openrouter", "moonshot"},
		Make: onRawRequest(func(r *RawRequest) {
			search := map[string]string{
				"groq":       `{"type":"browser_search"}`,
				"zai":        `{"type":"web_search","web_search":{"enable":true}}`,
				"openrouter": `{"type":"openrouter:web_search"}`,
				"moonshot":   `{"type":"builtin_function","function":{"name":"$web_search"}}`,
			}[r.Task.Profile]
			if search != "" && r.Get("tools.0").Exists() {
				r.SetRaw("tools.-1", search)
			}
		}),
	},
	Variation{
		Name:     "parameters/penalties",
		Does:     "A request has penalties for words that come again, and the share of the tokens that count.",
		Sources:  []string{openaiAPI + " (frequency_penalty, presence_penalty, top_p)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/settings.py"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Set("presence_penalty", 0.1)
			r.Set("frequency_penalty", 0.1)
			r.Set("top_p", 0.9)
		}),
	},
	Variation{
		Name:     "parameters/limit-of-tokens",
		Does:     "A request says how long the answer may be, thoughts included.",
		Sources:  []string{openaiAPI + " (max_completion_tokens)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/openai.py"},
		Profiles: []string{"openai", "azure", "groq"},
		Make:     setting("max_completion_tokens", 1024),
	},
	Variation{
		Name:    "parameters/limit-of-tokens-by-its-old-name",
		Does:    "A request says how long the answer may be under the name that came first, which compatible servers know.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/openai-compatible-chat-language-model.ts"},
		Make:    setting("max_tokens", 1024),
	},
	Variation{
		Name:     "parameters/seed",
		Does:     "A request has a seed, so that the same one is answered the same way.",
		Sources:  []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-openai/src/chat_models/completions.ts"},
		Profiles: []string{"openai", "groq", "vllm", "openrouter"},
		Make:     setting("seed", 7),
	},
	Variation{
		Name:     "parameters/who-asks-by-a-hash",
		Does:     "A request says in safety_identifier for which user it is made.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/openai-chat-language-model.ts"},
		Profiles: []string{"openai"},
		Make:     setting("safety_identifier", "a1b2c3"),
	},
	Variation{
		Name:     "parameters/stored",
		Does:     "A request asks the provider to keep the answer, with labels of the caller.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_helpers.py (store defaults to true)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Set("store", true)
			r.Set("metadata", map[string]string{"test": "yes"})
		}),
	},
	Variation{
		Name:     "parameters/cache-key",
		Does:     "A request names the conversation for the provider's cache.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (prompt_cache_key)"},
		Profiles: []string{"openai"},
		Make:     setting("prompt_cache_key", "ada-1"),
	},
	Variation{
		Name:     "parameters/verbosity",
		Does:     "A request says how much the model should write.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_chatcompletions.py (verbosity)"},
		Profiles: []string{"openai"},
		Make:     setting("verbosity", "low"),
	},
	Variation{
		Name:     "parameters/plain-text-asked",
		Does:     "A request says that the answer is to be text, in form and in kind.",
		Sources:  []string{openaiAPI + " (response_format)", "https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/openai/chat.py (modalities)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.SetRaw("response_format", `{"type":"text"}`)
			r.Set("modalities", []string{"text"})
		}),
	},
	Variation{
		Name:     "parameters/one-answer-asked",
		Does:     "A request says that one answer will do, and that its tokens need no probabilities.",
		Sources:  []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-openai/src/chat_models/completions.ts (n, logprobs)"},
		Profiles: []string{"openai", "vllm", "deepseek"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Set("n", 1)
			r.Set("logprobs", false)
		}),
	},
	Variation{
		Name:     "parameters/nothing-in-every-key",
		Does:     "A request has null for each parameter that the caller did not set.",
		Sources:  []string{"https://github.com/openai/openai-openapi (the parameters are nullable)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			for _, key := range []string{"temperature", "top_p", "n", "stop", "max_completion_tokens", "seed", "metadata", "store"} {
				r.SetRaw(key, "null")
			}
		}),
	},
	Variation{
		Name:    "parameters/no-usage-asked",
		Does:    "A stream is asked for without its usage.",
		Sources: []string{openaiAPI + " (stream_options is optional)"},
		Without: []protocol.Feature{protocol.UsageCounts},
		Make:    onRawRequest(func(r *RawRequest) { r.Delete("stream_options") }),
	},
	Variation{
		Name:     "parameters/no-padding-asked",
		Does:     "A stream is asked for without the random letters that hide its lengths.",
		Sources:  []string{"https://github.com/openai/openai-python/blob/main/src/openai/types/chat/chat_completion_stream_options_param.py (include_obfuscation)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("stream").Bool() {
				r.Set("stream_options.include_obfuscation", false)
			}
		}),
	},
	Variation{
		Name:     "parameters/routed",
		Does:     "A request tells a router which providers it may use, and asks for what the answer cost.",
		Sources:  []string{"https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/providers/openai-completions.ts (openRouterRouting)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/openrouter.py (openrouter_usage)"},
		Profiles: []string{"openrouter"},
		Make: onRawRequest(func(r *RawRequest) {
			r.SetRaw("provider", `{"order":["one","another"]}`)
			r.SetRaw("usage", `{"include":true}`)
		}),
	},
	Variation{
		Name:     "parameters/thinking-on",
		Does:     "A request switches the thinking on by the key that the provider added to the API.",
		Sources:  []string{"https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/providers/openai-completions.ts (enable_thinking)"},
		Profiles: []string{"dashscope", "zai"},
		Make:     setting("enable_thinking", true),
	},
	Variation{
		Name:     "prompts/in-parts",
		Does:     "The words of the user are a list of one part.",
		Sources:  []string{openaiAPI + " (content of a user message is a string or an array)", "https://github.com/huggingface/smolagents/blob/main/src/smolagents/memory.py (\"type\": \"text\")"},
		Profiles: []string{"openai"},
		Make:     eachRawPrompt(func(r *RawRequest, path, said string) { r.SetRaw(path+".content", texts(said)) }),
	},
	Variation{
		Name:     "prompts/named",
		Does:     "The messages of the user have a name.",
		Sources:  []string{openaiAPI + " (name, an optional name for the participant)"},
		Profiles: []string{"openai"},
		Make:     eachRawPrompt(func(r *RawRequest, path, _ string) { r.Set(path+".name", "ada") }),
	},
	Variation{
		Name:     "results/in-parts",
		Does:     "The content of a result is a list of one text.",
		Sources:  []string{handleToolCalls + " (a string, or a list of blocks)", "https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (ChatCompletionContentPartTextParam)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("tool", func(path string, m gjson.Result) {
				if said := m.Get("content"); said.Type == gjson.String && said.String() != "" {
					r.SetRaw(path+".content", texts(said.String()))
				}
			})
		}),
	},
	Variation{
		Name:     "results/in-parts-behind-a-note",
		Does:     "The content of a result is a list of two texts: what the loop says of it, and what the tool returned.",
		Sources:  []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (content.append(system(tool_result.return_value.message)))"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("tool", func(path string, m gjson.Result) {
				if said := m.Get("content"); said.Type == gjson.String && said.String() != "" {
					r.SetRaw(path+".content", texts("<system>The tool has run.</system>", said.String()))
				}
			})
		}),
	},
	Variation{
		Name:     "results/named",
		Does:     "A tool message has the name of the tool.",
		Sources:  []string{"https://github.com/langchain-ai/langchain/blob/master/libs/partners/openai/langchain_openai/chat_models/base.py (message.name)", "https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/deepseek/deepseek.py (\"name\": message.name)"},
		Profiles: []string{"openai", "groq", "vllm"},
		Make: onRawRequest(func(r *RawRequest) {
			names := map[string]string{}
			r.EachCall(func(_ string, c gjson.Result) { names[c.Get("id").String()] = c.Get("function.name").String() })
			r.Each("tool", func(path string, m gjson.Result) {
				if name := names[m.Get("tool_call_id").String()]; name != "" {
					r.Set(path+".name", name)
				}
			})
		}),
	},
	Variation{
		Name:    "results/images-in-detail",
		Does:    "An image says how closely the model should look at it.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (\"detail\": detail)"},
		Make: onRawRequest(func(r *RawRequest) {
			for i, m := range r.Get("messages").Array() {
				for n, part := range m.Get("content").Array() {
					if part.Get("type").String() == "image_url" {
						r.Set(fmt.Sprintf("messages.%d.content.%d.image_url.detail", i, n), "auto")
					}
				}
			}
		}),
	},
	Variation{
		Name:     "system/developer",
		Does:     "The system prompt is a developer message.",
		Sources:  []string{openaiAPI + " (with o1 models and newer, developer messages replace system messages)", "https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (developer)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, _ gjson.Result) { r.Set(path+".role", "developer") })
		}),
	},
	Variation{
		Name:     "system/in-parts",
		Does:     "The system prompt is a list of one text.",
		Sources:  []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/memory.py (\"type\": \"text\")", messagesAPI + " (system is a string or an array of text blocks)"},
		Profiles: []string{"openai", "openrouter"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, m gjson.Result) { r.SetRaw(path+".content", texts(m.Get("content").String())) })
		}),
	},
	Variation{
		Name:     "system/behind-another",
		Does:     "In front of the system prompt stands another one, of the loop or of the account.",
		Sources:  []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (NewSystemMessage(promptPrefix))"},
		Profiles: []string{"openai", "groq", "deepseek"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("messages.0.role").String() == "system" {
				r.SetMessages(slices.Insert(r.Messages(), 0, `{"role":"system","content":"You are Ada, a careful assistant."}`))
			}
		}),
	},
	Variation{
		Name:    "turns/null-beside-calls",
		Does:    "A turn of calls alone goes back with the content null.",
		Sources: []string{openaiAPI + " (content is optional beside tool_calls)", "https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts", "https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (text || null)"},
		Make:    onCallsAlone(func(r *RawRequest, path string) { r.SetRaw(path+".content", "null") }),
	},
	Variation{
		Name:     "turns/empty-text-beside-calls",
		Does:     "A turn of calls alone goes back with an empty text.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts"},
		Profiles: []string{"openai", "deepseek", "groq", "vllm", "openrouter", "mistral"},
		Make:     onCallsAlone(func(r *RawRequest, path string) { r.Set(path+".content", "") }),
	},
	Variation{
		Name:     "turns/null-refusal",
		Does:     "A turn goes back as the SDK read it, with refusal null and no annotations.",
		Sources:  []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (pushes the message that it got)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, _ gjson.Result) {
				r.SetRaw(path+".refusal", "null")
				r.SetRaw(path+".annotations", "[]")
			})
		}),
	},
	Variation{
		Name:     "turns/in-parts",
		Does:     "The text of a turn goes back as a list of one part.",
		Sources:  []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/openai.py (formatted_contents)", openaiAPI + " (content of an assistant message is a string or an array)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if said := m.Get("content"); said.Type == gjson.String {
					r.SetRaw(path+".content", texts(said.String()))
				}
			})
		}),
	},
	Variation{
		Name:     "turns/named",
		Does:     "A turn goes back under the name of the agent that it came from.",
		Sources:  []string{openaiAPI + " (name, an optional name for the participant)", "https://github.com/deepset-ai/haystack/blob/main/haystack/dataclasses/chat_message.py (openai_msg[\"name\"])"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".name", "ada") })
		}),
	},
	Variation{
		Name:     "turns/refusal-under-its-own-key",
		Does:     "What a model said when it refused goes back as its refusal, and not as its text.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (new_asst[\"refusal\"])"},
		Profiles: []string{"openai"},
		Make: func() Changes {
			refusals := map[string]bool{}
			return Changes{
				RawAnswer: func(a *RawAnswer) { refusals[a.joined("refusal")] = true },
				RawRequest: func(r *RawRequest) {
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
)

// onCallsAlone changes the turns that go back with calls and without text.
func onCallsAlone(change func(r *RawRequest, path string)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each("assistant", func(path string, m gjson.Result) {
			if m.Get("tool_calls.0").Exists() && m.Get("content").String() == "" {
				change(r, path)
			}
		})
	})
}
