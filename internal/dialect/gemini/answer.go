package gemini

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// ReadAnswer reads the body of a response into neutral words: a JSON document, or the chunks of a
// stream, be they events or the items of an array. Parts that have no neutral word are kept as they
// are. The error says why the body is no answer of this dialect.
func ReadAnswer(body []byte, streamed bool) (*wire.Answer, error) {
	chunks, err := chunksOf(body, streamed)
	if err != nil {
		return nil, err
	}
	a := &wire.Answer{}
	var text, thought strings.Builder
	word := ""
	for _, chunk := range chunks {
		if problem := chunk.Get("error"); problem != nil {
			return nil, fmt.Errorf("it carries an error: %s", problem.Raw)
		}
		for _, candidate := range firstOf(chunk.Get("candidates")) {
			for _, part := range Items(candidate.Get("content").Get("parts")) {
				switch kindOf(part) {
				case "text":
					text.WriteString(part.Get("text").Text())
				case "thought":
					thought.WriteString(part.Get("text").Text())
					a.Reasoning = new(string)
				}
				addPart(a, part)
			}
			if said := candidate.Get("finishReason").Text(); said != "" {
				word = said
			}
		}
		if reason := chunk.Get("promptFeedback").Get("blockReason").Text(); reason != "" {
			word = reason
		}
		addUsage(a, chunk.Get("usageMetadata"))
	}
	if word == "" {
		return nil, errors.New("it has no finishReason, as every whole answer has")
	}
	a.Text = text.String()
	if a.Reasoning != nil {
		*a.Reasoning = thought.String()
	}
	a.Finish = readFinish(a, word)
	return a, nil
}

func chunksOf(body []byte, streamed bool) ([]*wire.Node, error) {
	if !streamed || bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		root, err := wire.ParseNode(body)
		if err != nil {
			return nil, err
		}
		if root.Is(wire.Array) {
			return root.Items, nil
		}
		return []*wire.Node{root}, nil
	}
	var chunks []*wire.Node
	for _, data := range wire.ReadEvents(body) {
		chunk, err := wire.ParseNode(data)
		if err != nil {
			return nil, fmt.Errorf("a chunk of the stream is not JSON: %w", err)
		}
		chunks = append(chunks, chunk)
	}
	return chunks, nil
}

func firstOf(n *wire.Node) []*wire.Node {
	items := Items(n)
	return items[:min(1, len(items))]
}

// addPart adds what a part has besides a text, which is joined of all parts.
func addPart(a *wire.Answer, part *wire.Node) {
	signature := get(part, "thoughtSignature").Text()
	switch kindOf(part) {
	case "thought":
	case "text":
		if signature != "" {
			a.Signature = signature
		}
	case "functionCall":
		call := get(part, "functionCall")
		c := wire.AnswerCall{ID: call.Get("id").Text(), Name: call.Get("name").Text(), Arguments: "{}", Signature: signature}
		if args := call.Get("args"); args != nil {
			c.Arguments = string(args.Raw)
		}
		a.Calls = append(a.Calls, c)
	default:
		a.Blocks = append(a.Blocks, wire.Raw(part.Raw))
	}
}

func addUsage(a *wire.Answer, n *wire.Node) {
	for _, count := range []struct {
		key string
		of  *int
	}{{"promptTokenCount", &a.Usage.Prompt}, {"candidatesTokenCount", &a.Usage.Completion}, {"thoughtsTokenCount", &a.Usage.Reasoning}, {"cachedContentTokenCount", &a.Usage.Cached}} {
		if said, ok := n.Get(count.key).Int(); ok {
			*count.of = said
		}
	}
}

// filtered are Google's words for an answer, or a prompt, that was stopped for what it says.
var filtered = map[string]bool{
	"SAFETY": true, "RECITATION": true, "BLOCKLIST": true, "PROHIBITED_CONTENT": true, "SPII": true, "IMAGE_SAFETY": true,
}

// readFinish returns the neutral word for a reason to stop; a word that has none stays as it is.
func readFinish(a *wire.Answer, word string) wire.Finish {
	switch {
	case word == "STOP" && len(a.Calls) > 0:
		return wire.FinishCalls
	case word == "STOP":
		return wire.FinishStop
	case word == "MAX_TOKENS":
		return wire.FinishLength
	case filtered[word]:
		return wire.FinishContentFilter
	default:
		return wire.Finish(word)
	}
}
