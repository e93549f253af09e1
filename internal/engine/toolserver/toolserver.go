// Package toolserver offers MCP servers: the tools of a run, for agents that take their tools from
// one, and those that the scripts of an application describe.
package toolserver

import (
	"cmp"
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
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
	for _, link := range run.Script().Scenario.Links() {
		server.AddResource(&mcp.Resource{URI: link.URI, Name: link.Name, MIMEType: "text/plain"}, linked(link))
	}
	if run.ToolsChange(func(gone []string, now []protocol.Tool) {
		server.RemoveTools(gone...)
		list(now)
	}) {
		closing(server, run.AfterEnd)
	}
	return served(server, mcp.StreamableHTTPOptions{Stateless: !run.Script().Scenario.ChangesTools(), JSONResponse: true})
}

// linked returns what reads the resource to which a result links.
func linked(link scenarios.Link) mcp.ResourceHandler {
	return func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: link.URI, MIMEType: "text/plain", Text: link.Text}}}, nil
	}
}

// served returns the handler of a server.
func served(server *mcp.Server, o mcp.StreamableHTTPOptions) http.Handler {
	o.DisableLocalhostProtection = true // the guard of the provider checks the host, and knows those of containers
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &o)
}

// closing ends the sessions of a server when something has ended.
func closing(server *mcp.Server, afterEnd func(func())) {
	afterEnd(func() {
		for session := range server.Sessions() {
			session.Close()
		}
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
