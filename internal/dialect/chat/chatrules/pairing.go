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
		Text:      "The tool_calls of an assistant message are a list with a call. Without calls there is no such key, and no empty list.",
		Why:       "OpenAI refuses the empty list; others, such as vLLM, drop it.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		BrokenIn:  []string{"execution/next-prompt-behind-a-made-up-tool"},
		Sources: []rules.Source{
			{URL: "https://github.com/brainlid/langchain/issues/523", Says: "empty tool_calls sent for restored turns, and the 400 of OpenAI"},
			{URL: "https://github.com/vllm-project/vllm/pull/30648", Says: "vLLM drops the empty list"},
			{URL: rules.MeasuredChat, Says: "the 400 of OpenAI for a text"},
		},
		Vars:    []string{"index", "problem", "kind"},
		Request: noEmptyCallList,
	},
}

func noEmptyCallList(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if m.Role != wire.Assistant {
			continue
		}
		j.HasEvidence = true
		calls := m.Node.Get("tool_calls")
		message, problem := "an empty list of tool calls", "empty"
		switch {
		case calls == nil || calls.Is(wire.Null) || len(calls.All()) > 0:
			continue
		case !calls.Is(wire.Array):
			message, problem = "the tool calls are no list", "no list"
		}
		j.Find(trace.Finding{
			Pointer:  calls.Pointer(),
			Message:  message,
			Expected: "no key tool_calls",
			Actual:   rules.Show(calls),
			Vars:     map[string]string{"index": strconv.Itoa(i), "problem": problem, "kind": rules.SchemaKindOf(calls)},
		})
	}
	return j
}
