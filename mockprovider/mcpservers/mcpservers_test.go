package mcpservers_test

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/mockprovider/mcpservers"
	"github.com/loopproof/loopproof/scenarios"
)

// An MCP server that a script describes.
func ExamplePlay() {
	scripts, err := scenarios.Load(os.DirFS("../../examples/application/mcp"))
	if err != nil {
		panic(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts, MCPServers: mcpservers.Play})
	defer srv.Close()
	ctx, client := context.Background(), mcp.NewClient(&mcp.Implementation{Name: "example"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: srv.URL + "/mcp/notes"}, nil)
	if err != nil {
		panic(err)
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "find_notes", Arguments: map[string]any{"word": "Oslo"}})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Content[0].(*mcp.TextContent).Text)
	// Output: One note about Oslo.
}
