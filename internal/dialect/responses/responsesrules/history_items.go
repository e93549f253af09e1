package responsesrules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// historyItems are the rules about items that are none of the loop's business, and about what a
// message is to its turn.
var historyItems = []rules.Rule{
	{
		ID:       "history/provider-items-come-back",
		Level:    trace.Should,
		Returned: true,
		Text:     "Items about the provider's own tools go back with their turn, in full or by reference.",
		Why:      "The model does not know what it has found, searches again, and the user pays again.",
		Evidence: "a request that returns a turn with such items",
		Sources: []rules.Source{
			{URL: conversationState, Says: "append all output items of the response to the next input"},
			{URL: "https://github.com/vercel/ai/blob/main/packages/openai/src/responses/convert-to-openai-responses-input.ts", Says: "references where answers are stored, nothing where they are not: so no must"},
		},
		Run: eachProviderItem(func(e rules.ReturnedTurn, given wire.ProviderItem, back *wire.Node) (trace.Finding, bool) {
			f := trace.Finding{Message: fmt.Sprintf("an item of the type %q did not come back", given.Type), Expected: given.ID, Actual: rules.DescribeReturn(e)}
			return f, back == nil
		}),
	},
	{
		ID:       "history/provider-items-unchanged",
		Level:    trace.Should,
		Returned: true,
		Text:     "An item about the provider's own tools goes back with its content unchanged: the request, the target and the result.",
		Why:      "The provider refuses an item without a required key, and the model reads about work that was not done.",
		Evidence: "a request with such an item of a turn before it, in full",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "WebSearchToolCall, FileSearchToolCall, CodeInterpreterToolCall, MCPToolCall: the keys that are required"},
			{URL: conversationState, Says: "append all output items of the response to the next input"},
		},
		Run: eachProviderItem(func(_ rules.ReturnedTurn, given wire.ProviderItem, back *wire.Node) (f trace.Finding, changed bool) {
			if back == nil || back.Get("type").Text() == "item_reference" {
				return f, false
			}
			key, want, changed := changedKey(given, back)
			return trace.Finding{
				Pointer: back.Pointer(), Message: fmt.Sprintf("the key %q of an item of the type %q is not what it was", key, given.Type),
				Expected: rules.Quote(want), Actual: rules.Show(back),
			}, changed
		}),
	},
	{
		ID:       "history/provider-items-in-their-order",
		Level:    trace.Should,
		Returned: true,
		Text:     "Items about the provider's own tools are before the calls of their turn, in the order in which they came.",
		Why:      "The model sees its work in the wrong order, and the provider's cache misses.",
		Evidence: "a request that returns a turn with such an item and a call, or with two such items",
		Sources: []rules.Source{
			{URL: conversationState, Says: "append all output items of the response, in order"},
			{URL: "https://github.com/TanStack/ai/issues/910", Says: "the order changed around tools of the provider"},
		},
		Run: providerItemsInOrder,
	},
	{
		// Not a must: it is refused where the message has its id and is parted from its reasoning,
		// and taken otherwise.
		ID:        "history/items-in-their-order",
		Level:     trace.Should,
		Invariant: true,
		Returned:  true,
		Text:      "The items of a turn go back in the order in which they came: reasoning, then the message, then the calls.",
		Why:       "Reasoning belongs to the item after it, the model reads that it spoke after it had called, and the provider's cache misses. The order of calls, and that of items about the provider's tools, have rules of their own.",
		Evidence:  "a request that returns a call with the reasoning or the message that came before it",
		Sources: []rules.Source{
			{URL: conversationState, Says: "append all output items of the response, in order"},
			{URL: "https://github.com/continuedev/continue/issues/11994", Says: "calls that went back between the reasoning and its message, and the 400 of OpenAI: provided without its required 'reasoning' item"},
			{URL: "https://github.com/openai/openai-node/issues/1791", Says: "reasoning and its message have to be a pair in the input"},
		},
		Run: itemsInOrder,
	},
	{
		ID:       "history/phases-come-back",
		Level:    trace.Should,
		Returned: true,
		Text:     "A message of the model goes back with the phase that it had.",
		Why:      "The model mistakes a comment for its answer, and stops early; OpenAI documents that a lost phase reduces quality.",
		Evidence: "a request that returns a message with a phase",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "MessagePhase: preserve and resend phase on all assistant messages; dropping it can degrade performance"},
			{URL: "https://github.com/openai/openai-agents-js/pull/1513", Says: "phases that were lost in the history"},
			{URL: "https://github.com/openai/codex/pull/19626", Says: "a phase that differed from request to request, and the cache that was lost"},
		},
		Run: phasesComeBack,
	},
}

// eachProviderItem judges what happened to every item about the provider's tools. Requests for
// approvals have rules of their own.
func eachProviderItem(wrong func(e rules.ReturnedTurn, given wire.ProviderItem, back *wire.Node) (trace.Finding, bool)) func(*rules.Run) rules.CheckResult {
	return func(r *rules.Run) (j rules.CheckResult) {
		for _, e := range r.ReturnedTurns() {
			for _, given := range e.Turn.Answer.Items {
				j.HasEvidence = true
				if f, is := wrong(e, given, comesBackAs(e.In.Request, given)); is {
					f.Request = e.In.Number
					if f.Pointer == "" {
						f.Pointer = e.In.Request.HistoryPointer()
					}
					j.Find(f)
				}
			}
		}
		return j
	}
}

// comesBackAs returns the item of a request by which one of the provider's came back, or nil: the
// one with its id, which may be a reference, or one without an id that says the same. Some clients
// send no ids to a provider that keeps nothing.
func comesBackAs(req *wire.Request, given wire.ProviderItem) (back *wire.Node) {
	eachItem(req, func(item *wire.Node, kind string) {
		if back != nil && back.Get("id") != nil {
			return
		}
		_, _, changed := changedKey(given, item)
		if item.Get("id").Text() == given.ID || item.Get("id") == nil && kind == given.Type && !changed {
			back = item
		}
	})
	return back
}

// changedKey returns the first key of an item that does not say what it said, with what it said.
func changedKey(given wire.ProviderItem, back *wire.Node) (key, want string, changed bool) {
	type value struct {
		key, want string
		now       *wire.Node
	}
	said := []value{
		{"code", given.Code, back.Get("code")},
		{"server_label", given.Server, back.Get("server_label")},
		{"name", given.Name, back.Get("name")},
		{"arguments", given.Arguments, back.Get("arguments")},
	}
	switch given.Type {
	case "web_search_call":
		said = append(said, value{"action", given.Query, back.Get("action").Get("query")})
	case "file_search_call":
		said = append(said, value{"queries", given.Query, back.Get("queries").Child("0")})
	case "mcp_call":
		said = append(said, value{"output", given.Output, back.Get("output")})
	case "tool_search_call":
		said = append(said, value{"arguments", given.Tools[0], back.Get("arguments").Get("paths").Child("0")})
	case "tool_search_output":
		said = append(said, value{"tools", given.Tools[0], back.Get("tools").Child("0").Get("name")})
	}
	for _, s := range said {
		if s.want != "" && s.now.Text() != s.want {
			return s.key, s.want, true
		}
	}
	return "", "", false
}

// providerItemsInOrder looks at those that came back, and at the calls after them.
func providerItemsInOrder(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		var places []*wire.Node
		for _, given := range e.Turn.Answer.Items {
			if back := comesBackAs(e.In.Request, given); back != nil {
				places = append(places, back)
			}
		}
		for n := range e.Turn.Answer.Calls {
			if back, ok := e.Call(n); ok && len(places) > 0 {
				places = append(places, back.Node)
			}
		}
		if len(places) < 2 {
			continue
		}
		j.HasEvidence = true
		input := e.In.Request.Body.Get("input").Items
		last := -1
		for _, item := range places {
			at := slices.Index(input, item)
			if at < last {
				j.Find(trace.Finding{
					Request: e.In.Number, Pointer: item.Pointer(), Message: "an item of the turn is before one that came earlier",
					Expected: "after " + rules.Show(input[last]), Actual: rules.Show(item),
				})
				break
			}
			last = at
		}
	}
	return j
}

// phasesComeBack goes by the text of a message.
func phasesComeBack(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		phases := phasesOf(e.Turn.Answer)
		eachItem(e.In.Request, func(item *wire.Node, kind string) {
			if kind != "message" || item.Get("role").Text() != "assistant" {
				return
			}
			text := textOfMessage(item)
			f := trace.Finding{Request: e.In.Number, Pointer: item.Pointer()}
			switch given, phase := phases[text], item.Get("phase"); {
			case rules.JoinsCommentary(e.Turn.Answer, text):
				f.Message, f.Expected, f.Actual = "a commentary and the message after it came back as one message", "two messages, each with its phase", rules.Show(item)
			case text == "" || given == "":
				return
			case phase.Text() != string(given):
				f.Message, f.Expected, f.Actual = "a message of the model came back without its phase", string(given), rules.Show(phase)
			}
			j.HasEvidence = true
			if f.Message != "" {
				j.Find(f)
			}
		})
	}
	return j
}

// phasesOf returns the phases of the texts of an answer. A commentary with the words of the answer
// cannot be told from it.
func phasesOf(a *wire.Answer) map[string]wire.Phase {
	if a.Commentary == a.Text {
		return nil
	}
	return map[string]wire.Phase{a.Commentary: wire.PhaseCommentary, a.Text: a.Phase}
}

// textOfMessage returns what a message says, be it a text or a list of parts.
func textOfMessage(item *wire.Node) string {
	content := item.Get("content")
	text := content.Text()
	for _, part := range content.All() {
		text += part.Get("text").Text()
	}
	return text
}

// itemsInOrder looks at the items of the model around the first call of a turn, as far as nothing
// of the loop is between them. What is not among them is for other rules.
func itemsInOrder(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		given := e.Turn.Answer
		if e.Message == nil || given.Mixed || len(given.Calls) == 0 {
			continue
		}
		call, ok := e.Call(0)
		if !ok {
			continue
		}
		turn := aroundItem(e.In.Request.Body.Get("input").Items, call.Node)
		const thought, said, called = 0, 1, 2
		places := [3][]int{}
		for i, item := range turn {
			switch kind := responses.TypeOf(item); {
			case kind == "reasoning":
				places[thought] = append(places[thought], i)
			case kind == "message" && strings.TrimSpace(given.Text) != "" && strings.TrimSpace(textOfMessage(item)) == strings.TrimSpace(given.Text):
				places[said] = append(places[said], i)
			case isCallOf(e, item):
				places[called] = append(places[called], i)
			}
		}
		if len(places[thought]) > len(given.Details) || len(places[said]) > 1 || len(places[called]) == 0 {
			continue // items of another turn are among them
		}
		if len(places[thought])+len(places[said]) == 0 {
			continue
		}
		j.HasEvidence = true
		if order := slices.Concat(places[thought], places[said], places[called][:1]); !slices.IsSorted(order) {
			j.Find(trace.Finding{
				Request: e.In.Number, Pointer: turn[0].Pointer(), Message: "the items of a turn came back in another order",
				Expected: kindsOf(turn, order), Actual: kindsOf(turn, slices.Sorted(slices.Values(order))),
			})
		}
	}
	return j
}

// aroundItem returns the items of the model that are around one of them.
func aroundItem(items []*wire.Node, one *wire.Node) []*wire.Node {
	at := slices.Index(items, one)
	if at < 0 {
		return nil
	}
	from, to := at, at+1
	for from > 0 && !ofTheLoop(items[from-1], responses.TypeOf(items[from-1])) {
		from--
	}
	for to < len(items) && !ofTheLoop(items[to], responses.TypeOf(items[to])) {
		to++
	}
	return items[from:to]
}

// isCallOf reports whether an item is a call of a turn.
func isCallOf(e rules.ReturnedTurn, item *wire.Node) bool {
	for n := range e.Turn.Answer.Calls {
		if call, ok := e.Call(n); ok && call.Node == item {
			return true
		}
	}
	return false
}

// kindsOf names items by their types, in an order.
func kindsOf(items []*wire.Node, order []int) string {
	var kinds []string
	for _, i := range order {
		kinds = append(kinds, responses.TypeOf(items[i]))
	}
	return rules.List(kinds)
}
