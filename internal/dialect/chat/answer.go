package chat

import (
	"errors"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// ReadAnswer reads the body of a response into neutral words: a JSON document, or the events of a
// stream. What it does not know is left out. The error says why the body is no answer of this
// dialect.
func ReadAnswer(body []byte, streamed bool) (*wire.Answer, error) {
	a := &answer{calls: map[int]int{}}
	if !streamed {
		root, err := wire.ParseNode(body)
		if err != nil {
			return nil, err
		}
		a.document(root, "message")
		return a.finished()
	}
	for _, data := range wire.ReadEvents(body) {
		if string(data) == Done {
			break
		}
		root, err := wire.ParseNode(data)
		if err != nil {
			return nil, fmt.Errorf("an event of the stream is not JSON: %w", err)
		}
		if e := root.Get("error"); e.Is(wire.Object) {
			return nil, fmt.Errorf("the stream carries an error: %s", e.Raw)
		}
		a.document(root, "delta")
	}
	return a.finished()
}

// answer is an answer being put together, of one part or of many.
type answer struct {
	wire.Answer
	calls map[int]int // by index their place in the answer
	seen  bool

	// What comes in pieces is joined at the end, in one go.
	text, refusal, reasoning strings.Builder
	arguments                []*strings.Builder // of the calls
	details, signatures      []*strings.Builder // of the blocks of reasoning
}

func (a *answer) document(root *wire.Node, part string) {
	if usage := root.Get("usage"); usage.Is(wire.Object) {
		a.Usage.Prompt, _ = usage.Get("prompt_tokens").Int()
		a.Usage.Completion, _ = usage.Get("completion_tokens").Int()
		a.Usage.Cached, _ = usage.Get("prompt_tokens_details").Get("cached_tokens").Int()
		if said, is := usage.Get("cached_tokens").Int(); is { // Moonshot, Together
			a.Usage.Cached = said
		}
		a.Usage.Written, _ = usage.Get("prompt_tokens_details").Get("cache_write_tokens").Int()
		a.Usage.Reasoning, _ = usage.Get("completion_tokens_details").Get("reasoning_tokens").Int()
	}
	choices := root.Get("choices")
	if !choices.Is(wire.Array) || len(choices.Items) == 0 {
		return
	}
	choice := choices.Items[0]
	a.seen = true
	a.add(choice.Get(part))
	if word := choice.Get("finish_reason").Text(); word != "" {
		a.Finish = readFinish(word)
	}
}

func (a *answer) add(part *wire.Node) {
	a.text.WriteString(wire.ReadContent(part.Get("content")).Text)
	a.refusal.WriteString(part.Get("refusal").Text())
	said := readReasoning(part)
	if said.Text.Is(wire.String) || len(said.Thoughts) > 0 {
		a.reasoning.WriteString(said.Text.Text())
		a.reasoning.WriteString(said.Thought())
		a.Reasoning = new(string)
	}
	for _, d := range said.Details {
		a.detail(d)
	}
	if calls := part.Get("tool_calls"); calls.Is(wire.Array) {
		for i, c := range calls.Items {
			a.call(i, c)
		}
	}
}

// call adds a call, or what a part adds to one that is known by its index.
func (a *answer) call(place int, n *wire.Node) {
	index, ok := n.Get("index").Int()
	if !ok {
		index = place
	}
	id := n.Get("id").Text()
	at, known := a.calls[index]
	// Some providers give every call the index 0, and some give every piece of a call an id of its
	// own.
	if !known || id != "" && a.Calls[at].ID != "" && id != a.Calls[at].ID && n.Get("function").Get("name").Text() != "" {
		at = len(a.Calls)
		a.calls[index] = at
		a.Calls, a.arguments = append(a.Calls, wire.AnswerCall{}), append(a.arguments, &strings.Builder{})
	}
	c, f := &a.Calls[at], n.Get("function")
	if c.ID == "" {
		c.ID = id
	}
	if c.Name == "" {
		c.Name = f.Get("name").Text()
	}
	if args := f.Get("arguments"); args.Is(wire.Object) {
		a.arguments[at].Write(args.Raw)
	} else {
		a.arguments[at].WriteString(args.Text())
	}
	if s := n.Get("extra_content").Get("google").Get("thought_signature").Text(); s != "" {
		c.Signature = s
	}
}

var blockTypes = map[string]wire.BlockType{
	"reasoning.text": wire.BlockText, "reasoning.summary": wire.BlockSummary, "reasoning.encrypted": wire.BlockEncrypted,
}

// detail adds a block of reasoning_details, or what a part adds to the last one of the same kind
// and index.
func (a *answer) detail(n *wire.Node) {
	index, _ := n.Get("index").Int()
	d := wire.ReasoningBlock{
		Type: blockTypes[n.Get("type").Text()], Text: n.Get("text").Text() + n.Get("summary").Text(), Data: n.Get("data").Text(),
		Signature: n.Get("signature").Text(), ID: n.Get("id").Text(), Format: n.Get("format").Text(), Index: index,
	}
	if last := len(a.Details) - 1; last >= 0 && d.Type != wire.BlockEncrypted && a.Details[last].Type == d.Type && a.Details[last].Index == index {
		a.details[last].WriteString(d.Text)
		a.signatures[last].WriteString(d.Signature)
		return
	}
	a.Details, a.details, a.signatures = append(a.Details, d), append(a.details, begun(d.Text)), append(a.signatures, begun(d.Signature))
}

func (a *answer) finished() (*wire.Answer, error) {
	if !a.seen {
		return nil, errors.New("it has no choices, as every completion has")
	}
	a.Text, a.Refusal = a.text.String(), a.refusal.String()
	if a.Reasoning != nil {
		*a.Reasoning = a.reasoning.String()
	}
	for i := range a.Calls {
		a.Calls[i].Arguments = a.arguments[i].String()
	}
	for i := range a.Details {
		a.Details[i].Text, a.Details[i].Signature = a.details[i].String(), a.signatures[i].String()
	}
	return &a.Answer, nil
}

func begun(text string) *strings.Builder {
	var b strings.Builder
	b.WriteString(text)
	return &b
}

// readFinish returns the neutral word for a reason to stop; a word that is not OpenAI's stays as it
// is.
func readFinish(word string) wire.Finish {
	for f, known := range standardFinish {
		if known == word {
			return f
		}
	}
	return wire.Finish(word)
}
