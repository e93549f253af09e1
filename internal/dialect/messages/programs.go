package messages

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// codeTool begins the types of the tool by which the provider runs code, in which its version is.
const codeTool = "code_execution_"

// programs is Anthropic's form:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling
var programs = wire.ProgramForm{
	ID: "srvtoolu_01{alnum:22}",
	Runner: func(req *wire.Request) string {
		for _, t := range req.Tools {
			if kind := t.Node.Get("type").Text(); strings.HasPrefix(kind, codeTool) {
				return kind
			}
		}
		return ""
	},
	Allows: func(t wire.ToolDefinition) bool {
		return slices.ContainsFunc(wire.TextsOf(t.Node.Get("allowed_callers")), func(caller string) bool { return strings.HasPrefix(caller, codeTool) })
	},
	Caller: func(block *wire.Node) string {
		if caller := block.Get("caller"); strings.HasPrefix(caller.Get("type").Text(), codeTool) {
			return caller.Get("tool_id").Text()
		}
		return ""
	},
	In: func(req *wire.Request) (parts []wire.ProgramPart) {
		for _, message := range req.Body.Get("messages").All() {
			for _, block := range message.Get("content").All() {
				switch block.Get("type").Text() {
				case "server_tool_use":
					parts = append(parts, wire.ProgramPart{Node: block, Program: wire.Program{ID: block.Get("id").Text(), Begins: true, Code: block.Get("input").Get("code").Text()}})
				case "code_execution_tool_result":
					said := block.Get("content").Get("stdout").Text()
					parts = append(parts, wire.ProgramPart{Node: block, Program: wire.Program{ID: block.Get("tool_use_id").Text(), Output: &said}})
				}
			}
		}
		return parts
	},
}

// programCode, programOutput and programCall are blocks as recorded in github.com/vercel/ai,
// packages/anthropic/src/__fixtures__ (anthropic-programmatic-tool-calling): the call of a program
// begins with its whole input, and has no deltas.
func programCode(p *wire.Program) wire.Raw {
	return wire.Fields{
		{Key: "type", Value: "server_tool_use"}, {Key: "id", Value: p.ID}, {Key: "name", Value: "code_execution"},
		{Key: "input", Value: wire.Raw(object("code", p.Code))}, {Key: "caller", Value: wire.Raw(object("type", "direct"))},
	}.JSON()
}

func programOutput(p *wire.Program) wire.Raw {
	said := wire.Fields{
		{Key: "type", Value: "code_execution_result"}, {Key: "stdout", Value: *p.Output}, {Key: "stderr", Value: ""},
		{Key: "return_code", Value: 0}, {Key: "content", Value: []any{}},
	}
	return wire.Fields{{Key: "type", Value: "code_execution_tool_result"}, {Key: "tool_use_id", Value: p.ID}, {Key: "content", Value: said}}.JSON()
}

func (s *Shape) programCall(a *wire.Answer, c wire.AnswerCall) block {
	input := wire.Raw("{}")
	if _, is := wire.ParseObject(c.Arguments); is {
		input = wire.Raw(c.Arguments)
	}
	call := wire.Parsed(s.Call.JSON(wire.Values{"id": c.ID, "name": c.Name, "input": input}))
	runner := codeTool + "20260120"
	if a.Program != nil && a.Program.Runner != "" {
		runner = a.Program.Runner
	}
	call.Set("caller", wire.Raw(object("type", runner, "tool_id", c.Caller)))
	whole := call.JSON()
	return block{start: whole, whole: func() wire.Raw { return whole }}
}
