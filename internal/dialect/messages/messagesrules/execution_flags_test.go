package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var executionFlagCases = Cases{
	"execution/failure-is-flagged": {
		Holds("flagged", brokenTool, `
			asks
			runs bonn
			asks on
				calls bonn
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{bonn}}","content":"Error: down","is_error":true}]}
			completed`),
		SeesNothing("nothing failed", BlockCity, OneCityDone),
		Holds("an input that is not JSON, flagged", BlockMangled, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{"INVALID_JSON":"{\"city\""}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
			completed`),
		SeesNothing("it was run on a guess, which is for invalid-json-not-run", BlockMangled, `
			asks
			runs broken with {"city":"Oslo"}
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{"city":"Oslo"}}]}
				result broken: 4 C
			completed`),
		Breaks("an input that is not JSON, not flagged", BlockMangled, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{}}]}
				result broken: Error
			completed`,
			Found(2, "/messages/2/content/0", "broken: a call that went wrong is answered as if it had not", `"is_error":true`, `{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error"}`)),
		Breaks("not flagged", brokenTool, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn: Error
			completed`,
			Found(2, "/messages/2/content/0", "bonn: a call that went wrong is answered as if it had not", `"is_error":true`, `{"type":"tool_result","tool_use_id":"{{bonn}}","content":"Error"}`)),
	},
	"execution/success-is-not-flagged": {
		Holds("no flag", BlockCity, OneCityDone),
		Holds("a flag that says no", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","is_error":false}]}`)),
		SeesNothing("nobody saw it run", BlockCity, `
			asks
			asks on
				calls oslo
				result oslo
			completed`),
		SeesNothing("the tool had not returned: the loop has a limit of its own", BlockCity, `
			asks
			runs oslo for 1s
			asks on
				calls oslo
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"Error: no answer within 50 ms","is_error":true}]}
			completed`),
		SeesNothing("the same, and the loop let go of it", BlockCity, `
			asks
			runs oslo for 1s given up
			asks on
				calls oslo
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"Error: no answer within 50 ms","is_error":true}]}
			completed`),
		Breaks("flagged", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","is_error":true}]}`),
			Found(2, "/messages/2/content/0", "oslo: a call that went well is answered as an error", `not "is_error":true`, `{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","is_error":true}`)),
	},
	"execution/error-result-is-text": {
		Holds("text", brokenTool, `
			asks
			runs bonn
			asks on
				calls bonn
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{bonn}}","content":[{"type":"text","text":"down"}],"is_error":true}]}
			completed`),
		SeesNothing("no error", BlockCity, OneCityDone),
		Breaks("an image", brokenTool, `
			asks
			runs bonn
			asks on
				calls bonn
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{bonn}}","content":[{"type":"image"}],"is_error":true}]}
			completed`,
			Found(2, "/messages/2/content/0", "an error that is not text", "text blocks alone", `{"type":"tool_result","tool_use_id":"{{bonn}}","content":[{"type":"image"}],"is_error":true}`)),
	},
}
