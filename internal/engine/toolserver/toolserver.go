// Package toolserver offers the tools of a run as an MCP server, for agents that take their tools
// from one.
package toolserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// serverName is what the server calls itself. Agents name it in their configuration, and many put
// it before the names of the tools.
const serverName = "loopproof"

// ForRun returns the handler of a run, for [engine.Config.ToolServer]. It has no sessions: an agent
// may connect as often as it likes, and nothing is held open after the end of the run. Only where the
// list of the tools changes there are sessions, by which clients are told of it, until the run ends.
func ForRun(run *engine.Run) http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: serverName, Version: loopproof.Version}, nil)
	list := func(tools []protocol.Tool) {
		for _, t := range tools {
			if !t.FreeText { // MCP has no tools without parameters
				server.AddTool(&mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.Parameters}, caller(run))
			}
		}
	}
	list(run.Tools())
	if run.ToolsChange(func(gone []string, now []protocol.Tool) {
		server.RemoveTools(gone...)
		list(now)
	}) {
		run.AfterEnd(func() {
			for session := range server.Sessions() {
				session.Close()
			}
		})
	}
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: !run.Script().Scenario.ChangesTools(), JSONResponse: true,
		DisableLocalhostProtection: true, // the guard of the provider checks the host, and knows those of containers
	})
}

// caller returns the handler of all tools of a run.
func caller(run *engine.Run) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		e, _, ok := run.CallTool(ctx, engine.ToolCall{
			Tool:      req.Params.Name,
			ID:        callID(req.Params.Meta),
			Arguments: cmp.Or(string(req.Params.Arguments), "{}"), // they may be left out where there are none
			Several:   true,
		})
		if !ok {
			return nil, context.Canceled
		}
		return resultOf(e), nil
	}
}

// resultOf writes what a tool returned: its texts, its image, its resources and its files, and the
// structured content beside them.
func resultOf(e trace.Execution) *mcp.CallToolResult {
	result := &mcp.CallToolResult{Content: []mcp.Content{}, IsError: e.Failed}
	texts := []string{e.Result}
	switch {
	case e.Blocks != nil:
		texts = e.Blocks.Texts
		if e.Blocks.Structured != "" {
			result.StructuredContent = json.RawMessage(e.Blocks.Structured)
		}
	case e.Image != nil:
		texts = nil
	}
	for _, text := range texts {
		result.Content = append(result.Content, &mcp.TextContent{Text: text})
	}
	if e.Image != nil {
		result.Content = append(result.Content, &mcp.ImageContent{Data: e.Image.Data, MIMEType: e.Image.MediaType})
	}
	if e.Blocks != nil {
		result.Content = append(result.Content, inBlocks(e.Blocks)...)
	}
	return result
}

// inBlocks writes the resources and the files of a result.
func inBlocks(b *trace.Blocks) (all []mcp.Content) {
	for i, text := range b.Resources {
		all = append(all, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: fmt.Sprintf("loopproof://notes/%d", i+1), MIMEType: "text/plain", Text: text}})
	}
	for i, m := range b.Media {
		if strings.HasPrefix(m.MediaType, "audio/") {
			all = append(all, &mcp.AudioContent{Data: m.Data, MIMEType: m.MediaType})
			continue
		}
		all = append(all, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: fmt.Sprintf("loopproof://files/%d.pdf", i+1), MIMEType: m.MediaType, Blob: m.Data}})
	}
	return all
}

// callIDs are the names under which agents tell the id of the model's call to a tool.
var callIDs = []string{protocol.CallIDHeader, "claudecode/toolUseId"}

func callID(meta mcp.Meta) string {
	for _, name := range callIDs {
		if id, ok := meta[name].(string); ok {
			return id
		}
	}
	return ""
}
