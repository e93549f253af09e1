package reasoning

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// placeRules are the rules of the area reasoning about where in an answer it is, and how often.
var placeRules = []rules.Rule{
	{
		ID:       "reasoning/read-in-every-place",
		Level:    trace.Should,
		Text:     "Reasoning and signatures are read at any place in a stream: alongside a text or a call, or after the first piece of a call.",
		Why:      "Otherwise the end of the reasoning, its signature or the beginning of the answer is lost, and the provider refuses the turn.",
		Needs:    streamedReasons,
		Quirks:   rules.MisplacedReasoning,
		Evidence: "what a loop did after a stream with reasoning or a signature in such a place",
		Sources: []rules.Source{
			{URL: "https://github.com/vllm-project/vllm/issues/43933", Says: "reasoning and text in one delta, which DeepSeek's own example reads as reasoning alone"},
			{URL: "https://github.com/BerriAI/litellm/issues/27492", Says: "the first words of the answer were lost"},
			{URL: "https://github.com/charmbracelet/fantasy/pull/238", Says: "a signature after the calls was lost"},
			{URL: "https://github.com/open-webui/computer/issues/224", Says: "the signature of a call in a delta of its own"},
		},
	},
	{
		ID:       "reasoning/not-doubled",
		Level:    trace.Should,
		Text:     "Reasoning that comes under two field names counts once.",
		Why:      "Otherwise the reasoning is sent back twice, and grows with every turn.",
		Needs:    Reasons,
		Quirks:   rules.RepeatedReasoning,
		Evidence: "what a loop did after an answer with reasoning under two names",
		Sources: []rules.Source{
			{URL: "https://github.com/MoonshotAI/kimi-code/issues/3928", Says: "each piece of the reasoning came twice"},
			{URL: "https://github.com/jordigilh/kubernaut/issues/2010", Says: "two equal texts put together"},
		},
	},
}
