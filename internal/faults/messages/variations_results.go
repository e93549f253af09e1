package messages

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInResults = []raw.Variation{
	{
		Name:    "results/flag-on-each",
		Does:    "Results of tools that went well say that they are no error.",
		Sources: []string{handleToolCalls + " (is_error is optional)", "https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/anthropic.py (is_error)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_result", func(path string, b gjson.Result) {
				if !b.Get("is_error").Exists() {
					r.Set(path+".is_error", false)
				}
			})
		}),
	},
	{
		Name:    "results/words-before-images",
		Does:    "A result with an image says first what it is.",
		Sources: []string{handleToolCalls + " (a list of blocks, of texts and images)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_result", func(path string, b gjson.Result) {
				if image := b.Get("content.#(type==image)"); image.Exists() {
					r.SetRaw(path+".content", `[{"type":"text","text":"A picture:"},`+image.Raw+`]`)
				}
			})
		}),
	},
	{
		Name:    "results/in-blocks",
		Does:    "The content of a result is a list of one text.",
		Sources: []string{handleToolCalls + " (a string, or a list of blocks)"},
		Make:    eachResultInBlocks(func(said string) string { return raw.Texts(said) }),
	},
	{
		Name:    "results/in-blocks-behind-a-note",
		Does:    "The content of a result is a list of two texts: what the loop says of it, and what the tool returned.",
		Sources: []string{handleToolCalls + " (a string, or a list of blocks)"},
		Make:    eachResultInBlocks(func(said string) string { return raw.Texts("<system>The tool has run.</system>", said) }),
	},
	{
		Name:     "results/as-documents",
		Does:     "What a tool returned is a document in plain text.",
		Sources:  []string{handleToolCalls + " (a result with a document of the type text)"},
		Profiles: []string{"anthropic"}, // anthropic-minimum, and servers like it, take texts and images alone
		Make: raw.OnRequest(func(r *raw.Request) {
			eachGoodText(r, func(said string) string {
				return raw.Set(`{"type":"document","source":{"type":"text","media_type":"text/plain"}}`, "source.data", said)
			})
		}),
	},
	{
		Name:     "results/as-search-results",
		Does:     "What a tool returned is a search result, which the model may cite.",
		Sources:  []string{"https://platform.claude.com/docs/en/build-with-claude/search-results (search results from tool calls)"},
		Profiles: []string{"anthropic"}, // anthropic-minimum, and servers like it, take texts and images alone
		Make: raw.OnRequest(func(r *raw.Request) {
			eachGoodText(r, func(said string) string {
				return raw.SetRaw(`{"type":"search_result","source":"https://example.com","title":"Found"}`, "content", raw.Texts(said))
			})
		}),
	},
}

// eachGoodText writes the text of each result that is no error as a block. An error may hold
// nothing but text.
func eachGoodText(r *raw.Request, block func(said string) string) {
	eachBlock(r, "tool_result", func(path string, b gjson.Result) {
		if said := b.Get("content"); said.Type == gjson.String && said.String() != "" && !b.Get("is_error").Bool() {
			r.SetRaw(path+".content", "["+block(said.String())+"]")
		}
	})
}
