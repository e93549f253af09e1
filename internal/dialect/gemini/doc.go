// Package gemini is the codec of Google's generateContent, as the Gemini API and Vertex AI speak
// it. API.Read reads a request, whose contents are lists of parts; a [Shape] writes answers the way
// one of them does:
//
//	req, err := gemini.API.Read(body)
//	for _, event := range shape.Stream(answer, reply) {
//		fmt.Fprintf(w, "data: %s\r\n\r\n", event.Data)
//	}
package gemini
