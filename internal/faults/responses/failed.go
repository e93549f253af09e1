package responses

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// incomplete are faults in how a loop takes a response that was cut off.
var incomplete = []raw.Fault{{
	Name:    "finish/goes-by-the-reason-alone",
	Does:    "A response is cut off if it says why: one that does not is treated as complete.",
	Reports: []string{"https://github.com/BerriAI/litellm/pull/40833"},
	Breaks:  []string{"finish/incomplete-in-any-form"},
	Make: raw.OnAnswer(func(a *raw.Answer) {
		for i, p := range a.Payloads {
			at := ""
			if gjson.Get(p, "response").IsObject() {
				at = "response."
			}
			if gjson.Get(p, at+"status").String() != "incomplete" || gjson.Get(p, at+"incomplete_details.reason").String() != "" {
				continue
			}
			if p = raw.Set(p, at+"status", "completed"); at != "" {
				p = raw.Set(p, "type", "response.completed")
			}
			a.Payloads[i] = p
		}
	}),
}}

// failedResponses are faults in how a loop takes a response that failed.
var failedResponses = []raw.Fault{{
	Name:    "failure/reads-errors-as-events-alone",
	Does:    "Only an event of the type error is an error: a response that failed is treated as one that is complete.",
	Reports: []string{"https://github.com/langchain-ai/langchain/issues/39039", "https://github.com/microsoft/agent-framework-go/pull/546"},
	Breaks:  []string{"failure/failed-responses"},
	Make: raw.OnAnswer(func(a *raw.Answer) {
		if slices.ContainsFunc(a.Payloads, func(p string) bool { return kindOf(p) == "error" }) {
			return
		}
		for i, p := range a.Payloads {
			switch {
			case kindOf(p) == "response.failed":
				p = raw.Set(raw.SetRaw(p, "response.error", "null"), "response.status", "completed")
				a.Payloads[i] = raw.Set(p, "type", "response.completed")
			case gjson.Get(p, "status").String() == "failed":
				a.Payloads[i] = raw.Set(raw.SetRaw(p, "error", "null"), "status", "completed")
			}
		}
	}),
}}
