// Package transcript reads the records of a loop: the transcript and the events in its outcome.
// Each format has a name, a JSON Schema and a page in docs/records. All formats are read into the
// same types, so that a rule is written once for all.
//
//	format, err := transcript.Lookup("open-agent-loops")
//	transcript, err := format.Read(outcome.Transcript, transcriptschema.Check)
//	for _, m := range transcript.Conversation.Messages {
//		fmt.Println(m.Role, m.Content.Text)
//	}
package transcript
