package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/textlayout"
)

// profile explains a profile.
func (b *book) profile(page *textlayout.Builder, p *profiles.Profile) {
	title(page, p.Name, "profile", p.About)
	page.Item("title", p.Title)
	page.Item("dialect", p.Dialect)
	if p.Like != "" {
		page.Item("built upon", p.Like)
	}
	for i, doc := range p.Docs {
		label := ""
		if i == 0 {
			label = "docs"
		}
		page.Labelled(label, []string{doc})
	}
	for _, form := range []struct {
		what  string
		proof profiles.Proof
	}{{"answers", p.Forms.Answers}, {"errors", p.Forms.Errors}} {
		if form.proof.KnownBy != "" {
			page.Item(form.what, known(form.proof))
		}
	}
	page.Item("reasoning", reasoning(p))
	if p.Reasoning.KnownBy != "" && p.Reasoning.Resend != profiles.ResendNone {
		page.Item("", known(p.Reasoning.Proof))
	}
	if len(p.Images.In) > 0 {
		page.Item("images", "are taken in "+p.Images.String())
		page.Item("", known(p.Images.Proof))
	}
	for _, takes := range accepted(p) {
		page.Item("takes", takes)
	}
	page.Item("played in", count(b.casesUnder(p), "case"))
	heading(page, "Refuses, in the order in which it looks")
	for _, refusal := range p.Refuses {
		page.Line(2, refusal.Rule)
		page.Item(fmt.Sprint(refusal.Status), refusal.Message)
		said(page, refusal)
	}
	if len(p.Errors.Words) > 0 {
		heading(page, "Errors that scenarios ask for")
	}
	for _, status := range slices.Sorted(maps.Keys(p.Errors.Words)) {
		page.Exact(fmt.Sprint(status), string(p.Error(status, p.Errors.Words[status])))
	}
	b.speech(page, p)
}

// accepted says what the provider takes where that is less than OpenAI's reference has.
func accepted(p *profiles.Profile) []string {
	var all []string
	for _, of := range []struct {
		what  string
		words []string
	}{
		{"the roles", p.Accepts.Roles}, {"content of the types", p.Accepts.Parts}, {"as tool_choice", p.Accepts.ToolChoices}, {"messages named", p.Accepts.Names},
		{"assistant messages with", p.Accepts.Assistant}, {"tool messages with", p.Accepts.Tool}, {"calls with", p.Accepts.Call},
	} {
		if len(of.words) > 0 {
			all = append(all, of.what+" "+list(of.words))
		}
	}
	if form := p.Accepts.CallID; !form.Any() {
		all = append(all, "ids of calls like "+form.String())
	}
	return all
}

// reasoning says what the provider wants of the model's reasoning.
func reasoning(p *profiles.Profile) string {
	text := map[profiles.Resend]string{
		profiles.ResendNone:      "is never shown",
		profiles.ResendNever:     "is shown, and must not come back",
		profiles.ResendOptional:  "is shown, and may come back or not",
		profiles.ResendToolTurns: "is shown, and has to come back on turns that called tools",
		profiles.ResendAllTurns:  "is shown, has to come back on turns that called tools, and should on answers",
	}[p.Reasoning.Resend]
	if p.Reasoning.EvenIfEmpty {
		text += ", even when it is empty"
	}
	if p.Reasoning.CurrentPromptOnly {
		text += ", until the next prompt"
	}
	if len(p.Reasoning.Takes) > 0 {
		text += ", as " + list(p.Reasoning.Takes) + " only"
	}
	if len(p.Reasoning.Reads) > 0 {
		text += ", and is read as " + list(p.Reasoning.Reads) + " only"
	}
	if p.Traits.ReasoningField != "" {
		text += "; its field is " + p.Traits.ReasoningField
	}
	if p.Traits.ReasoningInContent {
		text += "; it stands in the content, as parts of the type thinking"
	}
	if p.Traits.ReasoningBlocks && p.Traits.ReasoningField != "" {
		text += ", and there are reasoning_details"
	}
	if signature := p.Traits.CallSignature; len(signature) > 0 {
		text += "; calls are signed under " + strings.Join(signature, ".")
	}
	return text
}

func (b *book) casesUnder(p *profiles.Profile) int {
	n := 0
	for _, c := range b.plan.Cases {
		if c.Profile == p.Name {
			n++
		}
	}
	return n
}
