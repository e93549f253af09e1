package hooks

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// MCPResult is what a tool of a server of MCP returned.
type MCPResult struct {
	Content []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Data     string `json:"data"`
		MIMEType string `json:"mimeType"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

// Texts returns the texts of the blocks.
func (r MCPResult) Texts() (all []string) {
	for _, b := range r.Content {
		if b.Type == "text" {
			all = append(all, b.Text)
		}
	}
	return all
}

// Besides returns the texts that say something else than the structured content does.
func (r MCPResult) Besides() (all []string) {
	var content any
	json.Unmarshal(r.Structured, &content)
	for _, text := range r.Texts() {
		var same any
		if json.Unmarshal([]byte(text), &same) != nil || len(r.Structured) == 0 || !reflect.DeepEqual(same, content) {
			all = append(all, text)
		}
	}
	return all
}

// OverMCP is a loop that takes its tools from the server of MCP of the task, and makes a text of
// what it returns. Beside an image it sends the text in the result of the call.
func OverMCP(read func(MCPResult) []string) func() Mutation {
	return OverMCPWith(read, MCPResult.Image)
}

// OverMCPWith is [OverMCP] for a loop that chooses which image of a result is sent.
func OverMCPWith(read func(MCPResult) []string, show func(MCPResult) (data, mediaType string)) func() Mutation {
	return func() Mutation {
		var mu sync.Mutex
		beside := map[string]string{} // what is said beside an image, by the id of the call, or its tool where it has none
		return Mutation{
			Tool: func(t *ToolRun, byURL func(*ToolRun) ToolResult) ToolResult {
				result, ok := t.callMCP()
				if !ok {
					return byURL(t)
				}
				said := ToolResult{Status: http.StatusOK, Body: strings.Join(read(result), "\n\n")}
				if result.IsError {
					said.Status = http.StatusInternalServerError
				}
				data, mediaType := show(result)
				if data == "" {
					return said
				}
				mu.Lock()
				defer mu.Unlock()
				beside[cmp.Or(t.CallID, t.Name)] = said.Body
				return ToolResult{Status: http.StatusOK, Type: mediaType, Body: data}
			},
			Request: func(r *Request) {
				mu.Lock()
				defer mu.Unlock()
				EachPart(r, func(x *neutral.Result) {
					if text := beside[cmp.Or(x.CallID, x.Name)]; text != "" && (x.Image != nil || x.Text == "(an image)") {
						x.Text = text
					}
				})
			},
		}
	}
}

// Image returns the image of a result, "" for none.
func (r MCPResult) Image() (data, mediaType string) {
	for _, b := range r.Content {
		if decoded, err := base64.StdEncoding.DecodeString(b.Data); b.Type == "image" && err == nil {
			return string(decoded), b.MIMEType
		}
	}
	return "", ""
}

// ImageAlone returns the image of a result that has no text.
func (r MCPResult) ImageAlone() (data, mediaType string) {
	if len(r.Texts()) > 0 {
		return "", ""
	}
	return r.Image()
}

// callMCP calls the tool of the server. It returns false for a tool that MCP cannot have, such as
// one that takes a free text.
func (r *ToolRun) callMCP() (result MCPResult, ok bool) {
	base, _, _ := strings.Cut(r.URL, "/tools/")
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": r.Name, "arguments": json.RawMessage(r.Arguments), "_meta": map[string]any{protocol.CallIDHeader: r.CallID},
	}})
	if err != nil {
		return result, false
	}
	req, err := http.NewRequestWithContext(r.Context, http.MethodPost, base+"/mcp", bytes.NewReader(body))
	if err != nil {
		return result, false
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := (&http.Client{Transport: r.world}).Do(req)
	if err != nil {
		return result, false
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	var answer struct {
		Result *MCPResult `json:"result"`
	}
	if err != nil || resp.StatusCode != http.StatusOK || json.Unmarshal(data, &answer) != nil || answer.Result == nil {
		return result, false
	}
	return *answer.Result, true
}

// StructuredText returns the structured content as a list of one text, or none.
func (r MCPResult) StructuredText() []string {
	if len(r.Structured) == 0 {
		return nil
	}
	return []string{string(r.Structured)}
}

// Said returns all that a result says.
func (r MCPResult) Said() []string { return append(r.Texts(), r.StructuredText()...) }
