package engine

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// delegation is a call of a sub-agent, and the conversation with it. That is a run of its own, which
// has the clock, the lock and the journal of its caller.
type delegation struct {
	in       *trace.Exchange // in whose answer the sub-agent is called
	n        int             // of the call in that answer
	call     wire.AnswerCall
	scenario *scenarios.Scenario
	run      *Run // nil: it was not begun
	anew     bool // the sub-agent is asked once more

	ran map[string]int // how often a tool was run with some arguments
}

// number returns the number of the next request. The caller holds the lock.
func (r *Run) number() int {
	*r.asked++
	return *r.asked
}

// numbered returns the exchange of a number, which is one of this conversation.
func (r *Run) numbered(number int) *trace.Exchange {
	return r.exchanges[slices.IndexFunc(r.exchanges, func(x *trace.Exchange) bool { return x.Number == number })]
}

// subAgents returns the tools that are sub-agents, as the task tells of them.
func (r *Run) subAgents(base string) (tools []protocol.Tool) {
	for _, t := range r.config.Scenario.AllTools() {
		if t.Agent == nil {
			continue
		}
		agent := &protocol.Agent{System: t.Agent.System, Tools: []protocol.Tool{}, MaxTurns: t.Agent.MaxTurns}
		if agent.MaxTurns == 0 {
			agent.MaxTurns = len(r.compiled.Turns) + 8
		}
		for _, own := range offered(t.Agent.Tools) {
			own.URL = base + "/run/" + r.ID + "/tools/" + own.Name
			agent.Tools = append(agent.Tools, own)
		}
		tools = append(tools, protocol.Tool{Name: t.Name, Description: t.Description, Parameters: t.Schema(), Agent: agent})
	}
	return tools
}

// delegate notes the sub-agents that are called in the answer to an exchange.
func (r *Run) delegate(x *trace.Exchange) {
	if x.Turn == nil || x.Repeats > 0 || !x.Turn.Asks() {
		return
	}
	for n, c := range x.Turn.Answer.Calls {
		if s := r.config.Scenario.OfCall(c); s != nil {
			r.delegations = append(r.delegations, &delegation{in: x, n: n, call: c, scenario: s})
		}
	}
}

// threadOf returns the conversation with a sub-agent to which a request belongs, and begins it where
// that is its first one; nil: it is of the caller. It is known by the instructions of the agent, or
// else by its tools, and among several conversations with it by what it was asked, or by the ids of
// the calls.
func (r *Run) threadOf(req *wire.Request) *Run {
	var of []*delegation
	for _, is := range []func(*delegation) bool{
		func(d *delegation) bool { return strings.Contains(req.SystemText(), d.scenario.System) },
		func(d *delegation) bool {
			return offersAny(req, d.scenario.Tools) && !offersAny(req, r.config.Scenario.AllTools())
		},
	} {
		if of = slices.DeleteFunc(slices.Clone(r.delegations), func(d *delegation) bool { return !is(d) }); len(of) > 0 {
			break
		}
	}
	if len(of) == 0 {
		return nil
	}
	d := of[len(of)-1]
	for _, is := range []func(*delegation) bool{
		func(d *delegation) bool { return req.UserSays(d.scenario.Prompts[0]) },
		func(d *delegation) bool {
			return d.run != nil && d.run.made(func(c wire.AnswerCall) bool { return req.HasResultFor(c.ID) }) > 0
		},
		func(d *delegation) bool { return d.run == nil },
	} {
		if at := lastIndex(of, is); at >= 0 {
			d = of[at]
			break
		}
	}
	if d.run != nil && d.run.wentOn() && !hasTurns(req) { // the sub-agent is asked once more
		again := *d
		again.run, again.anew, again.ran = nil, true, nil
		r.delegations = append(r.delegations, &again)
		d = &again
	}
	if d.run == nil {
		d.run = r.begin(d)
	}
	return d.run
}

func lastIndex(of []*delegation, is func(*delegation) bool) int {
	for i, d := range slices.Backward(of) {
		if is(d) {
			return i
		}
	}
	return -1
}

func offersAny(req *wire.Request, tools []scenarios.Tool) bool {
	return slices.ContainsFunc(req.Tools, func(o wire.ToolDefinition) bool {
		return slices.ContainsFunc(tools, func(t scenarios.Tool) bool { return t.Name == o.Name })
	})
}

// wentOn reports whether the loop went on with the conversation behind its first turn, or the model
// has given its answer in that.
func (r *Run) wentOn() bool {
	return slices.ContainsFunc(r.exchanges, func(x *trace.Exchange) bool {
		return x.Turn != nil && x.Turn.Final() || x.Request != nil && hasTurns(x.Request)
	})
}

// hasTurns reports whether a request returns anything of the model.
func hasTurns(req *wire.Request) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool { return m.Role == wire.Assistant })
}

// begin makes the run of a conversation with a sub-agent. The ids in it are its own, and the secret
// is that of the provider.
func (r *Run) begin(d *delegation) *Run {
	s := d.scenario
	config := RunConfig{
		Scenario: s, Profile: r.config.Profile, Delivery: r.config.Delivery, Lenient: r.config.Lenient, Regular: r.config.Regular,
		ToolsNamed: r.config.ToolsNamed, NoServerTools: r.config.NoServerTools, Secret: r.config.Secret,
	}
	thread := &Run{
		ID: r.ID, provider: r.provider, config: config,
		compiled: scenarios.Compile(s, config.Profile, config.Secret).Of(s.ID),
		started:  r.started, readings: r.readings, mu: r.mu, asked: r.asked,
		cancelled: r.cancelled, log: r.log, cancel: func() {},
	}
	if d.anew {
		thread.compiled = thread.compiled.Again(0).Of(s.ID + " again")
	}
	thread.about = settings{
		id: r.ID, profile: config.Profile, delivery: config.Delivery, lenient: config.Lenient, secret: config.Secret,
		refuser: r.about.refuser, journal: r.log, histories: r.about.histories, ctx: r.about.ctx, altered: r.about.altered, loop: true,
	}
	return thread
}

// threadOfTool returns the conversation with a sub-agent in which a tool is run, or nil where the
// tool is none of a sub-agent: that whose model called it by its id, or else with these arguments and
// in which not all of these calls were run, or else with these arguments, or else the last one of the
// agent.
func (r *Run) threadOfTool(call ToolCall) *Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.config.Scenario.Tool(call.Tool) != nil {
		return nil
	}
	var of []*delegation
	for _, d := range r.delegations {
		if d.run != nil && d.scenario.Tool(d.run.scriptedName(call.Tool)) != nil {
			of = append(of, d)
		}
	}
	if len(of) == 0 {
		return nil
	}
	named := func(c wire.AnswerCall) bool { return call.ID != "" && c.ID == call.ID }
	alike := func(c wire.AnswerCall) bool { return wire.SameJSON(c.Arguments, call.Arguments) }
	at := len(of) - 1
	for _, is := range []func(*delegation) bool{
		func(d *delegation) bool { return d.run.made(named) > 0 },
		func(d *delegation) bool { return d.run.made(alike) > d.ran[call.Tool+call.Arguments] },
		func(d *delegation) bool { return d.run.made(alike) > 0 },
	} {
		if found := lastIndex(of, is); found >= 0 {
			at = found
			break
		}
	}
	if of[at].ran == nil {
		of[at].ran = map[string]int{}
	}
	of[at].ran[call.Tool+call.Arguments]++
	return of[at].run
}

// made returns how many calls of a kind were made in the conversation.
func (r *Run) made(is func(wire.AnswerCall) bool) (count int) {
	for _, x := range r.exchanges {
		if x.Turn == nil || x.Turn.Answer == nil {
			continue
		}
		for _, c := range x.Turn.Answer.Calls {
			if is(c) {
				count++
			}
		}
	}
	return count
}

// Delegations returns the conversations with sub-agents so far, as far as they are known here: with
// their scripts, tasks, exchanges and executions. task is that of the caller.
func (r *Run) Delegations(task protocol.Task) (all []*trace.Delegation) {
	r.mu.Lock()
	begun := slices.DeleteFunc(slices.Clone(r.delegations), func(d *delegation) bool { return d.run == nil })
	r.mu.Unlock()
	for _, d := range begun {
		exchanges, executions := d.run.Record()
		own := task
		own.System, own.Prompts = d.scenario.System, d.scenario.Prompts
		for _, t := range task.Tools {
			if t.Name == d.call.Scripted() && t.Agent != nil {
				own.Tools, own.MaxTurns = t.Agent.Tools, t.Agent.MaxTurns
			}
		}
		all = append(all, &trace.Delegation{
			Agent: d.call.Scripted(), Request: d.in.Number, N: d.n,
			Run: &trace.Run{Script: d.run.Script(), Task: own, Exchanges: exchanges, Executions: executions, OfAgent: true},
		})
	}
	return all
}
