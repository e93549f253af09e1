package hooks

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// OnTranscript changes the messages of a transcript of a format.
func OnTranscript(format string, change func(messages []string) []string) func() Mutation {
	return OnOutcome(func(o *protocol.Outcome) {
		if o.TranscriptFormat == format {
			o.Transcript = ChangeList(o.Transcript, change)
		}
	})
}

// ChangeList changes the items of a JSON list.
func ChangeList(list []byte, change func([]string) []string) []byte {
	var items []string
	for _, item := range gjson.ParseBytes(list).Array() {
		items = append(items, item.Raw)
	}
	return []byte("[" + strings.Join(change(items), ",") + "]")
}

// RoleOf returns the role of a message of a transcript.
func RoleOf(message string) string { return gjson.Get(message, "role").String() }

// FinishOf returns why the model stopped, as a message of a transcript says.
func FinishOf(message string) string { return gjson.Get(message, "finishReason").String() }

// ContentOf returns the text of a message of a transcript, "" for one whose content is a list.
func ContentOf(message string) string {
	if said := gjson.Get(message, "content"); said.Type == gjson.String { // a list has thinking in it
		return said.String()
	}
	return ""
}
