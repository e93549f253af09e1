package responses

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

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
