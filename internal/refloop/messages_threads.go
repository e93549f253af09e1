package refloop

import (
	"encoding/json"
	"strings"
)

// thread is a conversation that the provider keeps for a while, so that only what is new has to be sent:
// https://platform.claude.com/docs/en/build-with-claude/message-threads
type thread struct {
	previous string // the id of the answer to go on from; "" begins a thread with the whole history
	kept     int    // how many messages of the history the provider has, that answer the last of them
}

type threadParam struct {
	Type              string `json:"type"`
	PreviousMessageID string `json:"previous_message_id,omitempty"`
}

const threadsBeta = "message-threads-2026-08-12"

// keepsThreads reports whether a provider keeps conversations.
func keepsThreads(profile string) bool { return profile == "anthropic-threads" }

// keeps notes that the provider has so many messages of the history, under the id of an answer.
func (t *thread) keeps(id string, messages int) {
	if t != nil {
		t.previous, t.kept = id, messages
	}
}

// shorten leaves out of a request what the provider has: the messages, the system prompt and the tools.
func (t *thread) shorten(r *messagesRequest) {
	switch {
	case t == nil:
	case t.previous == "":
		r.Thread = &threadParam{Type: "create"}
	default:
		r.Thread = &threadParam{Type: "continue", PreviousMessageID: t.previous}
		r.Messages, r.System, r.Tools = append([]blockMessage{}, r.Messages[t.kept:]...), "", nil
	}
}

// beginAgain reports whether a request failed only because the provider does not go on with the thread, be it that it
// has expired. Then the next request begins another one with the whole history, or goes without where none are kept.
func (h *messagesHistory) beginAgain(f *failure) bool {
	if h.thread == nil || !strings.HasPrefix(f.code, "thread_") {
		return false
	}
	switch {
	case f.code == "thread_unsupported_request":
		h.thread = nil
	case h.thread.previous == "":
		return false
	default:
		h.thread = &thread{}
	}
	return true
}

// errorCode returns the provider's word for what is wrong, where it has one.
func errorCode(body []byte) string {
	var e struct {
		Error struct {
			Details struct {
				Code string `json:"error_code"`
			} `json:"details"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &e) != nil {
		return ""
	}
	return e.Error.Details.Code
}
