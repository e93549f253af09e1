package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
)

// profilesPage writes what each provider demands, and how that is known.
func profilesPage() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s# The profiles\n\n", generated)
	b.WriteString("A profile is one file: how a provider writes answers and errors, what it wants back of the model's reasoning, and what it refuses, in its own words. ")
	b.WriteString("A claim is known by, from strong to weak: *executed* (the provider's own code, in the version that is named, was [run and refused it](agreement.md)), *documented* by the provider or its server's source, *recorded* in real traffic, *measured* and published, *reported* in a public issue, *unnamed* (the text is in public code whose repository is not known; such a claim never makes a rule a must). ")
	b.WriteString("Where it is known that a provider refuses something, but not in which words, the words are *ours*. ")
	b.WriteString("What a provider showed *until* a version or a time is played as well, since old servers live long, and makes no rule a must either; nor do answers that its reference allows but that were never seen. What it *refused* until a version is listed, but not refused.\n")
	b.WriteString("\n## Which scenarios are played under which profile\n\n")
	b.WriteString("A scenario is played in every delivery under one profile, its home: `openai` where that can say it. Under the others it is played as JSON and as an ordinary stream. ")
	b.WriteString("A profile that is `like` another one plays only the areas in which providers differ, egress, images, pairing, reasoning and stream, and the scenarios that name it: the rest would be the same again. ")
	b.WriteString("A loop that claims only such a profile is played everything under it. ")
	b.WriteString("A profile that is `by-name-only` plays nothing but the scenarios that name it.\n")
	b.WriteString("\n## A profile of your own\n\n")
	b.WriteString("`--profiles DIR` of `run`, `serve`, `list` and `explain`, and `OwnProfiles` in Go, add the files of a folder. A file says what it is `like`, and what differs: mappings are read into each other, lists, templates and the words of a status are replaced, `also-refuses` adds refusals. `forms` says how it is known in which form the provider writes `answers` and `errors`; errors of some statuses may have `envelopes` of their own, and some violations of a rule may be refused in other words (`instead`, `when` the rule says so much of the violation), or are the `only` ones that are refused. `executed` names the code that was run, for refusals that are known by it. ")
	b.WriteString("`status` gives what the other one refuses other statuses, as in `status: {400: 422}`; what the file itself refuses has the status that it says. ")
	b.WriteString("[All keys](profile-keys.md) have a page; `loopproof validate DIR` checks the files, and `loopproof explain NAME --profiles DIR` shows what one comes to.\n\n")
	b.WriteString("```yaml\nloopproof: 1\ntitle: Our gateway\nlike: openai\nstatus: {400: 422} # what OpenAI refuses with 400\nerrors:\n  words:\n    429: {message: Slow down., type: rate_limit}\nalso-refuses:\n  - rule: egress/tool-message-keys\n    status: 422\n    message: \"messages[{index}]: {key} is unknown\"\n    known-by: documented\n    sources: [https://gateway.example.com/docs]\n```\n")
	for _, p := range profiles.All() {
		writeProfile(&b, p)
	}
	return b.Bytes(), nil
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
	text := fmt.Sprintf("%d %s`%s`", r.Status, whose, cell(r.Message))
	if r.InSequence {
		text += "<br>in view of the requests before: judged, and not refused by the mock"
	}
	for _, other := range otherAnswers(r) {
		text += "<br>or " + other
	}
	if where := r.Where(); where != "" {
		text += "<br>only where " + where
	}
	if r.Until != "" {
		text += fmt.Sprintf("<br>until %s: judged by no must, and not refused by the mock", r.Until)
	}
	return text
}

// otherAnswers are the answers that a violation may get instead, each once: several reasons can have the same answer.
func otherAnswers(r profiles.Refusal) []string {
	var all []string
	for _, other := range r.Instead {
		text := fmt.Sprintf("`%s`", cell(other.Message))
		if other.Status != 0 {
			text = fmt.Sprintf("%d %s", other.Status, text)
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
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
