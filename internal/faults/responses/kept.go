package responses

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// keptHistory are faults in what a loop sends to a provider that keeps its history.
var keptHistory = []raw.Fault{
	{
		Name:   "history/leaves-instructions-to-the-provider",
		Does:   "From the first request on that goes on from a response there are no instructions, as if they were kept.",
		Breaks: []string{"history/system-prompt-sent"},
		Make:   onceGoingOn(func(r *raw.Request) { r.Delete("instructions") }),
	},
	{
		Name:   "history/leaves-tools-to-the-provider",
		Does:   "From the first request on that goes on from a response there are no tools, as if they were kept.",
		Breaks: []string{"history/tools-with-each-request"},
		Make:   onceGoingOn(func(r *raw.Request) { r.Delete("tools") }),
	},
	{
		Name:    "history/goes-on-from-what-is-not-stored",
		Does:    "A request names the response before it, and none is stored.",
		Reports: []string{"https://github.com/cartesia-ai/line/pull/245"},
		Breaks:  []string{"history/named-response-is-stored"},
		Make: kept(func(r *raw.Request) {
			r.SetRaw("store", "false")
			r.SetRaw("include", `["reasoning.encrypted_content"]`)
		}),
	},
	{
		Name:    "history/says-earlier-prompts-again",
		Does:    "When the user goes on from a response, what the user said before is said again.",
		Reports: []string{"https://github.com/microsoft/agent-framework/issues/3295"},
		Breaks:  []string{"history/only-what-is-new"},
		Make: func() raw.Mutation {
			var said []string
			return kept(func(r *raw.Request) {
				input := r.Get("input").Array()
				before := said
				for _, item := range input {
					if item.Get("role").String() == "user" {
						said = append(said, item.Raw)
					}
				}
				if goesOn(r) && len(said) > len(before) {
					r.SetRaw("input", raw.List(slices.Concat(before, raw.Items(input))))
				}
			})()
		},
	},
}

// onceGoingOn makes a loop that leaves its history to providers that keep it, and changes its
// requests from the first one on that continues from a response.
func onceGoingOn(change func(r *raw.Request)) func() raw.Mutation {
	return func() raw.Mutation {
		began := false
		return kept(func(r *raw.Request) {
			if began = began || goesOn(r); began {
				change(r)
			}
		})()
	}
}

func goesOn(r *raw.Request) bool { return r.Get("previous_response_id").Type == gjson.String }
