package loops

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/runner/testadapters"
	"github.com/loopproof/loopproof/protocol"
)

// adapter returns an adapter of package testadapters that is waited for less long than a
// stranger's.
func adapter(mode, word string) Adapter {
	return Adapter{Command: os.Args[0], Env: testadapters.Env(mode, word), Patience: 300 * time.Millisecond}
}

func TestAdapterThatDoesNotStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		adapter Adapter
		says    []string
	}{
		"no command": {Adapter{}, []string{"set Adapter.Command"}},
		"not found":  {Adapter{Command: "no-such-adapter"}, []string{"the adapter did not start", "no such program in the PATH"}},
		"exits at once": {adapter("exits", ""), []string{
			"the adapter did not start: it ended with the exit code 3 before it had said hello, the first line of an adapter",
			"the last lines of its standard error:\n    TypeError: model is undefined"}},
		"noise before hello": {adapter("noisy", ""), []string{
			`line 2 of its standard output is "Loading the model..."`, "standard output is for the protocol, logs belong on standard error"}},
		"never says hello": {Adapter{Command: os.Args[0], Env: testadapters.Env("never-says-hello", ""), startTimeout: 8 * time.Second}, []string{
			"it did not say hello within 8s", `"type":"hello"`, "waiting for the database"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantOpened(t, c.adapter, c.says)
		})
	}
}

// wantOpened demands that an adapter is refused in certain words, or taken when there are none.
func wantOpened(t *testing.T, a Adapter, says []string) {
	t.Helper()
	session, err := a.Open(context.Background(), Options{})
	if err == nil {
		session.Close()
	}
	if len(says) == 0 && err != nil {
		t.Fatalf("it was refused: %v", err)
	}
	for _, s := range says {
		if err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("got %v\nwant it to say %q", err, s)
		}
	}
}

func TestHello(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		says []string
	}{
		"whole":           {`{"type":"hello","protocol":1,"name":"x","dialects":["chat","gemini"],"features":["usage"],"profiles":["open*"],"deliveries":["sse*"],"new":1}`, nil},
		"another type":    {`{"type":"outcome","id":"t1"}`, []string{`has the type "outcome", where its hello is expected`}},
		"not an object":   {`["hello"]`, []string{"a line has to be a JSON object, and not a array"}},
		"wrong type":      {`{"type":"hello","protocol":"1"}`, []string{`"protocol" cannot be a string`}},
		"wrong protocol":  {`{"type":"hello","protocol":3,"name":"x"}`, []string{`"protocol" is 3, and this Loopproof speaks 1 to 2`}},
		"old protocol":    {`{"type":"hello","protocol":1,"name":"x","dialects":["chat"],"features":["tool-approvals@json"]}`, []string{`"features" has "tool-approvals", which needs "protocol":2, not 1`}},
		"new protocol":    {`{"type":"hello","protocol":2,"name":"x","dialects":["chat"],"features":["tool-approvals","approval-edits"]}`, nil},
		"says nothing":    {`{"type":"hello","protocol":1}`, []string{`"name" is missing`, `"dialects" is missing`}},
		"unknown dialect": {`{"type":"hello","protocol":1,"name":"x","dialects":["chats"]}`, []string{`"dialects" has the unknown word "chats" (did you mean "chat"?)`}},
		"strange dialect": {`{"type":"hello","protocol":1,"name":"x","dialects":["telepathy"]}`, []string{`unknown word "telepathy"; known are ` + strings.Join(dialect.Names(dialect.All()), ", ")}},
		"unknown feature": {`{"type":"hello","protocol":1,"name":"x","dialects":["chat"],"features":["paralel-calls"]}`, []string{`did you mean "parallel-calls"?`}},
		"unknown profile": {`{"type":"hello","protocol":1,"name":"x","dialects":["chat"],"profiles":["opnai"]}`, []string{`did you mean "openai"?`}},
		"broken pattern":  {`{"type":"hello","protocol":1,"name":"x","dialects":["chat"],"deliveries":["sse["]}`, []string{`the pattern "sse[", which is not well-formed`}},
		"concurrency":     {`{"type":"hello","protocol":1,"name":"x","dialects":["chat"],"concurrency":-1}`, []string{`"concurrency" is -1`}},
	} {
		t.Run(name, func(t *testing.T) {
			h, problem := readHello(line{1, []byte(c.line)}, profiles.Known{})
			if len(c.says) == 0 && problem != "" {
				t.Fatalf("it was refused: %s", problem)
			}
			if len(c.says) == 0 && h.Name != "x" {
				t.Errorf("its name is %q", h.Name)
			}
			for _, s := range c.says {
				if !strings.Contains(problem, s) {
					t.Errorf("got %s\nwant it to say %s", problem, s)
				}
			}
		})
	}
}

func TestHelloOfAProcess(t *testing.T) {
	t.Parallel()
	wantOpened(t, adapter("hello", `{"type":"hello","protocol":9,"name":"x"}`), []string{"the adapter did not start: its hello is not right", "speaks 1"})
	wantOpened(t, adapter("hello", exampleHello()), nil)
}

func TestExampleHelloIsOne(t *testing.T) {
	if h, problem := readHello(line{1, []byte(exampleHello())}, profiles.Known{}); problem != "" || h.Protocol != protocol.Version {
		t.Errorf("%+v: %s", h, problem)
	}
}

func TestHelloOfDesigns(t *testing.T) {
	hello := func(designs ...protocol.Design) protocol.Hello {
		return protocol.Hello{Protocol: protocol.Version, Name: "x", Dialects: []string{"chat"}, Designs: designs}
	}
	tool := hello(protocol.AnswersByTool)
	tool.AnswerTool = &protocol.AnswerTool{Name: "finish", Argument: "result"}
	nameless, alone := tool, hello()
	nameless.AnswerTool = &protocol.AnswerTool{Name: "finish"}
	alone.AnswerTool = tool.AnswerTool
	for _, c := range []struct {
		name  string
		hello protocol.Hello
		says  string // "": all is well
	}{
		{"none", hello(), ""},
		{"known ones", hello(protocol.Designs()...), ""},
		{"a tool of its own", tool, ""},
		{"an unknown one", hello("windowed-hstory"), `"designs" has the unknown word "windowed-hstory" (did you mean "windowed-history"?)`},
		{"a tool without an argument", nameless, `"answer_tool" needs a "name" and an "argument"`},
		{"a tool without the design", alone, `"answer_tool" is for a loop with the design "answers-by-tool"`},
	} {
		if got := strings.Join(CheckHello(c.hello, profiles.Known{}), "; "); (c.says == "") != (got == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q", c.name, got, c.says)
		}
	}
}
