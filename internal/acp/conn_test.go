package acp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/acp"
)

// agent answers each line of a client by some lines, with the id of the line where they say ID. Its
// output ends when it has no answer.
func agent(t *testing.T, h acp.Handler, answers ...string) (c *acp.Conn, heard chan string) {
	t.Helper()
	theirs, ours := io.Pipe()
	said, says := io.Pipe()
	heard = make(chan string, 10)
	if h.Update == nil {
		h.Update = func(acp.Update) {}
	}
	c = acp.Connect(said, ours, h)
	go func() {
		defer says.Close()
		lines := bufio.NewScanner(theirs)
		for _, answer := range answers {
			if !lines.Scan() {
				return
			}
			heard <- lines.Text()
			var m struct{ ID json.RawMessage }
			json.Unmarshal(lines.Bytes(), &m)
			io.WriteString(says, strings.ReplaceAll(answer, "ID", string(m.ID))+"\n")
		}
	}()
	t.Cleanup(func() { ours.Close() })
	return c, heard
}

func TestCall(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"a result":               {`{"jsonrpc":"2.0","id":ID,"result":{"sessionId":"s1"}}`, ""},
		"an error":               {`{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"Internal error","data":{"details":"no key"}}}`, `Internal error: {"details":"no key"}`},
		"an error without words": {`{"jsonrpc":"2.0","id":ID,"error":{"code":-32000}}`, "error -32000"},
		"another form":           {`{"jsonrpc":"2.0","id":ID,"result":[]}`, "the answer to session/new does not fit the protocol: "},
		"an end":                 {`{"jsonrpc":"2.0","method":"session/update"}`, "the agent closed its output before it answered"},
		"the answer to another":  {`{"jsonrpc":"2.0","id":99,"result":{}}`, "the agent closed its output before it answered"},
		"what is no message":     {"Loading...\n" + `{"jsonrpc":"2.0","id":ID,"result":{"sessionId":"s1"}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			conn, _ := agent(t, acp.Handler{}, c.answer)
			var session acp.Session
			err := conn.Call(t.Context(), "session/new", acp.NewSession{}, &session)
			switch {
			case c.want == "" && (err != nil || session.ID != "s1"):
				t.Errorf("%+v, %v", session, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("the error is %v, want it to say %q", err, c.want)
			}
			if stray := conn.Stray(); (stray != "") != strings.HasPrefix(c.answer, "Loading") {
				t.Errorf("the stray line is %q", stray)
			}
		})
	}
}

func TestCallEndsWithItsContext(t *testing.T) {
	conn, _ := agent(t, acp.Handler{}, `{"jsonrpc":"2.0","method":"x"}`, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := conn.Call(ctx, "session/prompt", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestAnswer: the answer is what the agent says after its last call, in whatever pieces.
func TestAnswer(t *testing.T) {
	update := func(text string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":` + text + `}}` + "\n"
	}
	said := func(text string) string {
		return update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}`)
	}
	var answer acp.Answer
	conn, _ := agent(t, acp.Handler{Update: answer.Add}, said("I look.")+update(`{"sessionUpdate":"tool_call","toolCallId":"a","content":[{"type":"content"}]}`)+
		said("It is ")+update(`{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"Hm."}}`)+update(`{"sessionUpdate":"of_later"}`)+
		update(`"a text"`)+said("4 C.")+`{"jsonrpc":"2.0","id":ID,"result":{"stopReason":"end_turn"}}`)
	var done acp.Prompted
	if err := conn.Call(t.Context(), "session/prompt", acp.Text("s", "How warm is it?"), &done); err != nil || done.StopReason != acp.EndTurn {
		t.Errorf("%+v, %v", done, err)
	}
	if got := answer.String(); got != "It is 4 C." {
		t.Errorf("the answer is %q", got)
	}
}

// TestRequestsOfTheAgent: a client answers the questions of an agent, and refuses what it does not
// offer.
func TestRequestsOfTheAgent(t *testing.T) {
	options := `"options":[{"optionId":"never","kind":"reject_always"},{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}]`
	ask := `{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"toolCall":{"toolCallId":"a","title":"rm"},` + options + `}}`
	for name, c := range map[string]struct {
		asks   string
		option func(acp.PermissionRequest) string
		want   string
	}{
		"allowed":          {ask, func(p acp.PermissionRequest) string { return p.Option(true) }, `"result":{"outcome":{"optionId":"yes","outcome":"selected"}}`},
		"denied":           {ask, func(p acp.PermissionRequest) string { return p.Option(false) }, `"result":{"outcome":{"optionId":"no","outcome":"selected"}}`},
		"cancelled":        {ask, func(acp.PermissionRequest) string { return "" }, `"result":{"outcome":{"outcome":"cancelled"}}`},
		"not understood":   {`{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":[]}`, nil, `"code":-32602`},
		"what it has not":  {`{"jsonrpc":"2.0","id":"q","method":"fs/read_text_file","params":{}}`, nil, `"code":-32601`},
		"of another title": {ask, func(p acp.PermissionRequest) string { return p.Call.Title }, `"optionId":"rm"`},
	} {
		t.Run(name, func(t *testing.T) {
			h := acp.Handler{Permission: func(_ context.Context, p acp.PermissionRequest) string { return c.option(p) }}
			conn, heard := agent(t, h, c.asks, `{"jsonrpc":"2.0","id":1,"result":{}}`)
			if err := conn.Call(t.Context(), "session/prompt", nil, nil); err != nil {
				t.Fatal(err)
			}
			<-heard
			if got := <-heard; !strings.Contains(got, c.want) || !strings.Contains(got, `"id":"q"`) {
				t.Errorf("the client answers %s, want %s", got, c.want)
			}
		})
	}
}

// TestServers writes the two forms of a server.
func TestServers(t *testing.T) {
	for want, server := range map[string]acp.MCPServer{
		`{"headers":[],"name":"a","type":"http","url":"http://x"}`:       {Name: "a", URL: "http://x"},
		`{"args":["mcp","http://x"],"command":"lp","env":[],"name":"a"}`: {Name: "a", Command: "lp", Args: []string{"mcp", "http://x"}},
	} {
		if got, err := json.Marshal(server); err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}
