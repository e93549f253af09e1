package refloop

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/loopproof/loopproof/protocol"
)

// chatHistory is a conversation over Chat Completions.
type chatHistory struct {
	task     protocol.Task
	messages []message
}

func newChatHistory(task protocol.Task) *chatHistory {
	h := &chatHistory{task: task}
	if task.System != "" {
		h.messages = append(h.messages, message{Role: "system", Content: text(task.System)})
	}
	return h
}

func (h *chatHistory) user(prompt string) {
	h.messages = append(h.messages, message{Role: "user", Content: text(prompt)})
}

func (h *chatHistory) turn(t *turn) {
	echo := t.message(policyFor(h.task.Profile))
	if readsArguments(h.task.Profile) {
		echo.ToolCalls = mended(echo.ToolCalls)
	}
	h.messages = append(h.messages, echo)
}

func (h *chatHistory) results(results []result) {
	inResults := takesPictures(h.task.Profile)
	for _, r := range results {
		said := text(r.text)
		if r.picture != nil && inResults {
			said = &content{parts: []contentPart{r.picture.part()}}
		}
		h.messages = append(h.messages, message{Role: "tool", ToolCallID: r.call.ID, Content: said})
	}
	if shown := showPictures(results); shown != nil && !inResults {
		h.messages = append(h.messages, *shown)
	}
}

func (h *chatHistory) request() ([]byte, error) {
	r := request{Model: h.task.Model, Messages: h.messages, Stream: h.task.Stream}
	if h.task.Stream {
		r.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	for _, t := range h.task.Tools {
		r.Tools = append(r.Tools, tool{Type: "function", Function: functionDef{Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
	}
	return encode(r)
}

// encode writes a request as JSON without escapes that nobody asked for.
func encode(request any) ([]byte, error) {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	err := e.Encode(request)
	return body.Bytes(), err
}

func (h *chatHistory) path() string { return "/chat/completions" }

// beginAgain is false: the whole history goes with every request.
func (h *chatHistory) beginAgain(*failure) bool { return false }

func (h *chatHistory) sign(header http.Header) {
	header.Set("Authorization", "Bearer "+h.task.APIKey)
}
