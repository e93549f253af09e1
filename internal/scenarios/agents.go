package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Agent is a sub-agent. The model calls it as a tool of its name, with what it has to do, and each
// call begins a conversation with it.
type Agent struct {
	Name        string `yaml:"~key"`
	Description string `yaml:"description"`
	System      string `yaml:"system"`    // its instructions
	Tools       []Tool `yaml:"tools"`     // its own
	MaxTurns    int    `yaml:"max-turns"` // of each conversation with it; 0 means plenty
}

// Thread is what the model says in the conversation with a sub-agent that a call began.
type Thread struct {
	Call  string `yaml:"~key"` // its name
	Model []Step `yaml:"~value"`
}

// NoAnswer is what came of a sub-agent that gave no answer. A loop has its own words for it.
const NoAnswer = "the sub-agent gave no answer"

// AgentPrompt is the parameter of the tool that is a sub-agent. A loop may offer it under another
// name.
const AgentPrompt = "prompt"

// AllTools returns the tools that the loop is given, and behind them those that are sub-agents.
func (s *Scenario) AllTools() []Tool { return slices.Concat(s.Tools, s.agents) }

// addAgents makes the tools that are sub-agents. Each returns the last text of the conversation that
// a call begins, and fails where there is none.
func (s *Scenario) addAgents() {
	for i := range s.Agents {
		a := &s.Agents[i]
		t := Tool{Name: a.Name, Description: a.Description, Parameters: []Property{{Name: AgentPrompt, Type: "string"}}, Agent: a}
		s.eachCallOf(a, func(c Call) {
			if prompt, model := promptIn(c.Arguments), s.modelOf(c); prompt != "" && len(model) > 0 {
				t.Results = append(t.Results, resultOf(prompt, model[len(model)-1]))
			}
		})
		s.agents = append(s.agents, t)
	}
}

// resultOf returns the result of a call that begins a conversation with a prompt and ends it with a
// step.
func resultOf(prompt string, last Step) Result {
	r := Result{When: wire.Fields{{Key: AgentPrompt, Value: prompt}}}
	if last.Text != nil && len(last.Calls) == 0 {
		r.Text = *last.Text
	} else {
		r.Fail = new(NoAnswer)
	}
	return r
}

// eachCallOf calls do for each call of a sub-agent.
func (s *Scenario) eachCallOf(a *Agent, do func(Call)) {
	for _, step := range s.Model {
		for _, c := range step.Calls {
			if c.Tool == a.Name {
				do(c)
			}
		}
	}
}

// modelOf returns what the model says in the conversation that a call begins.
func (s *Scenario) modelOf(c Call) []Step {
	at := slices.IndexFunc(s.Threads, func(t Thread) bool { return t.Call == c.As })
	if at < 0 {
		return nil
	}
	return s.Threads[at].Model
}

// promptIn returns what a sub-agent is asked by a call of its tool: the one text among the
// arguments, "" where there is none.
func promptIn(arguments string) string {
	args, err := wire.ParseNode([]byte(arguments))
	if err != nil || !args.Is(wire.Object) {
		return ""
	}
	for _, value := range args.Fields() {
		if value.Is(wire.String) {
			return value.Text()
		}
	}
	return ""
}

// plainly returns the arguments of a call of a sub-agent under the name that the scenario has for
// its parameter, and those of another tool as they are.
func (t *Tool) plainly(args *wire.Node) *wire.Node {
	if t.Agent == nil || args == nil || args.Get(AgentPrompt) != nil {
		return args
	}
	prompt := promptIn(string(args.Raw))
	if prompt == "" {
		return args
	}
	return wire.Parsed(wire.Fields{{Key: AgentPrompt, Value: prompt}}.JSON())
}

// OfCall returns the conversation with a sub-agent that a call begins, as a scenario of its own, or
// nil where the call is of no sub-agent.
func (s *Scenario) OfCall(call wire.AnswerCall) *Scenario {
	tool := s.Tool(call.Scripted())
	if tool == nil || tool.Agent == nil {
		return nil
	}
	at := slices.IndexFunc(s.threads, func(t *Scenario) bool { return t.ID == s.ID+"/"+call.As })
	if at < 0 {
		return nil
	}
	return s.threads[at]
}

// thread makes the scenario of a conversation with a sub-agent.
func (s *Scenario) thread(a *Agent, c Call) *Scenario {
	t := &Scenario{
		Format: s.Format, ID: s.ID + "/" + c.As, Title: s.Title, Rules: s.Rules, Needs: s.Needs, Profiles: s.Profiles, Deliveries: s.Deliveries,
		System: a.System, Prompts: []string{promptIn(c.Arguments)}, Tools: a.Tools, Model: s.modelOf(c), MaxTurns: a.MaxTurns, doc: s.doc,
	}
	for i, step := range t.Model {
		for k := range step.Calls {
			if step.Calls[k].As == "" {
				step.Calls[k].As = c.As + "-" + callName(i, k)
			}
		}
	}
	t.facts = factsOf(t)
	return t
}

// openThreads makes the scenarios of all conversations with sub-agents.
func (s *Scenario) openThreads() {
	for i := range s.Agents {
		s.eachCallOf(&s.Agents[i], func(c Call) { s.threads = append(s.threads, s.thread(&s.Agents[i], c)) })
	}
}

// agents checks the sub-agents, and what the model says in the conversations with them.
func (c *checker) agents() {
	s := c.s
	c.expect(len(s.Agents) == 0 || c.needs(protocol.SubAgents), "/agents", "a scenario with sub-agents needs loops that have them: `needs: [%s]`", protocol.SubAgents)
	c.expect(len(s.Agents) == 0 || c.prompted(), "/agents", "only a scenario with a prompt has sub-agents")
	said := []string{s.System}
	for i := range s.Agents {
		a := &s.Agents[i]
		here := "/agents/" + a.Name
		c.expect(toolName().MatchString(a.Name), here, "a sub-agent has a name of at most 64 letters, digits, _ and -, not %q", a.Name)
		c.expect(a.Description != "", here, "a sub-agent needs a description, from which the model knows what to ask it")
		c.expect(a.MaxTurns > 0 || !s.doc.Has(here+"/max-turns"), here+"/max-turns", "the turn limit is a whole number from 1, not %d", a.MaxTurns)
		c.expect(strings.TrimSpace(a.System) != "" && !apart(said, a.System), here+"/system", "a sub-agent needs instructions that are no part of others, by which its requests are known")
		said = append(said, a.System)
		c.toolsAt(here+"/tools/", a.Tools)
		for _, t := range a.Tools {
			plain := !t.NeedsApproval && !t.FreeText && !slices.ContainsFunc(t.Results, func(r Result) bool { return r.Pictured() != "" || r.File != "" })
			c.expect(plain, here+"/tools/"+t.Name, "the tools of a sub-agent return texts that are in the scenario, and need no approval")
			c.expect(s.toolsNamed(t.Name) == 1, here+"/tools/"+t.Name, "the name %s is that of another tool; each is of one agent", t.Name)
		}
	}
	c.threads()
}

// apart reports whether a text is part of one of some others, or one of them of it.
func apart(others []string, text string) bool {
	return slices.ContainsFunc(others, func(other string) bool {
		return other != "" && (strings.Contains(other, text) || strings.Contains(text, other))
	})
}

// toolsNamed returns how many tools have a name, with those of sub-agents.
func (s *Scenario) toolsNamed(name string) (n int) {
	for _, tools := range s.allTools() {
		for _, t := range tools {
			if t.Name == name {
				n++
			}
		}
	}
	return n
}

// allTools returns the tools of the scenario, and then those of each sub-agent.
func (s *Scenario) allTools() [][]Tool {
	all := [][]Tool{s.AllTools()}
	for _, a := range s.Agents {
		all = append(all, a.Tools)
	}
	return all
}

func (c *checker) threads() {
	s := c.s
	prompts, begun := []string{}, map[string]bool{}
	for i := range s.Agents {
		a := &s.Agents[i]
		s.eachCallOf(a, func(call Call) {
			here := "/threads/" + call.As
			begun[call.As] = true
			prompt := promptIn(call.Arguments)
			c.expect(prompt != "", here, "the call %s of a sub-agent says what it has to do: `arguments: {prompt: TEXT}`", call.As)
			c.expect(prompt == "" || !apart(slices.Concat(prompts, s.Prompts, []string{s.Prompt}), prompt), here, "what the call %s asks for is part of what another one, or the user, asks for, so that nobody can tell them apart; word it otherwise", call.As)
			prompts = append(prompts, prompt)
			c.expect(len(s.modelOf(call)) > 0, here, "the call %s begins a conversation with a sub-agent, and the model says nothing in it: `threads: {%s: [...]}`", call.As, call.As)
			c.thread(here, s.thread(a, call))
		})
	}
	for _, t := range s.Threads {
		c.expect(begun[t.Call], "/threads/"+t.Call, "no call %q of a sub-agent begins this conversation", t.Call)
	}
}

// thread checks what the model says in a conversation with a sub-agent.
func (c *checker) thread(here string, s *Scenario) {
	own := &checker{s: s, dialects: c.dialects}
	names := map[string]string{}
	for i, step := range s.Model {
		at := fmt.Sprintf("%s/%d", here, i)
		own.step(at, step)
		own.expect(step.Cancel == nil && step.Crash == nil && !step.Steers && !step.breaksOff() && !step.Refused && step.Fixture == "" && len(step.Quirks) == 0 && len(step.ProviderItems) == 0,
			at, "a step of a sub-agent answers or fails; it is not cancelled or broken off, and has no quirks")
		for j, call := range step.Calls {
			place := fmt.Sprintf("%s/calls/%d", at, j)
			own.call(place, call, names)
			if t := s.Tool(call.Tool); t != nil {
				own.answered(place, call, t)
			}
		}
	}
	if n := len(s.Model); n > 0 && s.MaxTurns == 0 {
		own.expect(len(s.Model[n-1].Calls) == 0, here, "the last step has calls, and the model says nothing to their results; add a step with a text, or max-turns")
	}
	c.errs = append(c.errs, own.errs...)
}

// Of returns the script with answers whose ids are those of one conversation of several.
func (s *Script) Of(conversation string) *Script {
	for _, t := range s.Turns {
		t.Asked = conversation
	}
	return s
}

// AskedAs returns the turn with its calls of sub-agents as a request offers these: with what they
// have to do under the name of the one text that is required there.
func (t *Turn) AskedAs(s *Scenario, offered []wire.ToolDefinition) *Turn {
	if len(s.Agents) == 0 || t.Answer == nil {
		return t
	}
	turn, answer := *t, *t.Answer
	answer.Calls = slices.Clone(answer.Calls)
	for i, c := range answer.Calls {
		at := slices.IndexFunc(offered, func(o wire.ToolDefinition) bool { return o.Name == c.Name })
		if tool := s.Tool(c.Scripted()); tool != nil && tool.Agent != nil && at >= 0 {
			if name := textParameter(offered[at].Parameters); name != "" {
				answer.Calls[i].Arguments = string(wire.Fields{{Key: name, Value: promptIn(c.Arguments)}}.JSON())
			}
		}
	}
	turn.Answer = &answer
	return &turn
}

// textParameter returns the name of the parameter that says what a sub-agent has to do: prompt, or
// else the first text that is required; "" for none.
func textParameter(schema *wire.Node) string {
	properties := schema.Get("properties")
	if properties.Has(AgentPrompt) {
		return ""
	}
	for _, required := range schema.Get("required").All() {
		if properties.Get(required.Text()).Get("type").Text() == "string" {
			return required.Text()
		}
	}
	return ""
}
