package faults

import (
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// withoutResults drops some results.
func withoutResults(drop func(*neutral.Result) bool) func() Mutation {
	return onRequest(func(r *Request) { dropResults(r, drop) })
}

func dropResults(r *Request, drop func(*neutral.Result) bool) {
	r.Each(neutral.Tool, func(m *neutral.Message) {
		m.Parts = keepParts(m.Parts, func(p neutral.Part) bool {
			x, is := p.(*neutral.Result)
			return !is || !drop(x)
		})
	})
	r.Drop(func(m neutral.Message) bool { return m.Role == neutral.Tool && len(m.Parts) == 0 })
}

// isUnparsed reports whether a result says that the arguments of its call were not JSON.
func isUnparsed(content string) bool {
	return strings.HasPrefix(content, "Error: the arguments are not a JSON object: ") && !strings.HasPrefix(content, "Error: the arguments are not a JSON object: [")
}

// pairingLost are loops that lose a result, a call or the place of either.
var pairingLost = []Fault{
	{
		Name:    "pairing/leaves-the-call-open-at-which-it-stopped",
		Does:    "A call that fails three times in a row ends the prompt, and goes back without its last result with the next one.",
		Reports: []string{"https://github.com/Lingtai-AI/lingtai-kernel/issues/202"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    givingUpAnd(stopsAtTheThirdFailure, leavesTheLastRoundOpen),
	},
	{
		Name:      "pairing/skips-calls-that-do-not-parse",
		Does:      "A call whose arguments are not JSON is sent back without a result.",
		Reports:   []string{"https://github.com/danny-avila/agents/pull/366"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole, and its arguments are an object.",
		Breaks:    []string{"pairing/every-call-answered"},
		InItems:   []string{"pairing/every-call-answered", "history/calls-come-back", "history/only-grows"},
		Make:      withoutResults(func(x *neutral.Result) bool { return isUnparsed(x.Text) }),
	},
	{
		Name:    "pairing/skips-calls-of-unknown-tools",
		Does:    "A call of a tool that does not exist is sent back without a result.",
		Reports: []string{"https://github.com/simonw/llm/issues/1104"},
		Breaks:  []string{"pairing/every-call-answered"},
		InItems: []string{"pairing/every-call-answered", "history/calls-come-back", "history/only-grows", "execution/unknown-tool-answered"},
		InParts: []string{"pairing/every-call-answered", "history/calls-come-back", "history/only-grows", "execution/unknown-tool-answered"},
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
		Breaks:    []string{"pairing/every-call-answered", "pairing/repeated-ids-kept-apart"},
		Make: onRequest(func(r *Request) {
			seen := map[string]bool{}
			dropResults(r, func(x *neutral.Result) bool {
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
		Breaks:    []string{"pairing/no-orphan-result", "history/calls-come-back", "pairing/one-result-per-call", "pairing/repeated-ids-kept-apart"},
		Make: onRequest(func(r *Request) {
			seen := map[string]bool{}
			r.EachRound(func(round *Round) {
				id := round.Calls()[0].ID
				if seen[id] {
					round.Become(answering(round.Results...))
				}
				seen[id] = true
			})
		}),
	},
	{
		Name:    "pairing/adds-calls-to-the-turn-before",
		Does:    "From the third round on, the calls of a turn without text are added to the assistant message before it.",
		Reports: []string{"https://github.com/zed-industries/zed/issues/29821"},
		Breaks:  []string{"history/earlier-messages-unchanged", "pairing/results-directly-follow", "history/calls-come-back", "history/only-grows"},
		Make: inLongRuns(func(r *Request) {
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
		Make: inLongRuns(func(r *Request) {
			r.EachRound(func(round *Round) {
				round.KeepParts(func(p neutral.Part) bool { return !isCall(p) })
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
		Breaks:  []string{"history/only-grows", "pairing/no-orphan-result"},
		Make: inLongRuns(func(r *Request) {
			first := true
			r.EachRound(func(round *Round) {
				if first {
					round.Become(answering(round.Results...))
				}
				first = false
			})
		}),
	},
}
