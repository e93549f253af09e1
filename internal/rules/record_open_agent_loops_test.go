package rules

import "github.com/loopproof/loopproof/internal/wire"

// keptAfterRound is the transcript of one round in Oslo and what came after it.
func keptAfterRound(end, last string) string {
	return afterRound(end) + `
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

var recordOpenAgentLoopsCases = ruleCases{
	"record/finish-reason-as-given": {
		holds("on every turn", twoCities, bothKept),
		holds("of an answer that was cut off", truncated, keptAfterRound("stopped: length", `{"role":"assistant","content":"It is","finishReason":"length"}`)),
		holds("in the words of the format, over messages", truncated.under("anthropic"), keptAfterRound("stopped: max_tokens", `{"role":"assistant","content":"It is","finishReason":"length"}`)),
		seesNothing("another format", twoCities, bothInBlocks),
		holds("unset at the end, over messages", truncated.under("anthropic"), keptAfterRound("stopped: max_tokens", `{"role":"assistant","content":"It is"}`)),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("cut off over messages, and stopped well", truncated.under("anthropic"), keptAfterRound("stopped: max_tokens", `{"role":"assistant","content":"It is","finishReason":"stop"}`),
			finding{0, "", "a turn in the transcript has another finish reason than the provider gave", `"length"`, `/3 {"role":"assistant","content":"It is","finishReason":"stop"}`}),
		breaks("unset", twoCities, but(bothKept, `"finishReason":"stop",`, ""),
			finding{0, "", "a turn in the transcript has another finish reason than the provider gave", `"stop"`, `/4 {"role":"assistant","content":"Lima is warmer.","timestamp":1763740800003}`}),
		breaks("cut off, and stopped well", truncated, keptAfterRound("stopped: length", `{"role":"assistant","content":"It is","finishReason":"stop"}`),
			finding{0, "", "a turn in the transcript has another finish reason than the provider gave", `"length"`, `/3 {"role":"assistant","content":"It is","finishReason":"stop"}`}),
	},
	"record/no-finish-reason-made-up": {
		holds("unset", brokenAnswer, keptAfterRound("failed: cut", `{"role":"assistant","content":"It is 4 C in Oslo, and","isError":true}`)),
		seesNothing("the turn is not kept", brokenAnswer, keptAfterRound("failed: cut", "")),
		seesNothing("nothing broke off", twoCities, bothKept),
		breaks("stop", brokenAnswer, keptAfterRound("failed: cut", `{"role":"assistant","content":"It is 4 C","isError":true,"finishReason":"stop"}`),
			finding{0, "", "a turn that broke off has a finish reason in the transcript", "no finish reason", `/3 {"role":"assistant","content":"It is 4 C","isError":true,"finishReason":"stop"}`}),
	},
	"record/broken-turn-marked": {
		holds("marked", brokenAnswer.by(wire.DeliverSSE), keptAfterRound("failed: cut", `{"role":"assistant","content":"It is 4 C in Oslo, and","isError":true}`)),
		holds("an error in the answer", inBand.by(wire.DeliverSSE), keptAfterRound("failed: cut", `{"role":"assistant","content":"","isError":true}`)),
		seesNothing("half a document, of which nobody can read a turn", brokenAnswer.by(wire.DeliverJSON), keptAfterRound("failed: cut", "")),
		seesNothing("a document that is an error, in which there is no turn", inBand.by(wire.DeliverJSON), keptAfterRound("failed: no", "")),
		seesNothing("the loop asked on", brokenOnce, keptAfterRound("asks on\n\t\tcompleted", `{"role":"assistant","content":"It is 4 C in Oslo."}`)),
		seesNothing("another format", brokenAnswer, but(keptAfterRound("failed: cut", ""), "keeps open-agent-loops", "keeps openai")),
		seesNothing("an error before any answer", refused, keptAfterRound("failed: no", "")),
		seesNothing("the loop gave up on silence", badEnd("{text: It is 4 C in Oslo, stall: {after: 2 events, for: 2s}}"), keptAfterRound("failed: timed out", "")),
		breaks("not marked", brokenAnswer.by(wire.DeliverSSE), keptAfterRound("failed: cut", `{"role":"assistant","content":"It is 4 C in Oslo, and"}`),
			finding{0, "", "an answer that broke off is not marked as an error in the transcript", "a message of the model that is marked as an error, at the end", `/3 {"role":"assistant","content":"It is 4 C in Oslo, and"}`}),
		breaks("not kept", brokenAnswer.by(wire.DeliverSSE), keptAfterRound("failed: cut", ""),
			finding{0, "", "an answer that broke off is not in the transcript", "a message of the model that is marked as an error, at the end", "no such message"}),
	},
	"record/blank-turn-marked": {
		holds("marked", emptyAnswer, keptAfterRound("failed: nothing", `{"role":"assistant","content":"","isError":true,"finishReason":"stop"}`)),
		seesNothing("nothing was blank", twoCities, bothKept),
		seesNothing("a turn of reasoning alone", badEnd(`{reasoning: Hm., text: ""}`).under("deepseek"), keptAfterRound("completed:", "")),
		breaks("not marked", emptyAnswer, keptAfterRound("completed:", `{"role":"assistant","content":"","finishReason":"stop"}`),
			finding{0, "", "a blank answer is not marked as an error in the transcript", "a message of the model that is marked as an error, at the end", `/3 {"role":"assistant","content":"","finishReason":"stop"}`}),
	},
	"record/good-turn-not-marked": {
		holds("a tool failed", bonnFails, bonnDone),
		seesNothing("no tool was used", noTools, noToolsKept),
		seesNothing("another format", twoCities, bothInBlocks),
		breaks("for a tool that failed", bonnFails, but(bonnDone, `"finishReason":"tool_calls"`, `"isError":true`),
			finding{0, "", "a whole turn of the model is marked as an error in the transcript", "no error", `/1 {"role":"assistant","content":"","tool_calls":[{{bonn call}}],"isError":true,"timestamp":1763740800001}`}),
	},
	"record/reasoning-kept": {
		holds("on both turns", thinking, thoughtKept),
		seesNothing("no reasoning", twoCities, bothKept),
		seesNothing("another format", thinking, but(thoughtKept, "keeps open-agent-loops", "keeps openai")),
		breaks("not on the answer", thinking, but(thoughtKept, `,"reasoning":"The user will be cold."`, ""),
			finding{0, "", "the reasoning of a turn is not in the transcript as it came", `"The user will be cold."`, `/3 {"role":"assistant","content":"It is 4 C in Oslo."}`}),
		breaks("shortened", thinking, but(thoughtKept, `"reasoning":"I need the weather in Oslo."`, `"reasoning":"I need the weather"`),
			finding{0, "", "the reasoning of a turn is not in the transcript as it came", `"I need the weather in Oslo."`, `/1 {"role":"assistant","content":"","tool_calls":[{{oslo call}}],"reasoning":"I need the weather"}`}),
	},
	"record/reasoning-details-kept": {
		holds("on both turns", inBlocks, blocksKept),
		seesNothing("no blocks", thinking, thoughtKept),
		seesNothing("blocks that the other API brings", inBlocks, but(blocksKept, "keeps open-agent-loops", "keeps anthropic")),
		breaks("not on the answer", inBlocks, but(blocksKept, `,"reasoning_details":{{details 2}}`, ""),
			finding{0, "", "the structured reasoning of a turn is not in the transcript as it came", `reasoning.text "It is cold.", format anthropic-claude-v1, index 0`, "none"}),
	},
	"record/reasoning-details-in-order": {
		holds("in order", inBlocks, blocksKept),
		seesNothing("one block", inBlocks, but(blocksKept, `"reasoning_details":{{details 1}}`, `"reasoning_details":[]`)),
		seesNothing("no blocks", thinking, thoughtKept),
		breaks("reversed", inBlocks, but(blocksKept, `"reasoning_details":{{details 1}}`, `"reasoning_details":[{"type":"reasoning.encrypted","data":"{{data 1}}","format":"anthropic-claude-v1","index":1},{"type":"reasoning.text","text":"First Oslo.","format":"anthropic-claude-v1","index":0}]`),
			finding{0, "", "the structured reasoning of a turn is in another order in the transcript", `reasoning.text "First Oslo.", reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "{{data 1}}", reasoning.text "First Oslo."`}),
	},
	"record/timestamps-in-milliseconds": {
		holds("in milliseconds", twoCities, bothKept),
		seesNothing("no timestamps", brokenAnswer, keptAfterRound("failed: cut", "")),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("in seconds", twoCities, but(bothKept, `"timestamp":1763740800001`, `"timestamp":1763740800`),
			finding{0, "", "a timestamp in the transcript is not in milliseconds since the epoch", "a number of 13 digits", "/1/timestamp 1763740800"}),
	},
	"record/timestamps-in-order": {
		holds("in order, some at the same time", twoCities, bothKept),
		holds("the second result was ready first", twoCities, but(bothKept, `"content":"4 C","toolName":"get_weather","timestamp":1763740800002`, `"content":"4 C","toolName":"get_weather","timestamp":1763740800003`)),
		breaks("an answer before a result", twoCities, but(bothKept, `"content":"4 C","toolName":"get_weather","timestamp":1763740800002`, `"content":"4 C","toolName":"get_weather","timestamp":1763740800004`),
			finding{0, "", "a timestamp in the transcript is before that of a message in front", "1763740800004 or later", "/4/timestamp 1763740800003"}),
		seesNothing("no timestamps", brokenAnswer, keptAfterRound("failed: cut", "")),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("a result before its call", twoCities, but(bothKept, `"timestamp":1763740800002`, `"timestamp":1763740800000`),
			finding{0, "", "a timestamp in the transcript is before that of a message in front", "1763740800001 or later", "/2/timestamp 1763740800000"}),
	},
}
