// Package responses is the codec of the OpenAI Responses API and of everything that calls itself
// compatible with it. [Read] reads a request, whose input is a list of items; a [Shape] writes
// answers the way one provider does:
//
//	req, err := responses.Read(body)
//	for _, event := range shape.Stream(answer, reply) {
//		fmt.Fprintf(w, "%s\ndata: %s\n\n", event.Lines[0], event.Data) // "event: response.created"
//	}
package responses
