package chatrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/reasoning"
	"github.com/loopproof/loopproof/internal/trace"
)

// reasoningRules are the rules about the model's reasoning, which providers want back in opposite
// ways.
var reasoningRules = []rules.Rule{
	{
		ID:       "reasoning/think-tags-kept",
		Level:    trace.Should,
		Text:     "Thinking that a provider puts into the text, between <think> and </think>, is sent back with the text.",
		Why:      "These models were trained with it in their history; MiniMax asks not to remove it.",
		Needs:    reasoning.Reasons,
		Evidence: "a request that returns a turn with tool calls whose text begins with thinking between tags",
		Sources: []rules.Source{
			{URL: "https://github.com/MiniMax-AI/MiniMax-M2/blob/main/README.md", Says: "do not remove the <think>...</think> part"},
		},
		Run: thinkTagsKept,
	},
}
