package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

const (
	fromTheStart = `
		asks on with {"thread":{"type":"create"}}
			calls oslo
			results oslo
		completed`
	named = `
		header anthropic-beta: message-threads-2026-08-12`
)

var historyThreadCases = Cases{
	"history/thread-goes-on-from-the-last-answer": {
		Holds("from the last", Kept, BeginsThread+ThreadGoesOn),
		SeesNothing("no thread goes on", Kept, BeginsThread+`
			completed`),
		SeesNothing("lost", Kept, BeginsThread+`
			continues msg_1: thread_not_found lost`+fromTheStart),
		SeesNothing("asked for again what broke off", Scene(WeatherTool+`
prompt: What is the weather in Oslo?
model:
  - {text: "It is", cut: {after: 1 events}}
  - text: It is 4 C in Oslo.
`).Under("anthropic-threads"), `
			asks with {"thread":{"type":"continue","previous_message_id":"msg_1"}}
			continues msg_1: thread_already_continued
			asks on with {"thread":{"type":"create"}}
			completed`),
		Breaks("from one before", Kept, BeginsThread+`
			asks on with {"thread":{"type":"continue","previous_message_id":"msg_1"}}
			keeps 2
				calls oslo
				results oslo
			continues msg_1: thread_already_continued
			completed`,
			Found(3, "", "the request continues a thread from an answer that is not the last one", "the id of the last answer", "msg_1, which is refused with thread_already_continued")),
		Breaks("from none", Kept, BeginsThread+`
			continues msg_9: thread_not_found
			failed: 404`,
			Found(2, "", "the request continues a thread from an answer that is not the last one", "the id of the last answer", "msg_9, which is refused with thread_not_found")),
	},
	"history/thread-keeps-system-and-tools": {
		Holds("new messages alone", Kept, BeginsThread+ThreadGoesOn),
		SeesNothing("no thread goes on", Kept, BeginsThread+fromTheStart),
		Breaks("says them again", Kept, BeginsThread+`
			continues msg_1: thread_fingerprint_mismatch`+fromTheStart,
			Found(2, "", "the request continues a thread and says again what the provider keeps with it", "neither system nor tools", "a request that is refused with thread_fingerprint_mismatch")),
	},
	"egress/threads-beta-named": {
		Holds("named", Kept, BeginsThread+`
			asks on with {"thread":{"type":"continue","previous_message_id":"msg_1"}}
			keeps 2`+named+`
				calls oslo
				results oslo
			completed`),
		SeesNothing("no thread", Kept, `
			asks`+named+`
			runs oslo
			asks on`+named+`
				calls oslo
				results oslo
			completed`),
		SeesNothing("nobody knows the headers", Kept, BeginsThread+ThreadGoesOn),
		Breaks("not named", Kept, `
			asks with {"thread":{"type":"create"}}
			header anthropic-beta: interleaved-thinking-2025-05-14`,
			Found(1, "/thread", "the request has a thread, and its headers do not name the beta", "anthropic-beta: message-threads-2026-08-12", "anthropic-beta: interleaved-thinking-2025-05-14")),
		Breaks("no headers", Kept, `
			asks with {"thread":{"type":"create"}}
			header -`,
			Found(1, "/thread", "the request has a thread, and its headers do not name the beta", "anthropic-beta: message-threads-2026-08-12", "no header anthropic-beta")),
	},
}
