package messages

import (
	"errors"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// ReadAnswer reads the body of a response into neutral words: a JSON document, or the events of a
// stream. Blocks that have no neutral word are kept as they are. The error says why the body is no
// answer of this dialect.
func ReadAnswer(body []byte, streamed bool) (*wire.Answer, error) {
	if streamed {
		return readStream(body)
	}
	root, err := wire.ParseNode(body)
	if err != nil {
		return nil, err
	}
	content := root.Get("content")
	if !content.Is(wire.Array) {
		return nil, errors.New("it has no list content, as every message has")
	}
	a := &wire.Answer{Finish: readFinish(root.Get("stop_reason").Text()), Container: root.Get("container").Get("id").Text()}
	for _, n := range content.Items {
		b := openBlock(n)
		b.input.WriteString(raw(n.Get("input")))
		b.addTo(a)
	}
	readUsage(a, root.Get("usage"))
	return a, nil
}

// framerOf returns how a stream is framed: the messages of AWS begin with their length, whose first
// byte is zero.
func framerOf(body []byte) *wire.Framer {
	if len(body) > 0 && body[0] == 0 {
		return wire.AWSChunks
	}
	return wire.SSE
}

func readStream(body []byte) (*wire.Answer, error) {
	a := &wire.Answer{}
	var blocks []*readBlock
	started := false
	for _, event := range framerOf(body).Events(body) {
		e, err := wire.ParseNode(event.Data)
		if err != nil {
			return nil, fmt.Errorf("an event of the stream is not JSON: %w", err)
		}
		if event.Failure {
			return nil, fmt.Errorf("the stream carries an error: %s", raw(e))
		}
		index, _ := e.Get("index").Int()
		switch e.Get("type").Text() {
		case "message_start":
			started = true
			readUsage(a, e.Get("message").Get("usage"))
		case "content_block_start":
			if index != len(blocks) {
				return nil, fmt.Errorf("block %d of the stream begins where block %d was due", index, len(blocks))
			}
			blocks = append(blocks, openBlock(e.Get("content_block")))
		case "content_block_delta":
			if index < 0 || index >= len(blocks) {
				return nil, fmt.Errorf("a delta of the stream is for block %d, which has not begun", index)
			}
			blocks[index].add(e.Get("delta"))
		case "message_delta":
			if id := e.Get("delta").Get("container").Get("id").Text(); id != "" {
				a.Container = id
			}
			if word := e.Get("delta").Get("stop_reason").Text(); word != "" {
				a.Finish = readFinish(word)
			}
			readUsage(a, e.Get("usage"))
		case "error":
			return nil, fmt.Errorf("the stream carries an error: %s", raw(e.Get("error")))
		}
	}
	if !started {
		return nil, errors.New("it has no message_start, as every stream has")
	}
	for _, b := range blocks {
		b.addTo(a)
	}
	return a, nil
}

// readBlock is a block of the content, as it began and with what its deltas added.
type readBlock struct {
	start                  *wire.Node
	text, signature, input strings.Builder
	summary                string // of what stands for the history
}

func openBlock(n *wire.Node) *readBlock {
	b := &readBlock{start: n}
	b.add(n)
	return b
}

func (b *readBlock) add(delta *wire.Node) {
	b.text.WriteString(delta.Get("text").Text())
	b.text.WriteString(delta.Get("thinking").Text())
	b.signature.WriteString(delta.Get("signature").Text())
	b.input.WriteString(delta.Get("partial_json").Text())
	if n := delta.Get("content"); n.Is(wire.String) {
		b.summary = n.Text()
	}
}

func (b *readBlock) addTo(a *wire.Answer) {
	switch n := b.start; n.Get("type").Text() {
	case compactionBlock:
		a.Compaction = &wire.Compaction{Text: b.summary, Signature: n.Get("signature").Text()}
	case "text":
		a.Text += b.text.String()
	case "thinking":
		d := wire.ReasoningBlock{Type: wire.BlockText, Text: b.text.String(), Signature: b.signature.String(), Index: len(a.Details)}
		a.Details = append(a.Details, d)
		said := b.text.String()
		if a.Reasoning != nil {
			said = *a.Reasoning + said
		}
		a.Reasoning = &said
	case "redacted_thinking":
		a.Details = append(a.Details, wire.ReasoningBlock{Type: wire.BlockEncrypted, Data: n.Get("data").Text(), Index: len(a.Details)})
	case "tool_use":
		input := b.input.String()
		if whole := raw(n.Get("input")); input == "" && whole != "" { // the call of code begins with its whole input
			input = whole
		}
		if wire.BlankArguments(input) {
			input = "{}"
		}
		a.Calls = append(a.Calls, wire.AnswerCall{ID: n.Get("id").Text(), Name: n.Get("name").Text(), Arguments: input, Caller: programs.Caller(n)})
	default:
		block := wire.Raw(raw(n))
		if input, is := wire.ParseObject(b.input.String()); is && n.Get("input") != nil {
			whole := n.Clone()
			whole.Set("input", input)
			block = whole.JSON()
		}
		a.Blocks = append(a.Blocks, block)
	}
}

func readUsage(a *wire.Answer, n *wire.Node) {
	for _, count := range []struct {
		key string
		of  *int
	}{{"input_tokens", &a.Usage.Prompt}, {"output_tokens", &a.Usage.Completion}, {"cache_read_input_tokens", &a.Usage.Cached}, {"cache_creation_input_tokens", &a.Usage.Written}} {
		if said, ok := n.Get(count.key).Int(); ok {
			*count.of = said
		}
	}
}

// readFinish returns the neutral word for a reason to stop; a word that is not Anthropic's stays as
// it is.
func readFinish(word string) wire.Finish {
	if word == atSequence {
		return wire.FinishStop
	}
	for f, known := range standardFinish {
		if known == word {
			return f
		}
	}
	return wire.Finish(word)
}

// raw returns a value as it was sent, and "" for none.
func raw(n *wire.Node) string {
	if n == nil {
		return ""
	}
	return string(n.Raw)
}
