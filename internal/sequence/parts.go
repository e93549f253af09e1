package sequence

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

func itoa(n int) string { return strconv.Itoa(n) }

func counted(n int, noun string) string { return textlayout.Count(n, noun) }

// messageParts returns what a message says, piece by piece; at least one.
func messageParts(m wire.Message) (all []part) {
	role := cmp.Or(m.RoleWord, string(m.Role), "message")
	add := func(what, text string) { all = append(all, part{role: what, text: text}) }
	if text := m.Reasoning.Text.Text(); text != "" {
		add(role, "reasoning: "+text)
	}
	if text := m.Content.Text; text != "" && (len(m.Results) == 0 || m.Role != wire.Tool) {
		add(role, text)
	}
	for _, p := range m.Content.Parts {
		if p.Text == "" && len(m.Results) == 0 && len(m.Calls) == 0 {
			add(role, "["+cmp.Or(p.Type, "part")+"]")
		}
	}
	for _, c := range m.Calls {
		add(role, "call "+call(c.ID, c.Name, c.Arguments))
	}
	for _, r := range m.Results {
		what := "result"
		if r.Failed {
			what = "error"
		}
		add(role, strings.TrimSpace(what+" of "+r.CallID)+": "+r.Content.Text)
	}
	if len(all) == 0 {
		add(role, "(says nothing)")
	}
	return all
}

func call(id, name, arguments string) string {
	text := name + " " + arguments
	if id != "" {
		text += " as " + id
	}
	return text
}

func answerHead(x Exchange) string {
	switch {
	case x.Status == 0:
		return "no answer"
	case x.Broken != "":
		return itoa(x.Status) + ", " + x.Broken
	case x.Writes > 0:
		return fmt.Sprintf("%d, stream in %s", x.Status, counted(x.Writes, "write"))
	default:
		return itoa(x.Status)
	}
}

// answerParts returns what an answer says.
func answerParts(x Exchange) (all []part) {
	add := func(role, text string) { all = append(all, part{role: role, text: text}) }
	a := x.Said
	if a == nil {
		if x.Body != "" {
			add("body", x.Body)
		}
		return all
	}
	if a.Reasoning != nil {
		add("reasoning", *a.Reasoning)
	}
	for _, item := range a.Items {
		add("item", item.Type)
	}
	if a.Commentary != "" {
		add("text", a.Commentary)
	}
	if a.Text != "" {
		add("text", a.Text)
	}
	if a.Refusal != "" {
		add("refusal", a.Refusal)
	}
	for _, c := range a.Calls {
		add("call", call(c.ID, c.Name, c.Arguments))
	}
	if f := a.Finish; f != "" && (f != wire.FinishStop && f != wire.FinishCalls || len(all) == 0) {
		add("stop", string(f))
	}
	return all
}

// Rows of a long conversation: so many are shown at its beginning, at its end, and before and
// behind each that is marked.
const (
	manyRows  = 18
	rowsEnds  = 3
	rowsRound = 4
)

// abridge leaves out of a long conversation what is far from everything that is marked.
func abridge(rows []row) []row {
	if len(rows) <= manyRows {
		return rows
	}
	keep := make([]bool, len(rows))
	for i := range rows {
		keep[i] = i < rowsEnds || i >= len(rows)-rowsEnds
	}
	shown := 0
	for i, r := range rows {
		if !r.marked() || shown >= manyRows {
			continue
		}
		for k := max(0, i-rowsRound); k < min(len(rows), i+rowsRound); k++ {
			keep[k] = true
			shown++
		}
	}
	var short []row
	left := 0
	for i, r := range rows {
		if !keep[i] {
			left++
			continue
		}
		if left > 0 {
			short = append(short, row{gap: counted(left, "message") + " not drawn", at: r.at})
			left = 0
		}
		short = append(short, r)
	}
	return short
}

// Parts of a long request: so many are shown at its beginning and at its end, besides those that are
// marked.
const partsEnds = 40

// abridgeParts leaves out of a request of very many messages what no reader would look through.
func abridgeParts(parts []part) (short []part) {
	left := 0
	tell := func() {
		if left > 0 {
			short = append(short, part{text: "… " + counted(left, "part") + " not drawn", faint: true})
		}
		left = 0
	}
	for i, p := range parts {
		if i >= partsEnds && i < len(parts)-partsEnds && len(p.marks) == 0 {
			left++
			continue
		}
		tell()
		short = append(short, p)
	}
	tell()
	return short
}

// marked reports whether anything in a row is marked.
func (r row) marked() bool {
	if len(r.marks) > 0 {
		return true
	}
	for _, p := range r.parts {
		if len(p.marks) > 0 {
			return true
		}
	}
	return false
}
