package messages

import (
	"encoding/json"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// A thread is a conversation that the provider keeps for a while, so that only what is new has to
// be sent: https://platform.claude.com/docs/en/build-with-claude/message-threads
type threadParam struct {
	Type              string `json:"type"`
	PreviousMessageID string `json:"previous_message_id,omitempty"`
}

const threadsBeta = "message-threads-2026-08-12"

func threadOf(r *neutral.Request) *threadParam {
	switch {
	case !r.Keep:
		return nil
	case r.Previous == "":
		return &threadParam{Type: "create"}
	default:
		return &threadParam{Type: "continue", PreviousMessageID: r.Previous}
	}
}

// Keeps reports whether the provider keeps conversations.
func (Dialect) Keeps(task protocol.Task) bool { return providers[task.Profile].keepsHistory }

// Continue leaves out what the provider has: the messages, the system prompt and the tools.
func (Dialect) Continue(r *neutral.Request, kept int) {
	r.Messages, r.System, r.Tools = r.Messages[kept:], "", nil
}

// Lost tells whether a request failed only because the provider does not go on with the thread, be
// it that it has expired.
func (Dialect) Lost(errorCode string) neutral.Loss {
	switch {
	case errorCode == "thread_unsupported_request":
		return neutral.NotKept
	case strings.HasPrefix(errorCode, "thread_"):
		return neutral.Gone
	}
	return neutral.NotLost
}

// ErrorCode returns the provider's word for what is wrong, where it has one.
func (Dialect) ErrorCode(body []byte) string {
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
