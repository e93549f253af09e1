package responses

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// programTool is the type of the tool by which the provider runs code.
const programTool = "programmatic_tool_calling"

// programs is OpenAI's form: https://developers.openai.com/api/docs/guides/tools-programmatic-tool-calling
var programs = wire.ProgramForm{
	ID: "call_{alnum:24}", Item: "cm_{hex:50}", OutputItem: "cmo_{hex:50}",
	Runner: func(req *wire.Request) string {
		if slices.ContainsFunc(req.Tools, func(t wire.ToolDefinition) bool { return t.Node.Get("type").Text() == programTool }) {
			return programTool
		}
		return ""
	},
	Allows: func(t wire.ToolDefinition) bool {
		return slices.Contains(wire.TextsOf(t.Node.Get("allowed_callers")), "programmatic")
	},
	Caller: func(item *wire.Node) string {
		if caller := item.Get("caller"); caller.Get("type").Text() == programItem {
			return caller.Get("caller_id").Text()
		}
		return ""
	},
	In: func(req *wire.Request) (parts []wire.ProgramPart) {
		for _, item := range req.Body.Get("input").All() {
			p := wire.Program{ID: item.Get("call_id").Text()}
			switch TypeOf(item) {
			case programItem:
				p.Begins, p.Item, p.Code, p.Seal = true, item.Get("id").Text(), item.Get("code").Text(), item.Get("fingerprint").Text()
			case programOutputItem:
				said := item.Get("result").Text()
				p.OutputItem, p.Output = item.Get("id").Text(), &said
			case referenceItem:
				p.Item = item.Get("id").Text()
			default:
				continue
			}
			parts = append(parts, wire.ProgramPart{Program: p, Node: item})
		}
		return parts
	},
	Sealed:         true,
	NamedByResults: true,
}

// programPart and calledBy write items as recorded in github.com/vercel/ai,
// packages/openai/src/responses/__fixtures__ (programmatic-tool-calling): a call of a program stays in
// progress, also in a response that is completed.
func programPart(p *wire.Program) item {
	if p.Output != nil {
		whole := wire.Fields{
			{Key: "id", Value: p.OutputItem}, {Key: "type", Value: programOutputItem}, {Key: "status", Value: completed},
			{Key: "call_id", Value: p.ID}, {Key: "result", Value: *p.Output},
		}.JSON()
		return item{id: p.OutputItem, added: whole, whole: whole}
	}
	whole := wire.Fields{
		{Key: "id", Value: p.Item}, {Key: "type", Value: programItem}, {Key: "call_id", Value: p.ID}, {Key: "code", Value: p.Code},
		{Key: "fingerprint", Value: p.Seal},
	}.JSON()
	return item{id: p.Item, added: whole, whole: whole}
}

func calledBy(call wire.Raw, program string) wire.Raw {
	if program == "" {
		return call
	}
	item := wire.Parsed(call)
	if item.Get("status") != nil {
		item.Set("status", inProgress)
	}
	item.Set("caller", wire.Fields{{Key: "type", Value: programItem}, {Key: "caller_id", Value: program}})
	return item.JSON()
}
