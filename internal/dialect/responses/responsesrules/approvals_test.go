package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// booking asks the user twice, and the second time the user says no.
var booking = Scene(`
prompt: Book a room in Oslo for tonight.
needs: [approvals]
model:
  - provider-items: [{type: mcp_approval_request, as: find, server: hotels, tool: find_room, arguments: '{"city":"Oslo"}'}]
  - provider-items: [{type: mcp_approval_request, as: book, server: hotels, tool: book_room, arguments: '{"room":12}', denied: true}]
  - text: Room 12 is free.
`).Under("openai-responses")

const (
	foundRoom = `
		asks
		asks on
			{{message 1}}
			{"type":"mcp_approval_response","approval_request_id":"{{question 1}}","approve":true}`
	bookedNone = foundRoom + `
		asks on
			{{message 2}}
			{"type":"mcp_approval_response","approval_request_id":"{{question 2}}","approve":false}
		completed`
)

var approvalsCases = Cases{
	"pairing/approvals-answered": {
		Holds("each once", booking, bookedNone),
		Holds("each once, in a window that has lost the prompt", booking, `
			asks
			asks on
				{{message 1}}
				{"type":"mcp_approval_response","approval_request_id":"{{question 1}}","approve":true}
			asks
				{{message 2}}
				{"type":"mcp_approval_response","approval_request_id":"{{question 2}}","approve":false}
			completed`),
		SeesNothing("nothing was asked", itemCity, OneCityDone),
		Breaks("not at all", booking, `
			asks
			asks on
				{{message 1}}
			asks on
				{{message 2}}
				{"type":"mcp_approval_response","approval_request_id":"{{question 2}}","approve":false}
			completed`,
			Found(2, "/input", "the question about find_room is answered 0 times", "one mcp_approval_response for {{question 1}}", "0 answers")),
		Breaks("the run ends", booking, `
			asks
			completed`,
			Found(1, "", "the loop ended at a question of the provider", "one mcp_approval_response for {{question 1}}", "the loop reported completed")),
	},
	"pairing/approvals-name-their-question": {
		Holds("each", booking, bookedNone),
		SeesNothing("nothing is answered", itemCity, OneCityDone),
		Breaks("another id", booking, `
			asks
			asks on
				{{message 1}}
				{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}
			completed`,
			Found(2, "/input/2", "an answer names no question of the provider", "the id of a question", `"mcpr_1"`)),
	},
	"execution/approval-as-the-user-said": {
		Holds("each", booking, bookedNone),
		SeesNothing("nothing is answered", itemCity, OneCityDone),
		Breaks("allowed what was not", booking, foundRoom+`
			asks on
				{{message 2}}
				{"type":"mcp_approval_response","approval_request_id":"{{question 2}}","approve":true}
			completed`,
			Found(3, "/input/4", "the question about book_room is answered otherwise than the user would", "false", "true")),
	},
	"egress/approval-form": {
		Holds("each", booking, bookedNone),
		SeesNothing("nothing is answered", itemCity, OneCityDone),
		Breaks("a word", booking, `
			asks
			asks on
				{{message 1}}
				{"type":"mcp_approval_response","approval_request_id":"{{question 1}}","approve":"yes"}
			completed`,
			Found(2, "/input/2", "an approval response does not have the form that the provider takes", `"approve":true or "approve":false`,
				`{"type":"mcp_approval_response","approval_request_id":"{{question 1}}","approve":"yes"}`)),
	},
}
