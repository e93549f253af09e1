package responses

import (
	"encoding/json"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Keeps reports whether the provider keeps answers for the requests after them.
func (Dialect) Keeps(task protocol.Task) bool { return providers[task.Profile].keepsHistory }

// Continue leaves out the messages that the provider has. Instructions and tools are not kept:
// https://platform.openai.com/docs/guides/conversation-state
func (Dialect) Continue(r *neutral.Request, kept int) { r.Messages = r.Messages[kept:] }

// Lost tells whether a request failed only because the provider does not have the answer before it.
func (Dialect) Lost(errorCode string) neutral.Loss {
	switch errorCode {
	case "previous_response_not_found":
		return neutral.Gone
	case "unsupported_parameter:previous_response_id":
		return neutral.NotKept
	}
	return neutral.NotLost
}

// ErrorCode returns the provider's word for what is wrong, after it the parameter that it does not
// know.
func (Dialect) ErrorCode(body []byte) string {
	var e struct {
		Error struct {
			Code  string `json:"code"`
			Param string `json:"param"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &e) != nil {
		return ""
	}
	if e.Error.Code == "unsupported_parameter" {
		return e.Error.Code + ":" + e.Error.Param
	}
	return e.Error.Code
}
