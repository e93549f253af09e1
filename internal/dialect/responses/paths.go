package responses

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/wire"
)

// paths are those of OpenAI's API, and of Azure's. Responses and conversations are kept below them:
// https://platform.openai.com/docs/api-reference/responses and
// https://platform.openai.com/docs/api-reference/conversations
var paths = wire.Paths{
	Turns:    []string{"/v1/responses", "/openai/v1/responses", "/openai/responses"},
	Counts:   []string{"/v1/responses/input_tokens"},
	Realtime: []string{"/v1/realtime", "/openai/v1/realtime"},
	Kept: []wire.KeptPath{
		{Method: http.MethodPost, Path: "/v1/responses/compact", Answer: compacted, Free: true},
		{Method: http.MethodGet, Path: "/v1/responses/{id}", Answer: retrieved},
		{Method: http.MethodDelete, Path: "/v1/responses/{id}", Answer: deleted},
		{Method: http.MethodGet, Path: "/v1/responses/{id}/input_items", Answer: inputItems},
		{Method: http.MethodPost, Path: "/v1/responses/{id}/cancel", Answer: cancelled},

		{Method: http.MethodPost, Path: "/v1/conversations", Answer: createConversation, Creates: "conv_"},
		{Method: http.MethodGet, Path: "/v1/conversations/{id}", Answer: conversation, Unknown: wire.HistoryNoConversation},
		{Method: http.MethodPost, Path: "/v1/conversations/{id}", Answer: updateConversation, Unknown: wire.HistoryNoConversation},
		{Method: http.MethodDelete, Path: "/v1/conversations/{id}", Answer: deleteConversation, Unknown: wire.HistoryNoConversation},
		{Method: http.MethodGet, Path: "/v1/conversations/{id}/items", Answer: conversationItems, Unknown: wire.HistoryNoConversation},
		{Method: http.MethodPost, Path: "/v1/conversations/{id}/items", Answer: addItems, Unknown: wire.HistoryNoConversation},
		{Method: http.MethodGet, Path: "/v1/conversations/{id}/items/{item}", Answer: conversationItem, Unknown: wire.HistoryNoConversation},
		{Method: http.MethodDelete, Path: "/v1/conversations/{id}/items/{item}", Answer: deleteItem, Unknown: wire.HistoryNoConversation},
	},
}
