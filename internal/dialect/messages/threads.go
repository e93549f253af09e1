package messages

import (
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// threads are the conversations that Anthropic's API keeps, as its documentation says:
// https://platform.claude.com/docs/en/build-with-claude/message-threads. The messages of the errors
// are our own where no others are known; their codes are those of the official SDKs.
var threads = &wire.KeptHistory{
	Life: 5 * time.Minute,
	Once: true,
	Continues: func(req *wire.Request) *wire.Continuation {
		thread := req.Body.Get("thread")
		if !thread.Is(wire.Object) {
			return nil
		}
		return &wire.Continuation{Begins: thread.Get("type").Text() != "continue", Previous: thread.Get("previous_message_id").Text()}
	},
	Repeats: func(req *wire.Request) bool { return req.Body.Get("system") != nil || req.Body.Get("tools") != nil },
	Keep:    keepThread,
	Whole:   wholeThread,
	Refusals: map[wire.HistoryProblem]wire.HistoryRefusal{
		wire.HistoryUnsupported: {Status: http.StatusBadRequest, Code: "thread_unsupported_request", Message: "thread: conversations are not kept here; send all messages, without a thread"},
		wire.HistoryNotFound:    {Status: http.StatusNotFound, Code: "thread_not_found", Message: "thread: no usable state was found for previous_message_id; send the whole conversation with thread: {\"type\": \"create\"}"},
		wire.HistoryContinued:   {Status: http.StatusBadRequest, Code: "thread_already_continued", Message: "thread: the response that previous_message_id names has been continued already"},
		wire.HistoryRepeated:    {Status: http.StatusBadRequest, Code: "thread_fingerprint_mismatch", Message: "thread: system and tools are kept with the thread; leave them out of a request that continues it"},
	},
	ErrorBody: func(r wire.HistoryRefusal) wire.Fields {
		kind := "invalid_request_error"
		if r.Status == http.StatusNotFound {
			kind = "not_found_error"
		}
		return wire.Fields{
			{Key: "type", Value: "error"},
			{Key: "error", Value: wire.Fields{
				{Key: "type", Value: kind},
				{Key: "message", Value: r.Message},
				{Key: "details", Value: wire.Fields{{Key: "error_code", Value: r.Code}}},
			}},
		}
	},
}

// keepThread keeps the system prompt, the tools, and the messages with the answer as the last one.
func keepThread(before *wire.History, req *wire.Request, given wire.Given) *wire.History {
	content := wire.Raw("null")
	if n := given.Answer.Get("content"); n != nil {
		content = n.Raw
	}
	said := wire.Fields{{Key: "role", Value: "assistant"}, {Key: "content", Value: content}}
	messages := append(wire.RawItems(req.Body.Get("messages")), said.JSON())
	if before != nil {
		return before.Then(messages, 1, before.About)
	}
	about := wire.Fields{}
	for _, key := range []string{"system", "tools"} {
		if n := req.Body.Get(key); n != nil {
			about = about.With(key, wire.Raw(n.Raw))
		}
	}
	return before.Then(messages, 1, about.JSON())
}

// wholeThread puts what is kept before what a request says.
func wholeThread(kept *wire.History, short *wire.Request) []byte {
	whole := wire.Fields{{Key: "messages", Value: append(kept.All(), wire.RawItems(short.Body.Get("messages"))...)}}
	for _, m := range short.Body.Members {
		if m.Key != "messages" {
			whole = append(whole, wire.Field{Key: m.Key, Value: wire.Raw(m.Value.Raw)})
		}
	}
	for _, m := range wire.Parsed(kept.About).Members {
		whole = whole.With(m.Key, wire.Raw(m.Value.Raw))
	}
	return whole.JSON()
}
