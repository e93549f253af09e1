package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// LeaksReasoning reports whether a text contains the reasoning of the model. What the model also
// said in its text is no leak.
func LeaksReasoning(a *wire.Answer, text string) bool {
	if a.Reasoning == nil {
		return false
	}
	reasoning := strings.TrimSpace(*a.Reasoning)
	return reasoning != "" && strings.Contains(text, reasoning) && !strings.Contains(a.Text, reasoning)
}

// ReasoningBlock is a block of structured reasoning, reduced to what has to come back unchanged.
type ReasoningBlock struct {
	Kind, text, Data, Signature, format string
	Index                               string
}

// EachReturnedReasoning calls f for each of these turns whose reasoning was given in blocks, with
// the blocks that were given and those that came back.
func (r *Run) EachReturnedReasoning(turns []ReturnedTurn, f func(e ReturnedTurn, given, back []ReasoningBlock)) {
	for _, e := range turns {
		if len(e.Turn.Answer.Details) == 0 || e.Message == nil || !r.ShowsReasoning(e) {
			continue
		}
		given := GivenBlocks(e.Turn.Answer.Details, e.In.Request.Dialect, e.In.Request)
		var back []ReasoningBlock
		for _, n := range e.Message.Reasoning.Details {
			back = append(back, ReadBlock(n, e.In.Request.Dialect))
		}
		joined, shown := JoinBlocks(given), apart(JoinBlocks(back), back)
		if r.MayDoWithout(e, "reasoning/details-come-back") && !withAllSeals(joined, shown) {
			continue
		}
		f(e, joined, shown)
	}
}

// ShowedReasoning reports whether the answer with a turn showed the reasoning of the turn.
func (r *Run) ShowedReasoning(t *scenarios.Turn) bool {
	return slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool {
		return x.Turn == t && x.Request != nil && x.Request.Dialect.ShowsReasoning(x.Request)
	})
}

// ShowsReasoning is ShowedReasoning for turns whose request is unknown: the request that returns
// the turn decides, since clients do not change the setting within a turn.
func (r *Run) ShowsReasoning(e ReturnedTurn) bool {
	if !slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool { return x.Turn == e.Turn }) {
		return e.In.Request.Dialect.ShowsReasoning(e.In.Request)
	}
	return r.ShowedReasoning(e.Turn)
}

// withAllSeals reports whether as many blocks came back as were given, none without its signature or
// its encrypted data.
func withAllSeals(given, back []ReasoningBlock) bool {
	if len(given) != len(back) {
		return false
	}
	for i, b := range given {
		if b.Signature != "" && back[i].Signature == "" || b.Data != "" && back[i].Data == "" {
			return false
		}
	}
	return true
}

// GivenBlocks returns the blocks of a turn that were visible in its answer. Clients do not change
// this setting within a conversation, so the request that returns the turn decides; nil: the
// request is unknown.
func GivenBlocks(details []wire.ReasoningBlock, dialect *wire.Dialect, req *wire.Request) (given []ReasoningBlock) {
	if dialect.Reasoning.Visible == nil {
		for _, d := range details {
			given = append(given, ReasoningBlock{"reasoning." + string(d.Type), d.Text, d.Data, d.Signature, d.Format, fmt.Sprint(d.Index)})
		}
		return given
	}
	for _, d := range dialect.Reasoning.Visible(details, req) {
		given = append(given, plainBlock(d))
	}
	return given
}

// plainBlock is a block without an index and a format, which not all dialects have.
func plainBlock(d wire.ReasoningBlock) ReasoningBlock {
	return ReasoningBlock{Kind: "reasoning." + string(d.Type), text: d.Text, Data: d.Data, Signature: d.Signature}
}

// ReadBlock reads a block of reasoning in a request.
func ReadBlock(n *wire.Node, dialect *wire.Dialect) ReasoningBlock {
	if dialect.Reasoning.ReadBlock != nil {
		return plainBlock(dialect.Reasoning.ReadBlock(n))
	}
	index := "0"
	if i := n.Get("index"); i.Is(wire.Number) {
		index = string(i.Raw)
	}
	return ReasoningBlock{
		Kind:      n.Get("type").Text(),
		text:      n.Get("text").Text() + n.Get("summary").Text(),
		Data:      n.Get("data").Text(),
		Signature: n.Get("signature").Text(),
		format:    n.Get("format").Text(),
		Index:     index,
	}
}

// JoinBlocks joins consecutive texts with the same index into one block: a stream splits texts into
// pieces, which look the same. Blocks without an index are not joined.
func JoinBlocks(blocks []ReasoningBlock) (whole []ReasoningBlock) {
	for _, b := range blocks {
		if last := len(whole) - 1; last >= 0 && whole[last].goesOn(b) {
			whole[last].text += b.text
			whole[last].Signature = b.Signature
			continue
		}
		whole = append(whole, b)
	}
	return whole
}

// apart returns blocks as they are in a request where one that is signed went back in pieces: the
// signature is that of the whole text. This is allowed for an unsigned text.
func apart(whole, pieces []ReasoningBlock) []ReasoningBlock {
	signed := func(b ReasoningBlock) bool { return b.Signature != "" }
	if len(whole) < len(pieces) && slices.ContainsFunc(whole, func(b ReasoningBlock) bool { return signed(b) && !slices.Contains(pieces, b) }) {
		return pieces
	}
	return whole
}

// goesOn reports whether a block may be the next piece of the text that this one began.
func (b ReasoningBlock) goesOn(next ReasoningBlock) bool {
	return b.Index != "" && b.Index == next.Index && b.Kind == next.Kind && b.Data == "" && next.Data == "" && b.Signature == ""
}

// InFull describes a block with all its contents.
func (b ReasoningBlock) InFull() string {
	text := fmt.Sprintf("%s %s", b.Kind, Quote(b.text+b.Data))
	if b.Signature != "" {
		text += ", signature " + Quote(b.Signature)
	}
	if b.format != "" {
		text += ", format " + b.format
	}
	if b.Index != "" {
		text += ", index " + b.Index
	}
	return text
}

// DescribeBlocks lists blocks for a finding, each in a few words.
func DescribeBlocks(blocks []ReasoningBlock) string {
	var words []string
	for _, b := range blocks {
		words = append(words, fmt.Sprintf("%s %s", b.Kind, Quote(b.text+b.Data)))
	}
	return List(words)
}

// SameBlocks reports whether two lists hold the same blocks in any order.
func SameBlocks(a, b []ReasoningBlock) bool {
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

// SignatureOn returns the node of the signature of a call, or nil.
func SignatureOn(p *profiles.Profile, call wire.Call) *wire.Node {
	if call.Signature != nil {
		return call.Signature
	}
	n := call.Node
	for _, key := range p.Traits.CallSignature {
		n = n.Get(key)
	}
	return n
}

// SameSignature reports whether a signature that came back is the one that was given. Signatures of
// calls are Google's, which reads them as bytes.
func SameSignature(back *wire.Node, given string) bool {
	return wire.StandardBase64(back.Text()) == wire.StandardBase64(given)
}

// IsReasoningPart reports whether a part of a message is reasoning.
func IsReasoningPart(p wire.Part) bool {
	return slices.Contains([]string{"thinking", "redacted_thinking", "reasoningContent"}, p.Type)
}

// DescribeInFull lists blocks for a finding, with all that they hold.
func DescribeInFull(blocks []ReasoningBlock) string {
	var words []string
	for _, b := range blocks {
		words = append(words, b.InFull())
	}
	return List(words)
}
