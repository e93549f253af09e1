package faults

import (
	"strconv"

	"github.com/tidwall/gjson"
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

var variationsInCaching = []Variation{
	{
		Name:    "caching/system",
		Does:    "The system prompt is a list of one block, which is cached.",
		Sources: []string{promptCaching, "https://github.com/spring-projects/spring-ai/blob/main/models/spring-ai-anthropic/src/main/java/org/springframework/ai/anthropic/AnthropicChatModel.java (cacheControl)"},
		Dialect: inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", setRaw(texts(system.String()), "0.cache_control", mark))
			}
		}),
	},
	{
		Name:    "caching/end-and-tools",
		Does:    "The last block of the last message, and the last tool, are cached; both move on.",
		Sources: []string{promptCaching, "https://github.com/charmbracelet/fantasy/blob/main/providers/anthropic/anthropic.go (NewCacheControlEphemeralParam)"},
		Dialect: inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			if n := len(r.Get("tools").Array()); n > 0 {
				r.SetRaw("tools."+strconv.Itoa(n-1)+".cache_control", mark)
			}
			markEnd(r, "messages."+strconv.Itoa(len(r.Get("messages").Array())-1))
		}),
	},
	{
		Name:    "caching/last-two",
		Does:    "The last two messages are cached, so that a request finds what the one before it wrote.",
		Sources: []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (Than add cache control to the last 2 messages.)", "https://github.com/microsoft/vscode/pull/315505"},
		Dialect: inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			n := len(r.Messages())
			for i := max(0, n-2); i < n; i++ {
				markEnd(r, "messages."+strconv.Itoa(i))
			}
		}),
	},
	{
		Name:    "caching/by-one-key",
		Does:    "A request asks by one key that the provider marks what is worth it.",
		Sources: []string{"https://github.com/0xPlaygrounds/rig/blob/main/crates/rig-core/src/providers/anthropic/completion.rs (cache_control)"},
		Dialect: inBlocks,
		Make:    onRawRequest(func(r *RawRequest) { r.SetRaw("cache_control", mark) }),
	},
	{
		Name:    "caching/for-an-hour",
		Does:    "The mark at the system prompt says that it is to be kept for an hour, and that at the end for less.",
		Sources: []string{promptCaching + " (ttl)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/cache_control_ephemeral_param.py (ttl)"},
		Dialect: inBlocks,
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
	{
		Name:     "caching/through-a-router",
		Does:     "The system prompt and what the user said first are lists of one part, which are cached.",
		Sources:  []string{"https://openrouter.ai/docs/client-sdks/typescript/models/anthropiccachecontroldirective", "https://github.com/Aider-AI/aider/blob/main/aider/coders/chat_chunks.py (add_cache_control)"},
		Profiles: []string{"openrouter"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			for i, m := range r.Get("messages").Array()[:min(2, len(r.Messages()))] {
				if m.Get("role").String() != "assistant" && m.Get("content").Type == gjson.String {
					r.SetRaw("messages."+strconv.Itoa(i)+".content", setRaw(texts(m.Get("content").String()), "0.cache_control", mark))
				}
			}
		}),
	},
	{
		Name:     "caching/up-to-a-breakpoint",
		Does:     "The system prompt is a list of one part, up to which the provider is asked to cache.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (prompt_cache_breakpoint)", "https://developers.openai.com/api/docs/guides/prompt-caching"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, m gjson.Result) {
				r.SetRaw(path+".content", setRaw(texts(m.Get("content").String()), "0.prompt_cache_breakpoint", `{"mode":"explicit"}`))
			})
		}),
	},
}
