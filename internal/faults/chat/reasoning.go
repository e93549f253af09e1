package chat

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var reasoning = []raw.Fault{
	{
		Name:   "reasoning/merges-blocks-of-one-index",
		Does:   "Blocks that share an index are joined, whatever they are.",
		Breaks: []string{"reasoning/details-not-merged"},
		Make: onRawBlocks(func(blocks []string) []string {
			for i := len(blocks) - 1; i > 0; i-- {
				if gjson.Get(blocks[i], "index").Raw != gjson.Get(blocks[i-1], "index").Raw {
					continue
				}
				for key, v := range gjson.Parse(blocks[i]).Map() {
					blocks[i-1] = raw.SetRaw(blocks[i-1], key, v.Raw)
				}
				blocks = slices.Delete(blocks, i, i+1)
			}
			return blocks
		}),
	},
	{
		Name:   "reasoning/keeps-the-text-of-a-list",
		Does:   "Of a content that is a list the text alone goes back.",
		Breaks: []string{"reasoning/resent-on-all-turns", "reasoning/resent-on-tool-turns"},
		Make: onThoughts(func(r *raw.Request, path string, _ gjson.Result, _, text string) {
			r.Set(path+".content", text)
		}),
	},
	{
		Name:    "reasoning/glues-thinking-to-the-text",
		Does:    "The parts of a content go back as one text, the thinking of turns with tool calls in front.",
		Reports: []string{"https://github.com/vercel/ai/issues/17930"},
		Breaks:  []string{"reasoning/kept-out-of-the-content", "reasoning/resent-on-tool-turns"},
		Make: onThoughts(func(r *raw.Request, path string, m gjson.Result, thought, text string) {
			if m.Get("tool_calls").Exists() {
				r.Set(path+".content", thought+text)
			}
		}),
	},
	{
		Name:    "reasoning/sends-empty-reasoning-for-none",
		Does:    "Turns without reasoning go back with an empty one, also to a provider that has no such field.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/issues/333", "https://github.com/vercel/ai/pull/8057"},
		Breaks:  []string{"egress/assistant-message-keys"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Task.Profile == "openai" {
				r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".reasoning_content", "") })
			}
		}),
	},
	{
		Name:    "reasoning/knows-one-name-only",
		Does:    "Plain reasoning is read under the name reasoning_content only.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/pull/196"},
		Breaks:  []string{"reasoning/details-come-back", "reasoning/resent-on-tool-turns"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				r.Delete(path + ".reasoning")
				if m.Get("reasoning_details.0.format").String() == "unknown" {
					r.Delete(path + ".reasoning_details")
				}
			})
		}),
	},
	{
		Name:    "reasoning/reads-it-or-the-text",
		Does:    "A delta with reasoning is not searched for text.",
		Reports: []string{"https://github.com/BerriAI/litellm/issues/27492", "https://github.com/vllm-project/vllm/issues/43933"},
		Breaks:  []string{"reasoning/read-in-every-place"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if delta := gjson.Get(p, "choices.0.delta"); saysReasoning(delta) && delta.Get("content").String() != "" {
					a.Payloads[i] = raw.Remove(p, "choices.0.delta.content")
				}
			}
		}),
	},
	{
		Name:    "reasoning/reads-signatures-of-heads",
		Does:    "What signs a call is read in the first piece of the call alone.",
		Reports: []string{"https://github.com/vertesia/llumiverse/pull/470"},
		Breaks:  []string{"reasoning/read-in-every-place"},
		Make: onPieces(func() func(*piece) {
			var heads opened
			return func(p *piece) {
				if !heads.take(p) {
					p.remove("extra_content")
				}
			}
		}),
	},
	{
		Name:    "reasoning/adds-both-names-up",
		Does:    "What is under reasoning and what is under reasoning_content are put together.",
		Reports: []string{"https://github.com/MoonshotAI/kimi-code/issues/3928"},
		Breaks:  []string{"reasoning/not-doubled"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				said := gjson.Get(p, saying(a)+"reasoning_content").String()
				if other := gjson.Get(p, saying(a)+"reasoning").String(); said != "" && other != "" {
					a.Payloads[i] = raw.Remove(raw.Set(p, saying(a)+"reasoning_content", other+said), saying(a)+"reasoning")
				}
			}
		}),
	},
	{
		Name:    "reasoning/sends-it-under-the-other-name",
		Does:    "Reasoning that came as reasoning goes back as reasoning_content.",
		Reports: []string{"https://github.com/anomalyco/opencode/issues/34798", "https://github.com/tidyverse/ellmer/pull/981"},
		Breaks:  []string{"reasoning/resent-on-tool-turns"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if said := m.Get("reasoning"); said.Exists() {
					r.Delete(path + ".reasoning")
					r.Set(path+".reasoning_content", said.String())
				}
			})
		}),
	},
}
