package testadapters

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Agent is a small agent that speaks the first dialect of the reference loop, with the command line
// BASE_URL MCP PROMPT: it has tools of its own, takes others from an MCP server, a URL or a
// command, asks the model for a title first, and prints its answer. With FORGETS_RESULTS, it
// answers every call by an empty text. SYSTEM is its system prompt. With CONTEXT_LIMIT, it
// keeps its requests below so many tokens.
func Agent(args []string) {
	if args[0] == "--version" {
		fmt.Println("small agent v1.2 (a test)")
		return
	}
	baseURL, server, prompt := args[0], args[1], args[2]
	session, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).Connect(context.Background(), transportTo(server), nil)
	must(err)
	defer session.Close()
	offered, err := session.ListTools(context.Background(), nil)
	must(err)
	spoken := (refloop.Loop{}).Dialects()[0]
	task := protocol.Task{
		Dialect: spoken, BaseURL: baseURL, APIKey: "none", Model: "agent-model", System: os.Getenv("SYSTEM"), Prompts: []string{prompt}, MaxTurns: 20,
		Tools: []protocol.Tool{{Name: "get_weather", Description: "One of its own.", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}},
	}
	if limit := os.Getenv("CONTEXT_LIMIT"); limit != "" {
		task.ContextLimit, err = strconv.Atoi(limit)
		must(err)
	}
	for _, tool := range offered.Tools {
		schema, err := json.Marshal(tool.InputSchema)
		must(err)
		task.Tools = append(task.Tools, protocol.Tool{Name: "mcp__loopproof__" + tool.Name, Description: tool.Description, Parameters: schema, URL: "http://mcp/" + tool.Name})
	}
	title := protocol.Task{Dialect: spoken, BaseURL: baseURL, APIKey: "none", Model: "agent-model", Prompts: []string{"Name this: " + prompt}, MaxTurns: 1}
	if named := (refloop.Loop{}).Run(context.Background(), title); named.Text != "A title" {
		fmt.Fprintln(os.Stderr, "no title:", named)
		os.Exit(1)
	}
	outcome := refloop.Loop{Client: &http.Client{Transport: mcpTools{session}}}.Run(context.Background(), task)
	json.NewEncoder(os.Stdout).Encode(map[string]any{"type": "result", "text": outcome.Text, "failed": outcome.Status != protocol.Completed, "message": outcome.Error})
}

// transportTo returns the way to an MCP server: a URL, or a command and its arguments.
func transportTo(server string) mcp.Transport {
	if strings.HasPrefix(server, "http") {
		return &mcp.StreamableClientTransport{Endpoint: server}
	}
	words := strings.Fields(server)
	return &mcp.CommandTransport{Command: exec.Command(words[0], words[1:]...)}
}

// mcpTools sends the calls of tools to an MCP server, and all else to its URL.
type mcpTools struct{ session *mcp.ClientSession }

func (t mcpTools) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host != "mcp" {
		return http.DefaultTransport.RoundTrip(req)
	}
	arguments, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	result, err := t.session.CallTool(req.Context(), &mcp.CallToolParams{
		Name: path.Base(req.URL.Path), Arguments: json.RawMessage(arguments), Meta: mcp.Meta{protocol.CallIDHeader: req.Header.Get(protocol.CallIDHeader)},
	})
	if err != nil {
		return nil, err
	}
	text, status := textOf(result), http.StatusOK
	if result.IsError {
		status = http.StatusInternalServerError
	}
	if os.Getenv("FORGETS_RESULTS") != "" {
		text = ""
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(text))), Request: req}, nil
}

// textOf returns what a result says, as the reference loop reads it.
func textOf(result *mcp.CallToolResult) string {
	written, err := json.Marshal(result)
	must(err)
	var read refloop.MCPResult
	must(json.Unmarshal(written, &read))
	var said neutral.Result
	refloop.ReadMCP(read, &said)
	return said.Text
}

// must ends the program if something failed that a test relies on.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "testadapters:", err)
		os.Exit(99)
	}
}
