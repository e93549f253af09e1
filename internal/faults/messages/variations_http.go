package messages

import (
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/protocol"
)

var variationsInHTTP = []raw.Variation{
	{
		Name:    "http/newest-version",
		Does:    "A request names the newest version of the API.",
		Sources: []string{"https://platform.claude.com/docs/en/api/versioning (2026-10-21)"},
		Make:    raw.OnSend(raw.Headers("Anthropic-Version", "2026-10-21")),
	},
	{
		Name:    "http/beta-headers",
		Does:    "A request asks for beta features.",
		Sources: []string{"https://platform.claude.com/docs/en/api/beta-headers", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/resources/beta/messages/messages.py (anthropic-beta)"},
		Make:    raw.OnSend(raw.Headers("Anthropic-Beta", "interleaved-thinking-2025-05-14,token-efficient-tools-2025-02-19")),
	},
	{
		Name:    "http/bearer",
		Does:    "The key is a bearer token.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/client.ts (Authorization: `Bearer ${this.authToken}`)"},
		Make: raw.OnSend(func(req *http.Request) {
			req.Header.Set("Authorization", "Bearer "+req.Header.Get("X-Api-Key"))
			req.Header.Del("X-Api-Key")
		}),
	},
	{
		Name:    "http/from-a-browser",
		Does:    "A request comes from a web page of this machine, and says that this is meant.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/client.ts (anthropic-dangerous-direct-browser-access)"},
		Make:    raw.OnSend(raw.Headers("Anthropic-Dangerous-Direct-Browser-Access", "true", "Origin", "http://localhost:5173", "Sec-Fetch-Mode", "cors")),
	},
	{
		Name:    "http/counts-first",
		Does:    "Before it asks the model, the loop has the tokens of what the user said counted.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/token-counting"},
		Make: raw.AsksFirst(func(task protocol.Task) (*http.Request, error) {
			body := raw.Set(`{"model":"loopproof","messages":[{"role":"user"}]}`, "messages.0.content", task.Prompts[0])
			return http.NewRequest(http.MethodPost, task.BaseURL+"/v1/messages/count_tokens", strings.NewReader(body))
		}),
	},
	{
		Name:    "http/looks-for-models-first",
		Does:    "Before it asks the model, the loop asks which models there are.",
		Sources: []string{"https://platform.claude.com/docs/en/api/models-list"},
		Make: raw.AsksFirst(func(task protocol.Task) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, task.BaseURL+"/v1/models", nil)
		}),
	},
}
