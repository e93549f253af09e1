package interactions

import (
	"errors"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// readAnswer reads the body of a response: an interaction, or the events of a stream.
func readAnswer(body []byte, streamed bool) (*wire.Answer, error) {
	if streamed {
		return readStream(body)
	}
	root, err := wire.ParseNode(body)
	if err != nil {
		return nil, err
	}
	if !root.Get("steps").Is(wire.Array) {
		return nil, errors.New("it has no list of steps, as every interaction has")
	}
	a := &wire.Answer{}
	for _, n := range root.Get("steps").Items {
		addStep(a, n)
	}
	readEnd(a, root)
	return a, nil
}

func addStep(a *wire.Answer, n *wire.Node) {
	switch n.Get("type").Text() {
	case callStep:
		arguments := n.Get("arguments").TextOrJSON()
		if wire.BlankArguments(arguments) {
			arguments = "{}"
		}
		a.Calls = append(a.Calls, wire.AnswerCall{ID: n.Get("id").Text(), Name: n.Get("name").Text(), Arguments: arguments})
	case thoughtStep:
		d := readThought(n)
		d.Index = len(a.Details)
		a.Details = append(a.Details, d)
		if a.Reasoning == nil {
			a.Reasoning = new(string)
		}
		*a.Reasoning += d.Text
	case outputStep:
		a.Text += wire.ReadContent(n.Get("content")).Text
	case userStep: // which a request for the interaction gets
	default:
		a.Blocks = append(a.Blocks, wire.Raw(n.JSON()))
	}
}

// readEnd reads why the model stopped, and the token counts.
func readEnd(a *wire.Answer, n *wire.Node) {
	word := n.Get("status").Text()
	a.Finish = wire.Finish(word)
	for f, known := range finishWords {
		if known == word {
			a.Finish = f
		}
	}
	usage := n.Get("usage")
	for key, of := range map[string]*int{
		"total_input_tokens": &a.Usage.Prompt, "total_output_tokens": &a.Usage.Completion, "total_thought_tokens": &a.Usage.Reasoning,
		"total_cached_tokens": &a.Usage.Cached,
	} {
		if said, ok := usage.Get(key).Int(); ok {
			*of = said
		}
	}
}

func readStream(body []byte) (*wire.Answer, error) {
	steps, last, err := stepsOf(body)
	if err != nil {
		return nil, err
	}
	a := &wire.Answer{}
	for _, n := range steps {
		addStep(a, n)
	}
	readEnd(a, last)
	return a, nil
}

// stepsOf returns the steps of a stream, and what its last event says of the interaction.
func stepsOf(body []byte) (all []*wire.Node, last *wire.Node, err error) {
	steps := map[int]*readStep{}
	var order []int
	for _, data := range wire.ReadEvents(body) {
		e := wire.Parsed(data)
		index, _ := e.Get("index").Int()
		switch e.Get("event_type").Text() {
		case "error":
			return nil, nil, fmt.Errorf("the stream carries an error: %s", data)
		case "step.start":
			if steps[index] == nil {
				order = append(order, index)
			}
			steps[index] = &readStep{start: e.Get("step")}
		case "step.delta":
			steps[index].grow(e.Get("delta"))
		case "interaction.completed":
			last = e.Get("interaction")
		}
	}
	if last == nil {
		return nil, nil, errors.New("it has no interaction.completed, as every stream has at its end")
	}
	for _, index := range order {
		all = append(all, steps[index].whole())
	}
	return all, last, nil
}

// document returns the interaction that the body of a response is.
func document(body []byte, streamed bool) *wire.Node {
	if !streamed {
		return wire.Parsed(body)
	}
	steps, last, err := stepsOf(body)
	if err != nil {
		return nil
	}
	whole := last.Clone()
	whole.Set("steps", []any{})
	whole.Get("steps").SetItems(steps...)
	return wire.Parsed(whole.JSON())
}

// readStep is a step as it begins in a stream, and what its deltas add up to.
type readStep struct {
	start                               *wire.Node
	text, summary, signature, arguments strings.Builder
}

func (s *readStep) grow(delta *wire.Node) {
	if s == nil {
		return
	}
	switch delta.Get("type").Text() {
	case "text":
		s.text.WriteString(delta.Get("text").Text())
	case "thought_summary":
		s.summary.WriteString(delta.Get("content").Get("text").Text())
	case "thought_signature":
		s.signature.WriteString(delta.Get("signature").Text())
	case "arguments_delta":
		s.arguments.WriteString(delta.Get("arguments").Text())
	}
}

// whole returns the step as an answer that is not streamed has it.
func (s *readStep) whole() *wire.Node {
	n := s.start.Clone()
	if s.arguments.Len() > 0 {
		n.Set("arguments", s.arguments.String())
	}
	if s.signature.Len() > 0 {
		n.Set("signature", n.Get("signature").Text()+s.signature.String())
	}
	for key, text := range map[string]string{"content": s.text.String(), "summary": s.summary.String()} {
		if text != "" {
			n.Set(key, []any{textOf(wire.ReadContent(n.Get(key)).Text + text)})
		}
	}
	return wire.Parsed(n.JSON())
}
