// Package interactions holds the faults and variations that are about the bytes of Gemini's
// Interactions API.
package interactions

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/dialect/interactions"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults.
func Faults() []raw.Fault {
	return slices.Concat(inSteps, kept, inStreams, raw.OfForm(interactions.Form(), "egress/form-interactions-", []string{
		"generation_config.thinking_summaries enum",
	}))
}

// Variations returns the variations.
func Variations() []raw.Variation { return variations }

// onSteps changes every step of a type in requests.
func onSteps(kind string, change func(r *raw.Request, path string, step gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		for i, step := range r.Get("input").Array() {
			if step.Get("type").String() == kind {
				change(r, fmt.Sprintf("input.%d", i), step)
			}
		}
	})
}

// inSteps are faults in the steps that a loop sends.
var inSteps = []raw.Fault{
	{
		Name:    "egress/speaks-by-roles",
		Does:    "What the user says has a role and no type, as it had before May 2026.",
		Reports: []string{"https://github.com/allenhutchison/gemini-cli-deep-research/issues/73"},
		Breaks:  []string{"egress/item-types"},
		Make: onSteps("user_input", func(r *raw.Request, path string, step gjson.Result) {
			r.SetRaw(path, raw.SetRaw(`{"role":"user"}`, "content", step.Get("content").Raw))
		}),
	},
	{
		Name:   "egress/stops-at-a-text",
		Does:   "What the model is to stop at is a text, and no list of texts.",
		Breaks: []string{"egress/step-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if !r.Get("generation_config.stop_sequences").Exists() {
				r.Set("generation_config.stop_sequences", "END")
			}
		}),
	},
	{
		Name:    "egress/leaves-the-tool-of-a-result-out",
		Does:    "A result has the id of its call, and not the name of its tool.",
		Reports: []string{"https://github.com/robocurve/inspect-robots/issues/380"},
		Breaks:  []string{"egress/result-names-tool"},
		Make:    onSteps("function_result", func(r *raw.Request, path string, _ gjson.Result) { r.Delete(path + ".name") }),
	},
}

// kept are faults in what a loop sends to a provider that keeps its history.
var kept = []raw.Fault{
	{
		Name:   "history/expects-tools-to-be-kept",
		Does:   "From the first request on that names an interaction there are no tools, as if they were kept.",
		Breaks: []string{"history/tools-with-each-request"},
		Make: func() raw.Mutation {
			began := false
			return threads(func(r *raw.Request) {
				if began = began || goesOn(r); began {
					r.Delete("tools")
				}
			})
		},
	},
	{
		Name:   "history/names-what-it-did-not-store",
		Does:   "A request names the interaction before it, and none is stored.",
		Breaks: []string{"history/named-response-is-stored"},
		Make:   func() raw.Mutation { return threads(func(r *raw.Request) { r.SetRaw("store", "false") }) },
	},
	{
		Name:   "history/repeats-earlier-prompts",
		Does:   "When the user goes on from an interaction, what the user said before is said again.",
		Breaks: []string{"history/only-what-is-new"},
		Make: func() raw.Mutation {
			var said []string
			return threads(func(r *raw.Request) {
				input, before := r.Get("input").Array(), said
				for _, step := range input {
					if step.Get("type").String() == "user_input" {
						said = append(said, step.Raw)
					}
				}
				if goesOn(r) && len(said) > len(before) {
					r.SetRaw("input", raw.List(slices.Concat(before, raw.Items(input))))
				}
			})
		},
	},
}

// threads is a loop that leaves its history to providers that keep it, and changes its requests.
func threads(change func(r *raw.Request)) raw.Mutation {
	return raw.Mutation{Loop: func(l *refloop.Loop) { l.Threads = true }, Request: change}
}

func goesOn(r *raw.Request) bool { return r.Get("previous_interaction_id").Type == gjson.String }

// inStreams are faults in how a stream is read.
var inStreams = []raw.Fault{
	{
		Name:    "stream/reads-texts-of-deltas-alone",
		Does:    "A text that stands in the start of its step is lost: only its deltas are read.",
		Reports: []string{"https://github.com/Lingtai-AI/lingtai-kernel/pull/45"},
		Breaks:  []string{"stream/text-in-the-start"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if gjson.Get(p, "event_type").String() == "step.start" {
					a.Payloads[i] = raw.Remove(p, "step.content")
				}
			}
		}),
	},
}

// Where it is written what a request may have.
const types = "https://github.com/googleapis/python-genai/tree/v3.6.1/google/genai/_gaos/types/interactions"

var variations = []raw.Variation{
	{
		Name: "prompts/as-a-text", Does: "What the user says alone is a text in place of the input.",
		Sources: []string{"https://ai.google.dev/gemini-api/docs/interactions (input)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if content := r.Get("input.0.content"); len(r.Get("input").Array()) == 1 && r.Get("input.0.type").String() == "user_input" && isText(content) {
				r.Set("input", content.Get("0.text").String())
			}
		}),
	},
	{
		Name: "prompts/as-contents", Does: "What the user says alone is a list of contents, without a step around them.",
		Sources: []string{types + " (InteractionsInput)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if content := r.Get("input.0.content"); len(r.Get("input").Array()) == 1 && r.Get("input.0.type").String() == "user_input" && content.Get("0").Exists() {
				r.SetRaw("input", content.Raw)
			}
		}),
	},
	{
		Name: "results/as-contents", Does: "What a tool returned is a list of one text.",
		Sources: []string{types + " (FunctionResultStep)"},
		Make: onSteps("function_result", func(r *raw.Request, path string, step gjson.Result) {
			if said := step.Get("result"); said.Type == gjson.String && said.String() != "" {
				r.SetRaw(path+".result", raw.Texts(said.String()))
			}
		}),
	},
	{
		Name: "results/flagged-false", Does: "A result of a call that went well says is_error: false.",
		Sources: []string{types + " (FunctionResultStep)"},
		Make: onSteps("function_result", func(r *raw.Request, path string, step gjson.Result) {
			if !step.Get("is_error").Exists() {
				r.Set(path+".is_error", false)
			}
		}),
	},
	{
		Name: "results/in-what-the-user-says", Does: "The results of a turn are contents of one step of the user, and no steps.",
		Sources: []string{
			"https://github.com/vercel/ai/blob/main/packages/google/src/interactions/convert-to-google-interactions-input.ts",
			"https://github.com/vercel/ai/pull/15346 (Google took them)",
		},
		Make: raw.OnRequest(wrapResults),
	},
	{
		Name: "prompts/behind-a-stream-that-broke-off", Does: "The next prompt names the interaction before it, also where the stream of that one broke off.",
		Sources: []string{"https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/google/gemini_interactions.py"},
		With:    []protocol.Feature{protocol.MultiPrompt, protocol.ResumeAfterFailure},
		Make:    fromBroken,
	},
}

// fromBroken names the interaction whose stream broke off when the user has said something else since then, and gives up where
// that is refused.
func fromBroken() raw.Mutation {
	broken, asked, named := "", "", false
	m := threads(func(r *raw.Request) {
		input := r.Get("input").Array()
		last := input[len(input)-1].Raw
		named = r.Get("store").Bool() && broken != "" && last != asked && gjson.Get(last, "type").String() == "user_input"
		if named {
			r.Set("previous_interaction_id", broken)
			r.SetRaw("input", raw.List([]string{last}))
		}
		asked = last
	})
	m.Answer = func(a *raw.Answer) {
		if broken = ""; named && a.Status == http.StatusNotFound {
			a.Status, a.Payloads = http.StatusBadRequest, []string{`{"error":{"message":"given up","code":"invalid_request"}}`}
		}
		for _, p := range a.Payloads {
			switch gjson.Get(p, "event_type").String() {
			case "interaction.created":
				broken = gjson.Get(p, "interaction.id").String()
			case "interaction.completed":
				broken = ""
			}
		}
	}
	return m
}

// wrapResults puts results that follow each other into the content of one step of the user.
func wrapResults(r *raw.Request) {
	var steps, results []string
	end := func() {
		if len(results) > 0 {
			steps, results = append(steps, raw.SetRaw(`{"type":"user_input"}`, "content", raw.List(results))), nil
		}
	}
	for _, step := range r.Get("input").Array() {
		if step.Get("type").String() == "function_result" {
			results = append(results, step.Raw)
			continue
		}
		end()
		steps = append(steps, step.Raw)
	}
	if end(); len(steps) > 0 {
		r.SetRaw("input", raw.List(steps))
	}
}

func isText(content gjson.Result) bool {
	return len(content.Array()) == 1 && content.Get("0.type").String() == "text"
}
