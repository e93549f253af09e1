package chat

import (
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInCaching = []raw.Variation{
	{
		Name:     "caching/through-a-router",
		Does:     "The system prompt and what the user said first are lists of one part, which are cached.",
		Sources:  []string{"https://openrouter.ai/docs/client-sdks/typescript/models/anthropiccachecontroldirective", "https://github.com/Aider-AI/aider/blob/main/aider/coders/chat_chunks.py (add_cache_control)"},
		Profiles: []string{"openrouter"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, m := range r.Get("messages").Array()[:min(2, len(r.Messages()))] {
				if m.Get("role").String() != "assistant" && m.Get("content").Type == gjson.String {
					r.SetRaw("messages."+strconv.Itoa(i)+".content", raw.SetRaw(raw.Texts(m.Get("content").String()), "0.cache_control", mark))
				}
			}
		}),
	},
	{
		Name:     "caching/up-to-a-breakpoint",
		Does:     "The system prompt is a list of one part, up to which the provider is asked to cache.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (prompt_cache_breakpoint)", "https://developers.openai.com/api/docs/guides/prompt-caching"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("system", func(path string, m gjson.Result) {
				r.SetRaw(path+".content", raw.SetRaw(raw.Texts(m.Get("content").String()), "0.prompt_cache_breakpoint", `{"mode":"explicit"}`))
			})
		}),
	},
}
