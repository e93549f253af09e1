// Package mcp holds faults: loops that take their tools from a server of MCP, and lose or change what
// these return, or do not follow the list of them.
package mcp

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(blocks, lists) }

// reads is a loop that changes what a tool returned before it makes a result of it.
func reads(change func(*hooks.MCPResult)) func() hooks.Mutation {
	return hooks.ReadsMCP(func(r hooks.MCPResult, into *neutral.Result) {
		r.Content = slices.Clone(r.Content)
		change(&r)
		refloop.ReadMCP(r, into)
	})
}

// without leaves out blocks of a result.
func without(lost func(refloop.MCPBlock) bool) func() hooks.Mutation {
	return reads(func(r *hooks.MCPResult) { r.Content = slices.DeleteFunc(r.Content, lost) })
}

// withFiles is a loop that makes a text of each file in a result.
func withFiles(text func(*neutral.Image) string) func() hooks.Mutation {
	return hooks.ReadsMCP(func(r hooks.MCPResult, into *neutral.Result) {
		files := r.Files()
		r.Content = slices.DeleteFunc(slices.Clone(r.Content), isFile)
		refloop.ReadMCP(r, into)
		for _, f := range files {
			into.Text = strings.TrimPrefix(into.Text+"\n"+text(f), "\n")
		}
	})
}

func isFile(b refloop.MCPBlock) bool { return b.Type == "audio" || b.Resource.Blob != nil }

// blocks are loops that do not read all blocks of a result.
var blocks = []hooks.Fault{
	{
		Name:    "mcp/drops-files",
		Does:    "Documents and sounds in a result are dropped.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/pull/64556", "https://github.com/google/adk-go/issues/1391", "https://github.com/aaif-goose/goose/issues/10342"},
		Breaks:  []string{"mcp/files-told"},
		Make:    without(isFile),
	},
	{
		Name:    "mcp/drops-resources",
		Does:    "Embedded resources in a result are dropped.",
		Reports: []string{"https://github.com/zed-industries/zed/pull/56874", "https://github.com/docker/docker-agent/pull/2612"},
		Breaks:  []string{"execution/every-block-reaches-the-model", "mcp/files-told"},
		Make:    without(func(b refloop.MCPBlock) bool { return b.Type == "resource" }),
	},
	{
		Name:   "mcp/drops-links",
		Does:   "Links to resources in a result are dropped.",
		Breaks: []string{"mcp/links-told"},
		Make:   without(func(b refloop.MCPBlock) bool { return b.Type == "resource_link" }),
	},
	{
		Name:    "mcp/names-resources",
		Does:    "In the place of an embedded resource, also of a text, is a word that there is one.",
		Reports: []string{"https://github.com/stacklok/mecatl/issues/223", "https://github.com/CopilotKit/OpenBot/pull/597"},
		Breaks:  []string{"execution/every-block-reaches-the-model"},
		Make: reads(func(r *hooks.MCPResult) {
			for i, b := range r.Content {
				if b.Type == "resource" {
					r.Content[i] = refloop.MCPBlock{Type: "text", Text: "[embedded resource]"}
				}
			}
		}),
	},
	{
		Name:   "mcp/reads-the-first-block-of-an-error",
		Does:   "Of an error the model reads the first block.",
		Breaks: []string{"execution/every-block-reaches-the-model"},
		Make: reads(func(r *hooks.MCPResult) {
			if r.IsError {
				r.Content, r.Structured = r.Content[:1], nil
			}
		}),
	},
	{
		Name:    "mcp/writes-files-down",
		Does:    "What is no text is written down as JSON, with its base64.",
		Reports: []string{"https://github.com/vercel/ai/pull/15285"},
		Breaks:  []string{"mcp/files-not-as-text"},
		Make:    withFiles(func(f *neutral.Image) string { return `{"blob":"` + refloop.Base64(f) + `"}` }),
	},
	{
		Name:    "mcp/cuts-files",
		Does:    "A document in base64 is cut, as long texts are.",
		Reports: []string{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227"},
		Needs:   wire.ImageResults,
		Breaks:  []string{"mcp/files-arrive-whole"},
		Unless:  neutral.PlainContents, Elsewhere: "no file can be shown.",
		Make: reads(func(r *hooks.MCPResult) {
			for i := range r.Content {
				data := r.Content[i].Resource.Blob
				r.Content[i].Resource.Blob = data[:len(data)*2/3]
			}
		}),
	},
}
