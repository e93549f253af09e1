package faults

import (
	"strings"

	"github.com/tidwall/gjson"
)

// reasoningMisplaced are loops whose reasoning goes back at the wrong place, twice, or under the wrong name.
var reasoningMisplaced = []Fault{
	{
		Name:    "reasoning/moves-it-to-another-turn",
		Does:    "The reasoning of a turn goes back with the turn before it.",
		Models:  []string{"https://github.com/openai/openai-agents-js/pull/1669"},
		Dialect: inChat,
		Breaks:  []string{"history/earlier-messages-unchanged", "reasoning/resent-on-tool-turns", "reasoning/resent-on-all-turns"},
		Make: onRawRequest(func(r *RawRequest) {
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
		Name:   "reasoning/repeats-the-last-thought",
		Does:   "A turn without reasoning goes back with that of the turn before.",
		Models: []string{"https://github.com/openai/openai-agents-js/pull/1669"},
		Breaks: []string{"reasoning/none-made-up"},
		Make: onRawRequest(func(r *RawRequest) {
			keys := []string{"reasoning_content", "reasoning", "reasoning_details"}
			last := map[string]string{}
			r.Each("assistant", func(path string, m gjson.Result) {
				own := map[string]string{}
				for _, key := range keys {
					if v := m.Get(key); v.Exists() {
						own[key] = v.Raw
					}
				}
				if len(own) > 0 {
					last = own
				}
				if len(own) > 0 || !m.Get("tool_calls").Exists() {
					return
				}
				for key, raw := range last {
					r.SetRaw(path+"."+key, raw)
				}
			})
		}),
	},
	{
		Name: "reasoning/replays-pieces",
		Does: "Signed blocks of reasoning go back in the pieces in which a stream brings them.",
		Models: []string{
			"https://github.com/agno-agi/agno/issues/8794", "https://github.com/open-webui/open-webui/pull/26404",
			"https://github.com/OpenRouterTeam/ai-sdk-provider/issues/423",
		},
		Dialect: inChat,
		Breaks:  []string{"reasoning/details-verbatim"},
		Make: onBlocks(func(blocks []string) []string {
			var pieces []string
			for _, b := range blocks {
				signature := gjson.Get(b, "signature").String()
				if signature == "" || gjson.Get(b, "text").String() == "" {
					pieces = append(pieces, b)
					continue
				}
				pieces = append(pieces, remove(b, "signature"), remove(b, "text"))
			}
			return pieces
		}),
	},
	{
		Name:    "reasoning/empties-it",
		Does:    "The field for reasoning goes back empty, whatever the model reasoned.",
		Dialect: inChat,
		Breaks:  []string{"reasoning/resent-on-all-turns", "reasoning/resent-on-tool-turns"},
		Make:    onPlainReasoning(func(r *RawRequest, path, _ string) { r.Set(path+".reasoning_content", "") }),
	},
	{
		Name:    "reasoning/trims-it",
		Does:    "Reasoning goes back without the white space at its ends.",
		Dialect: inChat,
		Breaks:  []string{"reasoning/verbatim"},
		Make: onPlainReasoning(func(r *RawRequest, path, text string) {
			r.Set(path+".reasoning_content", strings.TrimSpace(text))
		}),
	},
	{
		Name:    "reasoning/signs-every-call",
		Does:    "All calls of a turn go back with the signature of the first.",
		Models:  []string{"https://github.com/vertesia/llumiverse/pull/470"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/call-signature-not-made-up"},
		Make: onRawRequest(func(r *RawRequest) {
			signature := ""
			r.EachCall(func(path string, call gjson.Result) {
				if own := call.Get("extra_content"); own.Exists() {
					signature = own.Raw
				} else if signature != "" {
					r.SetRaw(path+".extra_content", signature)
				}
			})
		}),
	},
	{
		Name:   "reasoning/doubles-blocks",
		Does:   "Blocks of reasoning go back twice.",
		Models: []string{"https://github.com/0xPlaygrounds/rig/issues/1898", "https://github.com/openai/openai-agents-python/issues/3215"},
		Breaks: []string{"reasoning/details-verbatim"},
		Make:   onBlocks(func(blocks []string) []string { return append(blocks, blocks...) }),
	},
	{
		Name:    "reasoning/invents-signatures",
		Does:    "Blocks of reasoning without a signature go back with one that the loop made up.",
		Models:  []string{"https://github.com/strands-agents/sdk-python/issues/682"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/details-verbatim"},
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
		Name:    "reasoning/sends-empty-reasoning-for-none",
		Does:    "Turns without reasoning go back with an empty one, also to a provider that has no such field.",
		Models:  []string{"https://github.com/charmbracelet/fantasy/issues/333", "https://github.com/vercel/ai/pull/8057"},
		Dialect: inChat,
		Breaks:  []string{"egress/assistant-message-keys"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Task.Profile == "openai" {
				r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".reasoning_content", "") })
			}
		}),
	},
	{
		Name:    "reasoning/knows-one-name-only",
		Does:    "Plain reasoning is read under the name reasoning_content only.",
		Models:  []string{"https://github.com/charmbracelet/fantasy/pull/196"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/details-come-back", "reasoning/resent-on-tool-turns"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, m gjson.Result) {
				r.Delete(path + ".reasoning")
				if m.Get("reasoning_details.0.format").String() == "unknown" {
					r.Delete(path + ".reasoning_details")
				}
			})
		}),
	},
}
