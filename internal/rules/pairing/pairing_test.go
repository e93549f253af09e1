package pairing_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

var coreCases = Cases{
	"pairing/every-call-answered": {
		Holds("one call, one result", OneCity, OneCityDone),
		Holds("two calls, two results", TwoCities, TwoCitiesDone),
		SeesNothing("there was no call", NoTools, NoToolsDone),
		SeesNothing("the loop gave up before it asked again", OneCity, `
			asks
			failed: no idea`),
		Breaks("one of two results is missing", TwoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
			completed`,
			Found(2, "/messages/1/tool_calls", "1 tool call without an answer: {{lima}}",
				"tool results for {{oslo}}, {{lima}}", "tool results for {{oslo}}")),
		Breaks("there are no results at all", TwoCities, `
			asks
			asks on
				calls oslo, lima
			completed`,
			Found(2, "/messages/1/tool_calls", "2 tool calls without an answer: {{oslo}}, {{lima}}",
				"tool results for {{oslo}}, {{lima}}", "tool results for none")),
		Breaks("the user interrupts, and the call stays open", OneCity, `
			asks
			asks on
				calls oslo
				user: Never mind.
			completed`,
			Found(2, "/messages/1/tool_calls", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none")),
		Breaks("over Interactions, in a history that the loop sends", OneCity.Under("gemini-interactions"), `
			asks
			asks on
				calls oslo
				user: Never mind.
			completed`,
			Found(2, "/input", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none")),
		Breaks("nobody has seen Google refuse one that it keeps", OneCity.Under("gemini-interactions"), `
			asks
			asks on with {"previous_interaction_id":"v1_1"}
				calls oslo
				user: Never mind.
			completed`,
			Found(2, "/input", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none").Only(trace.Should)),
		Breaks("OpenAI refuses one that it keeps", OneCity.Under("openai-responses"), `
			asks
			asks on with {"previous_response_id":"resp_1"}
				calls oslo
				user: Never mind.
			completed`,
			Found(2, "/input", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none")),
		Breaks("the result is in front of its call", OneCity, `
			asks
			asks on
				result oslo
				calls oslo
			completed`,
			Found(2, "/messages/2/tool_calls", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none")),
		Breaks("a result that comes after the next turn is too late", TwoRounds, `
			asks
			asks on
				calls oslo
				calls lima
				result oslo
				result lima
			completed`,
			Found(2, "/messages/1/tool_calls", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none")),
		Breaks("what later requests repeat is told once", TwoRounds, `
			asks
			asks on
				calls oslo
			asks on
				calls lima
				result lima
			completed`,
			Found(2, "/messages/1/tool_calls", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none")),
		Holds("a late result is for results-directly-follow", OneCity, `
			asks
			asks on
				calls oslo
				system: The tools have run.
				result oslo
			completed`),
		Holds("a call without an id is for ids-present", OneCity, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","content":"4 C"}
			completed`),
		Holds("calls that were given new ids", OneCity, `
			asks
			asks on
				{"role":"assistant","content":"","tool_calls":[{"id":"my_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"my_1","name":"get_weather","content":[{"type":"text","text":"4 C"}]}
			completed`),
	},
	"pairing/one-result-per-call": {
		Holds("two calls, two results", TwoCities, TwoCitiesDone),
		SeesNothing("no result was sent", OneCity, `
			asks
			failed: no idea`),
		Breaks("the result is sent twice", OneCity, `
			asks
			asks on
				calls oslo
				result oslo
				result oslo
			completed`,
			Found(2, "/messages/3/tool_call_id", "a second result for the call {{oslo}}", "one tool result for {{oslo}}", "another one at /messages/2")),
		Breaks("a placeholder, then the result", TwoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo: running
				result lima
				result oslo
			completed`,
			Found(2, "/messages/4/tool_call_id", "a second result for the call {{oslo}}", "one tool result for {{oslo}}", "another one at /messages/2")),
		Holds("two results for two calls that share an id", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"get_weather","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"get_weather","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"get_weather","content":"4 C"}
				{"role":"tool","tool_call_id":"get_weather","content":"19 C"}
			completed`),
		Holds("the same id in two turns", RepeatedIDs, RepeatedIDsDone),
		Holds("results without ids are for ids-present", TwoCities, `
			asks
			asks on
				calls oslo, lima
				{"role":"tool","content":"4 C"}
				{"role":"tool","content":"19 C"}
			completed`),
	},
	"pairing/no-orphan-result": {
		Holds("results after their calls", TwoCities, TwoCitiesDone),
		SeesNothing("no result was sent", OneCity, `
			asks
			failed: no idea`),
		Breaks("a history window cut its call off", TwoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				result oslo
				prompt 1
				calls lima
				result lima
			completed`,
			Found(3, "/messages/0", "a tool result that answers no call", "a turn of the model with the call before it", "it is the first message")),
		Breaks("the calls of the turn were lost", OneCity, `
			asks
			asks on
				assistant: I look it up.
				result oslo
			completed`,
			Found(2, "/messages/2", "a tool result that answers no call", "a turn of the model with the call before it", `a message of the role "assistant" before it`)),
		Breaks("the call was answered already", OneCity, `
			asks
			asks on
				calls oslo
				result oslo
				user: And?
				result oslo
			completed`,
			Found(2, "/messages/4", "a tool result that answers no call", "a turn of the model with the call before it", `a message of the role "user" before it`)),
		Holds("an image message between two results is for results-directly-follow", TwoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}
				result lima
			completed`),
		Holds("an id that names no call is for result-names-a-call", OneCity, `
			asks
			asks on
				calls oslo
				{"role":"tool","tool_call_id":"call_of_yesterday","content":"sunny"}
			completed`),
	},
	"pairing/result-names-a-call": {
		Holds("ids of the turn", TwoCities, TwoCitiesDone),
		SeesNothing("no result was sent", OneCity, `
			asks
			failed: no idea`),
		Breaks("a stale result after the good one", OneCity, `
			asks
			asks on
				calls oslo
				result oslo
				{"role":"tool","tool_call_id":"call_of_yesterday","content":"sunny"}
			completed`,
			Found(2, "/messages/3/tool_call_id", `the id "call_of_yesterday" names no call of the turn before`, "one of {{oslo}}", "call_of_yesterday")),
		Breaks("only the result was given a new id", TwoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				{"role":"tool","tool_call_id":"call_1","content":"19 C"}
			completed`,
			Found(2, "/messages/3/tool_call_id", `the id "call_1" names no call of the turn before`, "one of {{oslo}}, {{lima}}", "call_1")),
		Breaks("a result of the turn before the last", TwoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
				result oslo
			completed`,
			Found(3, "/messages/5/tool_call_id", `the id "{{oslo}}" names no call of the turn before`, "one of {{lima}}", "{{oslo}}")),
		Holds("a result without an id is for ids-present", OneCity, `
			asks
			asks on
				calls oslo
				{"role":"tool","content":"4 C"}
			completed`),
		SeesNothing("an orphan is for no-orphan-result", OneCity, `
			asks
			asks on
				result oslo
			completed`),
	},
	"pairing/results-directly-follow": {
		Holds("nothing between", TwoCities, TwoCitiesDone),
		SeesNothing("no result was sent", OneCity, `
			asks
			asks on
				calls oslo
			failed: no idea`),
		Breaks("a system message between the call and its result", OneCity, `
			asks
			asks on
				calls oslo
				system: The tools have run.
				result oslo
			completed`,
			Found(2, "/messages/2", `a message of the role "system" is between a call and its result`,
				"the tool results for {{oslo}} directly after the calls", `{"role":"system","content":"The tools have run."}`)),
		Breaks("an image of the first tool before the result of the second", TwoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}
				result lima
			completed`,
			Found(2, "/messages/3", `a message of the role "user" is between a call and its result`,
				"the tool results for {{lima}} directly after the calls", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}`)),
		Holds("an image after all results", TwoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				result lima
				{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}
			completed`),
		Holds("a missing result is for every-call-answered", TwoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				user: And?
			completed`),
		Holds("one message for each call, each with its result", TwoCities, TurnInTwo),
	},
	"pairing/results-in-call-order": {
		Holds("in the order of the calls", TwoCities, TwoCitiesDone),
		SeesNothing("one call has no order", OneCity, OneCityDone),
		Breaks("in the order of completion", TwoCities, `
			asks
			asks on
				calls oslo, lima
				result lima
				result oslo
			completed`,
			Found(2, "/messages/2", "the results are not in the order of the calls", "{{oslo}}, {{lima}}", "{{lima}}, {{oslo}}")),
		Holds("a missing result leaves the others in order", ThreeCities, `
			asks
			asks on
				calls oslo, lima, rome
				result oslo
				result rome
			completed`),
		Holds("a doubled result is for one-result-per-call", TwoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				result lima
				result oslo
			completed`),
		Holds("calls that share an id cannot be told apart", ThreeCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"b","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}},{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}]}
				{"role":"tool","tool_call_id":"a","content":"4 C"}
				{"role":"tool","tool_call_id":"b","content":"19 C"}
				{"role":"tool","tool_call_id":"a","content":"11 C"}
			completed`),
	},
}
