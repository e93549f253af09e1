package journal

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// resultOfMCP returns the result of the tool that a request to an MCP server calls: its texts, or
// the message of the error.
func (e Entry) resultOfMCP() []Result {
	asked := wire.Parsed(e.Body())
	if asked.Get("method").Text() != "tools/call" {
		return nil
	}
	r := Result{CallID: asked.Get("id").TextOrJSON(), Tool: asked.At("/params/name").Text()}
	for _, message := range messagesOf(e.Answer.Body()) {
		if !message.Has("id") || message.Has("method") || message.Get("id").TextOrJSON() != r.CallID {
			continue
		}
		var texts []string
		for _, block := range message.At("/result/content").All() {
			if text := block.Get("text").Text(); text != "" {
				texts = append(texts, text)
			}
		}
		r.Text = strings.Join(append(texts, message.At("/error/message").Text()), "\n")
	}
	return []Result{r}
}

// askedOfMCP says in short what a request asks an MCP server: the method, and what is called, read or
// got. "" says that it is no such request.
func (e Entry) askedOfMCP() string {
	if e.API != MCP {
		return ""
	}
	asked := wire.Parsed(e.Body())
	words := []string{asked.Get("method").Text(), asked.At("/params/name").Text() + asked.At("/params/uri").Text()}
	if arguments := asked.At("/params/arguments"); arguments != nil {
		words = append(words, string(arguments.JSON()))
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// messagesOf returns the messages in an answer: JSON, or the data of a stream of events.
func messagesOf(body []byte) (all []*wire.Node) {
	if n := wire.Parsed(body); n != nil {
		return []*wire.Node{n}
	}
	for line := range bytes.Lines(body) {
		if data, is := bytes.CutPrefix(line, []byte("data:")); is {
			if n := wire.Parsed(bytes.TrimSpace(data)); n != nil {
				all = append(all, n)
			}
		}
	}
	return all
}
