package record_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

// keptAfterRound is the transcript of one round in Oslo and what came after it.
func keptAfterRound(end, last string) string {
	return AfterRound(end) + `
		keeps open-agent-loops
			{"role":"user","content":"What is the weather in Oslo?"}
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}],"finishReason":"tool_calls"}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}
			` + last
}

const (
	thoughtKept = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		completed
		keeps open-agent-loops
			{"role":"user","content":"What is the weather in Oslo?"}
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}],"reasoning":"I need the weather in Oslo."}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}
			{"role":"assistant","content":"It is 4 C in Oslo.","reasoning":"The user will be cold."}`
	blocksKept = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		completed
		keeps open-agent-loops
			{"role":"user","content":"What is the weather in Oslo?"}
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}],"reasoning_details":{{details 1}}}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}
			{"role":"assistant","content":"It is 4 C in Oslo.","reasoning_details":{{details 2}}}`
)

var openAgentLoopCases = Cases{
	"record/finish-reason-as-given": {
		Holds("behind a turn that broke off and said the same", saidTwice, saidTwiceKept),
		Holds("on every turn", TwoCities, BothKept),
		Holds("of an answer that a call gave, as for a text", finalCall, finalCallInLoops("stop")),
		Holds("of an answer that a call gave, as for the call", finalCall, finalCallInLoops("tool_calls")),
		Breaks("of an answer that a call gave, as if it had been cut", finalCall, finalCallInLoops("length"),
			Found(0, "", "a turn in the transcript has another finish reason than the provider gave", `"stop"`, `/3 {"role":"assistant","content":"It is 4 C in Oslo.","finishReason":"length"}`)),
		Holds("of an answer that was cut off", truncated, keptAfterRound("stopped: length", `{"role":"assistant","content":"It is","finishReason":"length"}`)),
		Holds("in the words of the format, over messages", truncated.Under("anthropic"), keptAfterRound("stopped: max_tokens", `{"role":"assistant","content":"It is","finishReason":"length"}`)),
		SeesNothing("another format", TwoCities, bothInBlocks),
		Holds("unset at the end, over messages", truncated.Under("anthropic"), keptAfterRound("stopped: max_tokens", `{"role":"assistant","content":"It is"}`)),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Breaks("cut off over messages, and stopped well", truncated.Under("anthropic"), keptAfterRound("stopped: max_tokens", `{"role":"assistant","content":"It is","finishReason":"stop"}`),
			Found(0, "", "a turn in the transcript has another finish reason than the provider gave", `"length"`, `/3 {"role":"assistant","content":"It is","finishReason":"stop"}`)),
		Breaks("unset", TwoCities, But(BothKept, `"finishReason":"stop",`, ""),
			Found(0, "", "a turn in the transcript has another finish reason than the provider gave", `"stop"`, `/4 {"role":"assistant","content":"Lima is warmer.","timestamp":1763740800003}`)),
		Breaks("cut off, and stopped well", truncated, keptAfterRound("stopped: length", `{"role":"assistant","content":"It is","finishReason":"stop"}`),
			Found(0, "", "a turn in the transcript has another finish reason than the provider gave", `"length"`, `/3 {"role":"assistant","content":"It is","finishReason":"stop"}`)),
	},
	"record/no-finish-reason-made-up": {
		Holds("unset", BrokenAnswer, keptAfterRound("failed: cut", `{"role":"assistant","content":"It is 4 C in Oslo, and","isError":true}`)),
		SeesNothing("the turn is not kept", BrokenAnswer, keptAfterRound("failed: cut", "")),
		SeesNothing("nothing broke off", TwoCities, BothKept),
		Breaks("stop", BrokenAnswer, keptAfterRound("failed: cut", `{"role":"assistant","content":"It is 4 C","isError":true,"finishReason":"stop"}`),
			Found(0, "", "a turn that broke off has a finish reason in the transcript", "no finish reason", `/3 {"role":"assistant","content":"It is 4 C","isError":true,"finishReason":"stop"}`)),
	},
	"record/broken-turn-marked": {
		Holds("marked", BrokenAnswer.By(wire.DeliverSSE), keptAfterRound("failed: cut", `{"role":"assistant","content":"It is 4 C in Oslo, and","isError":true}`)),
		Holds("an error in the answer", InBand.By(wire.DeliverSSE), keptAfterRound("failed: cut", `{"role":"assistant","content":"","isError":true}`)),
		SeesNothing("half a document, of which nobody can read a turn", BrokenAnswer.By(wire.DeliverJSON), keptAfterRound("failed: cut", "")),
		SeesNothing("a document that is an error, in which there is no turn", InBand.By(wire.DeliverJSON), keptAfterRound("failed: no", "")),
		SeesNothing("the loop asked on", brokenOnce, keptAfterRound("asks on\n\t\tcompleted", `{"role":"assistant","content":"It is 4 C in Oslo."}`)),
		SeesNothing("another format", BrokenAnswer, But(keptAfterRound("failed: cut", ""), "keeps open-agent-loops", "keeps openai")),
		SeesNothing("an error before any answer", Refused, keptAfterRound("failed: no", "")),
		SeesNothing("the loop gave up on silence", BadEnd("{text: It is 4 C in Oslo, stall: {after: 2 events, for: 2s}}"), keptAfterRound("failed: timed out", "")),
		Breaks("not marked", BrokenAnswer.By(wire.DeliverSSE), keptAfterRound("failed: cut", `{"role":"assistant","content":"It is 4 C in Oslo, and"}`),
			Found(0, "", "an answer that broke off is not marked as an error in the transcript", "a message of the model that is marked as an error, at the end", `/3 {"role":"assistant","content":"It is 4 C in Oslo, and"}`)),
		Breaks("not kept", BrokenAnswer.By(wire.DeliverSSE), keptAfterRound("failed: cut", ""),
			Found(0, "", "an answer that broke off is not in the transcript", "a message of the model that is marked as an error, at the end", "no such message")),
	},
	"record/blank-turn-marked": {
		Holds("marked", EmptyAnswer, keptAfterRound("failed: nothing", `{"role":"assistant","content":"","isError":true,"finishReason":"stop"}`)),
		SeesNothing("nothing was blank", TwoCities, BothKept),
		SeesNothing("a turn of reasoning alone", BadEnd(`{reasoning: Hm., text: ""}`).Under("deepseek"), keptAfterRound("completed:", "")),
		Breaks("not marked", EmptyAnswer, keptAfterRound("completed:", `{"role":"assistant","content":"","finishReason":"stop"}`),
			Found(0, "", "a blank answer is not marked as an error in the transcript", "a message of the model that is marked as an error, at the end", `/3 {"role":"assistant","content":"","finishReason":"stop"}`)),
	},
	"record/good-turn-not-marked": {
		Holds("but a turn that broke off and said the same", saidTwice, saidTwiceKept),
		Holds("a tool failed", bonnFails, bonnDone),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		SeesNothing("another format", TwoCities, bothInBlocks),
		Breaks("for a tool that failed", bonnFails, But(bonnDone, `"finishReason":"tool_calls"`, `"isError":true`),
			Found(0, "", "a whole turn of the model is marked as an error in the transcript", "no error", `/1 {"role":"assistant","content":"","tool_calls":[{{bonn call}}],"isError":true,"timestamp":1763740800001}`)),
	},
	"record/reasoning-kept": {
		Holds("on both turns", Thinking, thoughtKept),
		SeesNothing("no reasoning", TwoCities, BothKept),
		SeesNothing("another format", Thinking, But(thoughtKept, "keeps open-agent-loops", "keeps openai")),
		Breaks("not on the answer", Thinking, But(thoughtKept, `,"reasoning":"The user will be cold."`, ""),
			Found(0, "", "the reasoning of a turn is not in the transcript as it came", `"The user will be cold."`, `/3 {"role":"assistant","content":"It is 4 C in Oslo."}`)),
		Breaks("shortened", Thinking, But(thoughtKept, `"reasoning":"I need the weather in Oslo."`, `"reasoning":"I need the weather"`),
			Found(0, "", "the reasoning of a turn is not in the transcript as it came", `"I need the weather in Oslo."`, `/1 {"role":"assistant","content":"","tool_calls":[{{oslo call}}],"reasoning":"I need the weather"}`)),
	},
	"record/reasoning-details-kept": {
		Holds("on both turns", inBlocks, blocksKept),
		SeesNothing("no blocks", Thinking, thoughtKept),
		SeesNothing("blocks that the other API brings", inBlocks, But(blocksKept, "keeps open-agent-loops", "keeps anthropic")),
		Breaks("not on the answer", inBlocks, But(blocksKept, `,"reasoning_details":{{details 2}}`, ""),
			Found(0, "", "the structured reasoning of a turn is not in the transcript as it came", `reasoning.text "It is cold.", format anthropic-claude-v1, index 0`, "none")),
	},
	"record/reasoning-details-in-order": {
		Holds("in order", inBlocks, blocksKept),
		SeesNothing("one block", inBlocks, But(blocksKept, `"reasoning_details":{{details 1}}`, `"reasoning_details":[]`)),
		SeesNothing("no blocks", Thinking, thoughtKept),
		Breaks("reversed", inBlocks, But(blocksKept, `"reasoning_details":{{details 1}}`, `"reasoning_details":[{"type":"reasoning.encrypted","data":"{{data 1}}","format":"anthropic-claude-v1","index":1},{"type":"reasoning.text","text":"First Oslo.","format":"anthropic-claude-v1","index":0}]`),
			Found(0, "", "the structured reasoning of a turn is in another order in the transcript", `reasoning.text "First Oslo.", reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "{{data 1}}", reasoning.text "First Oslo."`)),
	},
	"record/timestamps-in-milliseconds": {
		Holds("in milliseconds", TwoCities, BothKept),
		SeesNothing("no timestamps", BrokenAnswer, keptAfterRound("failed: cut", "")),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Breaks("in seconds", TwoCities, But(BothKept, `"timestamp":1763740800001`, `"timestamp":1763740800`),
			Found(0, "", "a timestamp in the transcript is not in milliseconds since the epoch", "a number of 13 digits", "/1/timestamp 1763740800")),
	},
	"record/timestamps-in-order": {
		Holds("in order, some at the same time", TwoCities, BothKept),
		Holds("the second result was ready first", TwoCities, But(BothKept, `"content":"4 C","toolName":"get_weather","timestamp":1763740800002`, `"content":"4 C","toolName":"get_weather","timestamp":1763740800003`)),
		Breaks("an answer before a result", TwoCities, But(BothKept, `"content":"4 C","toolName":"get_weather","timestamp":1763740800002`, `"content":"4 C","toolName":"get_weather","timestamp":1763740800004`),
			Found(0, "", "a timestamp in the transcript is before that of a message in front", "1763740800004 or later", "/4/timestamp 1763740800003")),
		SeesNothing("no timestamps", BrokenAnswer, keptAfterRound("failed: cut", "")),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Breaks("a result before its call", TwoCities, But(BothKept, `"timestamp":1763740800002`, `"timestamp":1763740800000`),
			Found(0, "", "a timestamp in the transcript is before that of a message in front", "1763740800001 or later", "/2/timestamp 1763740800000")),
	},
}

// finalCallInLoops is the run of finalCall with a finish reason of the answer in its transcript.
func finalCallInLoops(word string) string {
	return keptAfterRound("completed", `{"role":"assistant","content":"It is 4 C in Oslo.","finishReason":"`+word+`"}`)
}
