package fuzzing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// adorn adds what only some wire APIs can say. A conversation with it is played in those.
func (d *drawing) adorn(c *Conversation) {
	switch kind := d.hundred("what few can say"); {
	case kind >= 94:
		d.interleave(c)
	case kind >= 88:
		d.phases(c)
	case kind >= 80:
		d.providerItems(c)
	case kind >= 72:
		d.providerBlocks(c)
	case kind >= 55:
		d.reasoningBlocks(c)
	case kind >= 50:
		d.looseFinish(c)
	default:
		d.quirk(c)
	}
}

// interleave mixes the pieces of parallel calls in a stream.
func (d *drawing) interleave(c *Conversation) {
	for _, t := range c.turns() {
		t.Step.Stream.Interleaved = len(t.Calls) > 1
	}
}

// looseFinish lets turns with calls stop with the word of an answer.
func (d *drawing) looseFinish(c *Conversation) {
	for _, t := range c.turns() {
		if len(t.Calls) > 0 {
			t.Step.Finish = string(wire.FinishStop)
		}
	}
}

// phases says of each text whether it is an answer.
func (d *drawing) phases(c *Conversation) {
	for _, t := range c.turns() {
		switch {
		case t.Step.Text == nil || *t.Step.Text == "":
		case len(t.Calls) > 0:
			t.Step.Phase = wire.PhaseCommentary
		default:
			t.Step.Phase = wire.PhaseFinal
		}
	}
}

// itemsOfProvider are what tools on the provider's side did.
var itemsOfProvider = []scenarios.ProviderItem{
	{Type: "web_search_call", Query: "Oslo in November"},
	{Type: "file_search_call", Query: "climate of Oslo", Output: "November has 3.9 C on average."},
	{Type: "code_interpreter_call", Code: "print(1)", Output: "1"},
	{Type: "mcp_call", Server: "climate", Tool: "average", Arguments: `{"city":"Oslo"}`, Output: "3.9"},
	{Type: "mcp_call", Server: "climate", Tool: "average", Arguments: `{"city":"Bergen"}`, Fail: "The server does not know Bergen."},
}

// providerItems lets tools of the provider do something in turns.
func (d *drawing) providerItems(c *Conversation) {
	for _, t := range c.turns() {
		if t.Step.Text == nil && len(t.Calls) == 0 || !d.chance(60, "provider items") {
			continue
		}
		from := d.one(len(itemsOfProvider), "provider item")
		t.Step.ProviderItems = slices.Clone(itemsOfProvider[from:min(len(itemsOfProvider), from+1+d.upTo(1, "further item"))])
	}
}

// providerBlocks lets a tool of the provider search the web in turns.
func (d *drawing) providerBlocks(c *Conversation) {
	for _, t := range c.turns() {
		if t.Step.Text == nil && len(t.Calls) == 0 || !d.chance(60, "provider blocks") {
			continue
		}
		n := d.number()
		t.Step.Blocks = []string{
			fmt.Sprintf(`{"type":"server_tool_use","id":"srvtoolu_%02d","name":"web_search","input":{"query":"Oslo %d"}}`, n, n),
			fmt.Sprintf(`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_%02d","content":[{"type":"web_search_result","url":"https://example.com/%d","title":"Oslo","encrypted_content":"c2VjcmV0","page_age":null}]}`, n, n),
		}
	}
}

// reasoningBlocks gives turns that reason blocks of several kinds.
func (d *drawing) reasoningBlocks(c *Conversation) {
	if !d.grammar.claims(protocol.Reasoning) {
		return
	}
	for _, t := range c.turns() {
		if t.Step.Text == nil && len(t.Calls) == 0 || !d.chance(70, "reasoning blocks") {
			continue
		}
		signed := scenarios.Block{Type: wire.BlockText, Text: d.text("reasoning"), Signed: true, Format: "anthropic-claude-v1"}
		t.Step.Reasoning = nil
		switch d.one(3, "kind of blocks") {
		case 0:
			t.Step.ReasoningDetails = []scenarios.Block{signed}
		case 1:
			t.Step.ReasoningDetails = []scenarios.Block{{Type: wire.BlockSummary, Text: d.text("summary"), Format: "openai-responses-v1"}, {Type: wire.BlockEncrypted, Format: "openai-responses-v1"}}
		default:
			signed.Index = 2
			t.Step.ReasoningDetails = []scenarios.Block{{Type: wire.BlockSummary, Text: d.text("summary"), Format: "openai-responses-v1"}, {Type: wire.BlockEncrypted, Format: "openai-responses-v1", Index: 1}, signed}
		}
	}
}

// quirk lets the provider depart from its regular shape in every answer, in one way.
func (d *drawing) quirk(c *Conversation) {
	names := quirks(d.grammar.Profiles)
	if len(names) == 0 {
		return
	}
	name := names[d.one(len(names), "quirk")]
	for _, t := range c.turns() {
		if t.Step.Text != nil && *t.Step.Text != "" || len(t.Calls) > 0 {
			t.Step.Quirks = []string{name}
		}
	}
}

// quirks returns the quirks that some profiles show and that change nothing of what an answer says: what a loop makes of it
// is compared with what it makes of the answer without.
func quirks(all []*profiles.Profile) []string {
	var names []string
	for _, p := range all {
		for _, q := range p.Quirks {
			if !slices.Contains(names, q.Name) && comparedWithPlain(q.Name) {
				names = append(names, q.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// comparedWithPlain reports whether all rules about a quirk compare. Those about failures are about quirks of errors.
func comparedWithPlain(quirk string) bool {
	known := false
	for _, r := range rulebook.Book() {
		if !slices.Contains(r.Quirks, quirk) {
			continue
		}
		if r.Run != nil || slices.ContainsFunc(r.Quirks, func(q string) bool { return strings.HasPrefix(q, "error-in") }) {
			return false
		}
		known = true
	}
	return known
}
