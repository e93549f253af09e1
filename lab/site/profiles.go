package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
)

// profilesPage writes what each provider demands, and how that is known, below what the page in
// docs says of all profiles.
func profilesPage(repo fs.FS) ([]byte, error) {
	about, err := introduction(repo, "docs/profiles.md", "\n## All profiles\n")
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(about)
	for _, p := range profiles.All() {
		writeProfile(b, p)
	}
	return b.Bytes(), nil
}

// introduction returns the text of a page before a heading.
func introduction(repo fs.FS, file, heading string) ([]byte, error) {
	page, err := fs.ReadFile(repo, file)
	if err != nil {
		return nil, err
	}
	before, _, found := bytes.Cut(page, []byte(heading))
	if !found {
		return nil, fmt.Errorf("%s has no heading %q", file, strings.TrimSpace(heading))
	}
	return append(bytes.Clone(before), '\n'), nil
}

func writeProfile(b *bytes.Buffer, p *profiles.Profile) {
	fmt.Fprintf(b, "\n## %s\n\n**%s.** %s\n\n", p.Name, p.Title, strings.TrimSpace(p.About))
	if p.Like != "" {
		fmt.Fprintf(b, "- like [%s](#%s), except for what its file says\n", p.Like, anchor(p.Like))
	}
	proof(b, "the form of its answers, ids and streams", p.Forms.Answers)
	proof(b, "the form of its errors", p.Forms.Errors)
	reasoning := policy(p.Reasoning)
	if p.Reasoning.Resend != profiles.ResendNone {
		reasoning += fmt.Sprintf(", %s: %s", p.Reasoning.KnownBy, links(p.Reasoning.Sources))
	}
	fmt.Fprintf(b, "- reasoning: %s\n", reasoning)
	if len(p.Images.In) > 0 {
		fmt.Fprintf(b, "- takes images in %s, %s: %s\n", p.Images, p.Images.KnownBy, links(p.Images.Sources))
	}
	for _, id := range p.ContradictsOthers {
		fmt.Fprintf(b, "- demands the opposite of others: [%s](rules.md#%s) is a must only for loops that name this profile in their claims\n", id, anchor(id))
	}
	for _, d := range p.Docs {
		fmt.Fprintf(b, "- docs: <%s>\n", d)
	}
	for _, q := range p.Quirks {
		how, until := "shows", ""
		switch {
		case q.Always:
			how = "always shows"
		case q.Until != "":
			how, until = "showed", " until "+q.Until
		case q.Unseen:
			how = "may show, and was not seen to show,"
		}
		fmt.Fprintf(b, "- %s the quirk `%s`%s, %s: %s\n", how, q.Name, until, q.KnownBy, links(q.Sources))
	}
	if len(p.Refuses) == 0 {
		return
	}
	b.WriteString("\n| refuses a violation of | with | known by |\n|---|---|---|\n")
	for _, r := range p.Refuses {
		known := r.How()
		if len(r.Sources) > 0 {
			known += ": " + links(r.Sources)
		}
		fmt.Fprintf(b, "| [%s](rules.md#%s) | %s | %s |\n", r.Rule, anchor(r.Rule), answer(r), known)
	}
}

// answer is what a provider says to a violation.
func answer(r profiles.Refusal) string {
	whose := ""
	if r.OurWords {
		whose = "in our words "
	}
	var text string
	for i, other := range r.Answers() {
		if i == 0 {
			text = fmt.Sprintf("%d %s`%s`", other.Status, whose, cell(other.Message))
			if r.InSequence {
				text += "<br>in view of the requests before: judged, and not refused by the mock"
			}
			continue
		}
		text += "<br>or "
		if other.Status != r.Status {
			text += fmt.Sprintf("%d ", other.Status)
		}
		text += "`" + cell(other.Message) + "`"
	}
	if where := r.Where(); where != "" {
		text += "<br>only where " + where
	}
	if r.Until != "" {
		text += fmt.Sprintf("<br>until %s: judged by no must, and not refused by the mock", r.Until)
	}
	return text
}

// proof says how a form is known.
func proof(b *bytes.Buffer, what string, p profiles.Proof) {
	if p.KnownBy == "" {
		return
	}
	fmt.Fprintf(b, "- %s: %s: %s\n", what, p.KnownBy, links(p.Sources))
}

func links(urls []string) string {
	var all []string
	for _, u := range urls {
		all = append(all, fmt.Sprintf("[%s](%s)", shortURL(u), u))
	}
	return strings.Join(all, ", ")
}

func policy(r profiles.Reasoning) string {
	switch r.Resend {
	case profiles.ResendNone:
		return "shows none"
	case profiles.ResendNever:
		return "must not come back"
	case profiles.ResendOptional:
		return "may come back"
	case profiles.ResendToolTurns, profiles.ResendAllTurns:
		text := "has to come back on turns with tool calls"
		if r.CurrentPromptOnly {
			text += " until the next prompt"
		}
		if r.EvenIfEmpty {
			text += ", even when it is empty"
		}
		if r.Resend == profiles.ResendAllTurns {
			text += ", and should on answers"
		}
		if len(r.Reads) > 0 {
			text += ", under " + strings.Join(r.Reads, " or ") + " alone"
		}
		return text
	default:
		return string(r.Resend)
	}
}

// cell writes a text so that it can be between backquotes in a table.
func cell(text string) string {
	return strings.NewReplacer("|", "\\|", "`", "'", "\n", " ").Replace(text)
}
