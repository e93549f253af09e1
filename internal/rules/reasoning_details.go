package rules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// reasoningBlocks are the rules of the area reasoning about structured blocks: OpenRouter's reasoning_details.
var reasoningBlocks = []Rule{
	{
		ID:        "reasoning/details-come-back",
		Where:     reasoningGoesBack,
		Level:     Must,
		Text:      "Where the provider wants it, the blocks of structured reasoning of a turn with tool calls go back, all of them.",
		Why:       "The provider behind the router checks them and refuses the next turn.",
		Invariant: true,
		Needs:     reasons,
		Returned:  true,
		Evidence:  "a request that returns a turn with structured reasoning and tool calls, under a profile that wants it back",
		Sources: []Source{
			{openrouterDocs, "pass reasoning_details back to preserve reasoning across tool calls; raw text may go back as reasoning"},
			{"https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenRouterThinking", "recorded"},
			{thinkingDocs, "the same of Anthropic's thinking blocks"},
			{"https://github.com/anthropics/claude-cookbooks/blob/main/extended_thinking/extended_thinking_with_tool_use.ipynb", "recorded: the 400 of a turn without its thinking"},
		},
		Vars:     []string{"at", "found"},
		Provider: thinkingMissing,
		Run:      detailsComeBack,
	},
	{
		ID:        "reasoning/details-verbatim",
		Where:     reasoningGoesBack,
		Level:     Must,
		Text:      "A block of structured reasoning goes back as it came: its text, its signature, its format, and a signed one in one piece.",
		Why:       "The signature covers the whole text; a changed block is refused by the provider that signed it.",
		Invariant: true,
		Needs:     reasons,
		Returned:  true,
		Evidence:  "a request that returns as many blocks as the model gave, with a turn that called tools or answered",
		Sources: []Source{
			{openrouterDocs, "the sequence of blocks must match the original; you cannot modify them"},
			{"https://github.com/anthropics/anthropic-sdk-python/issues/1598", "a maintainer of Anthropic: the check fails when a block differs in any way"},
			{"https://github.com/agno-agi/agno/issues/8794", "a signed block sent back in the pieces of the stream, and the 400"},
			{"https://github.com/open-webui/open-webui/pull/26404", "the same"},
		},
		Vars:     []string{"at"},
		Provider: thinkingAltered,
		Run:      detailsVerbatim,
	},
	{
		ID:       "reasoning/details-in-order",
		Level:    Must,
		Text:     "The blocks of structured reasoning go back in the order in which they came.",
		Why:      "The sequence as a whole must match the one that the model gave.",
		Needs:    reasons,
		Returned: true,
		Evidence: "a request that returns several blocks",
		Sources: []Source{
			{openrouterDocs, "you cannot rearrange the sequence of these blocks"},
		},
		Run: detailsInOrder,
	},
	{
		ID:       "reasoning/details-not-merged",
		Level:    Must,
		Where:    indexedBlocks,
		Text:     "Two blocks of different kinds that share an index stay two blocks.",
		Why:      "A summary glued to encrypted data is neither.",
		Needs:    reasons,
		Evidence: "a request that returns a turn with two such blocks",
		Sources: []Source{
			{openrouterDocs, "the sequence of blocks must match the original"},
			{"https://github.com/featherless-ai/open-agent-loops", "a summary and an encrypted block of index 0 came back as one"},
		},
		Run: detailsNotMerged,
	},
	{
		ID:        "reasoning/encrypted-untouched",
		Where:     reasoningGoesBack,
		Level:     Must,
		Text:      "Encrypted reasoning goes back byte for byte.",
		Why:       "The provider cannot decrypt it otherwise.",
		Invariant: true,
		Needs:     reasons,
		Returned:  true,
		Evidence:  "a request that returns as many blocks as the model gave, one of them encrypted",
		Sources: []Source{
			{openrouterDocs, "encrypted blocks are opaque"},
			{"https://github.com/anthropics/claude-code/issues/56708", "the 400 of Anthropic"},
		},
		Vars:     []string{"at", "id"},
		Provider: dataAltered,
		Run:      encryptedUntouched,
	},
}

// block is what counts of a block of structured reasoning.
type block struct {
	kind, text, data, signature, format string
	index                               string
}

// returnedBlocks calls f for every turn with calls that gave structured reasoning, with the blocks as given and as returned.
func (r *Run) returnedBlocks(f func(e Echo, given, back []block)) {
	r.eachReturned(r.AskingEchoes(), f)
}

// eachReturned is returnedBlocks for some turns.
func (r *Run) eachReturned(echoes []Echo, f func(e Echo, given, back []block)) {
	for _, e := range echoes {
		if len(e.Turn.Answer.Details) == 0 || e.Message == nil || !r.shows(e) {
			continue
		}
		var given, back []block
		given = givenBlocks(e.Turn.Answer.Details, e.In.Request.Dialect, e.In.Request)
		for _, n := range e.Message.Reasoning.Details {
			back = append(back, readBlock(n, e.In.Request.Dialect))
		}
		f(e, joined(given), apart(joined(back), back))
	}
}

// showed reports whether the answer that gave a turn showed its reasoning.
func (r *Run) showed(t *scenarios.Turn) bool {
	return slices.ContainsFunc(r.Exchanges, func(x *Exchange) bool {
		return x.Turn == t && x.Request != nil && x.Request.Dialect.ShowsReasoning(x.Request)
	})
}

// shows is showed where nobody may have seen how the turn was asked for: then the request that returns it tells, since
// clients do not change the switch within a turn.
func (r *Run) shows(e Echo) bool {
	if !slices.ContainsFunc(r.Exchanges, func(x *Exchange) bool { return x.Turn == e.Turn }) {
		return e.In.Request.Dialect.ShowsReasoning(e.In.Request)
	}
	return r.showed(e.Turn)
}

// givenBlocks returns blocks of a turn as they were seen in the answer. Clients do not change within a conversation what they
// ask to see, so that the request which returns the turn tells it.
func givenBlocks(details []wire.ReasoningBlock, dialect *wire.Dialect, req *wire.Request) (given []block) {
	if dialect.VisibleBlocks == nil {
		for _, d := range details {
			given = append(given, block{"reasoning." + string(d.Type), d.Text, d.Data, d.Signature, d.Format, fmt.Sprint(d.Index)})
		}
		return given
	}
	for _, d := range dialect.VisibleBlocks(details, req) {
		given = append(given, plainBlock(d))
	}
	return given
}

// plainBlock is a block without an index and a format, which not all dialects have.
func plainBlock(d wire.ReasoningBlock) block {
	return block{kind: "reasoning." + string(d.Type), text: d.Text, data: d.Data, signature: d.Signature}
}

func readBlock(n *wire.Node, dialect *wire.Dialect) block {
	if dialect.ReadBlock != nil {
		return plainBlock(dialect.ReadBlock(n))
	}
	index := "0"
	if i := n.Get("index"); i.Is(wire.Number) {
		index = string(i.Raw)
	}
	return block{
		kind:      n.Get("type").Text(),
		text:      n.Get("text").Text() + n.Get("summary").Text(),
		data:      n.Get("data").Text(),
		signature: n.Get("signature").Text(),
		format:    n.Get("format").Text(),
		index:     index,
	}
}

// joined takes texts that follow each other under one index for one block: a stream brings a text in pieces, and nobody
// can tell two blocks from them. Blocks without an index are what they are.
func joined(blocks []block) (whole []block) {
	for _, b := range blocks {
		if last := len(whole) - 1; last >= 0 && whole[last].goesOn(b) {
			whole[last].text += b.text
			whole[last].signature = b.signature
			continue
		}
		whole = append(whole, b)
	}
	return whole
}

// apart returns blocks as they stand in a request where one that is signed went back in pieces: the signature is that of
// the whole text. A text that nobody signed may go back so.
func apart(whole, pieces []block) []block {
	signed := func(b block) bool { return b.signature != "" }
	if len(whole) < len(pieces) && slices.ContainsFunc(whole, func(b block) bool { return signed(b) && !slices.Contains(pieces, b) }) {
		return pieces
	}
	return whole
}

// goesOn reports whether a block may be the next piece of the text that this one began.
func (b block) goesOn(next block) bool {
	return b.index != "" && b.index == next.index && b.kind == next.kind && b.data == "" && next.data == "" && b.signature == ""
}

// inFull describes a block with all that counts of it.
func (b block) inFull() string {
	text := fmt.Sprintf("%s %s", b.kind, quote(b.text+b.data))
	if b.signature != "" {
		text += ", signature " + quote(b.signature)
	}
	if b.format != "" {
		text += ", format " + b.format
	}
	if b.index != "" {
		text += ", index " + b.index
	}
	return text
}

func (j *Judged) blocks(e Echo, message string, given, back []block) {
	j.Find(Finding{
		Request:  e.In.Number,
		Pointer:  detailsPointer(*e.Message),
		Message:  message,
		Expected: describeBlocks(given),
		Actual:   describeBlocks(back),
	})
}

func describeBlocks(blocks []block) string {
	var words []string
	for _, b := range blocks {
		words = append(words, fmt.Sprintf("%s %s", b.kind, quote(b.text+b.data)))
	}
	return list(words)
}

// sharesIndex reports whether two blocks of different kinds have one index.
func sharesIndex(blocks []block) bool {
	for i, b := range blocks {
		for _, c := range blocks[:i] {
			if b.index != "" && b.index == c.index && b.kind != c.kind {
				return true
			}
		}
	}
	return false
}

// detailsComeBack leaves it to the loop where the provider does not ask for its reasoning back. Blocks that go back all
// the same are looked at by the rules about what is in them.
func detailsComeBack(r *Run) (j Judged) {
	r.returnedBlocks(func(e Echo, given, back []block) {
		if !r.Script.Profile.Reasoning.Resend.OnToolTurns() {
			return
		}
		j.Seen = true
		if len(back) < len(given) && (len(back) == 0 || !sharesIndex(given)) && !(isRaw(given) && e.Message.Reasoning.Text.Text() != "") {
			j.blocks(e, "blocks of structured reasoning did not come back", given, back)
		}
	})
	return j
}

// isRaw reports whether blocks are nothing but text, which may go back as plain reasoning too.
func isRaw(blocks []block) bool {
	return !slices.ContainsFunc(blocks, func(b block) bool { return b.kind != "reasoning.text" || b.signature != "" })
}

func detailsNotMerged(r *Run) (j Judged) {
	r.returnedBlocks(func(e Echo, given, back []block) {
		if !sharesIndex(given) || len(back) == 0 {
			return
		}
		j.Seen = true
		if len(back) < len(given) {
			j.blocks(e, "blocks of one index were merged", given, back)
		}
	})
	return j
}

func detailsInOrder(r *Run) (j Judged) {
	r.eachReturned(r.Echoes(), func(e Echo, given, back []block) {
		if len(given) < 2 || len(given) != len(back) {
			return
		}
		j.Seen = true
		if !slices.Equal(given, back) && sameBlocks(given, back) {
			j.blocks(e, "the blocks of structured reasoning came back in another order", given, back)
		}
	})
	return j
}

// sameBlocks reports whether two lists hold the same blocks in any order.
func sameBlocks(a, b []block) bool {
	rest := slices.Clone(b)
	for _, x := range a {
		i := slices.Index(rest, x)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// detailsVerbatim looks at the turns that answered, too: their blocks need not go back, but not as others either.
func detailsVerbatim(r *Run) (j Judged) {
	r.eachReturned(r.Echoes(), func(e Echo, given, back []block) {
		if len(given) < len(back) {
			j.blocks(e, "more blocks of structured reasoning came back than the model gave", given, back)
		}
		if len(given) != len(back) {
			return
		}
		j.Seen = true
		for i := range given {
			if given[i].data != "" || given[i] == back[i] || sameBlocks(given, back) {
				continue // encrypted-untouched and details-in-order look at the others
			}
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  detailsPointer(*e.Message),
				Message:  "a block of structured reasoning came back changed",
				Expected: given[i].inFull(),
				Actual:   back[i].inFull(),
			})
		}
	})
	return j
}

func encryptedUntouched(r *Run) (j Judged) {
	r.eachReturned(r.Echoes(), func(e Echo, given, back []block) {
		if len(given) != len(back) {
			return
		}
		for i := range given {
			if given[i].data == "" {
				continue
			}
			j.Seen = true
			if back[i].data != given[i].data && !sameBlocks(given, back) {
				j.blocks(e, "encrypted reasoning came back changed", given[i:i+1], back[i:i+1])
			}
		}
	})
	return j
}
