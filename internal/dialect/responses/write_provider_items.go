package responses

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/loopproof/loopproof/internal/wire"
)

// prefixes are the beginnings of the ids of the provider's own items, and the types that scenarios
// can have: recorded in github.com/vercel/ai, packages/openai/src/responses/__fixtures__
// (openai-web-search-tool, openai-file-search-tool, openai-code-interpreter-tool, openai-mcp-tool,
// openai-mcp-tool-approval). Searches for tools are documented:
// https://developers.openai.com/api/docs/guides/tools-tool-search
var prefixes = map[string]string{
	webSearchItem: "ws", fileSearchItem: "fs", codeItem: "ci", mcpToolsItem: "mcpl", mcpCallItem: "mcp", wire.ApprovalRequest: "mcpr",
	toolSearchItem: "tsc", toolsFoundItem: "tso",
}

// providerItem is an item about a tool of the provider. How it is written is recorded in the same
// place as the ids are.
func (w *writer) providerItem(index int, p wire.ProviderItem) item {
	p.ID = cmp.Or(p.ID, w.id(prefixes[p.Type], index))
	switch p.Type {
	case webSearchItem:
		return searched(p, wire.Field{Key: "action", Value: wire.Fields{{Key: "type", Value: "search"}, {Key: "query", Value: p.Query}}})
	case fileSearchItem:
		return w.searchedFiles(p)
	case codeItem:
		return w.code(p)
	case mcpToolsItem:
		return mcpTools(p)
	case mcpCallItem:
		return w.mcpCall(p)
	case toolSearchItem:
		return item{id: p.ID, added: toolSearch(p, inProgress, "arguments", wire.Fields{}), whole: toolSearch(p, completed, "arguments", wire.Fields{{Key: "paths", Value: anyOf(p.Tools)}})}
	case toolsFoundItem:
		return item{id: p.ID, added: toolSearch(p, inProgress, "tools", []any{}), whole: toolSearch(p, completed, "tools", w.found(p.Tools))}
	default: // a request for an approval is whole from its beginning
		whole := begun(p, "").With("arguments", p.Arguments).With("name", p.Name).With("server_label", p.Server).JSON()
		return item{id: p.ID, added: whole, whole: whole}
	}
}

// begun returns what all items begin with.
func begun(p wire.ProviderItem, status string) wire.Fields {
	f := wire.Fields{{Key: "id", Value: p.ID}, {Key: "type", Value: p.Type}}
	if status != "" {
		f = f.With("status", status)
	}
	return f
}

// states are the events that tell how far an item has come.
func states(kind string, all ...string) (parts []part) {
	for _, state := range all {
		parts = append(parts, part{kind: "response." + kind + "." + state})
	}
	return parts
}

// searched is an item about a search, whose fields are known when it is done.
func searched(p wire.ProviderItem, f ...wire.Field) item {
	return item{
		id: p.ID, added: begun(p, inProgress).JSON(), whole: append(begun(p, completed), f...).JSON(),
		pieces: states(p.Type, "in_progress", "searching", "completed"),
	}
}

// searchedFiles has its queries from the beginning. What was found is in it for requests that
// include that: https://platform.openai.com/docs/guides/tools-file-search
func (w *writer) searchedFiles(p wire.ProviderItem) item {
	var results any
	if p.Output != "" && includes(w.reply.Request, "file_search_call.results") {
		results = []wire.Fields{{
			{Key: "attributes", Value: wire.Fields{}}, {Key: "file_id", Value: "file-loopproof"}, {Key: "filename", Value: "notes.md"},
			{Key: "score", Value: wire.Raw("0.9")}, {Key: "text", Value: p.Output},
		}}
	}
	queries := wire.Field{Key: "queries", Value: []any{p.Query}}
	i := searched(p, queries, wire.Field{Key: "results", Value: results})
	i.added = append(begun(p, inProgress), wire.Field{Key: "queries", Value: []any{}}, wire.Field{Key: "results", Value: nil}).JSON()
	return i
}

// code is an item about code that was run, whose outputs are logs.
func (w *writer) code(p wire.ProviderItem) item {
	write := func(status, code string, outputs any) wire.Raw {
		return begun(p, status).With("code", code).With("container_id", "cntr_loopproof").With("outputs", outputs).JSON()
	}
	outputs := []any{}
	if p.Output != "" {
		outputs = append(outputs, wire.Fields{{Key: "type", Value: "logs"}, {Key: "logs", Value: p.Output}})
	}
	i := item{id: p.ID, added: write(inProgress, "", []any{}), whole: write(completed, p.Code, outputs), pieces: states(p.Type, "in_progress")}
	for _, piece := range w.answer.Pieces(p.Code) {
		i.pieces = append(i.pieces, part{"response.code_interpreter_call_code.delta", w.piece(piece, nil)})
	}
	i.pieces = append(i.pieces, part{"response.code_interpreter_call_code.done", wire.Fields{{Key: "code", Value: p.Code}}})
	i.pieces = append(i.pieces, states(p.Type, "interpreting", "completed")...)
	return i
}

// mcpTools is an item with the tools of a server.
func mcpTools(p wire.ProviderItem) item {
	write := func(tools []any) wire.Raw {
		return begun(p, "").With("server_label", p.Server).With("tools", tools).JSON()
	}
	tools := []any{}
	for _, name := range p.Tools {
		tools = append(tools, wire.Fields{
			{Key: "annotations", Value: wire.Fields{{Key: "read_only", Value: false}}}, {Key: "description", Value: name},
			{Key: "input_schema", Value: wire.Fields{{Key: "type", Value: "object"}, {Key: "properties", Value: wire.Fields{}}}},
			{Key: "name", Value: name},
		})
	}
	return item{id: p.ID, added: write([]any{}), whole: write(tools), pieces: states(p.Type, "in_progress", "completed")}
}

// mcpCall is an item about a call of a tool of a server. Its arguments come in one piece.
func (w *writer) mcpCall(p wire.ProviderItem) item {
	write := func(status, arguments string, problem, output any) wire.Raw {
		var approval any
		if p.Approval != "" {
			approval = p.Approval
		}
		return begun(p, status).With("approval_request_id", approval).With("arguments", arguments).With("error", problem).With("name", p.Name).With("output", output).With("server_label", p.Server).JSON()
	}
	i := item{id: p.ID, added: write(inProgress, "", nil, nil), pieces: states(p.Type, "in_progress")}
	i.pieces = append(i.pieces,
		part{"response.mcp_call_arguments.delta", w.piece(p.Arguments, nil)},
		part{"response.mcp_call_arguments.done", wire.Fields{{Key: "arguments", Value: p.Arguments}}})
	if p.Error != "" { // in the form of MCPToolCallError of openai-openapi at f85dbe2
		problem := wire.Fields{{Key: "type", Value: "mcp_tool_execution_error"}, {Key: "content", Value: []any{textPart("text", p.Error)}}}
		i.whole, i.pieces = write(failed, p.Arguments, problem, nil), append(i.pieces, states(p.Type, "failed")...)
		return i
	}
	i.whole, i.pieces = write(completed, p.Arguments, nil, p.Output), append(i.pieces, states(p.Type, "completed")...)
	return i
}

// customCall is a call of a tool that takes a free text: recorded in the same place
// (openai-custom-tool).
func (w *writer) customCall(index int, c wire.AnswerCall, status string) item {
	id := w.id("ctc", index)
	write := func(status, input string) wire.Raw {
		return inNamespace(wire.Fields{
			{Key: "id", Value: id}, {Key: "type", Value: customItem}, {Key: "status", Value: status}, {Key: "call_id", Value: c.ID},
			{Key: "input", Value: input}, {Key: "name", Value: c.Name},
		}.JSON(), c)
	}
	i := item{id: id, added: write(inProgress, ""), whole: write(status, c.Arguments)}
	for _, piece := range w.answer.Pieces(c.Arguments) {
		i.pieces = append(i.pieces, part{"response.custom_tool_call_input.delta", w.piece(piece, nil)})
	}
	i.last = []part{{"response.custom_tool_call_input.done", wire.Fields{{Key: "input", Value: c.Arguments}}}}
	return i
}

// toolSearch is half of a search for tools that the provider carried out: what it looked for, or
// what it found. The id of a call is for searches of the client.
func toolSearch(p wire.ProviderItem, status, key string, value any) wire.Raw {
	return begun(p, status).With("call_id", nil).With("execution", "server").With(key, value).JSON()
}

// found returns the definitions of tools as a search brings them: those of the request, and what
// little there is of others.
func (w *writer) found(names []string) []any {
	tools := []any{}
	for _, name := range names {
		definition := wire.Fields{
			{Key: "type", Value: "function"}, {Key: "name", Value: name}, {Key: "description", Value: name}, {Key: "strict", Value: false},
			{Key: "parameters", Value: wire.Fields{{Key: "type", Value: "object"}, {Key: "properties", Value: wire.Fields{}}}},
		}
		if w.reply.Request != nil {
			for _, t := range w.reply.Request.Tools {
				var compact bytes.Buffer // an event has one line
				if t.Name == name && !t.Own && json.Compact(&compact, t.Node.Raw) == nil {
					definition = wire.Parsed(compact.Bytes()).AsFields()
				}
			}
		}
		tools = append(tools, definition.With("defer_loading", true))
	}
	return tools
}

func anyOf(names []string) []any {
	all := make([]any, len(names))
	for i, name := range names {
		all[i] = name
	}
	return all
}
