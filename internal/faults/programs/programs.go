// Package programs holds faults: loops that lose what belongs to code of the provider which calls
// their tools.
package programs

import (
	"bytes"
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(asked, returned) }

// asked are loops that do not ask for it, or forget where the code runs.
var asked = []hooks.Fault{
	{
		Name:   "programs/offers-tools-to-the-model-alone",
		Does:   "Tools that code of the provider may call are offered to the model alone.",
		Breaks: []string{"programs/tools-offered"},
		Make:   hooks.EachTool(func(_ *hooks.Request, t *protocol.Tool) { t.Programmatic = false }),
	},
	{
		Name:    "programs/forgets-the-container",
		Does:    "A request with results for code of the provider does not name the container in which it waits.",
		Reports: []string{"https://github.com/anthropics/anthropic-sdk-typescript/issues/1114", "https://github.com/defog-ai/defog/issues/270", "https://github.com/UKGovernmentBEIS/inspect_ai/pull/4603"},
		Breaks:  []string{"programs/container-named"},
		Make: inPrograms(func(r *hooks.Request) {
			r.Container = ""
		}),
	},
}

// returned are loops that lose what goes back.
var returned = []hooks.Fault{
	{
		Name:    "programs/drops-the-caller",
		Does:    "Calls of code of the provider go back without their caller.",
		Reports: []string{"https://github.com/langchain-ai/langchain/pull/34271", "https://github.com/openai/codex/issues/40749"},
		Breaks:  []string{"programs/caller-comes-back", "pairing/server-uses-have-results"}, // without it, code seems to have ended between its calls
		InItems: []string{"programs/caller-comes-back"},
		Make:    hooks.EachCall(func(c *neutral.Call) { c.Raw = without(c.Raw, "caller") }),
	},
	{
		Name:   "programs/names-another-caller",
		Does:   "The call that the model makes behind the end of code of the provider goes back as one of that code.",
		Breaks: []string{"programs/caller-comes-back"},
		Make: inPrograms(func(r *hooks.Request) {
			var code []byte
			hooks.EachPart(r, func(c *neutral.Call) {
				keys := neutral.Keys(c.Raw)
				caller := keys.Values["caller"]
				switch of := neutral.Keys(caller).Text("type"); {
				case of != "direct" && of != "":
					code = caller
				case code != nil:
					keys.Set("caller", code)
					c.Raw = keys.JSON()
				}
			})
		}),
	},
	{
		Name:   "programs/results-without-the-caller",
		Does:   "Results of calls that code of the provider made do not name it.",
		Breaks: []string{"programs/result-names-caller"},
		Make:   hooks.EachResult(func(p *neutral.Result) { p.Caller = nil }),
	},
	{
		Name:   "programs/loses-the-caller-over-an-approval",
		Does:   "The result of a call that waited for the user does not name the code that made it, unlike that of one that ran at once.",
		Breaks: []string{"programs/result-names-caller"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if slices.ContainsFunc(r.Tools, func(t protocol.Tool) bool { return t.NeedsApproval }) {
				hooks.EachPart(r, func(p *neutral.Result) { p.Caller = nil })
			}
		}),
	},
	{
		Name:   "programs/drops-what-it-does-not-know",
		Does:   "Neither code of the provider nor what it said at its end goes back with its turn.",
		Breaks: []string{"programs/code-comes-back", "history/unknown-blocks-come-back", "pairing/server-results-have-uses"},
		Make:   hooks.EachTurn(func(m *neutral.Message) { m.Parts = hooks.KeepParts(m.Parts, notOfCode) }),
	},
	{
		Name:   "programs/changes-the-code",
		Does:   "Code of the provider goes back without some of its words.",
		Breaks: []string{"programs/code-comes-back"},
		Make: eachOfCode(func(p *neutral.Foreign) {
			p.Raw = bytes.ReplaceAll(p.Raw, []byte("await "), nil)
		}),
	},
	{
		Name:      "programs/loses-the-fingerprint",
		Does:      "Code of the provider goes back without its fingerprint.",
		Only:      neutral.Items,
		Elsewhere: "code has no fingerprint.",
		Breaks:    []string{"programs/code-comes-back"},
		Make:      eachOfCode(func(p *neutral.Foreign) { p.Raw = without(p.Raw, "fingerprint") }),
	},
}

// inPrograms changes the requests of tasks in which code of the provider calls tools.
func inPrograms(change func(*hooks.Request)) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) {
		if slices.ContainsFunc(r.Tools, func(t protocol.Tool) bool { return t.Programmatic }) {
			change(r)
		}
	})
}

func eachOfCode(change func(*neutral.Foreign)) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) {
		hooks.EachPart(r, func(p *neutral.Foreign) {
			if !notOfCode(p) {
				change(p)
			}
		})
	})
}

// notOfCode reports whether a part is neither code of the provider nor what it said at its end.
func notOfCode(p neutral.Part) bool {
	return !slices.ContainsFunc([]string{"server_tool_use", "code_execution_tool_result", "program", "program_output"}, func(kind string) bool {
		return hooks.IsForeign(p, kind)
	})
}

func without(raw []byte, key string) []byte {
	keys := neutral.Keys(raw)
	keys.Drop(key)
	return keys.JSON()
}
