package faults

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

var executionImages = inMessages(
	Fault{
		Name:   "execution/shows-the-error-as-an-image",
		Does:   "A screenshot goes with the message of a tool that failed.",
		Breaks: []string{"execution/error-result-is-text"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if b.Get("is_error").Bool() {
					text := set(`{"type":"text"}`, "text", b.Get("content").String())
					r.SetRaw(path+".content", "["+text+`,{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]`)
				}
			})
		}),
	},
)

var finishPause = inMessages(
	Fault{
		Name:   "finish/takes-a-pause-for-the-end",
		Does:   "A turn that pauses is taken for the answer.",
		Breaks: []string{"finish/pause-is-continued"},
		Make: onAnswer(func(a *Answer) {
			if a.Finish() == neutral.Pause {
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	Fault{
		Name:   "finish/urges-a-pause-on",
		Does:   "After a turn that pauses the user is made to say: go on.",
		Breaks: []string{"finish/pause-is-continued"},
		Make: onRequest(func(r *Request) {
			if last := r.Messages[len(r.Messages)-1]; last.Role == neutral.Assistant {
				r.Add(neutral.Says(neutral.User, "Go on."))
			}
		}),
	},
	Fault{
		Name:   "finish/takes-a-full-window-for-the-end",
		Does:   "An answer that the context window cut off is reported as completed.",
		Breaks: []string{"finish/full-window-is-not-success"},
		Make: onAnswer(func(a *Answer) {
			if a.Finish() == neutral.Window {
				a.SetFinish(neutral.Stop)
			}
		}),
	},
)

// replace changes a text wherever it stands in an answer.
func (a *RawAnswer) replace(before, after string) {
	for i, p := range a.Payloads {
		a.Payloads[i] = strings.ReplaceAll(p, before, after)
	}
}

var reasoningThinking = inMessages(
	Fault{
		Name: "reasoning/drops-thinking",
		Does: "The reasoning of a turn with calls does not go back.",
		Models: []string{
			"https://github.com/openai/openai-agents-python/issues/1704", "https://github.com/anomalyco/opencode/issues/3077", "https://github.com/TanStack/ai/pull/391",
		},
		Unless:    neutral.PlainReasoning,
		Elsewhere: "reasoning is a text beside the content, which other faults drop.",
		Breaks:    []string{"reasoning/details-come-back"},
		Make: eachTurn(func(m *neutral.Message) {
			m.Parts = keepParts(m.Parts, func(p neutral.Part) bool { return !isReasoning(p) })
		}),
	},
	Fault{
		Name:   "reasoning/drops-what-is-redacted",
		Does:   "Of the reasoning of a turn only that goes back which can be read.",
		Models: []string{"https://github.com/badlogic/pi-mono/pull/1665"},
		Breaks: []string{"reasoning/details-come-back"},
		Make: eachTurn(func(m *neutral.Message) {
			readable := slices.ContainsFunc(m.Reasoning(), func(p *neutral.Reasoning) bool { return p.Data == "" })
			m.Parts = keepParts(m.Parts, func(p neutral.Part) bool {
				thought, is := p.(*neutral.Reasoning)
				return !is || !readable || thought.Data == ""
			})
		}),
	},
	Fault{
		Name:      "reasoning/joins-thinking",
		Does:      "All thinking of a turn goes back as one block, under the last signature.",
		Unless:    neutral.PlainReasoning,
		Elsewhere: "blocks are told apart by more than a signature.",
		Breaks:    []string{"reasoning/details-come-back"},
		Make: eachTurn(func(m *neutral.Message) {
			var all *neutral.Reasoning
			m.Parts = keepParts(m.Parts, func(p neutral.Part) bool {
				thought, is := p.(*neutral.Reasoning)
				switch {
				case !is || thought.Data != "":
					return true
				case all == nil:
					all = thought
					return true
				}
				all.Text, all.Signature = all.Text+thought.Text, thought.Signature
				return false
			})
		}),
	},
	Fault{
		Name:   "reasoning/puts-thinking-last",
		Does:   "The reasoning of a turn goes back behind its calls.",
		Models: []string{"https://github.com/anthropics/claude-code/issues/20705", "https://github.com/TanStack/ai/issues/910"},
		Breaks: []string{"reasoning/thinking-first"},
		Make:   lastInTurns(isReasoning),
	},
	Fault{
		Name:   "reasoning/leaves-empty-thinking-out",
		Does:   "A block of reasoning without text goes back without the key.",
		Models: []string{"https://github.com/danny-avila/agents/pull/279"},
		Breaks: []string{"reasoning/signature-present"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("thinking", func(path string, b gjson.Result) {
				if b.Get("thinking").String() == "" {
					r.Delete(path + ".thinking")
				}
			})
		}),
	},
	Fault{
		Name:   "reasoning/keeps-half-a-thought",
		Does:   "What had come of the reasoning of a broken turn is sent with the next attempt.",
		Models: []string{"https://github.com/anthropics/claude-code/issues/63374"},
		Breaks: []string{"reasoning/not-at-the-end"},
		Make: func() Changes {
			broken := false
			return Changes{
				Request: func(r *Request) {
					if broken {
						r.Add(neutral.Message{Role: neutral.Assistant, Parts: []neutral.Part{&neutral.Reasoning{Text: "I", Signature: "x"}}})
						broken = false
					}
				},
				Answer: func(a *Answer) { broken = a.Failed() },
			}
		},
	},
	Fault{
		Name:   "reasoning/stops-thinking-for-results",
		Does:   "Thinking is turned off in requests that carry results.",
		Breaks: []string{"reasoning/switch-stays"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("messages.#").Int() > 2 {
				r.Delete("thinking")
			}
		}),
	},
)
