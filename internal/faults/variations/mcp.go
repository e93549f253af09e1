package variations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// The reference loop shows the first document of a result, and names any other file.
var overMCP = []hooks.Variation{
	{
		Name:    "mcp/files-named",
		Does:    "The model is told of a file in a result, and where the loop has stored it.",
		Sources: []string{"https://github.com/anthropics/claude-code/issues/72271 (Binary content saved to a path)", "https://github.com/NousResearch/hermes-agent/pull/64556 (a document cache)"},
		With:    []protocol.Feature{protocol.MCPTools},
		Make: hooks.ReadsMCP(func(r hooks.MCPResult, into *neutral.Result) {
			files := r.Files()
			refloop.ReadMCP(r, into)
			into.Image = nil
			for i, f := range files {
				into.Text += fmt.Sprintf("\n[a file of the type %s, saved to results/%d]", f.MediaType, i)
			}
		}),
	},
	{
		Name:    "mcp/told-of-new-tools",
		Does:    "The list of the tools is asked for once, and again when the server tells that it has changed.",
		Sources: []string{"https://modelcontextprotocol.io/specification/2025-06-18/server/tools#list-changed-notification (the client asks again behind the notification)"},
		With:    []protocol.Feature{protocol.MCPTools, protocol.ChangingTools},
		Make:    hooks.OnLoop(func(l *refloop.Loop) { l.Listens = true }),
	},
	{
		Name:    "mcp/new-tools-first",
		Does:    "The tools that the server lists are offered in another order than it lists them.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/mcp/util.py (tools of each server in its own order)"},
		With:    []protocol.Feature{protocol.MCPTools, protocol.ChangingTools},
		Make:    hooks.OnRequest(func(r *hooks.Request) { r.Tools = slices.Clone(r.Tools); slices.Reverse(r.Tools) }),
	},
	{
		Name:    "mcp/links-read",
		Does:    "The resources to which a result links are read, and sent in place of the links.",
		Sources: []string{"https://modelcontextprotocol.io/specification/2025-06-18/server/tools#resource-links (the client can read or subscribe to them)"},
		With:    []protocol.Feature{protocol.MCPTools},
		Make:    hooks.OnLoop(func(l *refloop.Loop) { l.ReadsLinks = true }),
	},
	{
		Name:    "mcp/results-as-json",
		Does:    "The blocks of a result are sent as a list in JSON, in which a file is its type and its size.",
		Sources: []string{"https://github.com/oracle/wayflow/pull/46 (uri, mimeType and text of a resource as JSON)", "https://github.com/openai/openai-agents-python/blob/main/src/agents/mcp/util.py (model_dump_json of each block)"},
		With:    []protocol.Feature{protocol.MCPTools},
		Make: hooks.ReadsMCP(func(r hooks.MCPResult, into *neutral.Result) {
			var list []string
			for _, b := range r.Content {
				text := b.Text + b.Resource.Text + b.URI
				list = append(list, fmt.Sprintf(`{"type":%s,"text":%s,"mimeType":%s,"bytes":%d}`, written(b.Type), written(text), written(b.MIMEType+b.Resource.MIMEType), len(b.Data)+len(b.Resource.Blob)))
			}
			into.Text = "[" + strings.Join(append(list, r.StructuredText()...), ",") + "]"
		}),
	},
	{
		Name:    "mcp/refuses-files",
		Does:    "A result with a document or a sound becomes an error: this loop takes none.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/helpers/beta/mcp.ts (UnsupportedMCPValueError)"},
		With:    []protocol.Feature{protocol.MCPTools},
		Shoulds: []string{"execution/every-block-reaches-the-model"},
		Why:     "It does not send half of a result; what the rest says is lost.",
		Make: hooks.ReadsMCP(func(r hooks.MCPResult, into *neutral.Result) {
			if files := r.Files(); len(files) > 0 {
				into.Text, into.Failed = "Error: Unsupported MCP content type: "+files[0].MediaType, true
				return
			}
			refloop.ReadMCP(r, into)
		}),
	},
}
