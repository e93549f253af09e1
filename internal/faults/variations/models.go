package variations

import (
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// The reference loop asks a second model after one failure, stays with it, and sends it all that the
// provider takes.
var anotherModel = []hooks.Variation{
	{
		Name:    "models/first-one-again",
		Does:    "Each turn asks the first model again, and the second one where it still fails.",
		Sources: []string{"https://ai.pydantic.dev/models/overview/#fallback-model", "https://reference.langchain.com/python/langchain_core/runnables/#langchain_core.runnables.fallbacks.RunnableWithFallbacks"},
		With:    []protocol.Feature{protocol.SecondAPI},
		Make:    hooks.OnLoop(func(l *refloop.Loop) { l.FirstAgain = true }),
	},
	{
		Name:    "models/several-attempts-first",
		Does:    "The second model is asked once the first one has failed three times.",
		Sources: []string{"https://github.com/docker/cagent/commit/7c22ff16 (retries of a model before the next one of the list)"},
		With:    []protocol.Feature{protocol.SecondAPI},
		Make:    hooks.OnLoop(func(l *refloop.Loop) { l.AttemptsBeforeFallback = 3 }),
	},
	{
		Name:    "models/leaves-all-reasoning",
		Does:    "Another model is sent no reasoning of the first one, where the provider takes the turns without it.",
		Sources: []string{"https://github.com/vybestack/llxprt-code/issues/2335 (blocks of other models are dropped)", "https://github.com/BerriAI/litellm/pull/40280 (encrypted reasoning is stripped when the model changes)"},
		Make: toAnother(func(m neutral.Message) neutral.Message {
			m.Parts = withoutThoughts(m.Parts)
			return m
		}),
	},
	{
		Name:    "models/reasoning-as-text",
		Does:    "Another model is told in a text what the first one thought, where that can be read.",
		Sources: []string{"https://github.com/earendil-works/pi/blob/main/packages/ai/src/api/transform-messages.ts (thinking of another model becomes a text)"},
		Make: toAnother(func(m neutral.Message) neutral.Message {
			thought := ""
			for _, r := range m.Reasoning() {
				thought += r.Text
			}
			m.Parts = withoutThoughts(m.Parts)
			if thought != "" {
				m.Parts = slices.Concat([]neutral.Part{&neutral.Text{Text: thought + "\n"}}, m.Parts)
			}
			return m
		}),
	},
	{
		Name:    "models/placeholder-signatures",
		Does:    "The calls of the first model go to another one with the documented placeholder for a signature.",
		Sources: []string{"https://ai.google.dev/gemini-api/docs/thought-signatures (skip_thought_signature_validator)", "https://github.com/alphaXiv/agents/pull/61"},
		Make: toAnother(func(m neutral.Message) neutral.Message {
			for _, c := range m.Calls() {
				if c.Signature != nil && c.Signature[0] == '"' { // elsewhere it is no text, and no provider has a placeholder
					c.Signature = []byte(`"skip_thought_signature_validator"`)
				}
			}
			return m
		}),
	},
	{
		Name:     "models/leaves-reasoning-when-refused",
		Does:     "Another model is sent all reasoning of the first one, and where it refuses that, the same without it.",
		Sources:  []string{"https://github.com/nguyenphutrong/quotio/pull/218", "https://github.com/manaflow-ai/subrouter/pull/259"},
		Profiles: []string{"openrouter", "openrouter-responses", "anthropic", "gemini-3"},
		Shoulds:  []string{"models/reasoning-stays-behind"},
		Why:      "Whether a model reads what another one thought is known for sure only by asking it; each time costs a request.",
		Make: func() hooks.Mutation {
			refused := false
			return hooks.Mutation{
				Loop: func(l *refloop.Loop) {
					l.OfAnother = func(_ protocol.Task, m neutral.Message) neutral.Message {
						if refused {
							m.Parts = withoutThoughts(m.Clone().Parts)
						}
						return m
					}
				},
				Answer: func(a *hooks.Answer) {
					if !refused && a.Status == http.StatusNotFound && strings.Contains(string(a.Body), "encrypted reasoning") {
						refused, a.Status = true, http.StatusServiceUnavailable // which is asked again
					}
				},
			}
		},
	},
}

// refusesTurnsWithoutReasoning are the profiles that do.
var refusesTurnsWithoutReasoning = []string{"anthropic-4.5", "deepseek"}

// toAnother makes a loop that sends the turns of one model otherwise to another one, where the
// provider takes that.
func toAnother(change func(neutral.Message) neutral.Message) func() hooks.Mutation {
	return hooks.OnLoop(func(l *refloop.Loop) {
		l.OfAnother = func(task protocol.Task, m neutral.Message) neutral.Message {
			if slices.Contains(refusesTurnsWithoutReasoning, task.Profile) {
				return m
			}
			return change(refloop.DialectOf(task).OfAnother(task, m).Clone())
		}
	})
}

// withoutThoughts returns the parts of a turn without its reasoning, and its calls without the ids
// of their items, by which a provider would miss it.
func withoutThoughts(parts []neutral.Part) []neutral.Part {
	parts = hooks.KeepParts(parts, func(p neutral.Part) bool { return !hooks.IsReasoning(p) })
	for _, c := range neutral.Of[*neutral.Call](parts) {
		if c.Raw == nil {
			continue
		}
		if item := neutral.Keys(c.Raw); item.Text("type") == "function_call" {
			item.Drop("id")
			c.Raw = item.JSON()
		}
	}
	return parts
}
