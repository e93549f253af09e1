// Package mcpservers plays the MCP servers that scripts describe, over streamable HTTP. It is a
// separate package, so that programs that do not need it do not link an SDK of MCP:
//
//	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts, MCPServers: mcpservers.Play})
package mcpservers

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/opaque"
	"github.com/loopproof/loopproof/mockprovider"
)

// Play returns what serves an MCP server, for [mockprovider.Config].
func Play(s mockprovider.MCPServer) http.Handler { return toolserver.ForScript(opaque.Open(s)) }
