package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/textlayout"
)

// profile explains a profile.
func (b *book) profile(page *textlayout.Builder, p *profiles.Profile) {
	title(page, p.Name, "profile", p.About)
	page.Item("title", p.Title)
	page.Item("dialect", p.Dialect)
	if p.Like != "" {
		page.Item("based on", p.Like)
	}
	for i, doc := range p.Docs {
		label := ""
		if i == 0 {
			label = "docs"
		}
		page.Labelled(label, []string{doc})
	}
	if p.Seen != "" {
		page.Item("seen", p.Seen+": its sources were last looked up")
	}
	if old := stale(p, b.today); len(old) > 0 {
		page.Item("old", fmt.Sprintf("more than a year ago the sources were seen of %s", list(old)))
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
		page.Item("images", "accepted in "+p.Images.String())
		page.Item("", known(p.Images.Proof))
	}
	for _, takes := range accepted(p) {
		page.Item("accepts", takes)
	}
	page.Item("played in", count(b.casesUnder(p), "case"))
	heading(page, "What the provider refuses, in the order of its checks")
	for _, refusal := range p.Refuses {
		page.Line(2, refusal.Rule)
		answer := refusal.Answers()[0]
		page.Item(fmt.Sprint(answer.Status), answer.Message)
		said(page, refusal)
	}
	if len(p.Errors.Words) > 0 {
		heading(page, "Errors that scenarios play")
	}
	for _, status := range slices.Sorted(maps.Keys(p.Errors.Words)) {
		page.Exact(fmt.Sprint(status), string(p.Error(status, p.Errors.Words[status])))
	}
	b.sampleAnswer(page, p)
}

// stale returns the rules of the refusals whose sources were last looked up more than a year before
// a day: the provider may have changed since.
func stale(p *profiles.Profile, today time.Time) []string {
	var old []string
	for _, refusal := range p.Refuses {
		if refusal.Stale(today) && refusal.KnownBy.Strong() {
			old = append(old, refusal.Rule)
		}
	}
	return old
}

// accepted lists what the provider accepts, where that is less than OpenAI's reference has.
func accepted(p *profiles.Profile) []string {
	var all []string
	for _, of := range []struct {
		what  string
		words []string
	}{
		{"only the roles", p.Accepts.Roles}, {"only content of the types", p.Accepts.Parts}, {"only as tool_choice", p.Accepts.ToolChoices}, {"a name only in messages of", p.Accepts.Names},
		{"in assistant messages only", p.Accepts.Assistant}, {"in tool messages only", p.Accepts.Tool}, {"in calls only", p.Accepts.Call},
	} {
		if len(of.words) > 0 {
			all = append(all, of.what+" "+list(of.words))
		}
	}
	if form := p.Accepts.CallID; !form.Any() {
		all = append(all, "call ids such as "+form.String())
	}
	return all
}

// reasoning says what the provider requires about reasoning.
func reasoning(p *profiles.Profile) string {
	text := map[profiles.Resend]string{
		profiles.ResendNone:      "never sent",
		profiles.ResendNever:     "sent; must not be resent",
		profiles.ResendOptional:  "sent; may be resent",
		profiles.ResendToolTurns: "sent; must be resent on turns with tool calls",
		profiles.ResendAllTurns:  "sent; must be resent on turns with tool calls, and should be on answers",
	}[p.Reasoning.Resend]
	if p.Reasoning.EvenIfEmpty {
		text += ", even if it is empty"
	}
	if p.Reasoning.CurrentPromptOnly {
		text += ", up to the next prompt"
	}
	if len(p.Reasoning.Takes) > 0 {
		text += "; accepted only as " + list(p.Reasoning.Takes)
	}
	if len(p.Reasoning.Reads) > 0 {
		text += "; read only as " + list(p.Reasoning.Reads)
	}
	if p.Traits.ReasoningField != "" {
		text += "; in the field " + p.Traits.ReasoningField
	}
	if p.Traits.ReasoningInContent {
		text += "; in the content, as parts of the type thinking"
	}
	if p.Traits.ReasoningBlocks && p.Traits.ReasoningField != "" {
		text += " and in reasoning_details"
	}
	if signature := p.Traits.CallSignature; len(signature) > 0 {
		text += "; calls have a signature in " + strings.Join(signature, ".")
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
