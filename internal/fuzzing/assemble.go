package fuzzing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

// Scenario returns the conversation as a scenario that was written and read again, so that it has
// passed all checks.
func (c *Conversation) Scenario(id string, v scenarios.Vocabulary) (*scenarios.Scenario, error) {
	text, err := strictyaml.Write(c.assemble())
	if err != nil {
		return nil, err
	}
	s, err := scenarios.Parse(id+".yaml", text, v)
	if err != nil {
		return nil, fmt.Errorf("a conversation that was drawn is no scenario: %w\n%s", err, text)
	}
	return s, nil
}

// assemble puts the scenario together.
func (c *Conversation) assemble() *scenarios.Scenario {
	s := &scenarios.Scenario{
		Format: 1, Title: c.Title(), Profiles: c.Profiles, System: c.System, MaxTurns: c.MaxTurns, ContextLimit: c.ContextLimit, TokenBudget: c.TokenBudget, Timeout: c.Timeout, Transcript: c.Transcript, Needs: c.needs(),
		Tools: c.tools(), Deliveries: wire.Words(c.Deliveries),
	}
	for _, p := range c.Prompts {
		s.Prompts = append(s.Prompts, p.Text)
	}
	if len(s.Prompts) == 1 {
		s.Prompt, s.Prompts = s.Prompts[0], nil
	}
	if c.AnswerInForm != "" {
		s.AnswerSchema = answerForm
	}
	if compacts(c) {
		s.CompactThreshold = compactThreshold
	}
	s.Models = c.models()
	s.Model, s.Threads = c.model()
	s.Agents = c.agents()
	return s
}

// model returns the steps of the model, and those of the conversations with sub-agents.
func (c *Conversation) model() (steps []scenarios.Step, threads []scenarios.Thread) {
	said := speech{Conversation: c}
	for i := range c.Prompts {
		for _, t := range c.paidFor(i) {
			steps = append(append(steps, t.Failures...), said.step(t))
			if t.Step.Steers { // an answer to this prompt, for loops that keep the next one until then
				queued := said.step(Turn{Step: scenarios.Step{Text: new("Text in between."), IfQueued: true}})
				if i == len(c.Prompts)-1 { // there is nothing to say any more
					steps[len(steps)-1].Steers, queued.IfQueued = false, false
				}
				steps = append(steps, queued)
			}
		}
	}
	if c.AnswerInForm != "" {
		steps[len(steps)-1].Text = &c.AnswerInForm
	}
	return steps, said.threads
}

// speech turns what the model says into steps, one after the other.
type speech struct {
	*Conversation
	named   int            // how many calls have a name
	before  scenarios.Call // the first call of the turn before
	waiting []string       // results of the provider's tools, which the next turn has
	threads []scenarios.Thread
}

// step returns the step of a turn.
func (s *speech) step(t Turn) scenarios.Step {
	step := t.Step
	if step.Text != nil || len(t.Calls) > 0 {
		step.Blocks = slices.Concat(s.waiting, step.Blocks)
		s.waiting = resultsAfter(step.Blocks)
		if s.TokenBudget > 0 {
			step.Usage = &costOfAnswer
		}
	}
	if s.AnswerInForm == "" || len(t.Calls) == 0 {
		step.AnswerCalls = nil
	}
	step.Calls = nil
	for _, call := range t.Calls {
		s.named++
		tool := toolNamed(call.Tool)
		said := scenarios.Call{As: fmt.Sprintf("call-%d", s.named), Tool: call.Tool, Arguments: call.Arguments, NotOffered: tool == nil}
		if tool != nil && tool.ListedAfter != "" {
			step.IfOffered = tool.Name
		}
		if s.asksAbout(call) {
			said.Denied, said.ApprovedWith = call.Denied, call.ApprovedWith
		}
		if call.RepeatsID && s.before.Tool == call.Tool {
			said.SameIDAs = s.before.As
		}
		step.Calls = append(step.Calls, said)
		if len(call.Thread) > 0 {
			thread := scenarios.Thread{Call: said.As}
			for _, t := range call.Thread {
				thread.Model = append(thread.Model, s.step(t))
			}
			s.threads = append(s.threads, thread)
		}
	}
	if len(step.Calls) > 0 {
		s.before = step.Calls[0]
	}
	return step
}

// tools returns the tools of the loop that are called or offered, with their results.
func (c *Conversation) tools() []scenarios.Tool {
	var used tools
	for _, p := range c.Prompts {
		for _, t := range p.Turns {
			for _, failed := range t.Failures {
				for _, call := range failed.Calls {
					used.find(call.Tool)
				}
			}
			used.add(c, t.Calls)
		}
	}
	for _, name := range c.SpareTools {
		used.find(name)
	}
	if len(used) == 0 && c.calls() > 0 && !delegates(c) {
		used.find(toolbox[0].Name) // a model that is offered no tool calls none
	}
	for i := range used {
		if len(used[i].Results) == 0 {
			used[i].Results = []scenarios.Result{{Text: "nothing"}}
		}
		used[i].NeedsApproval = slices.Contains(c.AskedAbout, used[i].Name)
	}
	return used
}

// tools are those that are called or offered, with the results of their calls.
type tools []scenarios.Tool

// find returns the tool of a name, which is there from then on; nil where the model makes it up, or
// it is a sub-agent.
func (used *tools) find(name string) *scenarios.Tool {
	for i := range *used {
		if (*used)[i].Name == name {
			return &(*used)[i]
		}
	}
	known := toolNamed(name)
	if known == nil || known.Agent != nil {
		return nil
	}
	*used = append(*used, *known)
	return &(*used)[len(*used)-1]
}

// add adds the tools of some calls, with what they return.
func (used *tools) add(c *Conversation, calls []Call) {
	for _, call := range calls {
		if tool := used.find(call.Tool); tool != nil {
			addResult(tool, call)
			if c.edits(call) {
				call.Arguments = call.ApprovedWith
				addResult(tool, call)
			}
		}
	}
}

// addResult adds what a tool returns to a call, unless an equal one was made before.
func addResult(tool *scenarios.Tool, call Call) {
	r := call.Result
	r.When = argumentsOf(tool, call.Arguments)
	same := func(known scenarios.Result) bool { return string(known.When.JSON()) == string(r.When.JSON()) }
	if slices.ContainsFunc(tool.Results, same) {
		return
	}
	// Results for more arguments come first, since the first that fits is taken.
	at := slices.IndexFunc(tool.Results, func(known scenarios.Result) bool { return len(known.When) < len(r.When) })
	if at < 0 {
		at = len(tool.Results)
	}
	tool.Results = slices.Insert(tool.Results, at, r)
}

// argumentsOf returns those arguments of a call that the tool has; none where they are no object.
func argumentsOf(tool *scenarios.Tool, arguments string) (when wire.Fields) {
	if tool.FreeText {
		return when.With(scenarios.FreeInput, arguments)
	}
	n, is := wire.ParseObject(arguments)
	if !is {
		return nil
	}
	for _, p := range tool.Parameters {
		if value := n.Get(p.Name); value != nil {
			when = when.With(p.Name, wire.Raw(value.Raw))
		}
	}
	return when
}

// onlyStreams reports whether the conversation is delivered as streams alone.
func (c *Conversation) onlyStreams() bool {
	return len(c.Deliveries) > 0 && !slices.ContainsFunc(c.Deliveries, func(d wire.Delivery) bool { return !d.Streams() })
}

// resumes reports whether the user continues after a prompt without an answer.
func (c *Conversation) resumes() bool {
	for i := range c.Prompts[:len(c.Prompts)-1] {
		p := &c.Prompts[i]
		last := p.Turns[len(p.Turns)-1]
		if len(c.paidFor(i)) < len(p.Turns) || !answers(p.Turns) && last.Step.Cancel == nil && !last.Step.Steers {
			return true
		}
	}
	return false
}

// asksAbout reports whether the user decides about a call.
func (c *Conversation) asksAbout(call Call) bool { return slices.Contains(c.AskedAbout, call.Tool) }

// edits reports whether the user approves a call with other arguments.
func (c *Conversation) edits(call Call) bool { return c.asksAbout(call) && call.ApprovedWith != "" }

// calls returns how many calls the model makes.
func (c *Conversation) calls() (n int) {
	for _, t := range c.turns() {
		n += len(t.Calls)
	}
	return n
}

// Title says in a few words what the conversation is made of.
func (c *Conversation) Title() string {
	failures := 0
	for _, t := range c.turns() {
		failures += len(t.Failures)
	}
	parts := []string{textlayout.Count(len(c.Prompts), "prompt"), textlayout.Count(len(c.turns()), "turn"), textlayout.Count(c.calls(), "call")}
	if failures > 0 {
		parts = append(parts, textlayout.Count(failures, "failure"))
	}
	return "A conversation of " + strings.Join(parts, ", ")
}
