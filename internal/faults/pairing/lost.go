package pairing

import (
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// withoutResults drops some results.
func withoutResults(drop func(*neutral.Result) bool) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) { hooks.DropResults(r, drop) })
}

// isUnparsed reports whether a result says that the arguments of its call were not JSON.
func isUnparsed(content string) bool {
	return strings.HasPrefix(content, "Error: the arguments are not a JSON object: ") && !strings.HasPrefix(content, "Error: the arguments are not a JSON object: [")
}

// lost are loops that lose a result, a call or the place of either.
var lost = []hooks.Fault{
	{
		Name:    "pairing/leaves-the-call-open-at-which-it-stopped",
		Does:    "A call that fails three times in a row ends the prompt, and goes back without its last result with the next one.",
		Reports: []string{"https://github.com/Lingtai-AI/lingtai-kernel/issues/202"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    hooks.GivingUpAnd(hooks.StopsAtTheThirdFailure, leavesTheLastRoundOpen),
	},
	{
		Name:      "pairing/skips-calls-that-do-not-parse",
		Does:      "A call whose arguments are not JSON is sent back without a result.",
		Reports:   []string{"https://github.com/danny-avila/agents/pull/366"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole, and its arguments are an object.",
		Breaks:    []string{"pairing/every-call-answered"},
		InItems:   []string{"pairing/every-call-answered", "history/calls-come-back", "history/only-grows", "pairing/ids-distinct", "pairing/repeated-ids-kept-apart"},
		InSteps:   []string{"pairing/every-call-answered", "history/only-grows"},
		InTurns:   []string{"pairing/every-call-answered", "egress/roles-take-turns"},
		Make:      withoutResults(func(x *neutral.Result) bool { return isUnparsed(x.Text) }),
	},
	{
		Name:    "pairing/skips-calls-of-unknown-tools",
		Does:    "A call of a tool that does not exist is sent back without a result.",
		Reports: []string{"https://github.com/simonw/llm/issues/1104"},
		Breaks:  []string{"pairing/every-call-answered", "egress/roles-take-turns"},
		InItems: []string{"pairing/every-call-answered", "history/calls-come-back", "history/only-grows", "execution/unknown-tool-answered"},
		InParts: []string{"pairing/every-call-answered", "history/calls-come-back", "history/only-grows", "execution/unknown-tool-answered"},
		ByName:  []string{"pairing/every-call-answered"},
		Make:    withoutResults(func(x *neutral.Result) bool { return x.Failed && strings.HasPrefix(x.Text, "Error: there is no tool") }),
	},
	{
		Name:    "pairing/skips-empty-results",
		Does:    "A tool that returned nothing gets no result.",
		Reports: []string{"https://github.com/openai/openai-agents-python/issues/3554"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    withoutResults(func(x *neutral.Result) bool { return x.Text == "" && x.Image == nil }),
	},
	{
		Name:      "pairing/drops-results-of-known-ids",
		Does:      "Results are kept by their id, so that of two with one id only the first is sent.",
		Reports:   []string{"https://github.com/sipeed/picoclaw/issues/2528"},
		Only:      neutral.AnyIDs,
		Unless:    neutral.Items | neutral.WholeCalls,
		Elsewhere: "ids are the provider's own, and none comes twice; a server that keeps items by their ids gives none twice; where calls come whole, no server was seen to give an id twice.",
		Needs:     wire.RepeatedIDs,
		Breaks:    []string{"pairing/every-call-answered", "pairing/repeated-ids-kept-apart"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			seen := map[string]bool{}
			hooks.DropResults(r, func(x *neutral.Result) bool {
				known := seen[x.CallID]
				seen[x.CallID] = true
				return known
			})
		}),
	},
	{
		Name:      "pairing/drops-calls-of-known-ids",
		Does:      "Calls are kept by their id, so that of two with one id only the first goes back, but both results.",
		Reports:   []string{"https://github.com/open-webui/open-webui/issues/28570"},
		Only:      neutral.AnyIDs,
		Unless:    neutral.Items | neutral.WholeCalls,
		Elsewhere: "ids are the provider's own, and none comes twice; a server that keeps items by their ids gives none twice; where calls come whole, no server was seen to give an id twice.",
		Needs:     wire.RepeatedIDs,
		Breaks:    []string{"pairing/no-orphan-result", "history/calls-come-back", "pairing/one-result-per-call", "pairing/repeated-ids-kept-apart"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			seen := map[string]bool{}
			r.EachRound(func(round *hooks.Round) {
				id := round.Calls()[0].ID
				if seen[id] {
					round.Become(hooks.Answering(round.Results...))
				}
				seen[id] = true
			})
		}),
	},
	{
		Name:    "pairing/adds-calls-to-the-turn-before",
		Does:    "From the third round on, the calls of a turn without text are added to the assistant message before it.",
		Reports: []string{"https://github.com/zed-industries/zed/issues/29821"},
		Breaks:  []string{"history/earlier-messages-unchanged", "pairing/results-directly-follow", "history/calls-come-back", "history/only-grows", "egress/roles-take-turns"},
		Make: hooks.InLongRuns(func(r *hooks.Request) {
			var messages []neutral.Message
			before := -1 // the turn that is added to
			for _, m := range r.Messages {
				last := len(messages) - 1
				switch {
				case before >= 0 && m.Text() == "" && len(m.Calls()) > 0:
					for _, call := range m.Calls() {
						messages[before].Parts = append(messages[before].Parts, call)
					}
					continue
				case m.Role == neutral.Tool && messages[last].Role == neutral.Tool:
					messages[last].Parts = append(messages[last].Parts, m.Parts...)
					continue
				case m.Role == neutral.Assistant:
					before = len(messages)
				}
				messages = append(messages, m)
			}
			r.Messages = messages
		}),
	},
	{
		Name:    "pairing/sends-neither-calls-nor-ids",
		Does:    "In long runs turns go back without their calls, and results without their ids.",
		Reports: []string{"https://github.com/cloudwego/eino-ext/commit/1622ec4d"},
		Breaks:  []string{"egress/content-present", "egress/contents-have-parts", "history/calls-come-back", "history/only-grows", "pairing/ids-present", "pairing/no-orphan-result"},
		InTurns: []string{"egress/contents-have-parts", "egress/no-blank-assistant-message", "history/calls-come-back", "history/only-grows", "pairing/ids-present", "pairing/no-orphan-result"},
		ByName:  []string{"egress/no-blank-assistant-message", "history/calls-come-back", "history/only-grows", "pairing/no-orphan-result"},
		Make: hooks.InLongRuns(func(r *hooks.Request) {
			r.EachRound(func(round *hooks.Round) {
				round.KeepParts(func(p neutral.Part) bool { return !hooks.IsCall(p) })
				for _, x := range round.Results {
					x.CallID = ""
				}
			})
		}),
	},
	{
		Name:    "pairing/cuts-between-call-and-result",
		Does:    "In long runs the oldest messages are dropped up to a call, and its result is kept.",
		Reports: []string{"https://github.com/neuron-core/neuron-ai/commit/02bb890d", "https://github.com/mastra-ai/mastra/issues/2667"},
		Breaks:  []string{"history/only-grows", "pairing/no-orphan-result", "egress/roles-take-turns"},
		ByName:  []string{"history/earlier-messages-unchanged", "history/only-grows", "pairing/no-orphan-result"},
		Make: hooks.InLongRuns(func(r *hooks.Request) {
			first := true
			r.EachRound(func(round *hooks.Round) {
				if first {
					round.Become(hooks.Answering(round.Results...))
				}
				first = false
			})
		}),
	},
	{
		Name:    "pairing/leaves-filtered-calls-open",
		Does:    "The calls of a turn that a filter ended stay in the history of the next prompt, and nobody answers them.",
		Reports: []string{"https://github.com/HKUDS/OpenHarness/issues/240", "https://github.com/anomalyco/opencode/issues/21326"},
		Needs:   wire.FilterFinish,
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    hooks.KeepCallsOf(func(a *hooks.Answer) bool { return a.OK() && a.Err == nil && a.Finish() == neutral.Filter }, hooks.NoResults),
	},
	{
		Name:      "pairing/leaves-broken-calls-open",
		Does:      "A call whose arguments are not JSON ends its prompt, and stays in the history of the next one, where nobody answers it.",
		Reports:   []string{"https://github.com/langchain4j/langchain4j/issues/1339"},
		Only:      neutral.TextArguments,
		Elsewhere: "what goes back of such a call is an object.",
		Breaks:    []string{"pairing/every-call-answered", "execution/bad-call-survived"},
		Make:      hooks.LeavesOpen(func(_ protocol.Task, c *neutral.Call) bool { return hooks.Unparsed(c) }),
	},
	{
		Name:   "pairing/leaves-made-up-calls-open",
		Does:   "A call of a tool that does not exist ends its prompt, and stays in the history of the next one, where nobody answers it.",
		Breaks: []string{"pairing/every-call-answered", "execution/bad-call-survived"},
		Make:   hooks.LeavesOpen(func(task protocol.Task, c *neutral.Call) bool { return !hooks.Knows(task, c.Name) }),
	},
}

// leavesTheLastRoundOpen removes the results of the last round of a prompt that the loop gave up.
func leavesTheLastRoundOpen(r *hooks.Request) {
	hooks.RewriteUnanswered(r, func(part []neutral.Message) []neutral.Message {
		if last := part[len(part)-1]; len(last.Results()) > 0 {
			return part[:len(part)-1]
		}
		return part
	})
}
