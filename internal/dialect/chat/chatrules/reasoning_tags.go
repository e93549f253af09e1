package chatrules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/wire"
)

// thinkTagsKept demands that turns with tool calls come back with the thinking that was in their
// text. Where no text came back at all, or in a message of its own, that is for the rules about
// history to say.
func thinkTagsKept(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		thinking := rules.ThinkTags().FindString(e.Turn.Answer.Text)
		if thinking == "" || e.Message == nil {
			continue
		}
		j.HasEvidence = true
		said := slices.ContainsFunc(e.In.Request.Messages, func(m wire.Message) bool {
			return m.Role == wire.Assistant && strings.Contains(withoutSpace(m.Content.Text), withoutSpace(thinking))
		})
		if !said && !e.Message.Content.Blank() {
			j.FindAt(e.In, e.Message.Node.Pointer()+"/content",
				"the thinking in the text of a turn did not go back",
				rules.Quote(thinking),
				rules.Show(e.Message.Node.Get("content")))
		}
	}
	return j
}

// withoutSpace returns a text without white space. A loop that knows the thinking for what it is
// writes the tags again, with other line ends around it.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }
