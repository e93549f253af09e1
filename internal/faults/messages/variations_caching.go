package messages

import (
	"strconv"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInCaching = []raw.Variation{
	{
		Name:    "caching/system",
		Does:    "The system prompt is a list of one block, which is cached.",
		Sources: []string{promptCaching, "https://github.com/spring-projects/spring-ai/blob/main/models/spring-ai-anthropic/src/main/java/org/springframework/ai/anthropic/AnthropicChatModel.java (cacheControl)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", raw.SetRaw(raw.Texts(system.String()), "0.cache_control", mark))
			}
		}),
	},
	{
		Name:    "caching/end-and-tools",
		Does:    "The last block of the last message, and the last tool, are cached; both move on.",
		Sources: []string{promptCaching, "https://github.com/charmbracelet/fantasy/blob/main/providers/anthropic/anthropic.go (NewCacheControlEphemeralParam)"},
		Make: raw.OnRequest(func(r *raw.Request) {
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
		Make: raw.OnRequest(func(r *raw.Request) {
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
		// Vertex AI and Amazon Bedrock refuse the key.
		Profiles: []string{"anthropic{,-[!vb]*}"},
		Make:     raw.OnRequest(func(r *raw.Request) { r.SetRaw("cache_control", mark) }),
	},
	{
		Name:    "caching/for-an-hour",
		Does:    "The mark at the system prompt says that it is to be kept for an hour, and that at the end for less.",
		Sources: []string{promptCaching + " (ttl)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/cache_control_ephemeral_param.py (ttl)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", raw.SetRaw(raw.Texts(system.String()), "0.cache_control", `{"type":"ephemeral","ttl":"1h"}`))
			}
			last := "messages." + strconv.Itoa(len(r.Get("messages").Array())-1)
			if n := len(r.Get(last + ".content").Array()); n > 0 {
				r.SetRaw(last+".content."+strconv.Itoa(n-1)+".cache_control", `{"type":"ephemeral","ttl":"5m"}`)
			}
		}),
	},
}
