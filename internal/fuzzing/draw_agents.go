package fuzzing

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// subAgents let the model call tools that are agents, whose conversations answer, fail, or never end.
func (g *Grammar) subAgents() []kind {
	if !g.claims(protocol.SubAgents) {
		return nil
	}
	delegate := func(most int, ends func(*drawing, *Call)) kind {
		return func(d *drawing, c *Conversation) {
			p := &c.Prompts[d.upTo(len(c.Prompts)-1, "prompt with sub-agents")]
			t := Turn{}
			for range 1 + d.upTo(most-1, "further sub-agent") {
				t.Calls = append(t.Calls, d.delegation())
			}
			if most > 1 && d.chance(40, "call beside sub-agents") {
				t.Calls = append(t.Calls, d.call(true))
			}
			ends(d, &t.Calls[0])
			p.Turns = slices.Insert(p.Turns, d.upTo(len(p.Turns)-1, "turn with sub-agents"), t)
		}
	}
	answer := func(*drawing, *Call) {}
	fail := func(_ *drawing, call *Call) {
		call.Thread[len(call.Thread)-1].Step = scenarios.Step{Status: http.StatusBadRequest}
	}
	most := 1
	if g.claims(protocol.ParallelCalls) {
		most = 3 // which draws one, too: kinds of their own for that would let each come half as often
	}
	kinds := []kind{delegate(most, answer), delegate(most, fail)}
	if g.claims(protocol.TurnLimit) {
		kinds = append(kinds, delegate(1, func(d *drawing, call *Call) {
			end := d.roundOf(call)
			end.Step.Times = endlessTurns
			call.Thread[len(call.Thread)-1] = end
		}))
	}
	return kinds
}

// endlessTurns is how often a sub-agent calls tools again that never answers: more often than its
// turn limit.
const endlessTurns = 12

// endless reports whether a turn is the last of a sub-agent that never answers.
func endless(t *Turn) bool { return t.Step.Times == endlessTurns }

// delegation draws a call of a sub-agent with its conversation.
func (d *drawing) delegation() Call {
	asked := &agents[d.upTo(len(agents)-1, "sub-agent")]
	prompt := fmt.Sprintf("Errand %d.", d.number())
	call := Call{Tool: asked.Name, Arguments: string(wire.Fields{{Key: scenarios.AgentPrompt, Value: prompt}}.JSON())}
	for range d.upTo(2, "rounds of a sub-agent") + 1 {
		call.Thread = append(call.Thread, d.roundOf(&call))
	}
	call.Thread = append(call.Thread, Turn{Step: scenarios.Step{Text: new(d.text("answer of a sub-agent"))}})
	return call
}

// roundOf draws a turn of a sub-agent that calls its tools.
func (d *drawing) roundOf(call *Call) Turn {
	own := toolNamed(call.Tool).Agent.Tools
	t := Turn{}
	n := 1
	if d.grammar.claims(protocol.ParallelCalls) && d.chance(30, "parallel calls of a sub-agent") {
		n = 2
	}
	for range n {
		tool := &own[d.upTo(len(own)-1, "tool of a sub-agent")]
		result := d.result()
		if result.Image != "" {
			result = scenarios.Result{Text: "no picture"}
		}
		t.Calls = append(t.Calls, Call{Tool: tool.Name, Arguments: d.arguments(tool), Result: result})
	}
	if d.chance(35, "text beside calls of a sub-agent") {
		t.Step.Text = new(d.text("text of a sub-agent"))
	}
	d.reason(&t.Step)
	return t
}

// delegates reports whether a call begins a conversation with a sub-agent.
func delegates(c *Conversation) bool {
	return inCall(func(call *Call) bool { return len(call.Thread) > 0 })(c)
}

// agents returns the sub-agents that are called. Where one of them never answers, the conversations of
// all have a turn limit that is enough for the others.
func (c *Conversation) agents() (called []scenarios.Agent) {
	limit, stops := 0, inTurn(endless)(c)
	used := map[string]*tools{}
	for _, t := range c.turns() {
		for _, call := range t.Calls {
			if len(call.Thread) == 0 {
				continue
			}
			if used[call.Tool] == nil {
				used[call.Tool] = new(tools)
			}
			for _, said := range call.Thread {
				used[call.Tool].add(c, said.Calls)
			}
			if stops {
				limit = max(limit, len(call.Thread))
			}
		}
	}
	for _, tool := range agents {
		if own := used[tool.Name]; own != nil {
			a := *tool.Agent
			a.Tools, a.MaxTurns = *own, limit
			called = append(called, a)
		}
	}
	return called
}
