package agents_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/agents"
)

// TestEmbedded reads the descriptions that come with Loopproof.
func TestEmbedded(t *testing.T) {
	if len(agents.Names()) == 0 {
		t.Fatal("there are none")
	}
	for _, name := range agents.Names() {
		d, err := agents.Find(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if d.ID != name || d.Docs == "" || d.Install == "" {
			t.Errorf("%s: the id is %q, docs %q, install %q", name, d.ID, d.Docs, d.Install)
		}
	}
}

const right = `loopproof: 1
name: Small
dialect: chat
command: [small, "{prompt}", "{mcp_url}"]
answer: {format: text}
`

// TestBadDescriptions shows the error for each mistake, after its file and place.
func TestBadDescriptions(t *testing.T) {
	if _, err := agents.Parse("small.yaml", []byte(right)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ was, is, want string }{
		{"loopproof: 1", "loopproof: 2", "1:12: expected loopproof: 1"},
		{"name: Small", "nmae: Small", `2:1: unknown key "nmae" (did you mean "name"?)`},
		{"name: Small\n", "", "the name is missing"},
		{"dialect: chat", "dialect: chta", `3:10: unknown dialect "chta" (did you mean "chat"?)`},
		{"dialect: chat\n", "", "the dialect is missing; there are "},
		{`command: [small, "{prompt}", "{mcp_url}"]`, "env: {MCP: \"{mcp_url}\"}", "the command is missing"},
		{"{prompt}", "{promt}", `4:18: unknown placeholder {promt} (did you mean "{prompt}"?)`},
		{"answer:", "env: {A: \"{mcp_ulr}\"}\nanswer:", `5:10: unknown placeholder {mcp_ulr} (did you mean "{mcp_url}"?)`},
		{"answer:", "files: {a.json: \"{mcp_ulr}\"}\nanswer:", `5:17: unknown placeholder {mcp_ulr} (did you mean "{mcp_url}"?)`},
		{"answer:", "files: {../a.json: text}\nanswer:", "a file is named by its path below the home"},
		{", \"{mcp_url}\"", "", "{mcp_url} is nowhere in the command, env or files"},
		{"answer:", "tools: {named: mcp_tool}\nanswer:", "5:16: a name has {tool} once"},
		{"answer:", "tools: {named: \"a_{tool}\", none: it has none}\nanswer:", "an agent that cannot be given tools has no name for them"},
		{"answer:", "side-requests: [{answer: x}]\nanswer:", "5:17: say which requests are meant"},
		{"answer:", "side-requests: [{tools: few}]\nanswer:", "5:25: the only word here is none"},
		{"format: text", "format: yaml", `unknown format of the answer "yaml"`},
		{"format: text", "format: json", "at is missing"},
		{"format: text", "format: text, at: /a", "all of a text is the answer"},
		{"format: text", "format: json, at: a", "a JSON pointer begins with a slash: /a"},
		{"format: text", "format: json, at: /a, join: true", "where and join are for the lines of jsonl"},
		{"answer:", "claims: [streming]\nanswer:", `5:10: unknown feature "streming" (did you mean "streaming"?)`},
		{"answer:", "claims: [transcript]\nanswer:", "an agent cannot claim transcript"},
		{"answer:", "claims: [cancel]\nanswer:", "an agent cannot claim cancel with a command line: claim it in acp"},
		{"answer:", "acp: {auth: key}\nanswer:", "5:6: the command is missing, such as command: [my-agent, --acp]"},
		{"answer:", "acp: {command: [small, '{prompt}']}\nanswer:", "prompts are sent over the protocol"},
		{"answer:", "acp: {command: [small, '{modle}']}\nanswer:", `unknown placeholder {modle} (did you mean "{model}"?)`},
		{"answer:", "acp: {command: [small], next: again}\nanswer:", `5:31: unknown word "again"; there are loads`},
		{"answer:", "acp: {command: [small], claims: [steering]}\nanswer:", "an agent cannot claim steering: that takes an adapter"},
		{"answer:", "acp: {command: [small], files: {../a: b}}\nanswer:", "a file is named by its path below the home"},
		{"answer:", "claims: [turn-limit]\nanswer:", "the claim turn-limit needs {max_turns} in the command"},
		{"answer:", "claims: [compaction]\nanswer:", "the claim compaction needs {context_limit} in the command, env or files"},
		{"answer:", "claims: [compaction]\nenv: {LIMIT: \"{context_limit}\"}\nside-requests: [{tools: none}]\nanswer:", "7:17: this takes requests for a summary of the history, too"},
		{"answer:", "summary-mark: Summarise\nanswer:", "5:15: summary-mark is for an agent with the claim compaction"},
		{"answer:", "claims: [multi-prompt]\nanswer:", "the claim multi-prompt needs next"},
		{"answer:", "next: [small]\nanswer:", "claim multi-prompt"},
		{"answer:", "designs: [own-modle]\nanswer:", `5:11: unknown design "own-modle" (did you mean "own-model"?)`},
		{"answer:", "designs: [own-model]\nanswer-tool: {name: done, argument: text}\nanswer:", "6:14: answer-tool is for an agent with the design answers-by-tool"},
		{"answer:", "designs: [answers-by-tool]\nanswer-tool: {name: done}\nanswer:", "6:14: answer-tool needs a name and an argument"},
		{"answer:", "profiles: [opnai]\nanswer:", `no profile is called "opnai" (did you mean "openai"?)`},
		{"answer:", "deliveries: [see]\nanswer:", `no delivery is called "see" (did you mean "sse"?)`},
	} {
		t.Run(c.is, func(t *testing.T) {
			_, err := agents.Parse("agents/small.yaml", []byte(strings.Replace(right, c.was, c.is, 1)))
			if err == nil || !strings.HasPrefix(err.Error(), "agents/small.yaml:") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestOverACP: what the Agent Client Protocol needs is said of an agent once, beside its command line.
func TestOverACP(t *testing.T) {
	d, err := agents.Parse("small.yaml", []byte(strings.Replace(right, "answer:", `
env: {A: a, B: b}
claims: [streaming]
acp: {command: [small, --acp], env: {B: other}, claims: [streaming, cancel, multi-prompt]}
answer:`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	over, err := d.OverACP()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(over.Command, " "); got != "small --acp" || over.Env["A"] != "a" || over.Env["B"] != "other" || len(over.Claims) != 3 || over.Answer.Format != "" {
		t.Errorf("it is played as %+v", over)
	}
	if d.Command[0] != "small" || d.Env["B"] != "b" || len(d.Claims) != 1 {
		t.Errorf("the description has become %+v", d)
	}
}
