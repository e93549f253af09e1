// Package approvals holds faults: loops that run what the user has not approved, ask about
// something else, or lose calls while they wait for the user.
package approvals

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(asking, resuming) }

// asking are loops that ask otherwise than they should, or do not do as they are told.
var asking = []hooks.Fault{
	{
		Name:    "approvals/remembers-the-tool",
		Does:    "When a call was approved, all later calls of its tool are run without a question.",
		Reports: []string{"https://github.com/evenfire-ai/evenfire/issues/723"},
		Breaks:  []string{"approvals/run-after-approval"},
		Make:    remembersTools,
	},
	{
		Name:    "approvals/runs-denied-calls",
		Does:    "The user is asked, and a call is run whatever the user says.",
		Reports: []string{"https://github.com/MervinPraison/PraisonAI/issues/4228"},
		Breaks:  []string{"approvals/denied-not-run"},
		Make:    hooks.EachDecision(func(d *protocol.Decision) { d.Approve = true }),
	},
	{
		Name:   "approvals/shows-no-arguments",
		Does:   "The user is shown the name of the tool, and no arguments.",
		Breaks: []string{"approvals/asked-as-called"},
		Make:   hooks.EachQuestion(func(c *protocol.PendingCall) { c.Arguments = json.RawMessage("{}") }),
	},
	{
		Name:    "approvals/asks-again",
		Does:    "When the user has decided, the loop asks once more before it goes on.",
		Reports: []string{"https://github.com/nearai/ironclaw/issues/5196"},
		Breaks:  []string{"approvals/asked-once"},
		Make: hooks.OnDecide(func(_ protocol.Task, ask hooks.Ask) hooks.Ask {
			return func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
				if decisions, err := ask(ctx, calls...); err != nil {
					return decisions, err
				}
				return ask(ctx, calls...)
			}
		}),
	},
	{
		Name:   "approvals/ignores-edits",
		Does:   "A call that the user approved with other arguments is run with its own.",
		Breaks: []string{"approvals/edited-arguments-run"},
		Make:   hooks.EachDecision(func(d *protocol.Decision) { d.Arguments = nil }),
	},
	{
		Name:   "approvals/keeps-reasons-to-itself",
		Does:   "The model is told that the user denied a call, and not why.",
		Breaks: []string{"approvals/denial-says-why"},
		Make:   hooks.EachDecision(func(d *protocol.Decision) { d.Reason = "" }),
	},
	{
		Name:   "approvals/answers-denials-with-nothing",
		Does:   "The result of a denied call is empty.",
		Breaks: []string{"approvals/denial-told"},
		Make: hooks.EachResult(func(x *neutral.Result) {
			if isDenied(x) {
				x.Text, x.Failed = "", false
			}
		}),
	},
}

// resuming are loops that lose what belongs to a call that waits for the user.
var resuming = []hooks.Fault{
	{
		Name:    "approvals/loses-siblings",
		Does:    "When a call of a turn was denied, the results of its siblings are lost.",
		Reports: []string{"https://github.com/openai/openai-agents-python/issues/3004"},
		Breaks:  []string{"pairing/every-call-answered"},
		ByName:  []string{"execution/result-reaches-the-model", "pairing/every-call-answered"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			if slices.ContainsFunc(r.Results, isDenied) {
				r.Results = slices.DeleteFunc(r.Results, func(x *neutral.Result) bool { return !isDenied(x) })
			}
		}),
	},
	{
		Name:   "approvals/leaves-denied-calls-open",
		Does:   "A denied call gets no result beside those of the calls that were run.",
		Breaks: []string{"pairing/every-call-answered"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			if len(r.Results) > 1 {
				r.Results = slices.DeleteFunc(r.Results, isDenied)
			}
		}),
	},
	{
		Name:    "approvals/leaves-pending-calls-open",
		Does:    "When the user says something else instead of a decision, the calls that waited for it get no result.",
		Reports: []string{"https://github.com/langchain-ai/langgraph/issues/8077", "https://github.com/vercel/eve/issues/2217"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			hooks.DropResults(r, func(x *neutral.Result) bool { return strings.HasPrefix(x.Text, hooks.Undecided) })
		}),
	},
	{
		Name:    "approvals/fails-while-calls-are-pending",
		Does:    "When the user says something else instead of a decision, the run fails, since calls have no result.",
		Reports: []string{"https://github.com/vercel/ai/issues/12709"},
		Breaks:  []string{"approvals/next-prompt-goes-on"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			hooks.EachPart(r, func(x *neutral.Result) {
				if strings.HasPrefix(x.Text, hooks.Undecided) {
					r.Abort()
				}
			})
		}),
	},
	{
		Name:    "approvals/runs-the-newest-arguments",
		Does:    "What is approved is looked up by the tool: all approved calls of it are run with the arguments of the last.",
		Reports: []string{"https://github.com/extra-org/extra/issues/139", "https://github.com/LibreChat-AI/agents/issues/531"},
		Breaks:  []string{"execution/own-arguments"},
		Make:    runsTheNewest,
	},
	{
		Name:   "approvals/denies-the-whole-turn",
		Does:   "When a call of a turn is denied, those that the user approved are not run either.",
		Breaks: []string{"execution/every-call-run"},
		Make: hooks.OnDecide(func(_ protocol.Task, ask hooks.Ask) hooks.Ask {
			return func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
				decisions, err := ask(ctx, calls...)
				if at := slices.IndexFunc(decisions, func(d protocol.Decision) bool { return !d.Approve }); at >= 0 {
					for i := range decisions {
						decisions[i].Approve, decisions[i].Reason = false, decisions[at].Reason
					}
				}
				return decisions, err
			}
		}),
	},
	{
		Name:    "approvals/runs-approved-calls-twice",
		Does:    "A call that was approved is run when the user says so, and again when the run is resumed.",
		Reports: []string{"https://github.com/langchain-ai/langgraph/issues/4397"},
		Breaks:  []string{"execution/no-call-run-twice"},
		ByName:  []string{"execution/no-call-run-twice", "approvals/denied-not-run", "execution/result-reaches-the-model"},
		Make:    runsTwice,
	},
}

// isDenied reports whether a result is that of a call which the user denied.
func isDenied(x *neutral.Result) bool { return strings.HasPrefix(x.Text, hooks.Denied) }

// remembersTools asks only about tools of which no call was approved yet.
func remembersTools() hooks.Mutation {
	known := map[string]bool{}
	return hooks.OnDecide(func(_ protocol.Task, ask hooks.Ask) hooks.Ask {
		return func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
			asked := slices.DeleteFunc(slices.Clone(calls), func(c protocol.PendingCall) bool { return known[c.Name] })
			var said []protocol.Decision
			if len(asked) > 0 {
				var err error
				if said, err = ask(ctx, asked...); err != nil {
					return nil, err
				}
			}
			decisions := make([]protocol.Decision, len(calls))
			for i, c := range calls {
				if known[c.Name] {
					decisions[i].Approve = true
					continue
				}
				decisions[i], said = said[0], said[1:]
			}
			for i, c := range calls {
				known[c.Name] = known[c.Name] || decisions[i].Approve
			}
			return decisions, nil
		}
	})()
}

// runsTheNewest gives each approved call the arguments of the last call of its tool.
func runsTheNewest() hooks.Mutation {
	return hooks.OnDecide(func(_ protocol.Task, ask hooks.Ask) hooks.Ask {
		return func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
			decisions, err := ask(ctx, calls...)
			newest := map[string]json.RawMessage{}
			for i := range decisions {
				if decisions[i].Approve && len(decisions[i].Arguments) == 0 {
					newest[calls[i].Name] = calls[i].Arguments
				}
			}
			for i := range decisions {
				if decisions[i].Approve && len(decisions[i].Arguments) == 0 {
					decisions[i].Arguments = newest[calls[i].Name]
				}
			}
			return decisions, err
		}
	})()
}

// runsTwice runs tools that need an approval twice.
func runsTwice() hooks.Mutation {
	var mu sync.Mutex
	asked := map[string]bool{} // tools that need an approval
	m := hooks.EachQuestion(func(c *protocol.PendingCall) {
		mu.Lock()
		defer mu.Unlock()
		asked[c.Name] = true
	})()
	m.Tool = func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
		mu.Lock()
		again := asked[r.Name]
		mu.Unlock()
		if again {
			post(r)
		}
		return post(r)
	}
	return m
}
