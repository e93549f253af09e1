package faults

import "github.com/tidwall/gjson"

// reasoningMisplaced are loops whose reasoning goes back at the wrong place, twice, or under the wrong name.
var reasoningMisplaced = []Fault{
	{
		Name:   "reasoning/moves-it-to-another-turn",
		Does:   "The reasoning of a turn goes back with the turn before it.",
		Models: []string{"https://github.com/openai/openai-agents-js/pull/1669"},
		Breaks: []string{"history/earlier-messages-unchanged", "reasoning/resent-on-tool-turns", "reasoning/resent-on-all-turns"},
		Make: onRequest(func(r *Request) {
			before := ""
			r.Each("assistant", func(path string, m gjson.Result) {
				if text := m.Get("reasoning_content"); text.Exists() && before != "" {
					r.Delete(path + ".reasoning_content")
					r.Set(before+".reasoning_content", text.String())
				}
				before = path
			})
		}),
	},
	{
		Name:   "reasoning/doubles-blocks",
		Does:   "Blocks of reasoning go back twice.",
		Models: []string{"https://github.com/0xPlaygrounds/rig/issues/1898", "https://github.com/openai/openai-agents-python/issues/3215"},
		Breaks: []string{"reasoning/details-verbatim"},
		Both:   true,
		Make:   onBlocks(func(blocks []string) []string { return append(blocks, blocks...) }),
	},
	{
		Name:   "reasoning/invents-signatures",
		Does:   "Blocks of reasoning without a signature go back with one that the loop made up.",
		Models: []string{"https://github.com/strands-agents/sdk-python/issues/682"},
		Breaks: []string{"reasoning/details-verbatim"},
		Make: onBlocks(func(blocks []string) []string {
			for i, b := range blocks {
				if gjson.Get(b, "signature").String() == "" && gjson.Get(b, "data").String() == "" {
					blocks[i] = set(b, "signature", "none")
				}
			}
			return blocks
		}),
	},
	{
		Name:   "reasoning/sends-empty-reasoning-for-none",
		Does:   "Turns without reasoning go back with an empty one, also to a provider that has no such field.",
		Models: []string{"https://github.com/charmbracelet/fantasy/issues/333", "https://github.com/vercel/ai/pull/8057"},
		Breaks: []string{"egress/assistant-message-keys"},
		Make: onRequest(func(r *Request) {
			if r.Task.Profile == "openai" {
				r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".reasoning_content", "") })
			}
		}),
	},
	{
		Name:   "reasoning/knows-one-name-only",
		Does:   "Plain reasoning is read under the name reasoning_content only.",
		Models: []string{"https://github.com/charmbracelet/fantasy/pull/196"},
		Breaks: []string{"reasoning/details-come-back", "reasoning/resent-on-tool-turns"},
		Make: onRequest(func(r *Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				r.Delete(path + ".reasoning")
				if m.Get("reasoning_details.0.format").String() == "unknown" {
					r.Delete(path + ".reasoning_details")
				}
			})
		}),
	},
}
