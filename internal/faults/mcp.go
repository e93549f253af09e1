package faults

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

// mcpResult is what a tool of a server of MCP returned.
type mcpResult struct {
	Content []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Data     string `json:"data"`
		MIMEType string `json:"mimeType"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

// texts returns the texts of the blocks.
func (r mcpResult) texts() (all []string) {
	for _, b := range r.Content {
		if b.Type == "text" {
			all = append(all, b.Text)
		}
	}
	return all
}

// besides returns the texts that say something else than the structured content does.
func (r mcpResult) besides() (all []string) {
	var content any
	json.Unmarshal(r.Structured, &content)
	for _, text := range r.texts() {
		var same any
		if json.Unmarshal([]byte(text), &same) != nil || len(r.Structured) == 0 || !reflect.DeepEqual(same, content) {
			all = append(all, text)
		}
	}
	return all
}

// overMCP is a loop that takes its tools from the server of MCP of the task, and makes a text of
// what it returns. Beside an image it sends the text in the result of the call.
func overMCP(read func(mcpResult) []string) func() Mutation {
	return overMCPWith(read, mcpResult.image)
}

// overMCPWith is [overMCP] for a loop that chooses which image of a result is sent.
func overMCPWith(read func(mcpResult) []string, show func(mcpResult) (data, mediaType string)) func() Mutation {
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
				eachPart(r, func(x *neutral.Result) {
					if text := beside[cmp.Or(x.CallID, x.Name)]; text != "" && (x.Image != nil || x.Text == "(an image)") {
						x.Text = text
					}
				})
			},
		}
	}
}

// image returns the image of a result, "" for none.
func (r mcpResult) image() (data, mediaType string) {
	for _, b := range r.Content {
		if decoded, err := base64.StdEncoding.DecodeString(b.Data); b.Type == "image" && err == nil {
			return string(decoded), b.MIMEType
		}
	}
	return "", ""
}

// imageAlone returns the image of a result that has no text.
func (r mcpResult) imageAlone() (data, mediaType string) {
	if len(r.texts()) > 0 {
		return "", ""
	}
	return r.image()
}

// callMCP calls the tool of the server. It returns false for a tool that MCP cannot have, such as
// one that takes a free text.
func (r *ToolRun) callMCP() (result mcpResult, ok bool) {
	base, _, _ := strings.Cut(r.URL, "/tools/")
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": r.Name, "arguments": json.RawMessage(r.Arguments), "_meta": map[string]any{protocol.CallIDHeader: r.CallID},
	}})
	if err != nil {
		return result, false
	}
	req, err := http.NewRequestWithContext(r.ctx, http.MethodPost, base+"/mcp", bytes.NewReader(body))
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
		Result *mcpResult `json:"result"`
	}
	if err != nil || resp.StatusCode != http.StatusOK || json.Unmarshal(data, &answer) != nil || answer.Result == nil {
		return result, false
	}
	return *answer.Result, true
}

// structuredText returns the structured content as a list of one text, or none.
func (r mcpResult) structuredText() []string {
	if len(r.Structured) == 0 {
		return nil
	}
	return []string{string(r.Structured)}
}

// said returns all that a result says.
func (r mcpResult) said() []string { return append(r.texts(), r.structuredText()...) }

var mcpFaults = []Fault{
	{
		Name:   "execution/reads-images-alone",
		Does:   "Of a result of a server of MCP that has an image, the model sees no text.",
		Breaks: []string{"execution/every-block-reaches-the-model"},
		Make: overMCP(func(r mcpResult) []string {
			if data, _ := r.image(); data != "" {
				return nil
			}
			return r.said()
		}),
	},
	{
		Name:    "execution/reads-the-first-block",
		Does:    "Of a result of a server of MCP the model sees the first block.",
		Reports: []string{"https://github.com/openJiuwen-ai/agent-core/issues/290", "https://github.com/anthropics/claude-code/issues/79944"},
		Breaks:  []string{"execution/every-block-reaches-the-model"},
		Make:    overMCP(func(r mcpResult) []string { return append(r.besides(), append(r.structuredText(), "")...)[:1] }),
	},
	{
		Name:    "execution/reads-no-structured-content",
		Does:    "Of a result of a server of MCP the model sees the texts, also where there are none.",
		Reports: []string{"https://github.com/MoonshotAI/kimi-code/issues/2554"},
		Breaks:  []string{"execution/every-block-reaches-the-model"},
		Make:    overMCP(mcpResult.texts),
	},
}

var imagesOfMCP = []Fault{
	{
		Name:    "images/dropped-beside-a-text",
		Does:    "Of a result of a server of MCP that has a text, the model sees no image.",
		Reports: []string{"https://github.com/openJiuwen-ai/agent-core/issues/290"},
		Breaks:  []string{"images/reach-the-model"},
		Make:    overMCPWith(mcpResult.said, mcpResult.imageAlone),
	},
}

var variationsOfMCP = []Variation{
	{
		Name:    "results/of-mcp-whole",
		Does:    "Tools are taken from the server of MCP, and all of a result is sent, also what it says twice.",
		Sources: []string{"https://github.com/anthropics/claude-code/issues/89630 (what loops do with both: pi sends them)"},
		Make:    overMCP(mcpResult.said),
	},
	{
		Name:    "results/of-mcp-without-repetition",
		Does:    "Tools are taken from the server of MCP, and a text that is the same as the structured content is left out.",
		Sources: []string{"https://modelcontextprotocol.io/specification/2025-06-18/server/tools#structured-content (the text is for clients that know no structured content)"},
		Make:    overMCP(func(r mcpResult) []string { return append(r.structuredText(), r.besides()...) }),
	},
	{
		Name:    "results/of-mcp-structured-first",
		Does:    "Tools are taken from the server of MCP; of a result with structured content nothing else is sent.",
		Sources: []string{"https://github.com/anthropics/claude-code/issues/89630"},
		Shoulds: []string{"execution/every-block-reaches-the-model"},
		Why:     "MCP wants the texts to say the same; where they say something else, it is lost.",
		Make: overMCP(func(r mcpResult) []string {
			if len(r.Structured) > 0 {
				return r.structuredText()
			}
			return r.texts()
		}),
	},
	{
		Name:    "results/of-mcp-texts-first",
		Does:    "Tools are taken from the server of MCP; structured content is sent where a result has no text.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-code/issues/2554"},
		Shoulds: []string{"execution/every-block-reaches-the-model"},
		Why:     "MCP wants the texts to say the same; where they say something else, the rest is lost.",
		Make: overMCP(func(r mcpResult) []string {
			if texts := r.texts(); len(texts) > 0 {
				return texts
			}
			return r.structuredText()
		}),
	},
}
