// Package record reads what a loop keeps of a conversation and tells about it: the transcript and the events that an
// outcome hands over, each in a format that has a name, a JSON Schema and a page in docs/records. Whatever the format,
// the reading is the same, so that a rule about a result is written once.
//
//	format, err := record.Lookup("open-agent-loops")
//	transcript, err := format.Read(outcome.Transcript, recordschema.Check)
//	for _, m := range transcript.Conversation.Messages {
//		fmt.Println(m.Role, m.Content.Text)
//	}
package record
