// Package messages is the codec of the Anthropic Messages API and of everything that calls itself
// compatible with it. [Read] reads a request; a [Shape] writes answers the way one provider does:
//
//	req, err := messages.Read(body)
//	shape := profile.Messages // the templates of a provider
//	for _, event := range append(shape.Stream(answer, reply), shape.End()) {
//		fmt.Fprintf(w, "%s\ndata: %s\n\n", event.Lines[0], event.Data) // "event: message_start"
//	}
package messages
