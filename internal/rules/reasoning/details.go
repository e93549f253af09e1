package reasoning

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// blockRules are the rules of the area reasoning about structured blocks: OpenRouter's
// reasoning_details.
var blockRules = []rules.Rule{
	{
		ID:        "reasoning/details-come-back",
		Where:     rules.ReasoningGoesBack,
		Level:     trace.Must,
		Text:      "Where the provider wants it, the blocks of structured reasoning of a turn with tool calls go back, all of them. In the Responses API it breaks a should to leave them out with the ids of all items of the turn.",
		Why:       "The provider behind the router checks them and refuses the next turn.",
		Invariant: true,
		Needs:     Reasons,
		Returned:  true,
		Evidence:  "a request that returns a turn with structured reasoning and tool calls, under a profile that wants it back",
		Sources: []rules.Source{
			{URL: rules.OpenrouterDocs, Says: "pass reasoning_details back to preserve reasoning across tool calls; raw text may go back as reasoning"},
			{URL: "https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenRouterThinking", Says: "recorded"},
			{URL: rules.ThinkingDocs, Says: "the same of Anthropic's thinking blocks"},
			{URL: "https://github.com/anthropics/claude-cookbooks/blob/main/extended_thinking/extended_thinking_with_tool_use.ipynb", Says: "recorded: the 400 of a turn without its thinking"},
			{URL: "https://github.com/TanStack/ai/issues/1212", Says: "the 400 of OpenAI for a function_call with its id and without its reasoning"},
			{URL: "https://github.com/laravel/ai/pull/1052", Says: "the same, and that OpenAI takes the call without its id"},
		},
		Vars:     []string{"at", "found"},
		Provider: thinkingMissing,
		Run:      detailsComeBack,
	},
	{
		ID:        "reasoning/details-verbatim",
		Where:     rules.ReasoningGoesBack,
		Level:     trace.Must,
		Text:      "A block of structured reasoning goes back unchanged: its text, its signature and its format; a signed block is not split.",
		Why:       "The signature covers the whole text; a changed block is refused by the provider that signed it.",
		Invariant: true,
		Needs:     Reasons,
		Returned:  true,
		Evidence:  "a request that returns as many blocks as the model gave, with a turn that called tools or answered",
		Sources: []rules.Source{
			{URL: rules.OpenrouterDocs, Says: "the sequence of blocks must match the original; you cannot modify them"},
			{URL: "https://github.com/anthropics/anthropic-sdk-python/issues/1598", Says: "a maintainer of Anthropic: the check fails when a block differs in any way"},
			{URL: "https://github.com/agno-agi/agno/issues/8794", Says: "a signed block sent back in the pieces of the stream, and the 400"},
			{URL: "https://github.com/open-webui/open-webui/pull/26404", Says: "the same"},
		},
		Vars:     []string{"at"},
		Provider: thinkingAltered,
		Run:      detailsVerbatim,
	},
	{
		ID:       "reasoning/details-in-order",
		Level:    trace.Must,
		Text:     "The blocks of structured reasoning go back in the order in which they came.",
		Why:      "The sequence as a whole must match the one that the model gave.",
		Needs:    Reasons,
		Returned: true,
		Evidence: "a request that returns several blocks",
		Sources: []rules.Source{
			{URL: rules.OpenrouterDocs, Says: "you cannot rearrange the sequence of these blocks"},
		},
		Run: detailsInOrder,
	},
	{
		ID:       "reasoning/details-not-merged",
		Level:    trace.Must,
		Where:    rules.IndexedBlocks,
		Text:     "Two blocks of different kinds that share an index stay two blocks.",
		Why:      "A summary that is joined to encrypted data is invalid.",
		Needs:    Reasons,
		Evidence: "a request that returns a turn with two such blocks",
		Sources: []rules.Source{
			{URL: rules.OpenrouterDocs, Says: "the sequence of blocks must match the original"},
			{URL: "https://github.com/featherless-ai/open-agent-loops", Says: "a summary and an encrypted block of index 0 came back as one"},
		},
		Run: detailsNotMerged,
	},
	{
		ID:        "reasoning/encrypted-untouched",
		Where:     rules.EncryptsReasoning,
		Level:     trace.Must,
		Text:      "Encrypted reasoning goes back byte for byte.",
		Why:       "The provider cannot decrypt it otherwise.",
		Invariant: true,
		Needs:     Reasons,
		Returned:  true,
		Evidence:  "a request that returns as many blocks as the model gave, one of them encrypted",
		Sources: []rules.Source{
			{URL: rules.OpenrouterDocs, Says: "encrypted blocks are opaque"},
			{URL: "https://github.com/anthropics/claude-code/issues/56708", Says: "the 400 of Anthropic"},
		},
		Vars:     []string{"at", "id"},
		Asked:    encryptedShown,
		Provider: dataAltered,
		Run:      encryptedUntouched,
	},
}

// returnedBlocks calls f for every turn with calls that gave structured reasoning, with the blocks
// as given and as returned.
func returnedBlocks(r *rules.Run, f func(e rules.ReturnedTurn, given, back []rules.ReasoningBlock)) {
	r.EachReturnedReasoning(slices.Concat(r.ReturnedCallTurns(), r.ReturnedToAnother()), f)
}

func findBlocks(j *rules.CheckResult, e rules.ReturnedTurn, message string, given, back []rules.ReasoningBlock) {
	j.Find(aboutBlocks(e, message, given, back))
}

func aboutBlocks(e rules.ReturnedTurn, message string, given, back []rules.ReasoningBlock) trace.Finding {
	return trace.Finding{
		Request: e.In.Number, Pointer: rules.DetailsPointer(*e.Message), Message: message,
		Expected: rules.DescribeBlocks(given), Actual: rules.DescribeBlocks(back),
	}
}

// sharesIndex reports whether two blocks of different kinds have one index.
func sharesIndex(blocks []rules.ReasoningBlock) bool {
	for i, b := range blocks {
		for _, c := range blocks[:i] {
			if b.Index != "" && b.Index == c.Index && b.Kind != c.Kind {
				return true
			}
		}
	}
	return false
}

// detailsComeBack leaves it to the loop where the provider does not ask for its reasoning back.
// Blocks that go back all the same are looked at by the rules about what is in them.
func detailsComeBack(r *rules.Run) (j rules.CheckResult) {
	returnedBlocks(r, func(e rules.ReturnedTurn, given, back []rules.ReasoningBlock) {
		if !r.Script.Profile.Reasoning.Resend.OnToolTurns() {
			return
		}
		j.HasEvidence = true
		if len(back) < len(given) && (len(back) == 0 || !sharesIndex(given)) && !(isRaw(given) && e.Message.Reasoning.Text.Text() != "") {
			f := aboutBlocks(e, "blocks of structured reasoning did not come back", given, back)
			if namesNoItem(e.Message) {
				f.Level = trace.Should
			}
			j.Find(f)
		}
	})
	return j
}

// namesNoItem reports whether a turn went back as items of which none but reasoning has an id: then
// a provider that knows by their ids which reasoning belongs to them cannot miss it.
func namesNoItem(m *wire.Message) bool {
	items := m.Node.Items
	if items == nil {
		items = []*wire.Node{m.Node}
	}
	calls := 0
	for _, item := range items {
		if item.Get("type").Text() == "reasoning" {
			continue
		}
		if item.Get("id").Text() != "" {
			return false
		}
		if item.Get("call_id") != nil {
			calls++
		}
	}
	return calls > 0
}

// isRaw reports whether blocks are nothing but text, which may go back as plain reasoning too.
func isRaw(blocks []rules.ReasoningBlock) bool {
	return !slices.ContainsFunc(blocks, func(b rules.ReasoningBlock) bool { return b.Kind != "reasoning.text" || b.Signature != "" })
}

func detailsNotMerged(r *rules.Run) (j rules.CheckResult) {
	returnedBlocks(r, func(e rules.ReturnedTurn, given, back []rules.ReasoningBlock) {
		if !sharesIndex(given) || len(back) == 0 {
			return
		}
		j.HasEvidence = true
		if len(back) < len(given) {
			findBlocks(&j, e, "blocks of one index were merged", given, back)
		}
	})
	return j
}

func detailsInOrder(r *rules.Run) (j rules.CheckResult) {
	r.EachReturnedReasoning(r.ReturnedTurns(), func(e rules.ReturnedTurn, given, back []rules.ReasoningBlock) {
		if len(given) < 2 || len(given) != len(back) {
			return
		}
		j.HasEvidence = true
		if !slices.Equal(given, back) && rules.SameBlocks(given, back) {
			findBlocks(&j, e, "the blocks of structured reasoning came back in another order", given, back)
		}
	})
	return j
}

// detailsVerbatim looks at the turns that answered, too: their blocks need not go back, but not as
// others either.
func detailsVerbatim(r *rules.Run) (j rules.CheckResult) {
	r.EachReturnedReasoning(r.ReturnedTurns(), func(e rules.ReturnedTurn, given, back []rules.ReasoningBlock) {
		if len(given) < len(back) {
			findBlocks(&j, e, "more blocks of structured reasoning came back than the model gave", given, back)
		}
		if len(given) != len(back) {
			return
		}
		j.HasEvidence = true
		for i := range given {
			if given[i].Data != "" || given[i] == back[i] || rules.SameBlocks(given, back) {
				continue // encrypted-untouched and details-in-order look at the others
			}
			j.FindAt(e.In, rules.DetailsPointer(*e.Message),
				"a block of structured reasoning came back changed",
				given[i].InFull(),
				back[i].InFull())
		}
	})
	return j
}

// encryptedShown reports whether an answer had encrypted reasoning, which some providers send only
// to those who ask for it.
func encryptedShown(r *rules.Run) bool {
	return slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool {
		return x.Turn != nil && x.Turn.Answer != nil && x.Request != nil && slices.ContainsFunc(
			rules.GivenBlocks(x.Turn.Answer.Details, x.Request.Dialect, x.Request),
			func(b rules.ReasoningBlock) bool { return b.Data != "" })
	})
}

func encryptedUntouched(r *rules.Run) (j rules.CheckResult) {
	r.EachReturnedReasoning(r.ReturnedTurns(), func(e rules.ReturnedTurn, given, back []rules.ReasoningBlock) {
		if len(given) != len(back) {
			return
		}
		for i := range given {
			if given[i].Data == "" {
				continue
			}
			j.HasEvidence = true
			if back[i].Data != given[i].Data && !rules.SameBlocks(given, back) {
				findBlocks(&j, e, "encrypted reasoning came back changed", given[i:i+1], back[i:i+1])
			}
		}
	})
	return j
}
