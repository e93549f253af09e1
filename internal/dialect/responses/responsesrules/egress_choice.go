package responsesrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressChoice are the rules of the area egress about whether tools are called.
var egressChoice = []rules.Rule{
	{
		ID:        "egress/tool-choice-word",
		Level:     trace.Should,
		Text:      "tool_choice, where it is sent, is none, auto, required, or an object.",
		Why:       "The words of other APIs, such as any, and the name of a tool alone are refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "ToolChoiceOptions: none, auto, required"},
			{URL: openResponses, Says: "ToolChoiceValueEnum: the same"},
			{URL: rules.MeasuredResponses, Says: "the 400 of OpenAI"},
		},
		Vars:    []string{"at", "found", "kind"},
		Request: rules.InBody(toolChoiceWord),
	},
}

// choiceWords are the words of tool_choice.
var choiceWords = []string{"none", "auto", "required"}

func toolChoiceWord(body *wire.Node) []trace.Finding {
	choice := body.Get("tool_choice")
	if !isGiven(choice) || choice.Is(wire.Object) || slices.Contains(choiceWords, choice.Text()) {
		return nil
	}
	vars := map[string]string{"found": choice.Text(), "kind": rules.SchemaKindOf(choice)}
	return []trace.Finding{at(body, "tool_choice", "tool_choice has a word that the API does not know", "one of "+rules.List(choiceWords)+", or an object", vars)}
}
