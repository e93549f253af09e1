package journal

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

// How much [Text] shows.
const (
	maxShown = 12  // requests
	maxNew   = 12  // messages of a request that are new
	maxText  = 200 // letters of a text
)

// Text shows requests as a conversation that people read: what is new in each, what was answered,
// what is wrong.
func Text(entries []Entry) string {
	var b strings.Builder
	for i, e := range entries {
		if i == maxShown {
			fmt.Fprintf(&b, "… and %s more\n", textlayout.Count(len(entries)-i, "request"))
			break
		}
		e.Expanded().write(&b)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (e Entry) write(b *strings.Builder) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(b, "  %-10s %s\n", what, textlayout.ShortenCounted(textlayout.OneLine(fmt.Sprintf(format, args...)), maxText))
	}
	fmt.Fprintln(b, e.heading())
	if e.Forgotten {
		line("forgotten", "the bodies were dropped to save memory")
	}
	if req := e.Exchange.Request; req != nil {
		new := fresh(req)
		if n := len(req.Messages) - len(new); n > 0 {
			line("history", "%s", textlayout.Count(n, "message"))
		}
		if more := len(new) - maxNew; more > 0 {
			line("…", "%s", textlayout.Count(more, "new message"))
			new = new[more:]
		}
		for _, m := range new {
			writeMessage(line, m)
		}
	}
	if asked := e.askedOfMCP(); asked != "" {
		line("asked", "%s", asked)
	}
	if e.Exchange.Problem != "" {
		line("problem", "%s", e.Exchange.Problem)
	}
	e.writeAnswer(line)
	for _, f := range e.Findings {
		line("breaks", "%s (%s): %s", f.Rule, f.Level, f.Message)
	}
	if r := e.Exchange.Refusal; r != nil && !r.Given {
		line("really", "%s", e.Refused())
	}
}

// heading says which request an entry is: "request 2 POST /v1/chat/completions gpt-4o
// (weather/oslo)".
func (e Entry) heading() string {
	parts := []string{fmt.Sprintf("request %d", e.Number), e.Method + " " + e.Path()}
	if e.Exchange.Request != nil && e.Exchange.Request.Model != "" {
		parts = append(parts, e.Exchange.Request.Model)
	}
	if e.Scenario != "" {
		parts = append(parts, "("+e.Scenario+")")
	}
	if e.Run != "" {
		parts = append(parts, "in the run "+e.Run)
	}
	return strings.Join(parts, "  ")
}

func writeMessage(line func(string, string, ...any), m wire.Message) {
	word := cmp.Or(m.RoleWord, string(m.Role), "message")
	for _, r := range m.Results {
		line("result", "%s: %s", r.CallID, r.Content.Text)
	}
	if len(m.Results) == 0 || m.Role == wire.User && m.Content.Text != "" {
		line(word, "%s", m.Content.Text)
	}
}

func (e Entry) writeAnswer(line func(string, string, ...any)) {
	a := e.Answer
	switch {
	case a.Said != nil:
		if a.Said.Text != "" {
			line("answered", "%s", a.Said.Text)
		}
		for _, c := range a.Said.Calls {
			line("answered", "call %s %s (%s)", c.Name, c.Arguments, c.ID)
		}
	case a.Status != 0:
		line("answered", "%d %s", a.Status, a.Body())
	case e.Done:
		line("answered", "nothing")
	}
	if a.Ending != Whole {
		line("ended", "%s", map[Ending]string{
			Severed: "the connection was closed in the middle", Reset: "the connection was reset in the middle", Disconnected: "the client left before the end",
		}[a.Ending])
	}
}
