package compaction_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

const (
	beforeIt = `
		asks
		runs oslo
		asks on
			{{message 1}}
			result oslo
		runs lima
		`
	afterIt = `
		runs rome
		asks on
			{{message 3}}
			result rome
		completed`

	// keeps goes on to send all, with what the provider gave.
	keeps = beforeIt + `
		asks on
			{{message 2}}
			result lima` + afterIt
	// drops begins with what the provider gave.
	drops = beforeIt + `
		asks
			{{message 2}}
			result lima` + afterIt

	limaCall   = `{"type":"function_call","call_id":"{{lima}}","name":"get_weather","arguments":"{\"city\":\"Lima\"}"}`
	limaUse    = `{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}`
	summary    = `{"type":"compaction","content":"Oslo has 4 C."}`
	signed     = `{"type":"compaction","content":"Oslo: 4 C.","signature":"x"}`
	theSummary = `the block with the summary "Oslo has 4 C."`
)

// itemBack goes on with these items in place of the second answer, and blocksBack with these blocks.
func itemBack(items string) string { return strings.Replace(keeps, "{{message 2}}", items, 1) }

func blocksBack(blocks string) string {
	return strings.ReplaceAll(itemBack(`{"role":"assistant","content":[`+blocks+`]}`), "result ", "results ")
}

const (
	notAskedAtAll = "the request does not ask the provider to make the history shorter"
	from60000     = "compaction from 60000 input tokens on"
	oslo          = "calls oslo\nresults oslo"
)

// goesOn is a loop that asks for nothing in two prompts, and begins the second one with these messages.
func goesOn(with ...string) string {
	return "asks without context_management\nruns oslo\nasks on without context_management\n" + oslo + "\nasks without context_management\n" + strings.Join(with, "\n") + "\nfailed: I give up"
}

// inRound is a loop whose requests begin so, and that ends after the second one.
func inRound(asks, ends string) string {
	return asks + "\nruns oslo\n" + strings.Replace(asks, "asks", "asks on", 1) + "\ncalls oslo\nresult oslo\n" + ends
}

// inBlocks is a run in the dialect whose results are blocks of one message.
func inBlocks(run string) string { return strings.ReplaceAll(run, "result ", "results ") }

var providerCases = Cases{
	"compaction/provider-asked": {
		Holds("with each request, of an item", CompactedItems, keeps),
		Holds("with each request, of a block", CompactedBlocks, inBlocks(keeps)),
		SeesNothing("the task does not say so", ThreeRounds.Under("openai-responses"), "asks\nfailed: I give up"),
		SeesNothing("no answer had so many tokens", CompactedItems, "asks without context_management\nfailed: I give up"),
		Holds("of the loop's own accord, when a prompt is over", LongPrompts, goesOn(`{"role":"assistant","content":[`+signed+`]}`, "prompt 2")),
		Breaks("not behind an answer with so many tokens", LongPrompts, goesOn("prompt 1\n"+oslo, "assistant: It is 4 C in Oslo.\nprompt 2"),
			Found(3, "/context_management", notAskedAtAll, from60000, "nothing")),
		Breaks("only to clear results", LongPrompts, strings.ReplaceAll(goesOn("prompt 1\n"+oslo, "assistant: It is 4 C in Oslo.\nprompt 2"), "without context_management", `with {"context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]}}`),
			Found(3, "/context_management", notAskedAtAll, from60000, `{"edits":[{"type":"clear_tool_uses_20250919"}]}`)),
		Breaks("not before the prompt is over", LongRounds, inRound("asks without context_management", "failed: I give up"),
			Found(2, "/context_management", notAskedAtAll, from60000, "nothing").Only(trace.Should)),
		Breaks("at a length of its own", CompactedItems, `asks with {"context_management":[{"type":"compaction","compact_threshold":1000}]}
			failed: I give up`,
			Found(1, "/context_management", "the request asks the provider to make the history shorter at another length than the task says", "compaction from 60000 input tokens on", `[{"type":"compaction","compact_threshold":1000}]`).Only(trace.Should)),
	},
	"compaction/comes-back": {
		Holds("all is sent", CompactedItems, keeps),
		Holds("all is sent, in blocks", CompactedBlocks, inBlocks(keeps)),
		Holds("what was before it is dropped", CompactedItems, drops),
		Holds("what was before it is dropped, in blocks", CompactedBlocks, inBlocks(drops)),
		Holds("what was changed is for another rule", CompactedBlocks, blocksBack(`{"type":"compaction","content":"Oslo is cold."},`+limaUse)),
		Holds("a signed one that the loop asked for", CompactedBlocks, blocksBack(signed+","+limaUse)),
		SeesNothing("before it", CompactedItems, "asks\nfailed: I give up"),
		SeesNothing("the provider was not asked", CompactedItems, strings.ReplaceAll(itemBack(limaCall), "asks on", "asks on without context_management")),
		Breaks("dropped", CompactedBlocks, blocksBack(limaUse),
			Found(3, "/messages", "what the provider gave in place of the history did not come back", theSummary, "no item or block of the type compaction")),
	},
	"compaction/unchanged": {
		Holds("an item", CompactedItems, keeps),
		Holds("a block", CompactedBlocks, inBlocks(keeps)),
		Holds("a signed one that the loop asked for", CompactedBlocks, blocksBack(signed+","+limaUse)),
		Holds("marked for the cache", CompactedBlocks, blocksBack(`{"type":"compaction","content":"Oslo has 4 C.","cache_control":{"type":"ephemeral"}},`+limaUse)),
		SeesNothing("it did not come back", CompactedBlocks, blocksBack(limaUse)),
		Breaks("another summary", CompactedBlocks, strings.Replace(blocksBack(`{"type":"compaction","content":"Oslo is cold."},`+limaUse), afterIt, "\nfailed: I give up", 1),
			Found(3, "/messages/3/content/0", "what the provider gave in place of the history came back changed", theSummary, `{"type":"compaction","content":"Oslo is cold."}`)),
	},
	"compaction/once": {
		Holds("an item", CompactedItems, keeps),
		Holds("a block", CompactedBlocks, inBlocks(keeps)),
		SeesNothing("it did not come back", CompactedBlocks, blocksBack(limaUse)),
		Breaks("twice", CompactedBlocks, blocksBack(summary+","+summary+","+limaUse),
			Found(3, "/messages/3/content/1", "what the provider gave in place of the history came back twice", "it once, in its place", summary)),
	},
	"compaction/in-its-place": {
		Holds("an item", CompactedItems, keeps),
		Holds("a block", CompactedBlocks, inBlocks(keeps)),
		Holds("what was before it is dropped", CompactedItems, drops),
		SeesNothing("it did not come back", CompactedItems, itemBack(limaCall)),
		Breaks("behind the call", CompactedBlocks, blocksBack(limaUse+","+summary),
			Found(3, "/messages/3/content/1", "what the provider gave in place of the history is behind the rest of its answer", "it before "+limaUse, summary)),
	},
}
