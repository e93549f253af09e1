package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/lint"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
)

// writeText writes what is said of all requests, and a line that sums it up. What a request repeats
// of the one before it, as the requests of one conversation do, is counted and not shown again.
func (l *linting) writeText(files int) error {
	page := l.layout()
	hints := &fixHints{linting: l, given: map[string]bool{}}
	var before *lint.Result
	for i := range l.results {
		r := &l.results[i]
		l.request(page, r, before, hints)
		before = r
	}
	if err := hints.err; err != nil {
		return err
	}
	l.sum(page, files)
	_, err := io.WriteString(l.out, page.String())
	return err
}

// request writes what is said of one request; one of which nothing is said only where it is alone.
func (l *linting) request(page *textlayout.Builder, r, before *lint.Result, hints *fixHints) {
	findings := slices.DeleteFunc(slices.Clone(r.Findings), func(f lint.Finding) bool { return !l.shown(f) })
	fresh := slices.DeleteFunc(slices.Clone(findings), func(f lint.Finding) bool { return before != nil && repeats(before, r, f) })
	if len(l.results) > 1 && r.Problem == "" && len(r.Hints) == 0 && len(findings) == 0 && !r.Refused() {
		return
	}
	page.Line(0, page.Styled(textlayout.Bold, r.File+" "+r.Where())+"  "+describeSaved(r))
	if r.Problem != "" {
		page.Item("problem", r.Problem)
	}
	for _, h := range r.Hints {
		page.Item("hint", fmt.Sprintf("%s:%d  %q is no key of %s: did you mean %s?", r.File, h.Line, h.Key, r.Speaks.Title, h.Meant))
	}
	l.answers(page, r)
	for _, f := range fresh {
		page.Line(0, "")
		l.finding(page, r, f)
		hints.add(page, r, f)
	}
	if n := len(findings) - len(fresh); n > 0 {
		page.Line(0, "")
		page.Item("", "and "+count(n, "finding")+" of the request above again")
	}
	page.Line(0, "")
}

// repeats reports whether a finding was there in the request before, too.
func repeats(before, r *lint.Result, f lint.Finding) bool {
	return before.File == r.File && slices.ContainsFunc(before.Findings, func(other lint.Finding) bool {
		return other.Rule == f.Rule && other.Pointer == f.Pointer && other.Message == f.Message
	})
}

// describeSaved describes a request: "Chat Completions, gpt-5, 4 messages, 2 tools".
func describeSaved(r *lint.Result) string {
	words := []string{r.Speaks.Title}
	if r.Guessed {
		words[0] += " (supposed)"
	}
	if r.Model != "" {
		words = append(words, r.Model)
	}
	words = append(words, count(r.Messages, "message"))
	if r.Tools > 0 {
		words = append(words, count(r.Tools, "tool"))
	}
	if r.List {
		words = append(words, "no other keys")
	}
	return strings.Join(words, ", ")
}

// answers writes what the providers answer. Those that answer the same are one entry.
func (l *linting) answers(page *textlayout.Builder, r *lint.Result) {
	var accept []string
	done := map[string]bool{}
	for i, a := range r.Answers {
		if a.Status == 0 {
			accept = append(accept, a.Profile)
			continue
		}
		said := fmt.Sprintf("%d: %s", a.Status, a.Message)
		if done[said] {
			continue
		}
		done[said] = true
		page.Line(0, "")
		page.Item("refused by", strings.Join(sameAnswer(r.Answers[i:], a), ", "))
		page.Item("with", page.Styled(textlayout.Red, said))
		proof := a.KnownBy
		if proof == string(profiles.Unnamed) {
			proof += ": the text is in public code whose repository is not known"
		}
		if a.OurWords {
			proof += "; our own wording"
		}
		if len(a.Sources) > 0 {
			proof += ": " + strings.Join(a.Sources, ", ")
		}
		page.Item("rule", a.Rule)
		page.Item("known", proof)
	}
	if len(accept) > 0 && (len(r.Answers) > 1 || len(l.results) == 1) {
		page.Line(0, "")
		page.Item("accepted", "as far as is known, by "+strings.Join(accept, ", "))
	}
}

// sameAnswer returns the profiles that answer the same.
func sameAnswer(all []lint.Answer, as lint.Answer) []string {
	var names []string
	for _, a := range all {
		if a.Status == as.Status && a.Message == as.Message {
			names = append(names, a.Profile)
		}
	}
	return names
}

func (l *linting) finding(page *textlayout.Builder, r *lint.Result, f lint.Finding) {
	style := textlayout.Red
	if f.Level != trace.Must {
		style = textlayout.Amber
	}
	level := string(f.Level)
	if len(f.Profiles) < len(r.Answers) {
		level += " under " + strings.Join(f.Profiles, ", ")
	}
	page.Line(0, page.Styled(style, f.Rule)+"  "+level)
	page.Item("where", l.place(r, f))
	page.Item("found", f.Message)
	page.Item("expected", f.Expected)
	page.Item("actual", f.Actual)
}

// place says where a finding is, as editors and terminals make links of it.
func (l *linting) place(r *lint.Result, f lint.Finding) string {
	pointer := f.Pointer
	if pointer == "" {
		pointer = "the whole request"
	}
	return fmt.Sprintf("%s:%d  %s", r.File, f.Line, pointer)
}

// sum writes the last line.
func (l *linting) sum(page *textlayout.Builder, files int) {
	refused, broken, hidden := 0, 0, 0
	for i := range l.results {
		r := &l.results[i]
		if r.Refused() || r.Problem != "" && r.Fails() {
			refused++
		} else if r.Fails() {
			broken++
		}
		for _, f := range r.Findings {
			if !l.shown(f) {
				hidden++
			}
		}
	}
	text := count(len(l.results), "request") + " in " + count(files, "file")
	switch {
	case refused+broken == 0:
		text += ": accepted"
	case refused > 0:
		text += fmt.Sprintf(": %d refused", refused)
	}
	if broken > 0 {
		text += fmt.Sprintf(": %d accepted that break a must", broken)
	}
	if hidden > 0 {
		text += " (" + count(hidden, "violation") + " of the level info: --infos)"
	}
	page.Line(0, text)
}
