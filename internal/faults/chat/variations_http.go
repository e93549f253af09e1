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
		Name:     "http/publisher-of-vertex",
		Does:     "On the OpenAI-compatible path of Vertex AI a model is asked for with its publisher.",
		Sources:  []string{"https://docs.cloud.google.com/vertex-ai/generative-ai/docs/start/openai"},
		Profiles: []string{"vertex-compat"},
		Make:     onVertex("google/gemini-3-"),
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

// onVertex asks Vertex AI for the model of the task with something in front of its name.
func onVertex(name string) func() raw.Mutation {
	return func() raw.Mutation {
		return raw.Mutation{
			Request: func(r *raw.Request) { r.Set("model", name+r.Get("model").String()) },
			Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
				req.URL.Path = strings.Replace(req.URL.Path, "/v1/chat/completions", "/v1/projects/p/locations/global/endpoints/openapi/chat/completions", 1)
				return send(req)
			},
		}
	}
}
