package casereport

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// How much of a request is shown, in bytes and in messages.
const (
	maxExhibit  = 480
	maxMessage  = 160
	maxMessages = 8
)

// Exhibit returns the part of a request that a finding is about: the message, the tool, or another
// value at the top, in which its pointer lies. Findings about a whole turn or the whole history
// show several messages, one on each line. It is "" for a finding without a pointer.
func Exhibit(req *wire.Request, f trace.Finding) string {
	if req == nil || f.Pointer == "" {
		return ""
	}
	steps := strings.Split(strings.TrimPrefix(f.Pointer, "/"), "/")
	at := index(req, f.Pointer)
	switch {
	case f.Pointer == req.HistoryPointer():
		return messages(req, 0, len(req.Messages))
	case at >= 0 && showsTurn(f.Rule):
		return messages(req, turnStart(req, at), turnEnd(req, at))
	default:
		return window(req.Body, steps)
	}
}

func showsTurn(id string) bool {
	rule := rulebook.Lookup(id)
	return rule != nil && rule.ShowsTurn
}

// index returns the message in which a pointer lies, or -1.
func index(req *wire.Request, pointer string) int {
	return slices.IndexFunc(req.Messages, func(m wire.Message) bool {
		place := m.Node.Pointer()
		return pointer == place || strings.HasPrefix(pointer, place+"/")
	})
}

// turnStart returns the assistant message of the turn to which a message belongs: itself, or the
// one before results.
func turnStart(req *wire.Request, i int) int {
	for i > 0 && req.Messages[i].Role != wire.Assistant {
		i--
		if req.Messages[i].Role == wire.User {
			break
		}
	}
	return i
}

// turnEnd returns the end of the messages of a turn, together with the one that ends it.
func turnEnd(req *wire.Request, i int) int {
	_, next := req.AnswersTo(i)
	return min(next+1, len(req.Messages))
}

// messages shows messages from one to before another, one a line.
func messages(req *wire.Request, from, to int) string {
	var lines []string
	for i, m := range req.Messages[from:to] {
		if left := to - from - i; i == maxMessages && left > 1 {
			lines = append(lines, fmt.Sprintf("… and %d more messages", left))
			break
		}
		place := m.Node.Pointer()
		lines = append(lines, fmt.Sprintf("%s  %s", place[strings.LastIndexByte(place, '/')+1:], textlayout.Shorten(string(m.Node.Raw), maxMessage)))
	}
	return strings.Join(lines, "\n")
}

// window shows the value at the first two steps of a pointer. Of a long one it shows the
// surroundings of the place to which all steps lead.
func window(body *wire.Node, steps []string) string {
	shown, place := body, 0
	n := body
	for i, step := range steps {
		child := n.Child(step)
		if child == nil {
			break
		}
		if i < 2 {
			shown, place = child, 0
		} else {
			place += bytes.Index(n.Raw, child.Raw)
		}
		n = child
	}
	if shown == body {
		return ""
	}
	text := string(shown.Raw)
	if len(text) <= maxExhibit {
		return text
	}
	from := min(max(0, place-maxExhibit/4), len(text)-maxExhibit)
	if from == 0 {
		return textlayout.Shorten(text, maxExhibit)
	}
	return "…" + textlayout.Shorten(strings.ToValidUTF8(text[from:], ""), maxExhibit)
}
