package responses

import (
	"errors"
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// ReadAnswer reads the body of a response into neutral words: a JSON document, or the events of a
// stream. Items that have no neutral word are kept as they are. The error says why the body is no
// answer of this dialect.
func ReadAnswer(body []byte, streamed bool) (*wire.Answer, error) {
	if streamed {
		return readStream(body)
	}
	root, err := wire.ParseNode(body)
	if err != nil {
		return nil, err
	}
	return readResponse(root)
}

func readResponse(root *wire.Node) (*wire.Answer, error) {
	output := root.Get("output")
	if !output.Is(wire.Array) {
		return nil, errors.New("it has no list output, as every response has")
	}
	if status := root.Get("status").Text(); status == failed || status == "cancelled" {
		return nil, fmt.Errorf("the response has the status %s: %s", status, rawOf(root.Get("error")))
	}
	a := &wire.Answer{}
	for _, item := range output.Items {
		addItem(a, item)
	}
	a.Finish = readFinish(a, root)
	usage := root.Get("usage")
	a.Usage.Prompt, _ = usage.Get("input_tokens").Int()
	a.Usage.Completion, _ = usage.Get("output_tokens").Int()
	a.Usage.Cached, _ = usage.Get("input_tokens_details").Get("cached_tokens").Int()
	a.Usage.Written, _ = usage.Get("input_tokens_details").Get("cache_write_tokens").Int()
	a.Usage.Reasoning, _ = usage.Get("output_tokens_details").Get("reasoning_tokens").Int()
	return a, nil
}

// readStream reads the response at the end of a stream. Where its output is empty, as some
// providers leave it, the items are those that came before.
func readStream(body []byte) (*wire.Answer, error) {
	done := map[int]*wire.Node{}
	var last *wire.Node
	for _, data := range wire.ReadEvents(body) {
		if string(data) == Done {
			break
		}
		e, err := wire.ParseNode(data)
		if err != nil {
			return nil, fmt.Errorf("an event of the stream is not JSON: %w", err)
		}
		switch e.Get("type").Text() {
		case "response.output_item.done":
			index, _ := e.Get("output_index").Int()
			done[index] = e.Get("item")
		case "response.completed", "response.incomplete", "response.failed":
			last = e.Get("response")
		case "error":
			return nil, fmt.Errorf("the stream carries an error: %s", data)
		}
	}
	if last == nil {
		return nil, errors.New("it has no event with the whole response, as every stream has at its end")
	}
	a, err := readResponse(last)
	if err != nil || len(done) == 0 || len(last.Get("output").Items) > 0 {
		return a, err
	}
	for _, index := range sortedKeys(done) {
		addItem(a, done[index])
	}
	a.Finish = readFinish(a, last)
	return a, nil
}

func sortedKeys(items map[int]*wire.Node) (keys []int) {
	for k := range items {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func addItem(a *wire.Answer, item *wire.Node) {
	switch TypeOf(item) {
	case messageItem:
		said, phase := readContent(item.Get("content")), wire.Phase(item.Get("phase").Text())
		if phase == wire.PhaseFinal && a.Phase == wire.PhaseCommentary {
			a.Commentary, a.Text = a.Commentary+a.Text, ""
		}
		a.Text += said.Text
		for _, part := range said.Parts {
			a.Refusal += part.Node.Get("refusal").Text()
		}
		a.Phase = phase
	case callItem, customItem:
		c := readTurn([]*wire.Node{item}).Calls[0]
		a.Calls = append(a.Calls, wire.AnswerCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments, FreeText: TypeOf(item) == customItem, Caller: programs.Caller(item)})
	case reasoningItem:
		block := ReadBlock(item)
		block.ID = item.Get("id").Text()
		block.Index = len(a.Details)
		text := block.Text
		if a.Reasoning != nil {
			text = *a.Reasoning + text
		}
		a.Details, a.Reasoning = append(a.Details, block), &text
	case compactionItem:
		a.Compaction = new(compactionForm.Read(item))
	case wire.ApprovalRequest:
		a.Items = append(a.Items, wire.ProviderItem{
			Type: wire.ApprovalRequest, ID: item.Get("id").Text(), Server: item.Get("server_label").Text(),
			Name: item.Get("name").Text(), Arguments: item.Get("arguments").Text(),
		})
	default:
		a.Blocks = append(a.Blocks, wire.Raw(rawOf(item)))
	}
}

// ReadBlock reads an item of reasoning: what it says, be it a summary or the reasoning itself, and
// its encrypted form.
func ReadBlock(item *wire.Node) wire.ReasoningBlock {
	b := wire.ReasoningBlock{Type: wire.BlockText, Data: item.Get("encrypted_content").Text()}
	for _, key := range []string{"summary", "content"} {
		if parts := item.Get(key); parts.Is(wire.Array) {
			for _, part := range parts.Items {
				b.Text += part.Get("text").Text()
			}
		}
	}
	return b
}

// readFinish returns the neutral word for how a response ended; a word that is not OpenAI's stays
// as it is.
func readFinish(a *wire.Answer, root *wire.Node) wire.Finish {
	switch word := root.Get("incomplete_details").Get("reason").Text(); {
	case word == standardFinish[wire.FinishLength], word == "" && root.Get("status").Text() == incomplete:
		return wire.FinishLength
	case word == standardFinish[wire.FinishContentFilter]:
		return wire.FinishContentFilter
	case word != "":
		return wire.Finish(word)
	case len(a.Calls) > 0:
		return wire.FinishCalls
	default:
		return wire.FinishStop
	}
}

// rawOf returns a value as it was sent, and "" for none.
func rawOf(n *wire.Node) string {
	if n == nil {
		return ""
	}
	return string(n.Raw)
}

// document returns the response that a body is, or with which a stream ends.
func document(body []byte, streamed bool) *wire.Node {
	if !streamed {
		root, err := wire.ParseNode(body)
		if err != nil {
			return nil
		}
		return root
	}
	for _, data := range slices.Backward(wire.ReadEvents(body)) {
		if e, err := wire.ParseNode(data); err == nil && e.Get("response") != nil {
			return e.Get("response")
		}
	}
	return nil
}
