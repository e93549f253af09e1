package rulestest

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// What the lines of a dialogue mean in the dialect responses, whose history is a list of items.
// {{message 1}} are the items of the model's first turn as the provider sent them. calls returns
// those of their turn.

func (p *placeholders) inItems() bool { return p.script.Profile.Speaks.Request.Typed }

func callItem(c wire.AnswerCall) wire.Fields {
	return wire.Fields{{Key: "type", Value: "function_call"}, {Key: "call_id", Value: c.ID}, {Key: "name", Value: c.Name}, {Key: "arguments", Value: c.Arguments}}
}

func outputItem(c wire.AnswerCall, text string) string {
	return string(wire.Fields{{Key: "type", Value: "function_call_output"}, {Key: "call_id", Value: c.ID}, {Key: "output", Value: text}}.JSON())
}

// inSteps reports whether the input is a list of steps, as answers are.
func (p *placeholders) inSteps() bool {
	return p.inItems() && p.script.Profile.Speaks.Terms.Answers == "steps"
}

// returnedSteps are the steps of the turn that made the calls, as the provider sent them.
func (p *placeholders) returnedSteps(names []string) string {
	_, turn, ok := p.call(names[0])
	if !ok {
		p.t.Fatalf("there is no call %q", names[0])
	}
	var steps []string
	for _, step := range p.sent(turn).Items {
		steps = append(steps, string(step.Raw))
	}
	return strings.Join(steps, ",")
}

func resultStep(c wire.AnswerCall, text string) string {
	return string(wire.Fields{{Key: "type", Value: "function_result"}, {Key: "call_id", Value: c.ID}, {Key: "name", Value: c.Name}, {Key: "result", Value: text}}.JSON())
}

// returnedItems are the items that return calls, with the text and the reasoning of their turn.
func (p *placeholders) returnedItems(names []string, text string) string {
	var items []string
	for i, name := range names {
		call, turn, ok := p.call(name)
		if !ok {
			p.t.Fatalf("there is no call %q", name)
		}
		if i == 0 {
			for _, item := range p.sent(turn).Items {
				if kind := item.Get("type").Text(); kind == "reasoning" || kind == "message" && text == "" {
					items = append(items, string(item.Raw))
				}
			}
			if text != "" {
				items = append(items, says("assistant", text))
			}
		}
		items = append(items, string(callItem(call).JSON()))
	}
	return strings.Join(items, ",")
}

// itemsBody returns the keys of an ordinary request in the dialect responses.
func (s *stage) itemsBody() wire.Fields {
	f := wire.Fields{
		{Key: "model", Value: s.model()}, {Key: "input", Value: nil}, {Key: "store", Value: false},
		{Key: "include", Value: wire.Raw(`["reasoning.encrypted_content"]`)},
	}
	if s.run.Task.System != "" {
		f = f.With("instructions", s.run.Task.System)
	}
	if threshold := s.run.Task.CompactThreshold; threshold > 0 {
		f = f.With("context_management", []wire.Fields{{{Key: "type", Value: "compaction"}, {Key: "compact_threshold", Value: threshold}}})
	}
	if s.run.Task.Stream {
		f = f.With("stream", true)
	}
	var tools []wire.Fields
	for _, t := range s.run.Task.Tools {
		tools = append(tools, wire.Fields{
			{Key: "type", Value: "function"}, {Key: "name", Value: t.Name}, {Key: "description", Value: t.Description},
			{Key: "parameters", Value: wire.Raw(t.Parameters)}, {Key: "strict", Value: false},
		})
		if t.Programmatic {
			tools[len(tools)-1] = tools[len(tools)-1].With("allowed_callers", wire.Raw(`["programmatic"]`))
			tools = append(tools, wire.Fields{{Key: "type", Value: "programmatic_tool_calling"}})
		}
	}
	if len(tools) > 0 {
		f = f.With("tools", tools)
	}
	return f
}
