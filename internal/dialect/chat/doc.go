// Package chat is the codec of the OpenAI Chat Completions API and of everything that calls itself
// compatible with it. [Read] reads a request; a [Shape] writes answers the way one provider does:
//
//	shape := profile.Chat // the templates of a provider
//	body := shape.Write(answer, wire.Reply{ID: "chatcmpl-1", Model: "gpt-4o"})
//	for _, event := range shape.Stream(answer, reply) {
//		fmt.Fprintf(w, "data: %s\n\n", event.Data)
//	}
package chat
