package fuzzing

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// speaking returns some kinds if a profile has what they need, else none.
func (g *Grammar) speaking(has func(*profiles.Profile) bool, kinds ...kind) []kind {
	if !g.offers(has) {
		return nil
	}
	return kinds
}

// inTurns returns a kind that changes turns that say something, most of them.
func inTurns(change func(*drawing, *Turn)) kind {
	return func(d *drawing, c *Conversation) {
		for i, t := range c.turns() {
			if (t.Step.Text != nil || len(t.Calls) > 0) && (i == 0 || d.chance(60, "changed turn")) {
				change(d, t)
			}
		}
	}
}

// oddTurns are turns in a form that only some wire APIs have.
func (g *Grammar) oddTurns() []kind {
	kinds := slices.Concat(
		g.speaking(able(wire.LooseFinish), looseFinish),
		g.speaking(isRepeatingIDs, repeatIDs),
	)
	if g.claims(protocol.ParallelCalls) && g.streams() {
		kinds = append(kinds, g.speaking(able(wire.InterleavedCalls), interleave)...)
	}
	return kinds
}

// interleave mixes the pieces of parallel calls in a stream.
func interleave(d *drawing, c *Conversation) {
	d.streams = true
	c.Prompts[0].Turns = slices.Insert(c.Prompts[0].Turns, 0, Turn{Calls: []Call{d.call(true), d.call(true)}})
	for _, t := range c.turns() {
		t.Step.Stream.Interleaved = len(t.Calls) > 1
	}
}

// looseFinish lets turns with calls stop with the word of an answer.
func looseFinish(_ *drawing, c *Conversation) {
	for _, t := range c.turns() {
		if len(t.Calls) > 0 {
			t.Step.Finish = string(wire.FinishStop)
		}
	}
}

// isRepeatingIDs reports whether a provider was seen to give an id twice.
func isRepeatingIDs(p *profiles.Profile) bool { return p.Name == "vllm" }

// repeatIDs lets calls have the id of the first call of the turn before. Their tool is the same
// one, since its name is in the id.
func repeatIDs(d *drawing, c *Conversation) {
	d.only = isRepeatingIDs
	c.Prompts[0].Turns = slices.Insert(c.Prompts[0].Turns, 0, d.round())
	tool := toolNamed(c.Prompts[0].Turns[0].Calls[0].Tool)
	for _, t := range c.turns()[1:] {
		if len(t.Calls) == 0 {
			continue
		}
		if tool != nil && d.chance(75, "repeated id") {
			t.Calls[0] = Call{Tool: tool.Name, Arguments: d.arguments(tool), Result: d.result(), RepeatsID: true}
		}
		tool = toolNamed(t.Calls[0].Tool)
	}
}

// partsOfProviders are what tools of the provider do, and other parts of answers that only some
// wire APIs have.
func (g *Grammar) partsOfProviders() []kind {
	phases := able(wire.PhasesOfTexts)
	blocks := able(wire.OwnBlocks)
	kinds := slices.Concat(
		g.speaking(phases, phase), g.speaking(phases, sayCommentary),
		g.speaking(blocks, inTurns(providerBlocks)),
		g.speaking(able(wire.Containers), contain),
		g.speaking(able(wire.PauseFinish), pause),
	)
	for i, item := range itemsOfProvider {
		has := func(p *profiles.Profile) bool { return p.Traits.ProviderItems[item.Type] != "" }
		further := itemsOfProvider[(i+1)%len(itemsOfProvider)]
		kinds = append(kinds, g.speaking(has, inTurns(func(d *drawing, t *Turn) {
			t.Step.ProviderItems = []scenarios.ProviderItem{item}
			if d.chance(40, "further item") {
				t.Step.ProviderItems = append(t.Step.ProviderItems, further)
			}
		}))...)
	}
	if g.claims(protocol.Approvals) {
		asks := func(p *profiles.Profile) bool { return p.Traits.ProviderItems[wire.ApprovalRequest] != "" }
		kinds = append(kinds, g.speaking(asks, approve)...)
	}
	if g.claims(protocol.CustomTools) {
		kinds = append(kinds, g.speaking(able(wire.CustomTools), callCustomTools)...)
	}
	return kinds
}

// phase says of each text whether it is an answer.
func phase(_ *drawing, c *Conversation) {
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

// sayCommentary says something in a message of its own before texts.
func sayCommentary(d *drawing, c *Conversation) {
	for _, t := range c.turns() {
		if t.Step.Text != nil && *t.Step.Text != "" {
			t.Step.Commentary = d.text("commentary")
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

// providerBlocks lets a tool of the provider search the web.
func providerBlocks(d *drawing, t *Turn) {
	use := searchUse(d.number())
	t.Step.Blocks = append([]string{use}, resultsAfter([]string{use})...)
}

// searchUse is a search of the web by the provider.
func searchUse(n int) string {
	return serverUse(n, "web_search", fmt.Sprintf(`{"query":"Oslo %d"}`, n))
}

// serverUse is a use of one of the provider's tools.
func serverUse(n int, name, input string) string {
	return fmt.Sprintf(`{"type":"server_tool_use","id":"srvtoolu_%02d","name":"%s","input":%s}`, n, name, input)
}

// resultsAfter returns the results of the uses among some blocks that have none there. The provider
// begins the turn after such a one with them.
func resultsAfter(blocks []string) (results []string) {
	for _, block := range blocks {
		use := wire.Parsed([]byte(block))
		id := use.Get("id").Text()
		answers := func(other string) bool { return wire.Parsed([]byte(other)).Get("tool_use_id").Text() == id }
		if use.Get("type").Text() != "server_tool_use" || slices.ContainsFunc(blocks, answers) {
			continue
		}
		name := use.Get("name").Text()
		content := `[{"type":"web_search_result","url":"https://example.com/oslo","title":"Oslo","encrypted_content":"c2VjcmV0","page_age":null}]`
		if name == "code_execution" {
			content = `{"type":"code_execution_result","stdout":"1","stderr":"","return_code":0,"content":[]}`
		}
		results = append(results, fmt.Sprintf(`{"type":"%s_tool_result","tool_use_id":%q,"content":%s}`, name, id, content))
	}
	return results
}

// contain lets code of the provider, in a container, wait for the calls of a turn.
func contain(d *drawing, c *Conversation) {
	n := d.number()
	first := d.round()
	first.Step.Container = true
	first.Step.Blocks = []string{serverUse(n, "code_execution", fmt.Sprintf(`{"code":"print(%d)"}`, n))}
	c.Prompts[0].Turns = slices.Insert(c.Prompts[0].Turns, 0, first)
	c.Prompts[0].Turns[1].Step.Container = true
}

// able reports which providers can say something.
func able(a wire.Abilities) func(*profiles.Profile) bool {
	return func(p *profiles.Profile) bool { return p.Abilities&a != 0 }
}

// pause lets a turn pause in which a tool of the provider works.
func pause(d *drawing, c *Conversation) {
	paused := Turn{Step: scenarios.Step{Text: new(d.text("paused text")), Blocks: []string{searchUse(d.number())}, Finish: string(wire.FinishPause)}}
	p := &c.Prompts[d.upTo(len(c.Prompts)-1, "paused prompt")]
	p.Turns = slices.Insert(p.Turns, len(p.Turns)-1, paused)
}

// approve lets the provider ask the user whether it may call tools of a server of MCP.
func approve(d *drawing, c *Conversation) {
	p := &c.Prompts[d.upTo(len(c.Prompts)-1, "asked prompt")]
	at := d.upTo(len(p.Turns)-1, "asked turn")
	var called []scenarios.ProviderItem // what came of the question before
	n := 1 + d.upTo(1, "further question")
	for i := range n {
		asks := scenarios.ProviderItem{
			Type: wire.ApprovalRequest, As: fmt.Sprintf("question-%d", d.number()), Server: "hotels", Tool: fmt.Sprintf("book_room_%d", i),
			Arguments: fmt.Sprintf(`{"city":"Oslo %d"}`, i), Denied: d.chance(40, "denied"),
		}
		p.Turns = slices.Insert(p.Turns, at+i, Turn{Step: scenarios.Step{ProviderItems: append(called, asks)}})
		called = nil
		if !asks.Denied {
			called = []scenarios.ProviderItem{{Type: "mcp_call", Server: asks.Server, Tool: asks.Tool, Arguments: asks.Arguments, Output: "Room 12", ApprovedBy: asks.As}}
		}
	}
	p.Turns[at+n].Step.ProviderItems = called
}

// callCustomTools adds a turn that calls a tool which takes a text.
func callCustomTools(d *drawing, c *Conversation) {
	t := Turn{}
	for range 1 + d.upTo(1, "further custom call") {
		t.Calls = append(t.Calls, Call{Tool: customTool.Name, Arguments: d.pick("free text", freeTexts), Result: d.result()})
	}
	if d.grammar.claims(protocol.ParallelCalls) && d.chance(40, "call beside custom call") {
		t.Calls = append(t.Calls, d.call(true))
	}
	p := &c.Prompts[d.upTo(len(c.Prompts)-1, "prompt with custom calls")]
	p.Turns = slices.Insert(p.Turns, 0, t)
}
