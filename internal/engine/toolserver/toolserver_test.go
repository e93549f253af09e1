package toolserver_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
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
	srv, run, session := connect(t, scenario)
	url := run.Task(srv.URL).MCPURL
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

// connect starts a run of a scenario, and connects a client of MCP to its tools.
func connect(t *testing.T, scenario string) (*engine.Server, *engine.Run, *mcp.ClientSession) {
	t.Helper()
	return connectTo(t, engine.Config{}, scenario)
}

func connectTo(t *testing.T, c engine.Config, scenario string) (*engine.Server, *engine.Run, *mcp.ClientSession) {
	t.Helper()
	srv, run := start(t, c, scenario)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: run.Task(srv.URL).MCPURL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return srv, run, session
}

// start starts a run of a scenario.
func start(t *testing.T, c engine.Config, scenario string) (*engine.Server, *engine.Run) {
	t.Helper()
	s, err := scenarios.Parse("weather.yaml", []byte(scenario), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		t.Fatal(err)
	}
	openai, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	c.ToolServer = toolserver.ForRun
	srv := engine.NewServer(c)
	t.Cleanup(srv.Close)
	return srv, srv.StartRun(engine.RunConfig{Scenario: s, Profile: openai})
}

// TestBlocks: a client of MCP gets the texts of a result, then its image, and the structured
// content beside them.
func TestBlocks(t *testing.T) {
	_, run, session := connect(t, `loopproof: 1
title: A tool that shows, and says
needs: [images]
prompt: What is there?
tools:
  look:
    description: Takes a picture.
    parameters: {place: string}
    results:
      - {when: {place: harbour}, text: The harbour., more: [{image: png}, {text: It rains.}]}
      - {when: {place: tower}, more: [{image: jpeg}]}
      - {when: {place: gate}, text: The gate., more: [{image: gif}], structured: {open: true}}
model:
  - calls: [{as: harbour, tool: look, arguments: '{"place":"harbour"}'}]
  - text: Squares.
`)
	for place, want := range map[string]struct {
		texts      []string
		image      string
		structured string
	}{
		"harbour": {[]string{"The harbour.", "It rains."}, "image/png", ""},
		"tower":   {nil, "image/jpeg", ""},
		"gate":    {[]string{"The gate."}, "image/gif", `{"open":true}`},
	} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "look", Arguments: map[string]string{"place": place}})
		if err != nil {
			t.Fatal(err)
		}
		var texts, images []string
		for _, block := range result.Content {
			switch b := block.(type) {
			case *mcp.TextContent:
				texts = append(texts, b.Text)
			case *mcp.ImageContent:
				if found := http.DetectContentType(b.Data); found != b.MIMEType {
					t.Errorf("%s: the image says that it is %s, and is %s", place, b.MIMEType, found)
				}
				images = append(images, b.MIMEType)
			}
		}
		structured := ""
		if result.StructuredContent != nil {
			content, _ := json.Marshal(result.StructuredContent)
			structured = string(content)
		}
		if !slices.Equal(texts, want.texts) || !slices.Equal(images, []string{want.image}) || structured != want.structured || result.IsError {
			t.Errorf("%s: the texts %q, the images %q and the content %q, want %+v", place, texts, images, structured, want)
		}
	}
	_, executions := run.Record()
	if len(executions) != 3 || slices.ContainsFunc(executions, func(e *trace.Execution) bool { return e.Image == nil || !e.Several() }) {
		t.Errorf("noted as %+v", executions)
	}
}

// TestFiles: a client of MCP gets the texts of resources, documents and sounds behind the texts.
func TestFiles(t *testing.T) {
	_, run, session := connect(t, `loopproof: 1
title: A tool that reads files
needs: [mcp-tools]
prompt: What is there?
tools:
  read:
    parameters: {}
    results: [{text: Three files., more: [{media: pdf}, {resource: The port is 8443.}, {media: wav}]}]
model:
  - calls: [{as: read, tool: read, arguments: '{}'}]
  - text: Files.
`)
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "read"})
	if err != nil || len(result.Content) != 4 {
		t.Fatalf("the result is %+v, %v", result, err)
	}
	if text := result.Content[1].(*mcp.EmbeddedResource).Resource.Text; text != "The port is 8443." {
		t.Errorf("the resource says %q", text)
	}
	page, sound := result.Content[2].(*mcp.EmbeddedResource).Resource, result.Content[3].(*mcp.AudioContent)
	for said, data := range map[string][]byte{page.MIMEType: page.Blob, sound.MIMEType: sound.Data} {
		want := map[string]string{"audio/wav": "audio/wave"}[said]
		if found := http.DetectContentType(data); found != cmp.Or(want, "application/pdf") {
			t.Errorf("what says that it is %s is %s", said, found)
		}
	}
	_, executions := run.Record()
	if files := executions[0].Files(); len(files) != 2 || !bytes.Equal(files[0].Data, page.Blob) {
		t.Errorf("noted as %+v", executions[0])
	}
}

// TestListChanges: a client of MCP that listens is told when the list of the tools changes, before the
// tool that changes it has returned.
func TestListChanges(t *testing.T) {
	changed := make(chan bool, 1)
	srv, run := start(t, engine.Config{}, `loopproof: 1
title: A tool that another one brings
needs: [mcp-tools, changing-tools]
prompt: What is inside?
tools:
  unlock:
    parameters: {}
    results: [{text: Open.}]
  look:
    parameters: {}
    results: [{text: A violin.}]
    listed-after: unlock
  knock:
    parameters: {}
    results: [{text: Nobody.}]
    listed-until: unlock
model:
  - calls: [{as: open, tool: unlock, arguments: '{}'}]
  - text: A violin.
`)
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- true }})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: run.Task(srv.URL).MCPURL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	listed := func() (names []string) {
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		slices.Sort(names)
		return names
	}
	if got := listed(); !slices.Equal(got, []string{"knock", "unlock"}) {
		t.Errorf("at first the tools are %q", got)
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "unlock"}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
	default:
		t.Error("the client was not told when the tool had returned")
	}
	if got := listed(); !slices.Equal(got, []string{"look", "unlock"}) {
		t.Errorf("behind the change the tools are %q", got)
	}
	srv.EndRun(run)
}

// slowClock tells when somebody begins to sleep for an hour.
type slowClock struct {
	engine.SystemClock
	asleep chan struct{}
}

func (c slowClock) Sleep(ctx context.Context, d time.Duration) bool {
	if d == time.Hour {
		close(c.asleep)
	}
	return c.SystemClock.Sleep(ctx, d)
}

// TestASlowToolEndsWithItsRun: when a run ends, a tool that takes an hour is given up, and the
// server can close.
func TestASlowToolEndsWithItsRun(t *testing.T) {
	clock := slowClock{asleep: make(chan struct{})}
	srv, run, session := connectTo(t, engine.Config{Clock: clock}, `loopproof: 1
title: A slow tool
prompt: What is there?
tools:
  look:
    description: Looks, for an hour.
    parameters: {place: string}
    results: [{text: A harbour., after: 1h}]
model:
  - calls: [{as: look, tool: look, arguments: '{"place":"harbour"}'}]
  - text: A harbour.
`)
	answered := make(chan error, 1)
	go func() {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "look", Arguments: map[string]string{"place": "harbour"}})
		answered <- err
	}()
	<-clock.asleep
	srv.EndRun(run)
	if err := <-answered; err == nil {
		t.Error("the call was answered as if the tool had run")
	}
}
