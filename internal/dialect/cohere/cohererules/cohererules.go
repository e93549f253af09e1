// Package cohererules holds the rules that are about Cohere's /v2/chat alone.
package cohererules

import (
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/cohere"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Rules returns the rules of this dialect.
func Rules() []rules.Rule {
	return rules.Only(cohere.API, append(rules.FromForm(cohere.Form(), nil), rules.Rule{
		ID:        "egress/plan-beside-calls",
		Level:     trace.Must,
		Text:      "A turn with calls has no text. What the model said beside them goes back as its tool_plan, and what it thought as thinking.",
		Why:       "A text beside calls is refused, and so is every later request of the conversation.",
		Invariant: true,
		Evidence:  "a request that returns a turn with tool calls",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/issues/5794", Says: "the 400: text content is not allowed when tool_calls are provided"},
			{URL: "https://docs.cohere.com/docs/tool-use-usage-patterns", Says: "turns with a tool_plan and tool_calls"},
		},
		Vars:    []string{"index"},
		Request: planBesideCalls,
	}))
}

func planBesideCalls(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if len(m.Calls) == 0 {
			continue
		}
		j.HasEvidence = true
		content := m.Node.Get("content")
		texts := []*wire.Node{content}
		for _, part := range content.All() {
			texts = append(texts, part.Get("text"))
		}
		for _, text := range texts {
			if strings.TrimSpace(text.Text()) != "" {
				j.Find(trace.Finding{
					Pointer: text.Pointer(), Message: "a text beside tool calls", Expected: "it as the tool_plan of the message", Actual: rules.Show(text),
					Vars: map[string]string{"index": strconv.Itoa(i)},
				})
			}
		}
	}
	return j
}
