package chat

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInTools = []raw.Variation{
	{
		Name:     "tools/of-the-provider",
		Does:     "Besides the tools of the task the provider's own search is offered.",
		Sources:  []string{"https://console.groq.com/docs/browser-search", "https://docs.z.ai/guides/tools/web-search", "https://openrouter.ai/docs/guides/features/server-tools", "https://platform.moonshot.ai/docs/guide/use-web-search"},
		Profiles: []string{"groq", "zai", "openrouter", "moonshot"},
		Make: raw.OnRequest(func(r *raw.Request) {
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
}
