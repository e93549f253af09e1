package chatrules

import (
	"strconv"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

var pairingRules = []rules.Rule{
	{
		ID:        "pairing/no-empty-call-list",
		ShowsTurn: true,
		Level:     trace.Should,
		Text:      "An assistant message without tool calls has no tool_calls at all, not an empty list.",
		Why:       "OpenAI refuses the empty list; others, such as vLLM, drop it.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/brainlid/langchain/issues/523", Says: "empty tool_calls sent for restored turns, and the 400 of OpenAI"},
			{URL: "https://github.com/vllm-project/vllm/pull/30648", Says: "vLLM drops the empty list"},
		},
		Vars:    []string{"index"},
		Request: noEmptyCallList,
	},
}

func noEmptyCallList(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if m.Role != wire.Assistant {
			continue
		}
		j.HasEvidence = true
		if calls := m.Node.Get("tool_calls"); calls.Is(wire.Array) && len(calls.Items) == 0 {
			j.Find(trace.Finding{
				Pointer:  calls.Pointer(),
				Message:  "an empty list of tool calls",
				Expected: "no key tool_calls",
				Actual:   "[]",
				Vars:     map[string]string{"index": strconv.Itoa(i)},
			})
		}
	}
	return j
}
