package converse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// readAnswer reads the body of a response: a document, or the events of a stream.
func readAnswer(body []byte, streamed bool) (*wire.Answer, error) {
	if streamed {
		return readStream(body)
	}
	root, err := wire.ParseNode(body)
	if err != nil {
		return nil, err
	}
	content := root.Get("output").Get("message").Get("content")
	if !content.Is(wire.Array) {
		return nil, errors.New("it has no list output.message.content, as every answer has")
	}
	a := &wire.Answer{Finish: readFinish(root.Get("stopReason").Text())}
	for _, n := range content.Items {
		(&readBlock{whole: n}).addTo(a)
	}
	readUsage(a, root.Get("usage"))
	return a, nil
}

// readBlock is a block of a whole answer, or what the deltas of one in a stream add up to.
type readBlock struct {
	whole                             *wire.Node // of an answer that is not streamed
	start                             *wire.Node
	text, thought, signature, in, raw strings.Builder
}

func (b *readBlock) addTo(a *wire.Answer) {
	said := b.whole
	switch {
	case said != nil:
	case b.start.Has("toolUse"):
		call := b.start.Get("toolUse")
		a.Calls = append(a.Calls, wire.AnswerCall{ID: call.Get("toolUseId").Text(), Name: call.Get("name").Text(), Arguments: orEmpty(b.in.String())})
		return
	case b.raw.Len() > 0:
		said = wire.NewNode(wire.Fields{{Key: "reasoningContent", Value: wire.Raw(under("redactedContent", b.raw.String()))}})
	case b.thought.Len() > 0 || b.signature.Len() > 0:
		text := wire.Fields{{Key: "text", Value: b.thought.String()}, {Key: "signature", Value: b.signature.String()}}
		said = wire.NewNode(wire.Fields{{Key: "reasoningContent", Value: wire.Raw(under("reasoningText", text))}})
	default:
		a.Text += b.text.String()
		return
	}
	switch kindOf(said) {
	case "text":
		a.Text += said.Get("text").Text()
	case "toolUse":
		call := said.Get("toolUse")
		a.Calls = append(a.Calls, wire.AnswerCall{ID: call.Get("toolUseId").Text(), Name: call.Get("name").Text(), Arguments: orEmpty(call.Get("input").TextOrJSON())})
	case "reasoningContent":
		d := readReasoning(said)
		d.Index = len(a.Details)
		a.Details = append(a.Details, d)
		if d.Type == wire.BlockText {
			if a.Reasoning == nil {
				a.Reasoning = new(string)
			}
			*a.Reasoning += d.Text
		}
	}
}

func orEmpty(input string) string {
	if wire.BlankArguments(input) {
		return "{}"
	}
	return input
}

func readStream(body []byte) (*wire.Answer, error) {
	a := &wire.Answer{}
	var order []int
	blocks := map[int]*readBlock{}
	started := false
	for _, event := range wire.AWSEventStream.Events(body) {
		e, err := wire.ParseNode(event.Data)
		if err != nil {
			return nil, fmt.Errorf("an event of the stream is not JSON: %w", err)
		}
		if event.Failure {
			return nil, fmt.Errorf("the stream carries an error: %s: %s", event.Name(), event.Data)
		}
		switch name := event.Name(); name {
		case "messageStart":
			started = true
		case "contentBlockStart", "contentBlockDelta":
			index, _ := e.Get("contentBlockIndex").Int()
			b := blocks[index]
			if b == nil {
				b = &readBlock{}
				blocks[index], order = b, append(order, index)
			}
			if name == "contentBlockStart" {
				b.start = e.Get("start")
			}
			b.add(e.Get("delta"))
		case "messageStop":
			a.Finish = readFinish(e.Get("stopReason").Text())
		case "metadata":
			readUsage(a, e.Get("usage"))
		}
	}
	if !started {
		return nil, errors.New("it has no messageStart, as every stream has")
	}
	for _, index := range order {
		blocks[index].addTo(a)
	}
	return a, nil
}

func (b *readBlock) add(delta *wire.Node) {
	b.text.WriteString(delta.Get("text").Text())
	b.in.WriteString(delta.Get("toolUse").Get("input").Text())
	thought := delta.Get("reasoningContent")
	b.thought.WriteString(thought.Get("text").Text())
	b.signature.WriteString(thought.Get("signature").Text())
	b.raw.WriteString(thought.Get("redactedContent").Text())
}

func readUsage(a *wire.Answer, n *wire.Node) {
	for key, of := range map[string]*int{
		"inputTokens": &a.Usage.Prompt, "outputTokens": &a.Usage.Completion, "cacheReadInputTokens": &a.Usage.Cached, "cacheWriteInputTokens": &a.Usage.Written,
	} {
		if said, ok := n.Get(key).Int(); ok {
			*of = said
		}
	}
}

// readFinish returns the neutral word for a reason to stop; others stay as they are.
func readFinish(word string) wire.Finish {
	switch word {
	case atSequence:
		return wire.FinishStop
	case "guardrail_intervened":
		return wire.FinishContentFilter
	}
	for f, known := range finishWords {
		if known == word {
			return f
		}
	}
	return wire.Finish(word)
}
