package variations

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// The reference loop pauses: it asks about all calls of a turn together, before it runs any.
var approvals = []hooks.Variation{
	{
		Name:    "approvals/a-question-for-each-call",
		Does:    "The user is asked about the calls of a turn at the same time, about each by itself.",
		Sources: []string{"https://langchain-ai.github.io/langgraph/how-tos/human_in_the_loop/add-human-in-the-loop/ (an interrupt in each tool)", "https://ai-sdk.dev/docs/agents/tool-approvals (an approval request for each call)"},
		Make: hooks.OnDecide(func(_ protocol.Task, ask hooks.Ask) hooks.Ask {
			return func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
				decisions, errs := make([]protocol.Decision, len(calls)), make([]error, len(calls))
				var open sync.WaitGroup
				for i, c := range calls {
					open.Go(func() {
						said, err := ask(ctx, c)
						if errs[i] = err; err == nil {
							decisions[i] = said[0]
						}
					})
				}
				open.Wait()
				if at := slices.IndexFunc(errs, func(err error) bool { return err != nil }); at >= 0 {
					return nil, errs[at]
				}
				return decisions, nil
			}
		}),
	},
	{
		Name:    "approvals/a-callback-before-each-run",
		Does:    "Each call is asked about right before it is run, while others of its turn run; a denial is what the tool raises.",
		Sources: []string{"https://platform.claude.com/docs/en/agent-sdk/user-input (canUseTool)", "https://strandsagents.com/docs/user-guide/concepts/agents/human-in-the-loop/ (ask)"},
		Make:    asksBeforeEachRun,
	},
	{
		Name:    "approvals/provider-answered-last",
		Does:    "The answers to the provider's questions stand behind the outputs of the calls that came with them.",
		Sources: []string{"https://openai.github.io/openai-agents-python/mcp/ (approval responses are made once the user has decided)"},
		Make:    hooks.OnRequest(answersProviderLast),
	},
	{
		Name:    "approvals/siblings-first",
		Does:    "The calls of a turn that need no approval are run before the user is asked about the others.",
		Sources: []string{"https://openai.github.io/openai-agents-python/human_in_the_loop/ (calls that need no approval run in the turn that is interrupted)"},
		Make:    runsSiblingsFirst,
	},
	{
		Name:    "approvals/questions-without-ids",
		Does:    "The user is shown the name and the arguments of a call, and not its id.",
		Sources: []string{"https://platform.claude.com/docs/en/agent-sdk/user-input (the callback gets the name and the input)"},
		Make:    hooks.EachQuestion(func(c *protocol.PendingCall) { c.ID = "" }),
	},
	{
		Name:    "approvals/arguments-shown-as-text",
		Does:    "The user is shown the arguments of a call as the model wrote them, in a text.",
		Sources: []string{"https://openai.github.io/openai-agents-python/human_in_the_loop/ (interruption.arguments)"},
		Make: hooks.EachQuestion(func(c *protocol.PendingCall) {
			if text, err := json.Marshal(string(c.Arguments)); err == nil {
				c.Arguments = text
			}
		}),
	},
	{
		Name:    "approvals/denials-are-no-errors",
		Does:    "The result of a denied call is a message like any other, in words of its own.",
		Sources: []string{"https://openai.github.io/openai-agents-python/human_in_the_loop/ (rejection_message)", "https://chat-sdk.dev/docs/customization/tool-approval (the model receives feedback that the user declined)"},
		Make: hooks.EachResult(func(x *neutral.Result) {
			if reason, is := strings.CutPrefix(x.Text, hooks.Denied); is {
				x.Text, x.Failed = "The user doesn't want to take this action right now. They said: "+reason, false
			}
		}),
	},
	{
		Name:    "approvals/edits-in-the-history",
		Does:    "A call that the user approved with other arguments has these in the history, too.",
		Sources: []string{"https://docs.langchain.com/oss/python/langchain/human-in-the-loop (edit: the call in the model's message is replaced)"},
		Make:    editsHistory,
	},
}

// asksBeforeEachRun tells the loop that everything is approved, and asks the user when a tool is
// about to be run.
func asksBeforeEachRun() hooks.Mutation {
	var mu sync.Mutex
	var ask hooks.Ask
	waits := map[string][]context.Context{} // for the user, by the call
	key := func(name, id, arguments string) string { return name + " " + id + " " + arguments }
	m := hooks.OnDecide(func(_ protocol.Task, of hooks.Ask) hooks.Ask {
		ask = of
		return func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
			mu.Lock()
			defer mu.Unlock()
			decisions := make([]protocol.Decision, len(calls))
			for i, c := range calls {
				k := key(c.Name, c.ID, string(c.Arguments))
				decisions[i].Approve, waits[k] = true, append(waits[k], ctx)
			}
			return decisions, nil
		}
	})()
	m.Tool = func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
		k := key(r.Name, r.CallID, r.Arguments)
		mu.Lock()
		needed := waits[k]
		if len(needed) > 0 {
			waits[k] = needed[1:]
		}
		mu.Unlock()
		if len(needed) == 0 {
			return post(r)
		}
		said, err := ask(needed[0], protocol.PendingCall{ID: r.CallID, Name: r.Name, Arguments: json.RawMessage(r.Arguments)})
		switch {
		case err != nil:
			return hooks.ToolResult{Status: http.StatusForbidden, Body: err.Error()}
		case !said[0].Approve:
			return hooks.ToolResult{Status: http.StatusForbidden, Body: "permission denied: " + said[0].Reason}
		case len(said[0].Arguments) > 0:
			r.Arguments = string(said[0].Arguments)
		}
		return post(r)
	}
	return m
}

// runsSiblingsFirst runs the other calls of a turn before it asks the user.
func runsSiblingsFirst() hooks.Mutation {
	var mu sync.Mutex
	var calls []*neutral.Call
	var last *hooks.Request
	siblings, done := map[string]protocol.Tool{}, map[string][]hooks.ToolResult{}
	m := hooks.OnDecide(func(task protocol.Task, ask hooks.Ask) hooks.Ask {
		for _, t := range task.Tools {
			if !t.NeedsApproval {
				siblings[t.Name] = t
			}
		}
		return func(ctx context.Context, asked ...protocol.PendingCall) ([]protocol.Decision, error) {
			for _, c := range calls {
				tool, is := siblings[c.Name]
				if !is {
					continue
				}
				result := last.RunTool(tool, c.ID, c.Arguments)
				mu.Lock()
				done[c.Name+c.ID] = append(done[c.Name+c.ID], result)
				mu.Unlock()
			}
			return ask(ctx, asked...)
		}
	})()
	m.Request = func(r *hooks.Request) { last = r }
	m.Answer = func(a *hooks.Answer) { calls = a.Calls() }
	m.Tool = func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
		mu.Lock()
		had := done[r.Name+r.CallID]
		if len(had) > 0 {
			done[r.Name+r.CallID] = had[1:]
		}
		mu.Unlock()
		if len(had) > 0 {
			return had[0]
		}
		return post(r)
	}
	return m
}

// editsHistory writes the arguments with which the user approved a call in place of its own.
func editsHistory() hooks.Mutation {
	edited := map[string]string{} // by the tool and the arguments that the model wrote
	m := hooks.OnDecide(func(_ protocol.Task, ask hooks.Ask) hooks.Ask {
		return func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
			decisions, err := ask(ctx, calls...)
			for i, d := range decisions {
				if len(d.Arguments) > 0 {
					edited[calls[i].Name+" "+string(calls[i].Arguments)] = string(d.Arguments)
				}
			}
			return decisions, err
		}
	})()
	m.Request = func(r *hooks.Request) {
		hooks.EachPart(r, func(c *neutral.Call) {
			if with, is := edited[c.Name+" "+strings.TrimSpace(c.Arguments)]; is {
				c.Arguments = with
			}
		})
	}
	return m
}

// answersProviderLast puts decisions about calls of the provider behind the results that follow them.
func answersProviderLast(r *hooks.Request) {
	for i := range len(r.Messages) - 1 {
		decides := len(neutral.Of[*neutral.Decision](r.Messages[i].Parts)) > 0
		if decides && len(r.Messages[i+1].Results()) > 0 {
			r.Messages[i], r.Messages[i+1] = r.Messages[i+1], r.Messages[i]
		}
	}
}
