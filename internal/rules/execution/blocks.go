package execution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const mcpResults = "https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool-result"

// blockRules are the rules about results of several blocks, as servers of MCP give them.
var blockRules = []rules.Rule{
	{
		ID:        "execution/every-block-reaches-the-model",
		Level:     trace.Must,
		Text:      "Of a result with several blocks each text reaches the model, also that of an embedded resource and of a failure, and structured content where no text says the same. To send only the structured content or only the texts, where each says something else, breaks a should.",
		Why:       "The model answers from a part of the result, and nothing tells it that there is more.",
		Invariant: true,
		Needs:     rules.SeesTools,
		Evidence:  "a request after a tool returned several texts, or structured content",
		Sources: []rules.Source{
			{URL: mcpResults, Says: "content is a list of blocks; structured content should stand in a text block, too"},
			{URL: "https://github.com/MoonshotAI/kimi-code/issues/2554", Says: "structured content that was dropped"},
			{URL: "https://github.com/anthropics/claude-code/issues/89630", Says: "texts that were dropped where there is structured content"},
			{URL: "https://github.com/openJiuwen-ai/agent-core/issues/290", Says: "one block of several"},
			{URL: "https://github.com/google/adk-go/issues/1391", Says: "files that were returned as embedded resources, and dropped: the model reads that they were downloaded"},
			{URL: "https://github.com/NousResearch/hermes-agent/issues/30601", Says: "the same: an empty result"},
		},
		Run: everyBlockReachesTheModel,
	},
}

func everyBlockReachesTheModel(r *rules.Run) (j rules.CheckResult) {
	for of := range r.RunResults() {
		e, first := of.Turn, of.Call.Executions[0]
		blocks, sent := first.Blocks, of.Result.Content.Text
		if blocks == nil {
			continue
		}
		if blocks.Joined { // it was one text for the loop, of which result-reaches-the-model has to say something
			j.HasEvidence = j.HasEvidence || rules.ContainsText(sent, first.Result)
			continue
		}
		if first.Image != nil { // the text may stand beside the image, in a message of the user
			for _, m := range e.In.Request.Messages[e.Index+1:] {
				sent += "\n" + m.Content.Text
			}
		}
		j.HasEvidence = true
		all := lostBlocks(blocks, sent)
		if len(blocks.Media) > 0 && (of.Result.Failed || saysItCannot(sent)) { // it tells that it cannot take such a result
			for i := range all {
				all[i].level = trace.Should
			}
		}
		for _, lost := range all {
			j.Find(trace.Finding{
				Request: e.In.Number, Pointer: e.In.Request.HistoryPointer(), Level: lost.level,
				Message:  fmt.Sprintf("of the result of the call %s %s does not reach the model", of.Call.Call.As, lost.what),
				Expected: rules.Quote(lost.text), Actual: rules.Quote(sent),
			})
		}
	}
	return j
}

// saysItCannot reports whether a text says that a result is of a kind that the loop does not take.
func saysItCannot(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc([]string{"unsupported", "not supported", "not support", "cannot", "can't", "unable", "error"}, func(word string) bool { return strings.Contains(text, word) })
}

// lostBlock is what stands in one block of a result, and in nothing that was sent.
type lostBlock struct {
	what, text string
	level      trace.Level // "" for that of the rule
}

func lostBlocks(blocks *trace.Blocks, sent string) (lost []lostBlock) {
	structured := wire.Parsed([]byte(blocks.Structured))
	reached := blocks.Structured != "" && holdsLeaves(sent, blocks.Structured, structured)
	some := reached
	for i, text := range slices.Concat(blocks.Texts, blocks.Resources) {
		what := fmt.Sprintf("the text %d", i+1)
		if i >= len(blocks.Texts) {
			what = fmt.Sprintf("the text of the resource %d", i+1-len(blocks.Texts))
		}
		value, err := wire.ParseNode([]byte(text))
		switch {
		case strings.TrimSpace(text) == "":
		case rules.ContainsText(sent, text):
			some = true
		case reached && err == nil && wire.SameValue(value, structured): // it says the same
		case rules.CleansText(sent, text), rules.CutsText(sent, text), rules.DefusesText(sent, text):
			some = true
			lost = append(lost, lostBlock{"a part of " + what, text, trace.Should})
		case reached:
			lost = append(lost, lostBlock{what, text, trace.Should})
		default:
			lost = append(lost, lostBlock{what, text, ""})
		}
	}
	if blocks.Structured != "" && !reached {
		l := lostBlock{"the structured content", blocks.Structured, ""}
		if some {
			l.level = trace.Should
		}
		lost = append(lost, l)
	}
	return lost
}

// holdsLeaves reports whether a text has structured content: as JSON, or each of its values in
// another form.
func holdsLeaves(text, content string, structured *wire.Node) bool {
	if rules.ContainsText(text, content) {
		return true
	}
	var leaves []string
	structured.Walk(func(n *wire.Node) {
		if n.Is(wire.String) || n.Is(wire.Number) {
			leaves = append(leaves, n.TextOrJSON())
		}
	})
	return len(leaves) > 0 && !slices.ContainsFunc(leaves, func(l string) bool { return !rules.ContainsText(text, l) })
}
