package agents_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/protocol"
)

// TestPrepare: an agent gets a home, files and an environment of its own, and nothing of ours but
// what is kept.
func TestPrepare(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "the user's own")
	t.Setenv("KEPT", "yes")
	d, err := agents.Parse("small.yaml", []byte(`loopproof: 1
name: Small
dialect: chat
command: [small, "--mcp={home}/conf/mcp.json", "{prompt}"]
next: [small, --continue]
env: {BASE: "{base_url}", MODEL: "{model}"}
keep-env: [KEPT]
files: {conf/mcp.json: '{"url":"{mcp_url}"}'}
answer: {format: text}
claims: [multi-prompt]
`))
	if err != nil {
		t.Fatal(err)
	}
	l, err := d.Prepare(protocol.Task{BaseURL: "http://here/v1", Model: "m", MCPURL: "http://here/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(l.Home, "conf", "mcp.json"))
	if err != nil || string(file) != `{"url":"http://here/mcp"}` {
		t.Errorf("the file has %s, %v", file, err)
	}
	for _, want := range []string{"BASE=http://here/v1", "MODEL=m", "KEPT=yes", "HOME=" + l.Home} {
		if !slices.Contains(l.Env, want) {
			t.Errorf("the environment lacks %s: %q", want, l.Env)
		}
	}
	if slices.ContainsFunc(l.Env, func(v string) bool { return strings.HasPrefix(v, "OPENAI_") }) {
		t.Errorf("the environment has the key of the user: %q", l.Env)
	}
	first, in := l.CommandFor("Say {model}.", true)
	if diff := cmp.Diff([]string{"small", "--mcp=" + l.Home + "/conf/mcp.json", "Say {model}."}, first); diff != "" || !in {
		t.Errorf("the prompt is among the arguments: %v (-want +got):\n%s", in, diff)
	}
	if next, in := l.CommandFor("Go on.", false); in || !slices.Equal(next, []string{"small", "--continue"}) {
		t.Errorf("the second command is %q, with the prompt: %v", next, in)
	}
	l.Remove()
	if _, err := os.Stat(l.Home); !os.IsNotExist(err) {
		t.Errorf("the home is still there: %v", err)
	}
}

// TestSideAnswer: all that a side request says has to be true of a request.
func TestSideAnswer(t *testing.T) {
	d := agents.Description{SideRequests: []agents.SideRequest{
		{Model: "small-*", Answer: "by the model"},
		{Tools: "none", System: "a title", Prompt: "Name it", Answer: "by the words"},
	}}
	for _, c := range []struct{ body, want string }{
		{`{"model":"small-1","messages":[{"role":"user","content":"Hi."}]}`, "by the model"},
		{`{"model":"big","messages":[{"role":"system","content":"Make a title."},{"role":"user","content":"Name it."}]}`, "by the words"},
		{`{"model":"big","messages":[{"role":"system","content":"Make a title."},{"role":"user","content":"Hi."}]}`, ""},
		{`{"model":"big","messages":[{"role":"system","content":"Make a title."},{"role":"user","content":"Name it."}],"tools":[{"type":"function","function":{"name":"f"}}]}`, ""},
		{`{"model":"big","messages":[]}`, ""},
	} {
		req, err := chat.Read([]byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if got, is := d.SideAnswer(req); got != c.want || is != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", c.body, got, is, c.want)
		}
	}
}
