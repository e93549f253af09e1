package faults

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// variationsOfMessages are about the bytes of Messages.
var variationsOfMessages = about(inBlocks,
	Variation{
		Name:    "answers/told-by-the-names-of-events",
		Does:    "An event of a stream is known by its name, and one without a name that is known is passed over.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/_streaming.py (sse.event == \"message_start\")"},
		Make: onBytes(func(stream []byte) []byte {
			var kept [][]byte
			for _, event := range bytes.SplitAfter(bytes.ReplaceAll(stream, []byte("\r\n"), []byte("\n")), []byte("\n\n")) {
				if named := eventName(event); named == "error" || named == "ping" || strings.HasPrefix(named, "message_") || strings.HasPrefix(named, "content_block_") {
					kept = append(kept, event)
				}
			}
			return bytes.Join(kept, nil)
		}),
	},
	Variation{
		Name:    "caching/system",
		Does:    "The system prompt is a list of one block, which is cached.",
		Sources: []string{promptCaching, "https://github.com/spring-projects/spring-ai/blob/main/models/spring-ai-anthropic/src/main/java/org/springframework/ai/anthropic/AnthropicChatModel.java (cacheControl)"},
		Make: onRawRequest(func(r *RawRequest) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", setRaw(texts(system.String()), "0.cache_control", mark))
			}
		}),
	},
	Variation{
		Name:    "caching/end-and-tools",
		Does:    "The last block of the last message, and the last tool, are cached; both move on.",
		Sources: []string{promptCaching, "https://github.com/charmbracelet/fantasy/blob/main/providers/anthropic/anthropic.go (NewCacheControlEphemeralParam)"},
		Make: onRawRequest(func(r *RawRequest) {
			if n := len(r.Get("tools").Array()); n > 0 {
				r.SetRaw("tools."+strconv.Itoa(n-1)+".cache_control", mark)
			}
			markEnd(r, "messages."+strconv.Itoa(len(r.Get("messages").Array())-1))
		}),
	},
	Variation{
		Name:    "caching/last-two",
		Does:    "The last two messages are cached, so that a request finds what the one before it wrote.",
		Sources: []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (Than add cache control to the last 2 messages.)", "https://github.com/microsoft/vscode/pull/315505"},
		Make: onRawRequest(func(r *RawRequest) {
			n := len(r.Messages())
			for i := max(0, n-2); i < n; i++ {
				markEnd(r, "messages."+strconv.Itoa(i))
			}
		}),
	},
	Variation{
		Name:    "caching/by-one-key",
		Does:    "A request asks by one key that the provider marks what is worth it.",
		Sources: []string{"https://github.com/0xPlaygrounds/rig/blob/main/crates/rig-core/src/providers/anthropic/completion.rs (cache_control)"},
		Make:    onRawRequest(func(r *RawRequest) { r.SetRaw("cache_control", mark) }),
	},
	Variation{
		Name:    "caching/for-an-hour",
		Does:    "The mark at the system prompt says that it is to be kept for an hour, and that at the end for less.",
		Sources: []string{promptCaching + " (ttl)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/cache_control_ephemeral_param.py (ttl)"},
		Make: onRawRequest(func(r *RawRequest) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", setRaw(texts(system.String()), "0.cache_control", `{"type":"ephemeral","ttl":"1h"}`))
			}
			last := "messages." + strconv.Itoa(len(r.Get("messages").Array())-1)
			if n := len(r.Get(last + ".content").Array()); n > 0 {
				r.SetRaw(last+".content."+strconv.Itoa(n-1)+".cache_control", `{"type":"ephemeral","ttl":"5m"}`)
			}
		}),
	},
	Variation{
		Name:    "http/beta-headers",
		Does:    "A request asks for beta features.",
		Sources: []string{"https://platform.claude.com/docs/en/api/beta-headers", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/resources/beta/messages/messages.py (anthropic-beta)"},
		Make:    onSend(setHeader("Anthropic-Beta", "interleaved-thinking-2025-05-14,token-efficient-tools-2025-02-19")),
	},
	Variation{
		Name:    "http/bearer",
		Does:    "The key is a bearer token.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/client.ts (Authorization: `Bearer ${this.authToken}`)"},
		Make: onSend(func(req *http.Request) {
			req.Header.Set("Authorization", "Bearer "+req.Header.Get("X-Api-Key"))
			req.Header.Del("X-Api-Key")
		}),
	},
	Variation{
		Name:    "http/from-a-browser",
		Does:    "A request comes from a web page, and says that this is meant.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/client.ts (anthropic-dangerous-direct-browser-access)"},
		Make:    onSend(setHeader("Anthropic-Dangerous-Direct-Browser-Access", "true", "Origin", "https://ada.example", "Sec-Fetch-Mode", "cors")),
	},
	Variation{
		Name:    "http/counts-first",
		Does:    "Before it asks the model, the loop has the tokens of what the user said counted.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/token-counting"},
		Make: asksFirst(func(task protocol.Task) (*http.Request, error) {
			body := set(`{"model":"loopproof","messages":[{"role":"user"}]}`, "messages.0.content", task.Prompts[0])
			return http.NewRequest(http.MethodPost, task.BaseURL+"/v1/messages/count_tokens", strings.NewReader(body))
		}),
	},
	Variation{
		Name:     "parameters/top-k",
		Does:     "A request says of how many tokens the next one is drawn.",
		Sources:  []string{"https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/anthropic/claude.py (top_k)"},
		Profiles: []string{"anthropic-4.5"},
		Make:     settingForNoThought("top_k", 40),
	},
	Variation{
		Name:    "parameters/thinking-not-asked-for",
		Does:    "A request says nothing about thinking.",
		Sources: []string{messagesAPI + " (thinking is optional)"},
		Make:    onRawRequest(func(r *RawRequest) { r.Delete("thinking") }),
	},
	Variation{
		Name:    "parameters/beta-feature",
		Does:    "A request asks for a feature that is a beta, in its header and in its body.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/context-editing", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py (context_management)"},
		Make: func() Changes {
			c := onSend(setHeader("Anthropic-Beta", "context-management-2025-06-27"))()
			c.RawRequest = func(r *RawRequest) {
				r.SetRaw("context_management", `{"edits":[{"type":"clear_tool_uses_20250919"}]}`)
			}
			return c
		},
	},
	Variation{
		Name:    "prompts/as-a-string",
		Does:    "The words of the user are a string and no list of blocks.",
		Sources: []string{messagesAPI + " (content is a string or an array)"},
		Make:    eachRawPrompt(func(r *RawRequest, path, said string) { r.Set(path+".content", said) }),
	},
	Variation{
		Name:    "results/flag-on-each",
		Does:    "Results of tools that went well say that they are no error.",
		Sources: []string{handleToolCalls + " (is_error is optional)", "https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/anthropic.py (is_error)"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if !b.Get("is_error").Exists() {
					r.Set(path+".is_error", false)
				}
			})
		}),
	},
	Variation{
		Name:    "results/words-before-images",
		Does:    "A result with an image says first what it is.",
		Sources: []string{handleToolCalls + " (a list of blocks, of texts and images)"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if image := b.Get("content.#(type==image)"); image.Exists() {
					r.SetRaw(path+".content", `[{"type":"text","text":"A picture:"},`+image.Raw+`]`)
				}
			})
		}),
	},
	Variation{
		Name:    "system/in-blocks",
		Does:    "The system prompt is a list of one block.",
		Sources: []string{messagesAPI + " (system is a string or an array of text blocks)"},
		Make: onRawRequest(func(r *RawRequest) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", texts(system.String()))
			}
		}),
	},
	Variation{
		Name:    "system/in-two-blocks",
		Does:    "In front of the system prompt stands another one, of the loop or of the account, in a block of its own.",
		Sources: []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (NewSystemMessage(promptPrefix))"},
		Make: onRawRequest(func(r *RawRequest) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", texts("You are Ada, a careful assistant.", system.String()))
			}
		}),
	},
	Variation{
		Name:    "results/in-blocks",
		Does:    "The content of a result is a list of one text.",
		Sources: []string{handleToolCalls + " (a string, or a list of blocks)"},
		Make:    eachResultInBlocks(func(said string) string { return texts(said) }),
	},
	Variation{
		Name:    "results/in-blocks-behind-a-note",
		Does:    "The content of a result is a list of two texts: what the loop says of it, and what the tool returned.",
		Sources: []string{handleToolCalls + " (a string, or a list of blocks)"},
		Make:    eachResultInBlocks(func(said string) string { return texts("<system>The tool has run.</system>", said) }),
	},
	Variation{
		Name:    "http/looks-for-models-first",
		Does:    "Before it asks the model, the loop asks which models there are.",
		Sources: []string{"https://platform.claude.com/docs/en/api/models-list"},
		Make: asksFirst(func(task protocol.Task) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, task.BaseURL+"/v1/models", nil)
		}),
	},
	Variation{
		Name:    "tools/typed",
		Does:    "Each tool says that it is one of the caller's.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/helpers/beta/json-schema.ts (type: 'custom')"},
		Make:    eachRawTool(func(r *RawRequest, path string) { r.Set(path+".type", "custom") }),
	},
	Variation{
		Name:    "tools/streamed-eagerly",
		Does:    "Each tool asks that its input is streamed as the model writes it.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/anthropic/src/anthropic-prepare-tools.ts (eager_input_streaming)"},
		Make: eachRawTool(func(r *RawRequest, path string) {
			if r.Get("stream").Bool() {
				r.Set(path+".eager_input_streaming", true)
			}
		}),
	},
	Variation{
		Name:    "tools/with-callers-and-examples",
		Does:    "Each tool says that the model calls it itself, at once, and shows an input.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/tool_param.py (allowed_callers, defer_loading, input_examples)"},
		Make: eachRawTool(func(r *RawRequest, path string) {
			r.SetRaw(path+".allowed_callers", `["direct"]`)
			r.Set(path+".defer_loading", false)
			r.SetRaw(path+".input_examples", `[{}]`)
		}),
	},
	Variation{
		Name:    "turns/answer-as-a-string",
		Does:    "A turn that is nothing but a text goes back as a string.",
		Sources: []string{messagesAPI + " (content is a string or an array)", "https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-anthropic/src/utils/message_inputs.ts (content: message.content)"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if blocks := m.Get("content").Array(); len(blocks) == 1 && isBlock(blocks[0], "text") {
					r.Set(path+".content", blocks[0].Get("text").String())
				}
			})
		}),
	},
)

// mark is what caches everything up to where it stands.
const mark = `{"type":"ephemeral"}`

const promptCaching = "https://platform.claude.com/docs/en/build-with-claude/prompt-caching"

// markEnd marks the last block of a message.
func markEnd(r *RawRequest, path string) {
	if n := len(r.Get(path + ".content").Array()); n > 0 && r.Get(path+".content").IsArray() {
		r.SetRaw(path+".content."+strconv.Itoa(n-1)+".cache_control", mark)
	}
}

// eventName returns the name of an event, "" when it has none.
func eventName(event []byte) string {
	for line := range bytes.Lines(event) {
		if name, found := strings.CutPrefix(string(line), "event:"); found {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// eachResultInBlocks changes the content of every result that is a text.
func eachResultInBlocks(change func(said string) string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.EachBlock("tool_result", func(path string, b gjson.Result) {
			if said := b.Get("content"); said.Type == gjson.String && said.String() != "" {
				r.SetRaw(path+".content", change(said.String()))
			}
		})
	})
}
