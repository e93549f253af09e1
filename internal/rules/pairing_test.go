package rules

var pairingCases = ruleCases{
	"pairing/every-call-answered": {
		holds("one call, one result", oneCity, oneCityDone),
		holds("two calls, two results", twoCities, twoCitiesDone),
		seesNothing("there was no call", noTools, noToolsDone),
		seesNothing("the loop gave up before it asked again", oneCity, `
			asks
			failed: no idea`),
		breaks("one of two results is missing", twoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
			completed`,
			finding{2, "/messages/1/tool_calls", "1 tool call without an answer: {{lima}}",
				"tool results for {{oslo}}, {{lima}}", "tool results for {{oslo}}"}),
		breaks("there are no results at all", twoCities, `
			asks
			asks on
				calls oslo, lima
			completed`,
			finding{2, "/messages/1/tool_calls", "2 tool calls without an answer: {{oslo}}, {{lima}}",
				"tool results for {{oslo}}, {{lima}}", "tool results for none"}),
		breaks("the user interrupts, and the call stays open", oneCity, `
			asks
			asks on
				calls oslo
				user: Never mind.
			completed`,
			finding{2, "/messages/1/tool_calls", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none"}),
		breaks("the result stands in front of its call", oneCity, `
			asks
			asks on
				result oslo
				calls oslo
			completed`,
			finding{2, "/messages/2/tool_calls", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none"}),
		breaks("a result that comes after the next turn is too late", twoRounds, `
			asks
			asks on
				calls oslo
				calls lima
				result oslo
				result lima
			completed`,
			finding{2, "/messages/1/tool_calls", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none"}),
		breaks("what later requests repeat is told once", twoRounds, `
			asks
			asks on
				calls oslo
			asks on
				calls lima
				result lima
			completed`,
			finding{2, "/messages/1/tool_calls", "1 tool call without an answer: {{oslo}}", "tool results for {{oslo}}", "tool results for none"}),
		holds("a late result is for results-directly-follow", oneCity, `
			asks
			asks on
				calls oslo
				system: The tools have run.
				result oslo
			completed`),
		holds("a call without an id is for ids-present", oneCity, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","content":"4 C"}
			completed`),
		holds("calls that were given new ids", oneCity, `
			asks
			asks on
				{"role":"assistant","content":"","tool_calls":[{"id":"my_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"my_1","name":"get_weather","content":[{"type":"text","text":"4 C"}]}
			completed`),
	},
	"pairing/one-result-per-call": {
		holds("two calls, two results", twoCities, twoCitiesDone),
		seesNothing("no result was sent", oneCity, `
			asks
			failed: no idea`),
		breaks("the result is sent twice", oneCity, `
			asks
			asks on
				calls oslo
				result oslo
				result oslo
			completed`,
			finding{2, "/messages/3/tool_call_id", "a second result for the call {{oslo}}", "one tool result for {{oslo}}", "another one at /messages/2"}),
		breaks("a placeholder, then the result", twoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo: running
				result lima
				result oslo
			completed`,
			finding{2, "/messages/4/tool_call_id", "a second result for the call {{oslo}}", "one tool result for {{oslo}}", "another one at /messages/2"}),
		holds("two results for two calls that share an id", twoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"get_weather","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"get_weather","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"get_weather","content":"4 C"}
				{"role":"tool","tool_call_id":"get_weather","content":"19 C"}
			completed`),
		holds("the same id in two turns", repeatedIDs, repeatedIDsDone),
		holds("results without ids are for ids-present", twoCities, `
			asks
			asks on
				calls oslo, lima
				{"role":"tool","content":"4 C"}
				{"role":"tool","content":"19 C"}
			completed`),
	},
	"pairing/no-orphan-result": {
		holds("results behind their calls", twoCities, twoCitiesDone),
		seesNothing("no result was sent", oneCity, `
			asks
			failed: no idea`),
		breaks("a history window cut its call off", twoRounds, `
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
			finding{3, "/messages/0", "a tool result that answers no call", "an assistant message with tool_calls before it", "it is the first message"}),
		breaks("the calls of the turn were lost", oneCity, `
			asks
			asks on
				assistant: I look it up.
				result oslo
			completed`,
			finding{2, "/messages/2", "a tool result that answers no call", "an assistant message with tool_calls before it", `a message of the role "assistant" before it`}),
		breaks("the call was answered already", oneCity, `
			asks
			asks on
				calls oslo
				result oslo
				user: And?
				result oslo
			completed`,
			finding{2, "/messages/4", "a tool result that answers no call", "an assistant message with tool_calls before it", `a message of the role "user" before it`}),
		holds("an image message between two results is for results-directly-follow", twoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}
				result lima
			completed`),
		holds("an id that names no call is for result-names-a-call", oneCity, `
			asks
			asks on
				calls oslo
				{"role":"tool","tool_call_id":"call_of_yesterday","content":"sunny"}
			completed`),
	},
	"pairing/result-names-a-call": {
		holds("ids of the turn", twoCities, twoCitiesDone),
		seesNothing("no result was sent", oneCity, `
			asks
			failed: no idea`),
		breaks("a stale result behind the good one", oneCity, `
			asks
			asks on
				calls oslo
				result oslo
				{"role":"tool","tool_call_id":"call_of_yesterday","content":"sunny"}
			completed`,
			finding{2, "/messages/3/tool_call_id", `the id "call_of_yesterday" names no call of the turn before`, "one of {{oslo}}", "call_of_yesterday"}),
		breaks("only the result was given a new id", twoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				{"role":"tool","tool_call_id":"call_1","content":"19 C"}
			completed`,
			finding{2, "/messages/3/tool_call_id", `the id "call_1" names no call of the turn before`, "one of {{oslo}}, {{lima}}", "call_1"}),
		breaks("a result of the turn before the last", twoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
				result oslo
			completed`,
			finding{3, "/messages/5/tool_call_id", `the id "{{oslo}}" names no call of the turn before`, "one of {{lima}}", "{{oslo}}"}),
		holds("a result without an id is for ids-present", oneCity, `
			asks
			asks on
				calls oslo
				{"role":"tool","content":"4 C"}
			completed`),
		seesNothing("an orphan is for no-orphan-result", oneCity, `
			asks
			asks on
				result oslo
			completed`),
	},
	"pairing/results-directly-follow": {
		holds("nothing between", twoCities, twoCitiesDone),
		seesNothing("no result was sent", oneCity, `
			asks
			asks on
				calls oslo
			failed: no idea`),
		breaks("a system message between the call and its result", oneCity, `
			asks
			asks on
				calls oslo
				system: The tools have run.
				result oslo
			completed`,
			finding{2, "/messages/2", `a message of the role "system" stands between a call and its result`,
				"the tool results for {{oslo}} directly after the calls", `{"role":"system","content":"The tools have run."}`}),
		breaks("an image of the first tool before the result of the second", twoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}
				result lima
			completed`,
			finding{2, "/messages/3", `a message of the role "user" stands between a call and its result`,
				"the tool results for {{lima}} directly after the calls", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}`}),
		holds("an image behind all results", twoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				result lima
				{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}
			completed`),
		holds("a missing result is for every-call-answered", twoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				user: And?
			completed`),
		holds("one message for each call, each with its result", twoCities, turnInTwo),
	},
	"pairing/results-in-call-order": {
		holds("in the order of the calls", twoCities, twoCitiesDone),
		seesNothing("one call has no order", oneCity, oneCityDone),
		breaks("in the order of completion", twoCities, `
			asks
			asks on
				calls oslo, lima
				result lima
				result oslo
			completed`,
			finding{2, "/messages/2", "the results do not stand in the order of the calls", "{{oslo}}, {{lima}}", "{{lima}}, {{oslo}}"}),
		holds("a missing result leaves the others in order", threeCities, `
			asks
			asks on
				calls oslo, lima, rome
				result oslo
				result rome
			completed`),
		holds("a doubled result is for one-result-per-call", twoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo
				result lima
				result oslo
			completed`),
		holds("calls that share an id cannot be told apart", threeCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"b","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}},{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}]}
				{"role":"tool","tool_call_id":"a","content":"4 C"}
				{"role":"tool","tool_call_id":"b","content":"19 C"}
				{"role":"tool","tool_call_id":"a","content":"11 C"}
			completed`),
	},
	"pairing/no-empty-call-list": {
		holds("no key at all", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2
			completed`),
		seesNothing("nothing but the prompt was sent", noTools, noToolsDone),
		breaks("an answer with an empty list", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				{"role":"assistant","content":"It is 4 C in Oslo.","tool_calls":[]}
				prompt 2
			completed`,
			finding{3, "/messages/3/tool_calls", "an empty list of tool calls", "no key tool_calls", "[]"}),
		holds("null is no list", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				{"role":"assistant","content":"It is 4 C in Oslo.","tool_calls":null,"function_call":null}
				prompt 2
			completed`),
	},
}
