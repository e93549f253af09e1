package knownfailing

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/report"
)

// Update is a known-failing list that was updated from a run. The reasons that people wrote stay.
type Update struct {
	Text string // of the file

	Kept      int // entries that are as they was
	Joined    int // entries with one reason that fewer entries stand for now
	Rewritten int // entries that name other cases than before, or another message
	Removed   int // entries of which nothing fails any more
	Added     int // entries for failures that were not on the list

	Unreasoned int // entries that wait for a reason, without which the list cannot be used
}

// LoadToUpdate reads a known-failing list that is to be updated: its entries may lack reasons, and
// the file may not exist.
func LoadToUpdate(file string) (*List, error) {
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the known-failing list cannot be read: %w", err)
	}
	return parse(file, data, false)
}

// Update returns the list as it has to be for the loop of a report: entries of which nothing fails
// any more are gone, those of which only some cases fail, or with another message, are narrowed,
// and failures that were not on the list are. Other entries stay as they are, with their comments.
// An entry for a new failure has the reason of those for the same rule where that is plain: they
// are about the same scenario, or all of them, at least ten, have one message and one reason. Else
// people have to give it a reason. Entries for one rule with one reason and no comments of their
// own become one, where one pattern can say what they say.
func (e *List) Update(r *report.Report, p Plan) Update {
	u := newUpdating(e, r, p)
	var narrowed []int
	for i := range e.Entries {
		if !u.keeps(i) {
			narrowed = append(narrowed, i)
		}
	}
	for _, i := range narrowed {
		u.narrow(i)
	}
	u.add()
	u.Text = e.header() + strings.Join(u.new, "") + e.footer()
	if !p.Filtered && r.Shard == nil { // else it is not known what else a wider pattern would cover
		u.join()
	}
	return u.Update
}

func newUpdating(e *List, r *report.Report, p Plan) *updating {
	u := &updating{
		judging: judging{report: r, plan: p, failures: failures(r), at: map[place]*failure{}},
		old:     e, new: make([]string, len(e.Entries)),
	}
	for _, f := range u.failures {
		u.at[place{f.Rule, f.Case}] = f
	}
	return u
}

// updating is a list being brought up to date.
type updating struct {
	Update
	judging
	old *List
	new []string // what happens to each old entry, and of what is added after it; "" is nothing
}

// keeps keeps an entry that is right as it is, or that the run says nothing about.
func (u *updating) keeps(i int) bool {
	e := &u.old.Entries[i]
	failing, passing := u.covered(e)
	scenario, _, _ := strings.Cut(e.Case, "@")
	elsewhere := u.plan.Filtered && (len(failing)+len(passing) == 0 || strings.ContainsAny(scenario, "*?[{"))
	if !elsewhere && (len(failing) == 0 || len(passing) > 0 || u.tooWide(e)) {
		return false
	}
	for _, f := range failing {
		if !elsewhere && !f.follows && f.otherThan(e.Message) != "" {
			return false
		}
	}
	for _, f := range failing {
		f.expected = true
	}
	u.new[i] = u.old.comment(i) + u.old.text(i)
	u.Kept++
	u.await(e.Reason)
	return true
}

// covered returns the failures that an entry is about, and the cases in which its rule passes.
func (u *updating) covered(e *Entry) (failing []*failure, passing []string) {
	for _, id := range u.verdicts(e) {
		if f := u.at[place{e.Rule, id}]; f != nil {
			failing = append(failing, f)
		} else {
			passing = append(passing, id)
		}
	}
	return failing, passing
}

func (u *updating) tooWide(e *Entry) bool {
	covered, scenarios := u.reach(e)
	return e.tooWide(covered, scenarios)
}

// narrow writes an entry again for what still fails of its cases, or takes it off.
func (u *updating) narrow(i int) {
	e := &u.old.Entries[i]
	failing, _ := u.covered(e)
	list := u.entriesFor(e.Rule, failing, func(entryText) string { return e.Reason })
	if len(list) == 0 {
		u.Removed++
		return
	}
	u.new[i] = u.old.comment(i) + written(list)
	u.Rewritten++
}

// add adds entries for the failures that are not on the list, after those for the same rule.
func (u *updating) add() {
	for _, id := range rulebook.IDs() {
		var failing []*failure
		for _, f := range u.failures {
			if f.Rule == id && f.Case != "" && f.fatal && !(f.untested && u.plan.Filtered) { // it may be tested elsewhere
				failing = append(failing, f)
			}
		}
		list := u.entriesFor(id, failing, u.reasonFor)
		if len(list) == 0 {
			continue
		}
		u.Added += len(list)
		if last := u.last(id); last < 0 {
			u.new = append(u.new, written(list))
		} else {
			u.new[last] += written(list)
		}
	}
}

// last returns which of the old entries is the last that is about a rule, or -1.
func (u *updating) last(rule string) int {
	last := -1
	for i, e := range u.old.Entries {
		if e.Rule == rule {
			last = i
		}
	}
	return last
}

// reasonFor returns the reason of an entry for a new failure, "" where only people can know it.
func (u *updating) reasonFor(e entryText) string {
	scenario, _, _ := strings.Cut(e.Case, "@")
	alike, reason := 0, ""
	for _, known := range u.old.Entries {
		if known.Rule != e.Rule || !known.hasReason() {
			continue
		}
		if about, _, _ := strings.Cut(known.Case, "@"); about == scenario {
			return known.Reason
		}
		if alike >= 0 && known.Message == e.Message && (reason == "" || reason == known.Reason) {
			alike++
			reason = known.Reason
		} else {
			alike = -1
		}
	}
	if alike < habit || e.Message == "" {
		return ""
	}
	return reason
}

// habit is how many entries for a rule, all with one message and one reason, show that the loop
// does so wherever it can.
const habit = 10

// entriesFor returns entries for the failures of a rule that no entry covers so far, and notes that
// they are covered.
func (u *updating) entriesFor(rule string, of []*failure, reason func(entryText) string) []entryText {
	open := map[string]Failure{}
	for _, f := range of {
		if !f.expected {
			open[f.Case] = f.Failure
			f.expected = true
		}
	}
	list := entries(u.report, u.plan, rule, open)
	for i := range list {
		list[i].Reason = reason(list[i])
		u.await(list[i].Reason)
	}
	return list
}

func (u *updating) await(reason string) {
	if strings.TrimSpace(reason) == "" {
		u.Unreasoned++
	}
}

// header returns the lines before the first entry, or all of a list without entries.
func (e *List) header() string {
	if len(e.Entries) == 0 {
		var kept strings.Builder
		for _, line := range e.lines {
			kept.WriteString(withoutEmptyList(line))
		}
		return endsLine(kept.String())
	}
	return strings.Join(e.lines[:e.Entries[0].line-1], "")
}

// withoutEmptyList returns a line of a list without entries as it is before one: a list that is
// written as [] cannot have more.
func withoutEmptyList(line string) string {
	content := strings.TrimSpace(line)
	if content == "" || content == "---" || strings.HasPrefix(content, "#") || strings.HasPrefix(content, "%") {
		return line
	}
	if _, comment, has := strings.Cut(line, " #"); has {
		return "#" + comment
	}
	return ""
}

// footer returns the lines after the last entry.
func (e *List) footer() string {
	if len(e.Entries) == 0 {
		return ""
	}
	return strings.Join(e.lines[e.end(len(e.Entries)-1):], "")
}

// comment returns the comments and blank lines that are before an entry and after the one before.
func (e *List) comment(i int) string {
	if i == 0 {
		return "" // the header
	}
	return strings.Join(e.lines[e.end(i-1):e.Entries[i].line-1], "")
}

// text returns the lines of an entry.
func (e *List) text(i int) string {
	return endsLine(strings.Join(e.lines[e.Entries[i].line-1:e.end(i)], ""))
}

// end returns the number of the last line of an entry.
func (e *List) end(i int) int {
	end := len(e.lines)
	if i+1 < len(e.Entries) {
		end = e.Entries[i+1].line - 1
	}
	for end > e.Entries[i].line && isNoText(e.lines[end-1]) {
		end--
	}
	return end
}

// isNoText reports whether a line is blank or a comment.
func isNoText(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "#")
}

func endsLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
