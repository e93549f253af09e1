package subagents

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var subAgents = []protocol.Feature{protocol.SubAgents}

// coreRules are the rules about what is between the conversations of a caller and its sub-agents.
// That a sub-agent is asked, once, and what comes of it is for the rules about tools to say: it is
// one for its caller. How it works is for all others.
var coreRules = []rules.Rule{
	{
		ID:          "sub-agents/own-thread",
		Level:       trace.Must,
		Text:        "No call and no result of one agent is in the conversation of another one. A text of another one breaks a should: some loops tell their sub-agents what was said before.",
		Why:         "The model sees calls of tools that it does not have, or results that nobody asked for, and the provider refuses calls without a result and results without a call.",
		Needs:       subAgents,
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a conversation with a sub-agent that has used a tool",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "each call begins a conversation of its own"},
			{URL: "https://github.com/mastra-ai/mastra/pull/13927", Says: "sub-agents got calls and results of their caller, and answered with nothing; texts are handed on by design: so no must"},
			{URL: "https://github.com/alibaba/spring-ai-alibaba/pull/3354", Says: "each sub-agent got the messages of all others"},
			{URL: "https://github.com/openai/openai-agents-python/issues/1680", Says: "the caller sees the call and its result, and nothing of what the agent did for it"},
		},
		Run: ownThread,
	},
	{
		ID:          "sub-agents/own-tools",
		Level:       trace.Must,
		Text:        "A sub-agent is offered the tools that the task gives it, and none of its caller or of another sub-agent; and its caller is offered none of its tools.",
		Why:         "Otherwise an agent that was to read alone can write, or calls itself without an end.",
		Needs:       subAgents,
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a request of a sub-agent, and what it is offered",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "the tools of an agent are its own"},
			{URL: "https://github.com/jin-bo/agentao/pull/255", Says: "tools outside of the list of a sub-agent ran: one that was to read could write, and began further ones"},
			{URL: "https://github.com/mark3labs/kit/pull/51", Says: "sub-agents have the tools of their caller unless a list is given, and never the tool that begins them"},
		},
		Run: ownTools,
	},
}

// thread is the conversation of one agent.
type thread struct {
	agent string // "" is the caller of the others
	run   *rules.Run
}

func (t thread) name() string { return nameOf(t.agent) }

func nameOf(agent string) string {
	if agent == "" {
		return "the caller"
	}
	return "the sub-agent " + agent
}

// threadsOf returns the conversations of a run, that of the caller first; none where no sub-agent
// was asked.
func threadsOf(r *rules.Run) []thread {
	if len(r.Delegations) == 0 {
		return nil
	}
	all := []thread{{"", r}}
	for _, d := range r.Delegations {
		all = append(all, thread{d.Agent, d.Run})
	}
	return all
}

// ownThread looks for what the model said in one conversation in the requests of each other one.
func ownThread(r *rules.Run) (j rules.CheckResult) {
	all := threadsOf(r)
	for i, t := range all {
		j.HasEvidence = j.HasEvidence || i > 0 && t.run.UsedTools()
		for _, x := range t.run.Conversation() {
			if f, found := foreign(t, all, x); found {
				j.Find(f)
				break
			}
		}
	}
	return j
}

// foreign returns what a request of one conversation has of another one.
func foreign(t thread, all []thread, x *trace.Exchange) (text trace.Finding, found bool) {
	for _, other := range all {
		if other.run == t.run || other.agent == t.agent && other.agent != "" && before(other, x) { // some remember what they did before
			continue
		}
		for _, m := range x.Request.Messages {
			what, level := saidIn(t, other, &m)
			if what == "" || found && level == trace.Should {
				continue
			}
			text, found = trace.Finding{
				Request: x.Number, Pointer: m.Node.Pointer(), Level: level,
				Message:  fmt.Sprintf("%s of %s is in the conversation of %s", what, other.name(), t.name()),
				Expected: "what this agent was asked, and what it did",
				Actual:   rules.Show(m.Node),
			}, true
			if level == "" {
				return text, true
			}
		}
	}
	return text, found
}

// before reports whether a conversation was over when a request of another one came.
func before(t thread, x *trace.Exchange) bool {
	last := t.run.Exchanges[len(t.run.Exchanges)-1]
	return last.End < x.Start && last.Number < x.Number
}

// saidIn returns what a message of one conversation has of another one, "" for nothing: a call, a
// result, or a text, which is only a should.
func saidIn(t, other thread, m *wire.Message) (what string, level trace.Level) {
	for _, c := range m.Calls {
		if made(other, c.ID, c.Name) && !made(t, c.ID, c.Name) {
			return "a call", ""
		}
	}
	for _, res := range m.Results {
		if res.CallID != "" && made(other, res.CallID, "") && !made(t, res.CallID, "") {
			return "a result", ""
		}
	}
	said := strings.TrimSpace(m.Content.Text)
	if said == "" || says(t, m, said) {
		return "", ""
	}
	switch {
	case !says(other, m, said):
		return "", ""
	case m.Role == wire.User:
		return "what was asked", trace.Should
	default:
		return "a text", trace.Should
	}
}

// says reports whether a text was said in a conversation, by the user or by the model.
func says(t thread, m *wire.Message, said string) bool {
	if m.Role == wire.User {
		return slices.ContainsFunc(t.run.Task.Prompts, func(p string) bool { return said == strings.TrimSpace(p) })
	}
	return m.Role == wire.Assistant && slices.ContainsFunc(t.run.Script.Turns, func(turn *scenarios.Turn) bool {
		return turn.Answer != nil && said == strings.TrimSpace(turn.Answer.Text)
	})
}

// made reports whether a call of an id, or where there is none of a tool, was made in a
// conversation.
func made(t thread, id, tool string) bool {
	return slices.ContainsFunc(t.run.Script.Turns, func(turn *scenarios.Turn) bool {
		return turn.Answer != nil && slices.ContainsFunc(turn.Answer.Calls, func(c wire.AnswerCall) bool {
			return id != "" && c.ID == id || c.ID == "" && tool != "" && c.Scripted() == tool
		})
	})
}

// ownTools looks for the tools of one agent among those that another one is offered.
func ownTools(r *rules.Run) (j rules.CheckResult) {
	for i, t := range threadsOf(r) {
		for _, x := range t.run.Conversation() {
			j.HasEvidence = j.HasEvidence || i > 0
			if at, owner := foreignTool(r, t, x.Request); at >= 0 {
				tool := x.Request.Tools[at]
				j.FindAt(x, tool.Node.Pointer(),
					fmt.Sprintf("the tool %s of %s is offered to %s", tool.Name, nameOf(owner), t.name()),
					rules.List(names(t.run.Task.Tools)),
					rules.Show(tool.NameNode))
				break
			}
		}
	}
	return j
}

// foreignTool returns the first tool that a request offers of those that another agent has alone,
// and the name of that one, "" for the caller; -1 for none.
func foreignTool(r *rules.Run, t thread, req *wire.Request) (at int, owner string) {
	own := t.run.Script.Scenario.OfferedAs(req.Tools, t.run.ToolsNamed)
	others := []scenarios.Agent{{Name: "", Tools: r.Script.Scenario.AllTools()}}
	others = append(others, r.Script.Scenario.Agents...)
	for at, offered := range req.Tools {
		if isValue(own, offered.Name) {
			continue
		}
		for _, other := range others {
			theirs := scenarios.Scenario{Tools: other.Tools}
			if other.Name != t.agent && isValue(theirs.OfferedAs(req.Tools, t.run.ToolsNamed), offered.Name) {
				return at, other.Name
			}
		}
	}
	return -1, ""
}

func isValue(as map[string]string, name string) bool {
	for _, offered := range as {
		if offered == name {
			return true
		}
	}
	return false
}

func names(tools []protocol.Tool) []string {
	all := make([]string, len(tools))
	for i, t := range tools {
		all[i] = t.Name
	}
	return all
}
