package messagesrules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressBlocksFormRules are the rules of the area egress about the form of what the dialect
// messages sends.
var egressBlocksFormRules = []rules.Rule{
	{
		ID:       "egress/ends-with-the-user",
		Level:    trace.Info,
		Text:     "A request ends with a message of the user, unless it sends back a turn that paused.",
		Why:      "Newer models do not continue an answer that begins in the request.",
		Evidence: "a request that carries a tool result",
		Sources:  []rules.Source{{URL: "https://platform.claude.com/docs/en/api/errors", Says: "this model does not support assistant message prefill"}, {URL: "https://github.com/tailcallhq/forgecode/issues/1872", Says: "the 400 of models that do for a beginning that ends with white space"}},
		Vars:     []string{"end", "tail"},
		Provider: endsWithUser,
		Run:      rules.OnServed(endsWithText),
	},
}

func endsWithUser(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	last := len(req.Messages) - 1
	if last < 0 {
		return j
	}
	j.HasEvidence = true
	m := req.Messages[last]
	// Of results, of reasoning at the end and of messages without content other rules have to say
	// something.
	if m.Role != wire.Assistant || len(m.Results) > 0 || len(m.Calls) == 0 && m.Content.Blank() || paused(m) {
		return j
	}
	j.Find(trace.Finding{
		Pointer: m.Node.Pointer(), Message: "the last message is one of the assistant",
		Expected: "a message of the user", Actual: rules.Show(m.Node), Vars: map[string]string{"end": rules.EndOfHistory(req), "tail": tailOf(m)},
	})
	return j
}

// tailOf says whether a message ends with white space.
func tailOf(m wire.Message) string {
	content := m.Node.Get("content")
	if n := len(content.All()); n > 0 {
		content = content.Items[n-1].Get("text")
	}
	if said := content.Text(); said != strings.TrimRightFunc(said, unicode.IsSpace) {
		return "white space"
	}
	return "a word"
}

// endsWithText is endsWithUser without turns that called tools, of which every-call-answered has to
// say something.
func endsWithText(p *profiles.Profile, req *wire.Request) rules.CheckResult {
	j := endsWithUser(p, req)
	j.Findings = slices.DeleteFunc(j.Findings, func(f trace.Finding) bool { return f.Vars["end"] == "a call" })
	return j
}

// paused reports whether a turn of the assistant may be one that the provider broke off in the
// middle of its own work.
func paused(m wire.Message) bool {
	return slices.ContainsFunc(m.Content.Parts, func(p wire.Part) bool {
		return p.Type == "server_tool_use" || p.Type == "compaction" || rules.IsReasoningPart(p)
	})
}
