package toolserver_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// startNotes starts a server with the MCP server of the example.
func startNotes(t *testing.T) *engine.Server {
	t.Helper()
	all, err := scenarios.Load(os.DirFS("../../../examples/application/mcp"), scenarios.Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.NewServer(engine.Config{Scenarios: all, MCPServers: toolserver.ForScript})
	t.Cleanup(srv.Close)
	return srv
}

// connectNotes connects a client, whose user is called Ann and answers every question.
func connectNotes(t *testing.T, url string, told func(what string)) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			told(r.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ann"}}, nil
		},
		ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { told("tools changed") },
		ResourceListChangedHandler:  func(context.Context, *mcp.ResourceListChangedRequest) { told("resources changed") },
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { told("progress") },
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func call(t *testing.T, s *mcp.ClientSession, tool, arguments string) *mcp.CallToolResult {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func said(r *mcp.CallToolResult) string {
	if len(r.Content) == 0 {
		return ""
	}
	text, _ := r.Content[0].(*mcp.TextContent)
	return text.Text
}

func TestServerOfAScript(t *testing.T) {
	srv, tells := startNotes(t), make(chan string, 20)
	s := connectNotes(t, srv.URL+"/mcp/notes", func(what string) { tells <- what })
	for _, c := range []struct{ tool, arguments, says string }{
		{"find_notes", `{"word":"Oslo"}`, "One note about Oslo."},
		{"find_notes", `{"word":"secret"}`, "You may not read this."},
		{"find_notes", `{"wort":"x"}`, "the arguments do not fit the parameters"},
		{"share_note", `{"note":"notes://1"}`, "Ann may read notes://1."},
		{"log_in", `{}`, "Welcome."},
	} {
		if r := call(t, s, c.tool, c.arguments); !strings.Contains(said(r), c.says) {
			t.Errorf("%s %s says %q", c.tool, c.arguments, said(r))
		}
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "find_notes", Arguments: map[string]any{"word": "broken"}}); err == nil || !strings.Contains(err.Error(), "The index is gone.") {
		t.Errorf("the error is %v", err)
	}
	for _, want := range []string{"Who may read notes://1?", "tools changed"} {
		select {
		case got := <-tells:
			if got != want {
				t.Errorf("the client is told %q, want %q", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("the client is not told: %s", want)
		}
	}
	if tools, err := s.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 5 {
		t.Errorf("the tools are %+v, %v", tools, err)
	}
	for _, want := range []string{"Oslo", "Oslo, Lima"} {
		if r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "notes://all"}); err != nil || r.Contents[0].Text != want {
			t.Errorf("the resource is %+v, %v", r, err)
		}
	}
	prompt, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "summarize", Arguments: map[string]string{"note": "notes://1"}})
	if err != nil || prompt.Messages[0].Content.(*mcp.TextContent).Text != "Summarize notes://1, short." {
		t.Errorf("the prompt is %+v, %v", prompt, err)
	}
	found := journal.Filter{Tool: "find_notes", Result: "Oslo"}.Of(srv.Journal().Entries())
	if len(found) != 1 || found[0].API != journal.MCP {
		t.Errorf("the journal has %d such calls", len(found))
	}
	if text := journal.Text(found); !strings.Contains(text, `asked      tools/call find_notes {"word":"Oslo"}`) {
		t.Errorf("the journal shows the call as\n%s", text)
	}
}

// What has happened in one run has not in another, and a fault comes as the behaviour says.
func TestServerOfAScriptInRuns(t *testing.T) {
	srv := startNotes(t)
	b, err := scenarios.ParseBehaviour("x", "faults: [{status: 503, times: 1}]")
	if err != nil {
		t.Fatal(err)
	}
	run, err := srv.StartTestRun(engine.TestRunConfig{Behaviour: b})
	if err != nil {
		t.Fatal(err)
	}
	call(t, connectNotes(t, srv.URL+"/mcp/notes", func(string) {}), "log_in", `{}`)
	s := connectNotes(t, srv.URL+"/run/"+run.ID+"/mcp/notes", func(string) {})
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "find_notes", Arguments: map[string]any{"word": "Oslo"}}); err == nil {
		t.Error("the first call does not fail")
	}
	s = connectNotes(t, srv.URL+"/run/"+run.ID+"/mcp/notes", func(string) {})
	s.ListTools(t.Context(), nil) // the first one fails, too
	if tools, err := s.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 4 {
		t.Errorf("the tools are %+v, %v", tools, err)
	}
	if text := said(call(t, s, "find_notes", `{"word":"Oslo"}`)); text != "One note about Oslo." {
		t.Errorf("the second call says %q", text)
	}
	srv.EndTestRun(run)
	if _, err := s.ListTools(t.Context(), nil); err == nil {
		t.Error("the server goes on after its run")
	}
	resp, err := http.Post(srv.URL+"/mcp/other", "application/json", strings.NewReader("{}"))
	if err != nil || resp.StatusCode != http.StatusNotFound {
		t.Errorf("a server that no script has answers %v, %v", resp, err)
	}
}
