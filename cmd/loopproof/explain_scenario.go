package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// scenarioPage explains a scenario.
func (b *book) scenarioPage(page *textlayout.Builder, s *scenarios.Scenario) {
	title(page, s.ID, "scenario", s.Title+".")
	page.Item("why", s.Why)
	page.Item("needs", list(s.Needs))
	page.Item("system", s.System)
	if s.When != nil {
		page.Item("when", s.When.String())
	}
	for i, prompt := range s.Prompts {
		if len(s.Models) > 0 {
			prompt = fmt.Sprintf("to the %s model: %s", s.Models[i], prompt)
		}
		page.Item("prompt", prompt)
	}
	if s.MaxTurns > 0 {
		page.Item("limit", count(s.MaxTurns, "turn"))
	}
	if s.TokenBudget > 0 {
		page.Item("budget", count(s.TokenBudget, "token"))
	}
	if form := s.AnswerForm(); form != nil {
		page.Item("answer", "fits "+string(form))
	}
	if s.ContextLimit > 0 {
		page.Item("context", count(s.ContextLimit, "token"))
	}
	if s.CompactThreshold > 0 {
		page.Item("compacted", "by the provider, at "+count(s.CompactThreshold, "token"))
	}
	if len(s.Tools) > 0 {
		heading(page, "Tools")
	}
	for _, t := range s.Tools {
		tool(page, t)
	}
	for _, a := range s.Agents {
		heading(page, "The sub-agent "+a.Name)
		page.Item("system", a.System)
		if a.MaxTurns > 0 {
			page.Item("limit", count(a.MaxTurns, "turn"))
		}
		for _, t := range a.Tools {
			tool(page, t)
		}
	}
	heading(page, "What the model does")
	steps(page, s.Model)
	for _, t := range s.Threads {
		heading(page, "What it does in the conversation that "+t.Call+" begins")
		steps(page, t.Model)
	}
	expectation(page, s)
	if !s.Prompted() {
		return // a script for applications tests no rules
	}
	heading(page, "Rules")
	for _, id := range s.Rules {
		page.Line(2, id)
		page.Text(4, rulebook.Lookup(id).Text, textlayout.Faint)
	}
	page.Line(2, "and the rules that are judged in every run")
	b.playedIn(page, s)
	b.notPlayedIn(page, s)
}

func tool(page *textlayout.Builder, t scenarios.Tool) {
	var parameters []string
	for _, p := range t.Properties() {
		parameters = append(parameters, strings.TrimSpace(p.Name+" "+p.Type))
	}
	if t.FreeText {
		parameters = []string{"a free text"}
	}
	page.Line(2, fmt.Sprintf("%s(%s)%s", t.Name, strings.Join(parameters, ", "), needsApproval(t)))
	for i := range t.Results {
		r := &t.Results[i]
		says := fmt.Sprintf("gives %s", quotedShort(r.Output()))
		switch {
		case r.Fails():
			says = fmt.Sprintf("fails with %q", *r.Fail)
		case r.Image != "":
			says = "gives an image of type " + r.Image
		}
		if len(r.When) > 0 {
			says += " for " + string(r.When.JSON())
		}
		if r.After > 0 {
			says += fmt.Sprintf(" after %v", r.After)
		}
		page.Line(4, says)
	}
}

func needsApproval(t scenarios.Tool) string {
	if t.NeedsApproval {
		return ", which needs an approval"
	}
	if t.Programmatic {
		return ", which code of the provider may call"
	}
	return ""
}

// decision says what the user decides about a call, if it is not a plain yes.
func decision(c scenarios.Call) string {
	switch {
	case c.Denied != nil && *c.Denied != "":
		return fmt.Sprintf(" (the user denies it: %q)", *c.Denied)
	case c.Denied != nil:
		return " (the user denies it)"
	case c.ApprovedWith != "":
		return fmt.Sprintf(" (the user approves it with %s)", c.ApprovedWith)
	}
	return ""
}

// steps writes what the model does, step by step.
func steps(page *textlayout.Builder, model []scenarios.Step) {
	for i := range model {
		page.Item(fmt.Sprintf("step %d", i+1), step(&model[i]))
	}
}

// step describes in a sentence what the model does at a step.
func step(s *scenarios.Step) string {
	text := failure(s)
	if text == "" {
		text = "answers " + answer(s)
	}
	if s.Requests > 0 {
		text += fmt.Sprintf(" (%s in all)", count(s.Requests, "request"))
	}
	if s.Times > 1 {
		text += fmt.Sprintf(" (%d times)", s.Times)
	}
	if s.When != nil {
		text = "when " + s.When.String() + ": " + text
	}
	if s.ModelDown {
		text += ", and so does each later request to the first model"
	}
	if s.Steers {
		text += "; the user says the next prompt while its tools run"
	}
	if s.IfQueued {
		text = "where that prompt waits for the answer to the one before: " + text
	}
	if s.IfOffered != "" {
		text = "where " + s.IfOffered + " is offered: " + text
	}
	return text + cancelled(s.Cancel) + crashed(s.Crash)
}

// crashed describes when the process of the loop is killed.
func crashed(c *scenarios.Crash) string {
	if c == nil {
		return ""
	}
	when := during(c.During, "while the user is asked about its calls")
	if c.Call != "" {
		when = "while the call " + c.Call + " runs"
	}
	return "; the process of the loop is killed " + when + ", and started again"
}

// cancelled describes when the user cancels, and what.
func cancelled(c *scenarios.Cancel) string {
	if c == nil {
		return ""
	}
	what := "the user cancels "
	if c.Scope == protocol.ScopePrompt {
		what = "the user cancels the prompt "
	}
	return "; " + what + during(c.During, "instead of deciding about its calls")
}

// during says when in a step a loop is interrupted. What that is while the user is asked about calls
// depends on who interrupts it.
func during(p scenarios.Point, approval string) string {
	return map[scenarios.Point]string{
		scenarios.DuringAnswer:   "before its first byte",
		scenarios.DuringStream:   "in the middle of it",
		scenarios.DuringTool:     "while its tools run",
		scenarios.DuringWait:     "while the loop waits for its next attempt",
		scenarios.DuringApproval: approval,
	}[p]
}

func answer(s *scenarios.Step) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if s.Compaction != "" {
		add("the history made shorter, as %s", quotedShort(s.Compaction))
	}
	if s.Reasoning != nil {
		add("reasoning %q", *s.Reasoning)
	}
	for _, d := range s.ReasoningDetails {
		add("a reasoning block %s %q", d.Type, d.Text)
	}
	for _, i := range s.ProviderItems {
		add("%s", providerItem(i))
	}
	if s.Text != nil {
		phase := ""
		if s.Phase != "" {
			phase = fmt.Sprintf(" of the phase %s", s.Phase)
		}
		add("the text %s%s", quotedShort(*s.Text), phase)
	}
	for _, c := range s.Calls {
		add("the call %s = %s %s%s", c.As, c.Tool, c.Arguments, decision(c))
	}
	if len(parts) == 0 {
		add("nothing")
	}
	text := "with " + strings.Join(parts, ", ")
	if s.Finish != "" {
		text += fmt.Sprintf(", finish reason %s", s.Finish)
	}
	if s.Stream.Interleaved {
		text += ", the calls interleaved"
	}
	switch s.ContentType {
	case "":
	case scenarios.NoContentType:
		text += ", sent without a content type"
	default:
		text += ", sent as " + s.ContentType
	}
	if s.Whole {
		text += ", never streamed"
	}
	if s.Gzip {
		text += ", compressed"
	}
	return text + breaks(s)
}

// providerItem describes what a tool of the provider did.
func providerItem(i scenarios.ProviderItem) string {
	text := "the item " + i.Type
	if i.As != "" {
		text += " " + i.As
	}
	for _, what := range []string{i.Query, i.Code, strings.Trim(i.Server+"."+i.Tool, "."), strings.Join(i.Tools, " and "), i.Arguments} {
		if what != "" {
			text += " " + quotedShort(what)
		}
	}
	switch {
	case i.Type == wire.ApprovalRequest && i.Denied:
		text += ", which the user denies"
	case i.Type == wire.ApprovalRequest:
		text += ", which the user allows"
	}
	return text
}

// breaks describes how an answer is interrupted.
func breaks(s *scenarios.Step) string {
	place := func(b scenarios.Break) string {
		switch {
		case b.Before != "":
			return "before its " + b.Before
		case b.After.Each:
			return "before, inside and after each event up to the finish reason, one case for each place"
		}
		return "after " + count(b.After.N, strings.TrimSuffix(b.After.Unit, "s"))
	}
	switch {
	case s.Stall != nil:
		return fmt.Sprintf(", silent for %v %s", s.Stall.For, place(s.Stall.Break))
	case s.Cut != nil:
		return ", cut " + place(*s.Cut)
	case s.Reset != nil:
		return ", reset " + place(*s.Reset)
	case s.InBandError != nil:
		return ", followed by an error " + place(s.InBandError.Break)
	default:
		return ""
	}
}

func expectation(page *textlayout.Builder, s *scenarios.Scenario) {
	if s.Expect.Status != "" {
		page.Item("expected", "the loop reports "+string(s.Expect.Status))
	}
	if s.Expect.Text != nil {
		page.Item("expected", fmt.Sprintf("the answer %s", quotedShort(*s.Expect.Text)))
	}
}

// notPlayedIn says for each dialect in which a scenario is not played why that is so.
func (b *book) notPlayedIn(page *textlayout.Builder, s *scenarios.Scenario) {
	said := false
	for _, d := range profiles.Spoken(b.profiles) {
		if reason, is := s.NotPlayedIn(d, b.profiles); is {
			if !said {
				heading(page, "Not played in")
			}
			said = true
			page.Item(d.Name, reason.Why)
		}
	}
}

// playedIn lists the profiles under which a scenario is played, each with its deliveries.
func (b *book) playedIn(page *textlayout.Builder, s *scenarios.Scenario) {
	var profiles []string
	deliveries := map[string][]string{}
	for _, c := range b.plan.Cases {
		if c.Scenario != s.ID {
			continue
		}
		if !slices.Contains(profiles, c.Profile) {
			profiles = append(profiles, c.Profile)
		}
		if c.Cut <= 1 {
			deliveries[c.Profile] = append(deliveries[c.Profile], string(c.Delivery))
		}
	}
	heading(page, "Played under")
	for _, p := range profiles {
		page.Item(p, list(deliveries[p]))
	}
	if err := s.CheckPlayed(b.profiles); err != nil {
		page.Item("none", err.Error())
	}
}
