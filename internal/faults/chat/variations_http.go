package chat

import (
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/protocol"
)

var variationsInHTTP = []raw.Variation{
	{
		Name:    "http/whose-account",
		Does:    "A request names the organization and the project that pay for it.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/_client.py (OpenAI-Organization, OpenAI-Project)"},
		Make:    raw.OnSend(raw.Headers("OpenAI-Organization", "org-ada", "OpenAI-Project", "proj_ada")),
	},
	{
		Name:    "http/which-application",
		Does:    "A request names the application that sends it, for the router's statistics.",
		Sources: []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-openrouter/src/chat_models/index.ts (HTTP-Referer)"},
		Make:    raw.OnSend(raw.Headers("HTTP-Referer", "https://ada.example", "X-Title", "Ada")),
	},
	{
		Name:     "http/key-of-azure",
		Does:     "The key is in the header api-key.",
		Sources:  []string{"https://github.com/openai/openai-python/blob/main/src/openai/lib/azure.py (api-key)"},
		Profiles: []string{"azure"},
		Make: raw.OnSend(func(req *http.Request) {
			req.Header.Set("Api-Key", strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer "))
			req.Header.Del("Authorization")
		}),
	},
	{
		Name:     "http/deployment-of-azure",
		Does:     "A request goes to a deployment, with the version of the API in the query.",
		Sources:  []string{"https://github.com/openai/openai-python/blob/main/src/openai/lib/azure.py (api-version)"},
		Profiles: []string{"azure"},
		Make:     raw.OnSend(toDeployment("api-version=2024-10-21")),
	},
	{
		Name:    "http/looks-for-models",
		Does:    "Before it asks the model, the loop asks which models there are.",
		Sources: []string{"https://platform.openai.com/docs/api-reference/models/list", "https://platform.claude.com/docs/en/api/models-list"},
		Make: raw.AsksFirst(func(task protocol.Task) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, task.BaseURL+"/models", nil)
		}),
	},
}

// toDeployment sends a request to a deployment of Azure, with a query.
func toDeployment(query string) func(*http.Request) {
	return func(req *http.Request) {
		req.URL.Path = strings.Replace(req.URL.Path, "/v1/chat/completions", "/openai/deployments/loopproof/chat/completions", 1)
		req.URL.RawQuery = query
	}
}
