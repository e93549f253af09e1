// Package pairing holds faults: loops that lose the pairing of calls and results.
package pairing

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(basic, lost, places) }

// backwards returns an id of the same letters in another order.
func backwards(id string) string {
	letters := []byte(id)
	slices.Reverse(letters)
	return string(letters)
}

// yesterday is a result of an earlier conversation.
var yesterday = &neutral.Result{Name: "get_weather", CallID: "call_of_yesterday", Text: "sunny"}

var basic = []hooks.Fault{
	{
		Name:    "pairing/drops-the-last-result",
		Does:    "Of several results of a turn the last one is lost.",
		Reports: []string{"https://github.com/coze-dev/coze-studio/issues/2765", "https://github.com/RooCodeInc/Roo-Code/pull/9363"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			if n := len(r.Results); n > 1 {
				r.Results = r.Results[:n-1]
			}
		}),
	},
	{
		Name:    "pairing/answers-twice",
		Does:    "The first result of a turn is sent twice.",
		Reports: []string{"https://github.com/cline/cline/pull/7419", "https://github.com/Kilo-Org/kilocode/issues/11440"},
		Breaks:  []string{"pairing/one-result-per-call"},
		Make:    hooks.EachRound(func(r *hooks.Round) { r.Results = append(r.Results, r.Results[0]) }),
	},
	{
		Name:    "pairing/starts-with-an-orphan",
		Does:    "A history window begins with the result of a call that it cut off.",
		Reports: []string{"https://github.com/mastra-ai/mastra/issues/2667", "https://github.com/itmisx/deepx-code/issues/94"},
		Breaks:  []string{"pairing/no-orphan-result"},
		InTurns: []string{"pairing/no-orphan-result", "egress/turns-of-one-kind"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if len(r.Tools) > 0 { // a history with results and no tools is another fault
				r.Begin(hooks.Answering(yesterday))
			}
		}),
	},
	{
		Name:    "pairing/sends-stale-results",
		Does:    "Results of an earlier conversation are sent after those of a turn.",
		Reports: []string{"https://github.com/dapr/dapr-agents/issues/145"},
		Breaks:  []string{"pairing/result-names-a-call"},
		ByName:  []string{"pairing/one-result-per-call", "pairing/result-names-a-call"},
		Make:    hooks.EachRound(func(r *hooks.Round) { r.Results = append(r.Results, yesterday) }),
	},
	{
		Name:   "pairing/answers-under-other-ids",
		Does:   "Results have ids of their own.",
		Breaks: []string{"pairing/result-names-a-call", "pairing/every-call-answered"},
		Unless: neutral.CallsByName, Elsewhere: "calls have no ids.",
		Make: hooks.EachRound(func(r *hooks.Round) {
			for _, result := range r.Results {
				result.CallID = backwards(result.CallID)
			}
		}),
	},
	{
		Name:      "pairing/puts-a-message-between",
		Does:      "A reminder is put between the calls and their results.",
		Reports:   []string{"https://github.com/github/copilot-sdk/issues/1922"},
		Only:      neutral.SystemMessages,
		Elsewhere: "the system prompt has no place among the messages, which is another fault.",
		Breaks:    []string{"pairing/results-directly-follow"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			r.Become(r.Turn, neutral.Says(neutral.System, "The tools have run."), hooks.Answering(r.Results...))
		}),
	},
	{
		Name:    "pairing/sends-results-as-they-come",
		Does:    "Results are sent in the order in which the tools finished, here the last call first.",
		Reports: []string{"https://github.com/vercel/ai/issues/16567"},
		Breaks:  []string{"pairing/results-in-call-order"},
		ByName:  []string{"pairing/result-carries-its-call-id", "pairing/results-in-call-order", "approvals/denial-says-why", "execution/result-reaches-the-model", "images/in-the-result"},
		Make:    hooks.EachRound(func(r *hooks.Round) { slices.Reverse(r.Results) }),
	},
	{
		Name:      "pairing/sends-results-without-ids-as-they-come",
		Does:      "Where the provider gives no ids, results of one tool are sent in the order in which the tools finished, here the last call first.",
		Reports:   []string{"https://github.com/firebase/genkit/issues/3248", "https://github.com/CherryHQ/cherry-studio/pull/16921"},
		Only:      neutral.WholeCalls,
		Elsewhere: "a result without an id is refused.",
		Breaks:    []string{"pairing/result-carries-its-call-id"},
		ByName:    []string{"pairing/result-carries-its-call-id", "images/in-the-result"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			calls := r.Calls()
			if len(calls) < 2 || !madeUp(calls[0].ID) || calls[0].Name != calls[1].Name {
				return
			}
			for n, call := range calls {
				call.ID, r.Results[n].CallID = "", ""
			}
			slices.Reverse(r.Results)
		}),
	},
	{
		Name:    "pairing/swaps-results",
		Does:    "The results of the first two calls of a turn are swapped.",
		Reports: []string{"https://github.com/firebase/genkit/issues/3248", "https://github.com/vercel/ai/issues/4936"},
		Breaks:  []string{"pairing/result-carries-its-call-id"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			if len(r.Results) < 2 {
				return
			}
			first, second := r.Results[0], r.Results[1]
			if saysText(first) && saysText(second) {
				first.Text, second.Text = second.Text, first.Text
			}
		}),
	},
	{
		Name:      "pairing/swaps-images",
		Does:      "The images of the first two calls of a turn are in each other's results.",
		Reports:   []string{"https://github.com/firebase/genkit/issues/3248", "https://github.com/vercel/ai/issues/4936"},
		Only:      neutral.ImagesInResults,
		Elsewhere: "images are shown by the user, and belong to no call.",
		Breaks:    []string{"images/in-the-result", "pairing/result-carries-its-call-id"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			if len(r.Results) >= 2 && r.Results[0].Image != nil && r.Results[1].Image != nil {
				r.Results[0].Image, r.Results[1].Image = r.Results[1].Image, r.Results[0].Image
			}
		}),
	},
	{
		Name:    "pairing/sends-no-ids",
		Does:    "The ids of a single call and of its result are left out.",
		Reports: []string{"https://github.com/vercel/ai/issues/2178"},
		Breaks:  []string{"pairing/ids-present"},
		InParts: []string{"pairing/ids-echoed"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			if len(r.Results) == 1 {
				r.Calls()[0].ID, r.Results[0].CallID = "", ""
			}
		}),
	},
	{
		Name:   "pairing/makes-its-own-ids",
		Does:   "Calls and results go back under ids that the loop made up.",
		Breaks: []string{"pairing/ids-echoed"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			hooks.EachPart(r, func(c *neutral.Call) { c.ID = backwards(c.ID) })
			hooks.EachPart(r, func(x *neutral.Result) { x.CallID = backwards(x.CallID) })
		}),
	},
	{
		Name:    "pairing/uses-the-tool-name-as-id",
		Does:    "Calls and results go back under the name of their tool.",
		Reports: []string{"https://github.com/firebase/genkit/issues/3248", "https://github.com/strands-agents/sdk-python/issues/2053"},
		Breaks:  []string{"pairing/ids-echoed", "pairing/ids-distinct", "pairing/id-form"},
		Unless:  neutral.CallsByName, Elsewhere: "calls have no ids.",
		Make: hooks.EachRound(func(r *hooks.Round) {
			for n, call := range r.Calls() {
				call.ID = call.Name
				if n < len(r.Results) {
					r.Results[n].CallID = call.Name
				}
			}
		}),
	},
	{
		Name:    "pairing/makes-equal-ids",
		Does:    "When a tool is called twice in a turn, both calls and results go back under the first one's id.",
		Reports: []string{"https://github.com/firebase/genkit/issues/3248", "https://github.com/microsoft/agent-framework/issues/6822"},
		Breaks:  []string{"pairing/ids-distinct"},
		Unless:  neutral.CallsByName, Elsewhere: "calls have no ids.",
		Make: hooks.EachRound(func(r *hooks.Round) {
			first := r.Calls()[0]
			for n, call := range r.Calls() {
				if call.Name == first.Name && n < len(r.Results) {
					call.ID, r.Results[n].CallID = first.ID, first.ID
				}
			}
		}),
	},
	{
		Name:      "pairing/keys-results-by-id",
		Does:      "A second call with an id that was used before gets the first one's result.",
		Reports:   []string{"https://github.com/sipeed/picoclaw/issues/2528", "https://github.com/open-webui/open-webui/issues/28570"},
		Only:      neutral.AnyIDs,
		Elsewhere: "ids are the provider's own, and none comes twice.",
		Breaks:    []string{"pairing/repeated-ids-kept-apart"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			first := map[string]string{}
			hooks.EachPart(r, func(x *neutral.Result) {
				if known, ok := first[x.CallID]; ok {
					x.Text = known
				} else {
					first[x.CallID] = x.Text
				}
			})
		}),
	},
	{
		Name:    "pairing/makes-up-long-ids",
		Does:    "In front of the conversation is an example with an id of the loop's own, of 47 characters.",
		Reports: []string{"https://github.com/agno-agi/agno/issues/5382", "https://github.com/camel-ai/camel/issues/2215"},
		Breaks:  []string{"pairing/id-form"},
		Make:    hooks.OnRequest(func(r *hooks.Request) { r.Begin(example...) }),
	},
}

// saysText reports whether a result is a text with anything in it.
func saysText(r *neutral.Result) bool { return !r.Failed && r.Image == nil && r.Text != "" }

// madeUp reports whether an id is one of the loop's own, which it gives to calls that come without
// any.
func madeUp(id string) bool { return strings.HasPrefix(id, "call_") }

// example is a call and its result as a loop shows them to the model before a conversation.
var example = []neutral.Message{
	neutral.Says(neutral.User, "What is in notes.txt?"),
	{Role: neutral.Assistant, Parts: []neutral.Part{&neutral.Call{ID: exampleID, Name: "read_file", Arguments: "{}"}}},
	hooks.Answering(&neutral.Result{CallID: exampleID, Name: "read_file", Text: "nothing"}),
	neutral.Says(neutral.Assistant, "Nothing is in it."),
}

const exampleID = "call_of_the_example_that_every_conversation_has"
