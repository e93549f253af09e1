// Package egress holds faults: loops that send requests which providers refuse, or take for
// something else.
package egress

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(basic, keys, shapes, turns) }

// beforeLaterPrompts puts a message before every message of the user but the first.
func beforeLaterPrompts(r *hooks.Request, m neutral.Message) {
	var messages []neutral.Message
	prompts := 0
	for _, each := range r.Messages {
		if each.Role == neutral.User {
			if prompts++; prompts > 1 {
				messages = append(messages, m)
			}
		}
		messages = append(messages, each)
	}
	r.Messages = messages
}

var basic = []hooks.Fault{
	{
		Name: "egress/sends-null-without-calls",
		Does: "A turn that came to nothing goes back with a content of null.",
		Reports: []string{
			"https://github.com/vercel/ai/pull/14950",
			"https://github.com/danny-avila/LibreChat/issues/4811",
			"https://github.com/mastra-ai/mastra/issues/2667",
		},
		Breaks:  []string{"egress/content-present", "egress/contents-have-parts"},
		InTurns: []string{"egress/contents-have-parts", "egress/no-blank-assistant-message", "egress/roles-take-turns"}, // a content is a list of blocks
		ByName:  []string{"egress/no-blank-assistant-message"},
		Make:    hooks.OnRequest(func(r *hooks.Request) { beforeLaterPrompts(r, neutral.Message{Role: neutral.Assistant}) }),
	},
	{
		Name: "egress/sends-blank-turns",
		Does: "A turn that came to nothing goes back as an empty message.",
		Reports: []string{
			"https://github.com/vercel/ai/pull/15040",
			"https://github.com/charmbracelet/fantasy/pull/79",
			"https://github.com/trpc-group/trpc-agent-go/issues/1740",
			"https://github.com/trpc-group/trpc-agent-go/issues/1186",
			"https://github.com/pydantic/pydantic-ai/issues/6302",
		},
		Breaks: []string{"egress/no-blank-assistant-message", "egress/no-empty-text", "egress/roles-take-turns"},
		Make:   hooks.OnRequest(func(r *hooks.Request) { beforeLaterPrompts(r, neutral.Says(neutral.Assistant, "")) }),
	},
	{
		Name:    "egress/drops-the-call-name",
		Does:    "Calls go back without the name of their function.",
		Reports: []string{"https://github.com/agno-agi/agno/issues/7132"},
		Breaks:  []string{"egress/call-has-name"},
		ByName:  []string{"egress/call-has-name", "pairing/every-call-answered", "pairing/one-result-per-call", "pairing/result-names-a-call"},
		Make:    hooks.EachCall(func(c *neutral.Call) { c.Name = "" }),
	},
	{
		Name:      "egress/names-no-model",
		Does:      "Requests name no model.",
		Unless:    neutral.ModelInURL,
		Elsewhere: "the model is in the URL, without which there is none.",
		Without:   otherModels,
		Breaks:    []string{"egress/model-named"},
		Make:      hooks.OnRequest(func(r *hooks.Request) { r.Model = "" }),
	},
	{
		Name:    "egress/goes-on-with-another-model",
		Does:    "The requests after the first one name another model than that of the task.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/45228"},
		Without: append(otherModels, protocol.Reasoning), // which another model may not be sent
		Breaks:  []string{"egress/model-as-given"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if len(r.Messages) > 1 {
				r.Model = "mini"
			}
		}),
	},
	{
		Name:      "egress/sends-an-empty-tool-list",
		Does:      "A task without tools is sent with an empty list of them.",
		Unless:    neutral.Items,
		Elsewhere: "the API takes an empty list, and writes one itself.",
		Reports:   []string{"https://github.com/openai/openai-agents-js/pull/53", "https://github.com/svilupp/PromptingTools.jl/pull/221"},
		Breaks:    []string{"egress/no-empty-tool-list"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if len(r.Tools) == 0 {
				r.Tools = []protocol.Tool{}
			}
		}),
	},
}

// otherModels are the features of loops that are told of a second model.
var otherModels = []protocol.Feature{protocol.ModelFallback, protocol.ModelSwitch}
