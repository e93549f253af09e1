package hooks

import (
	"cmp"
	"net/http"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// MCPResult is what a tool of a server of MCP returned.
type MCPResult = refloop.MCPResult

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

// callMCP calls the tool of the server. It returns false for a tool that MCP cannot have, such as
// one that takes a free text.
func (r *ToolRun) callMCP() (result MCPResult, ok bool) {
	base, _, _ := strings.Cut(r.URL, "/tools/")
	client := refloop.MCPClient{URL: base + "/mcp", HTTP: &http.Client{Transport: r.world}}
	result, err := client.Call(r.Context, r.Name, r.Arguments, r.CallID)
	return result, err == nil
}

// ReadsMCP is a loop that takes its tools from the server of MCP of the task, and reads what they
// return in its own way.
func ReadsMCP(read func(MCPResult, *neutral.Result)) func() Mutation {
	return OnLoop(func(l *refloop.Loop) { l.ReadMCP = read })
}
