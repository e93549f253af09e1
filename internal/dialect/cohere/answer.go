package cohere

import (
	"errors"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// readAnswer reads the body of a response: a document, or the events of a stream.
func readAnswer(body []byte, streamed bool) (*wire.Answer, error) {
	r := &answer{}
	if !streamed {
		root, err := wire.ParseNode(body)
		if err != nil {
			return nil, err
		}
		r.message(root.Get("message"))
		r.end(root)
		return r.finished()
	}
	for _, data := range wire.ReadEvents(body) {
		if string(data) == Done {
			break
		}
		e, err := wire.ParseNode(data)
		if err != nil {
			return nil, fmt.Errorf("an event of the stream is not JSON: %w", err)
		}
		r.event(e)
	}
	return r.finished()
}

// answer is an answer being put together.
type answer struct {
	wire.Answer
	text, thought strings.Builder
	arguments     []*strings.Builder // of the calls
	ended         bool
	failure       string
}

func (r *answer) event(e *wire.Node) {
	delta := e.Get("delta")
	said := delta.Get("message")
	switch e.Get("type").Text() {
	case "message-end":
		r.end(delta)
	case "content-start", "content-delta":
		r.content(said.Get("content"))
	case "tool-plan-delta":
		r.text.WriteString(said.Get("tool_plan").Text())
	case "tool-call-start":
		r.call(said.Get("tool_calls"))
	case "tool-call-delta":
		if last := len(r.arguments) - 1; last >= 0 {
			r.arguments[last].WriteString(said.Get("tool_calls").Get("function").Get("arguments").Text())
		}
	}
}

func (r *answer) message(m *wire.Node) {
	for _, block := range m.Get("content").All() {
		r.content(block)
	}
	r.text.WriteString(m.Get("tool_plan").Text())
	for _, c := range m.Get("tool_calls").All() {
		r.call(c)
	}
}

func (r *answer) content(block *wire.Node) {
	r.text.WriteString(block.Get("text").Text())
	if thought := block.Get("thinking"); thought.Is(wire.String) {
		r.thought.WriteString(thought.Text())
		r.Reasoning = new(string)
	}
}

func (r *answer) call(n *wire.Node) {
	f := n.Get("function")
	r.Calls = append(r.Calls, wire.AnswerCall{ID: n.Get("id").Text(), Name: f.Get("name").Text()})
	arguments := &strings.Builder{}
	arguments.WriteString(f.Get("arguments").Text())
	r.arguments = append(r.arguments, arguments)
}

// end reads why the model stopped, and the token counts.
func (r *answer) end(n *wire.Node) {
	word := n.Get("finish_reason").Text()
	r.ended, r.Finish = word != "", readFinish(word)
	if word == failed {
		r.failure = n.Get("error").Text()
	}
	tokens := n.Get("usage").Get("tokens")
	r.Usage.Prompt, _ = tokens.Get("input_tokens").Int()
	r.Usage.Completion, _ = tokens.Get("output_tokens").Int()
	r.Usage.Cached, _ = n.Get("usage").Get("cached_tokens").Int()
}

func (r *answer) finished() (*wire.Answer, error) {
	switch {
	case r.failure != "":
		return nil, fmt.Errorf("it carries an error: %s", r.failure)
	case !r.ended:
		return nil, errors.New("it has no finish_reason, as every whole answer has")
	}
	r.Text = r.text.String()
	if r.Reasoning != nil {
		*r.Reasoning = r.thought.String()
	}
	for i, arguments := range r.arguments {
		r.Calls[i].Arguments = arguments.String()
		if wire.BlankArguments(arguments.String()) {
			r.Calls[i].Arguments = "{}"
		}
	}
	return &r.Answer, nil
}

// readFinish returns the neutral word for a reason to stop; others stay as they are.
func readFinish(word string) wire.Finish {
	if word == atSequence {
		return wire.FinishStop
	}
	for f, known := range finishWords {
		if known == word {
			return f
		}
	}
	return wire.Finish(word)
}
