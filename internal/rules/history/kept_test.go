package history_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

const fromTheStart = `
		asks on with {"thread":{"type":"create"}}
			calls oslo
			results oslo
		completed`

var keptCases = Cases{
	"history/lost-thread-sent-again": {
		Holds("a new thread", Kept, BeginsThread+`
			continues msg_1: thread_not_found lost`+fromTheStart),
		Holds("and goes on without", Kept, BeginsThread+`
			continues msg_1: thread_not_found lost
			asks on
				calls oslo
				results oslo
			completed`),
		SeesNothing("nothing is lost", Kept, BeginsThread+ThreadGoesOn),
		SeesNothing("an id that was never given", Kept, BeginsThread+`
			continues msg_9: thread_not_found
			failed: 404`),
		Breaks("gives up", Kept, BeginsThread+`
			continues msg_1: thread_not_found lost
			failed: 404`,
			Found(2, "", "the provider had lost the conversation, and the loop did not send it again", "another request, with all messages", `the loop reported failed: "404"`)),
	},
}
