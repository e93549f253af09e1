package rulestest

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// What the lines of a dialogue mean in the dialect messages, whose content is a list of blocks.
// {{message 1}} is the assistant message with the blocks as the provider sent them, {{blocks 1}}
// the blocks without the brackets around them, {{signature 1}} and {{data 1}} what the first signed
// or encrypted one holds. calls returns the blocks of the turn.

func (p *placeholders) inBlocks() bool { return p.script.Profile.Speaks.Abilities&wire.OwnBlocks != 0 }

func (p *placeholders) fillBlocks(what string, content *wire.Node) string {
	switch what {
	case "message":
		return string(wire.Fields{{Key: "role", Value: "assistant"}, {Key: "content", Value: wire.Raw(content.Raw)}}.JSON())
	case "blocks":
		return strings.Trim(string(content.Raw), "[]")
	case "signature", "data":
		return firstOf(content, what)
	}
	p.t.Fatalf("nothing is called %s in the dialect messages", what)
	return ""
}

func (p *placeholders) callBlock(c wire.AnswerCall) wire.Fields {
	input := wire.Raw("{}")
	if !wire.BlankArguments(c.Arguments) {
		input = wire.Raw(c.Arguments)
	}
	return wire.Fields{{Key: "type", Value: "tool_use"}, {Key: "id", Value: c.ID}, {Key: "name", Value: c.Name}, {Key: "input", Value: input}}
}

// returnedBlocks is the assistant message that returns calls, with the reasoning and the text of
// their turn.
func (p *placeholders) returnedBlocks(names []string, text string) string {
	var blocks []wire.Fields
	for i, name := range names {
		call, turn, ok := p.call(name)
		if !ok {
			p.t.Fatalf("there is no call %q", name)
		}
		if i == 0 {
			for _, b := range p.sent(turn).Items {
				if kind := b.Get("type").Text(); kind == "thinking" || kind == "redacted_thinking" {
					blocks = append(blocks, fieldsOf(b))
				}
			}
			if text == "" {
				text = turn.Answer.Text
			}
			if text != "" {
				blocks = append(blocks, wire.Fields{{Key: "type", Value: "text"}, {Key: "text", Value: text}})
			}
		}
		blocks = append(blocks, p.callBlock(call))
	}
	return blockMessage("assistant", blocks...)
}

func fieldsOf(n *wire.Node) wire.Fields {
	var f wire.Fields
	for _, m := range n.Members {
		f = f.With(m.Key, wire.Raw(m.Value.Raw))
	}
	return f
}

func blockMessage(role string, blocks ...wire.Fields) string {
	return string(wire.Fields{{Key: "role", Value: role}, {Key: "content", Value: blocks}}.JSON())
}

func resultBlock(c wire.AnswerCall, text string) wire.Fields {
	return wire.Fields{{Key: "type", Value: "tool_result"}, {Key: "tool_use_id", Value: c.ID}, {Key: "content", Value: text}}
}

// resultBlocks is the user message with the results of calls, what the tools say.
func (s *stage) resultBlocks(names []string) string {
	var blocks []wire.Fields
	for _, name := range names {
		call, _, ok := s.words.call(name)
		if !ok {
			s.t.Fatalf("%s: there is no call %q", s.line, name)
		}
		blocks = append(blocks, resultBlock(call, s.run.ToolOutput(call)))
	}
	return blockMessage("user", blocks...)
}

// messagesBody returns the keys of an ordinary request in the dialect messages.
func (s *stage) messagesBody() wire.Fields {
	thinking := wire.Raw(`{"type":"adaptive"}`)
	if s.run.Case.Profile == "anthropic-4.5" {
		thinking = wire.Raw(`{"type":"enabled","budget_tokens":2000}`)
	}
	f := wire.Fields{
		{Key: "model", Value: s.model()}, {Key: "max_tokens", Value: 4000}, {Key: "thinking", Value: thinking}, {Key: s.dialect().Request.Messages, Value: nil},
	}
	if s.run.Task.System != "" {
		f = f.With("system", s.run.Task.System)
	}
	if threshold := s.run.Task.CompactThreshold; threshold > 0 {
		trigger := wire.Fields{{Key: "type", Value: "input_tokens"}, {Key: "value", Value: threshold}}
		f = f.With("context_management", wire.Fields{{Key: "edits", Value: []wire.Fields{{{Key: "type", Value: "compact_20260112"}, {Key: "trigger", Value: trigger}}}}})
	}
	if s.run.Task.Stream {
		f = f.With("stream", true)
	}
	var tools []wire.Fields
	for _, t := range s.run.Task.Tools {
		tools = append(tools, wire.Fields{{Key: "name", Value: t.Name}, {Key: "description", Value: t.Description}, {Key: "input_schema", Value: wire.Raw(t.Parameters)}})
		if t.Programmatic {
			tools[len(tools)-1] = tools[len(tools)-1].With("allowed_callers", wire.Raw(`["code_execution_20260120"]`))
			tools = append(tools, wire.Fields{{Key: "type", Value: "code_execution_20260120"}, {Key: "name", Value: "code_execution"}})
		}
	}
	if len(tools) > 0 {
		f = f.With("tools", tools)
	}
	return f
}
