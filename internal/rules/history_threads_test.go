package rules

// kept is a dialogue in which the provider keeps the conversation.
var kept = oneCity.under("anthropic-threads")

const (
	beginsThread = `
		asks with {"thread":{"type":"create"}}
		runs oslo`
	threadGoesOn = `
		asks on with {"thread":{"type":"continue","previous_message_id":"msg_1"}}
		keeps 2
			calls oslo
			results oslo
		completed`
	fromTheStart = `
		asks on with {"thread":{"type":"create"}}
			calls oslo
			results oslo
		completed`
	named = `
		header anthropic-beta: message-threads-2026-08-12`
)

var historyThreadsCases = ruleCases{
	"history/lost-thread-sent-again": {
		holds("a new thread", kept, beginsThread+`
			continues msg_1: thread_not_found lost`+fromTheStart),
		holds("and goes on without", kept, beginsThread+`
			continues msg_1: thread_not_found lost
			asks on
				calls oslo
				results oslo
			completed`),
		seesNothing("nothing is lost", kept, beginsThread+threadGoesOn),
		seesNothing("an id that was never given", kept, beginsThread+`
			continues msg_9: thread_not_found
			failed: 404`),
		breaks("gives up", kept, beginsThread+`
			continues msg_1: thread_not_found lost
			failed: 404`,
			finding{2, "", "the provider had lost the conversation, and the loop did not send it again", "another request, with all messages", `the loop reported failed: "404"`}),
	},
	"history/thread-goes-on-from-the-last-answer": {
		holds("from the last", kept, beginsThread+threadGoesOn),
		seesNothing("no thread goes on", kept, beginsThread+`
			completed`),
		seesNothing("lost", kept, beginsThread+`
			continues msg_1: thread_not_found lost`+fromTheStart),
		seesNothing("asked for again what broke off", scene(weatherTool+`
prompt: What is the weather in Oslo?
model:
  - {text: "It is", cut: {after: 1 events}}
  - text: It is 4 C in Oslo.
`).under("anthropic-threads"), `
			asks with {"thread":{"type":"continue","previous_message_id":"msg_1"}}
			continues msg_1: thread_already_continued
			asks on with {"thread":{"type":"create"}}
			completed`),
		breaks("from one before", kept, beginsThread+`
			asks on with {"thread":{"type":"continue","previous_message_id":"msg_1"}}
			keeps 2
				calls oslo
				results oslo
			continues msg_1: thread_already_continued
			completed`,
			finding{3, "", "the request continues a thread from an answer that is not the last one", "the id of the last answer", "msg_1, which is refused with thread_already_continued"}),
		breaks("from none", kept, beginsThread+`
			continues msg_9: thread_not_found
			failed: 404`,
			finding{2, "", "the request continues a thread from an answer that is not the last one", "the id of the last answer", "msg_9, which is refused with thread_not_found"}),
	},
	"history/thread-keeps-system-and-tools": {
		holds("new messages alone", kept, beginsThread+threadGoesOn),
		seesNothing("no thread goes on", kept, beginsThread+fromTheStart),
		breaks("says them again", kept, beginsThread+`
			continues msg_1: thread_fingerprint_mismatch`+fromTheStart,
			finding{2, "", "the request continues a thread and says again what the provider keeps with it", "neither system nor tools", "a request that is refused with thread_fingerprint_mismatch"}),
	},
	"egress/threads-beta-named": {
		holds("named", kept, beginsThread+`
			asks on with {"thread":{"type":"continue","previous_message_id":"msg_1"}}
			keeps 2`+named+`
				calls oslo
				results oslo
			completed`),
		seesNothing("no thread", kept, `
			asks`+named+`
			runs oslo
			asks on`+named+`
				calls oslo
				results oslo
			completed`),
		seesNothing("nobody knows the headers", kept, beginsThread+threadGoesOn),
		breaks("not named", kept, `
			asks with {"thread":{"type":"create"}}
			header anthropic-beta: interleaved-thinking-2025-05-14`,
			finding{1, "/thread", "the request has a thread, and its headers do not name the beta", "anthropic-beta: message-threads-2026-08-12", "anthropic-beta: interleaved-thinking-2025-05-14"}),
		breaks("no headers", kept, `
			asks with {"thread":{"type":"create"}}
			header -`,
			finding{1, "/thread", "the request has a thread, and its headers do not name the beta", "anthropic-beta: message-threads-2026-08-12", "no header anthropic-beta"}),
	},
}
