package faults

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// saysReasoning reports whether a delta has plain reasoning that says something.
func saysReasoning(delta gjson.Result) bool {
	return delta.Get("reasoning_content").String()+delta.Get("reasoning").String() != ""
}

// reasoningPlaces are loops that expect reasoning in one place of a stream, and under one name.
var reasoningPlaces = []Fault{
	{
		Name:    "reasoning/reads-it-or-the-text",
		Does:    "A delta with reasoning is not searched for text.",
		Models:  []string{"https://github.com/BerriAI/litellm/issues/27492", "https://github.com/vllm-project/vllm/issues/43933"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/read-in-every-place"},
		Make: onStream(func(a *RawAnswer) {
			for i, p := range a.Payloads {
				if delta := gjson.Get(p, "choices.0.delta"); saysReasoning(delta) && delta.Get("content").String() != "" {
					a.Payloads[i] = remove(p, "choices.0.delta.content")
				}
			}
		}),
	},
	{
		Name:   "reasoning/ends-it-at-a-call",
		Does:   "From the first piece of a call on, nothing is taken for reasoning, nor for its signature.",
		Models: []string{"https://github.com/charmbracelet/fantasy/pull/238", "https://github.com/charmbracelet/fantasy/commit/a3b8a69"},
		Breaks: []string{"reasoning/read-in-every-place"},
		Make: onStreamed(func(a *Answer) {
			called, signed := false, map[string]bool{}
			reasons := map[string]bool{}
			a.eachPiece(func(p *neutral.Piece) bool {
				_, call := p.Part.(*neutral.Call)
				_, reasoning := p.Part.(*neutral.Reasoning)
				called = called || call
				reasons[p.At] = reasons[p.At] || reasoning
				return !called || !reasons[p.At] || signed[p.At]
			})
		}),
	},
	{
		Name:    "reasoning/reads-signatures-of-heads",
		Does:    "What signs a call is read in the first piece of the call alone.",
		Models:  []string{"https://github.com/vertesia/llumiverse/pull/470"},
		Dialect: inChat,
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
		Does:    "What stands under reasoning and what stands under reasoning_content are put together.",
		Models:  []string{"https://github.com/MoonshotAI/kimi-code/issues/3928"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/not-doubled"},
		Make: onRawAnswer(func(a *RawAnswer) {
			for i, p := range a.Payloads {
				said := gjson.Get(p, a.saying()+"reasoning_content").String()
				if other := gjson.Get(p, a.saying()+"reasoning").String(); said != "" && other != "" {
					a.Payloads[i] = remove(set(p, a.saying()+"reasoning_content", other+said), a.saying()+"reasoning")
				}
			}
		}),
	},
	{
		Name:    "reasoning/sends-it-under-the-other-name",
		Does:    "Reasoning that came as reasoning goes back as reasoning_content.",
		Models:  []string{"https://github.com/anomalyco/opencode/issues/34798", "https://github.com/tidyverse/ellmer/pull/981"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/resent-on-tool-turns"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if said := m.Get("reasoning"); said.Exists() {
					r.Delete(path + ".reasoning")
					r.Set(path+".reasoning_content", said.String())
				}
			})
		}),
	},
}
