package faults

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// onBlocks changes the blocks of structured reasoning of every assistant message.
func onBlocks(change func(blocks []string) []string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each("assistant", func(path string, m gjson.Result) {
			var blocks []string
			for _, b := range m.Get("reasoning_details").Array() {
				blocks = append(blocks, b.Raw)
			}
			if len(blocks) > 0 {
				r.SetRaw(path+".reasoning_details", "["+strings.Join(change(blocks), ",")+"]")
			}
		})
	})
}

// onPlainReasoning changes the plain reasoning of every assistant message that has some.
func onPlainReasoning(change func(r *RawRequest, path, text string)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each("assistant", func(path string, m gjson.Result) {
			if v := m.Get("reasoning_content"); v.Exists() {
				change(r, path, v.String())
			}
		})
	})
}

var reasoning = []Fault{
	{
		Name: "reasoning/drops-it",
		Does: "Reasoning does not go back.",
		Models: []string{
			"https://github.com/anomalyco/opencode/issues/24124",
			"https://github.com/cloudwego/eino-ext/issues/700",
			"https://github.com/openai/openai-agents-python/issues/2155",
			"https://github.com/vercel/ai/pull/12049",
			"https://github.com/danny-avila/agents/pull/136",
			"https://github.com/spring-projects/spring-ai/commit/1c03c3943b",
		},
		Dialect: inChat,
		Breaks:  []string{"reasoning/resent-on-tool-turns"},
		Make: onPlainReasoning(func(r *RawRequest, path, text string) {
			if text != "" && r.Get(path+".tool_calls").Exists() {
				r.Delete(path + ".reasoning_content")
			}
		}),
	},
	{
		Name:    "reasoning/forgets-it-with-the-answer",
		Does:    "The reasoning of an answer does not go back, not even to a provider that wants it.",
		Dialect: inChat,
		Breaks:  []string{"reasoning/resent-on-all-turns"},
		Make: onPlainReasoning(func(r *RawRequest, path, _ string) {
			if !r.Get(path + ".tool_calls").Exists() {
				r.Delete(path + ".reasoning_content")
			}
		}),
	},
	{
		Name: "reasoning/drops-the-signature-of-calls",
		Does: "Calls go back with id, name and arguments only, without what the provider signed.",
		Models: []string{
			"https://github.com/TokenRhythm/opensquilla/issues/225",
			"https://github.com/0xsline/OpenChatCut/issues/6",
			"https://github.com/earendil-works/pi/issues/6733",
			"https://github.com/vercel/ai/issues/18962",
			"https://github.com/trpc-group/trpc-agent-go/issues/927",
		},
		Dialect: inChat,
		Breaks:  []string{"reasoning/call-signature-returned"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachCall(func(path string, _ gjson.Result) { r.Delete(path + ".extra_content") })
		}),
	},
	{
		Name:    "reasoning/drops-it-when-empty",
		Does:    "Reasoning that is empty does not go back.",
		Models:  []string{"https://github.com/deepseek-ai/deepseek-harness/discussions/739", "https://github.com/Kilo-Org/kilocode/issues/9501"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/empty-resent"},
		Make: onPlainReasoning(func(r *RawRequest, path, text string) {
			if text == "" {
				r.Delete(path + ".reasoning_content")
			}
		}),
	},
	{
		Name:    "reasoning/sends-it-everywhere",
		Does:    "Reasoning goes back to every provider, also to one that forbids it.",
		Models:  []string{"https://github.com/vercel/ai/pull/14729", "https://github.com/strands-agents/sdk-python/issues/1099"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/withheld"},
		Make: onTask(func(t *protocol.Task) {
			if t.Profile == "deepseek-r1" {
				t.Profile = "deepseek"
			}
		}),
	},
	{
		Name:    "reasoning/flattens-it",
		Does:    "Line ends in reasoning become spaces.",
		Models:  []string{"https://github.com/openai/openai-agents-js/pull/1669"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/unchanged"},
		Make: onPlainReasoning(func(r *RawRequest, path, text string) {
			r.Set(path+".reasoning_content", strings.ReplaceAll(text, "\n", " "))
		}),
	},
	{
		Name:    "reasoning/puts-it-into-the-content",
		Does:    "Reasoning also goes back in front of the content.",
		Models:  []string{"https://github.com/BerriAI/litellm/issues/26395"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/kept-out-of-the-content"},
		Make: onPlainReasoning(func(r *RawRequest, path, text string) {
			if text != "" {
				r.Set(path+".content", "<think>"+text+"</think>"+r.Get(path+".content").String())
			}
		}),
	},
	{
		Name:    "reasoning/reports-it",
		Does:    "The reported answer begins with the reasoning.",
		Models:  []string{"https://github.com/spring-projects/spring-ai/commit/d8444f128e"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/kept-out-of-the-answer"},
		Make: func() Changes {
			last := ""
			return Changes{
				RawAnswer: func(a *RawAnswer) { last = a.Reasoning() },
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					o.Text = last + o.Text
					return o
				},
			}
		},
	},
	{
		Name:   "reasoning/keeps-the-text-of-blocks-only",
		Does:   "Structured reasoning goes back as plain text.",
		Models: []string{"https://github.com/microsoft/agent-framework/issues/7095", "https://github.com/cloudwego/eino/issues/855"},
		Breaks: []string{"reasoning/details-come-back"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, m gjson.Result) {
				text := ""
				for _, b := range m.Get("reasoning_details").Array() {
					text += b.Get("text").String() + b.Get("summary").String()
				}
				if m.Get("reasoning_details").Exists() {
					r.Delete(path + ".reasoning_details")
					r.Set(path+".reasoning", text)
				}
			})
		}),
	},
	{
		Name:    "reasoning/drops-signatures",
		Does:    "Blocks of reasoning go back without their signatures.",
		Models:  []string{"https://github.com/charmbracelet/fantasy/commit/a3b8a69"},
		Dialect: inChat,
		Breaks:  []string{"reasoning/details-verbatim"},
		Make: onBlocks(func(blocks []string) []string {
			for i := range blocks {
				blocks[i] = remove(blocks[i], "signature")
			}
			return blocks
		}),
	},
	{
		Name:   "reasoning/reverses-blocks",
		Does:   "Blocks of reasoning go back in another order.",
		Models: []string{"https://github.com/0xPlaygrounds/rig/issues/1649"},
		Breaks: []string{"reasoning/details-in-order"},
		Make:   onBlocks(func(blocks []string) []string { slices.Reverse(blocks); return blocks }),
	},
	{
		Name:    "reasoning/merges-blocks-of-one-index",
		Does:    "Blocks that share an index are joined, whatever they are.",
		Dialect: inChat,
		Breaks:  []string{"reasoning/details-not-merged"},
		Make: onBlocks(func(blocks []string) []string {
			for i := len(blocks) - 1; i > 0; i-- {
				if gjson.Get(blocks[i], "index").Raw != gjson.Get(blocks[i-1], "index").Raw {
					continue
				}
				for key, v := range gjson.Parse(blocks[i]).Map() {
					blocks[i-1] = setRaw(blocks[i-1], key, v.Raw)
				}
				blocks = slices.Delete(blocks, i, i+1)
			}
			return blocks
		}),
	},
	{
		Name:   "reasoning/trims-encrypted-data",
		Does:   "The end of encrypted reasoning is lost.",
		Breaks: []string{"reasoning/encrypted-untouched"},
		Make: onBlocks(func(blocks []string) []string {
			for i, b := range blocks {
				if data := gjson.Get(b, "data").String(); data != "" {
					blocks[i] = set(b, "data", data[:len(data)-4])
				}
			}
			return blocks
		}),
	},
	{
		Name:    "reasoning/drops-it-at-a-new-prompt",
		Does:    "The reasoning of earlier prompts is dropped, as models of an earlier generation wanted it.",
		Models:  []string{"https://github.com/anomalyco/opencode/issues/24124"},
		Dialect: inChat,
		Breaks:  []string{"history/earlier-messages-unchanged", "reasoning/resent-on-all-turns", "reasoning/resent-on-tool-turns"},
		Make: onRawRequest(func(r *RawRequest) {
			messages := r.Get("messages").Array()
			prompt := 0
			for i, m := range messages {
				if m.Get("role").String() == "user" {
					prompt = i
				}
			}
			for i := range messages[:prompt] {
				r.Delete(fmt.Sprintf("messages.%d.reasoning_content", i))
			}
		}),
	},
}
