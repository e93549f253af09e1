package toolserver_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const scenario = `loopproof: 1
title: A tool that works, and fails
prompt: What is the weather?
tools:
  get_weather:
    description: The weather in a city.
    parameters: {city: string}
    results:
      - {when: {city: Oslo}, text: 4 C}
      - {when: {city: Atlantis}, fail: no such city}
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C.
`

// TestTools: the tools of a run are offered as they are, run as over HTTP, and gone with the run.
func TestTools(t *testing.T) {
	s, err := scenarios.Parse("weather.yaml", []byte(scenario), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.NewServer(engine.Config{ToolServer: toolserver.ForRun})
	defer srv.Close()
	openai, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	run := srv.StartRun(engine.RunConfig{Scenario: s, Profile: openai})
	url := run.Task(srv.URL).MCPURL
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "get_weather" || list.Tools[0].Description != "The weather in a city." {
		t.Fatalf("the tools are %+v, %v", list, err)
	}
	for city, want := range map[string]struct {
		text   string
		failed bool
	}{"Oslo": {"4 C", false}, "Atlantis": {"no such city", true}} {
		arguments, _ := json.Marshal(map[string]string{"city": city})
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Meta: mcp.Meta{"claudecode/toolUseId": "call_" + city}, Name: "get_weather", Arguments: json.RawMessage(arguments)})
		if err != nil {
			t.Fatal(err)
		}
		if text := result.Content[0].(*mcp.TextContent).Text; text != want.text || result.IsError != want.failed {
			t.Errorf("%s: %q, failed %v; want %+v", city, text, result.IsError, want)
		}
	}
	_, executions := run.Record()
	for _, e := range executions {
		if e.Tool != "get_weather" || e.CallID == "" || e.Arguments == "" || e.End == 0 {
			t.Errorf("noted as %+v", e)
		}
	}
	if len(executions) != 2 {
		t.Errorf("%d runs of the tool are noted, want 2", len(executions))
	}
	srv.EndRun(run)
	resp, err := http.Post(url, "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusNotFound {
		t.Errorf("after the end of the run: %s", resp.Status)
	}
}
