package geminirules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// geminiAnswers are the rules about the parts of answers and their token counts.
var geminiAnswers = []rules.Rule{
	{
		ID:    "stream/contents-may-be-missing",
		Level: trace.Should,
		Text:  "A candidate of a stream may have no content, or a content without parts: it says only why the model stopped.",
		Why:   "The loop reads the missing parts, and crashes after a complete answer.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "content-missing", In: "weather"},
			{Name: "parts-missing", In: "weather"},
		},
		Evidence: "what a loop did after a stream with such a candidate",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/issues/5039", Says: "a candidate without parts"},
			{URL: "https://github.com/inngest/agent-kit/pull/178", Says: "candidate.content.parts is not iterable"},
		},
	},
	{
		ID:       "stream/provider-parts",
		Level:    trace.Should,
		Text:     "Parts with a program that the provider ran, and with its result, are neither text nor calls for the loop.",
		Why:      "The loop crashes at a part that it does not know, or shows the program for the answer.",
		Quirks:   []rules.Quirk{{Name: "provider-parts", In: "weather-after-a-text"}},
		Evidence: "what a loop did after an answer with such parts",
		Sources: []rules.Source{
			{URL: "https://ai.google.dev/gemini-api/docs/code-execution", Says: "executableCode and codeExecutionResult are parts of the answer"},
			{URL: "https://github.com/vercel/ai/pull/17399", Says: "an answer with such parts threw"},
		},
	},
	{
		ID:       "history/provider-parts-come-back",
		Level:    trace.Should,
		Text:     "Parts of a turn that the loop does not use go back with it, in their order: calls of the provider's own tools, and their responses.",
		Why:      "The model continues from these results; without them it repeats the work.",
		Quirks:   []rules.Quirk{{Name: "provider-tools", In: "weather-after-a-text", Case: "history/parts-of-the-provider"}},
		Returned: true,
		Evidence: "a request that returns a turn with such parts",
		Sources: []rules.Source{
			{URL: "https://ai.google.dev/api/caching#Part", Says: "toolCall: the client is expected to echo this message back to the API"},
			{URL: "https://github.com/unslothai/unsloth/pull/8713", Says: "the result of a program was not kept in its part"},
		},
		RunQuirks: providerPartsComeBack,
	},
	{
		ID:       "outcome/thoughts-counted",
		Level:    trace.Should,
		Text:     "The output tokens that a loop reports include the thoughts, which Google counts separately.",
		Why:      "Thoughts are charged like answers, and often cost more.",
		Needs:    []protocol.Feature{protocol.UsageCounts},
		Quirks:   []rules.Quirk{{Name: "thoughts-counted-apart", In: "weather", Case: "outcome/thoughts-counted"}},
		Evidence: "the token counts of a loop that used tools, after answers with thought counts",
		Sources: []rules.Source{
			{URL: "https://ai.google.dev/gemini-api/docs/thinking#pricing", Says: "the price of an answer is that of its output tokens and its thinking tokens"},
			{URL: "https://github.com/Wei-Shaw/sub2api/issues/554", Says: "the tokens of thoughts were not counted"},
			{URL: "https://github.com/crewAIInc/crewAI/pull/5699", Says: "candidates_token_count covers the answer only"},
		},
		Run: thoughtsCounted,
	},
}

func providerPartsComeBack(r *rules.Run, quirks []rules.Quirk) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		if _, shown := rules.QuirkOf(e.Turn, quirks); !shown || e.Message == nil {
			continue
		}
		j.HasEvidence = true
		from := 0
		parts := e.Message.Content.Parts
		for _, raw := range e.Turn.Answer.Blocks {
			at := slices.IndexFunc(parts[from:], func(p wire.Part) bool { return samePart(p.Node, wire.Parsed(raw)) })
			if at < 0 {
				j.Find(trace.Finding{
					Request: e.In.Number, Pointer: e.Message.Node.Pointer(),
					Message: "a part that the provider made did not come back in its place", Expected: string(raw), Actual: rules.Show(e.Message.Node),
				})
				break
			}
			from += at + 1
		}
	}
	return j
}

// samePart reports whether a part says what another one says, be it in the other spelling of its
// keys.
func samePart(a, b *wire.Node) bool {
	for _, kind := range gemini.Form().Node("Part").OneOf {
		if x, y := under(a, kind), under(b, kind); x != nil && y != nil {
			return sameMessage(x, y)
		}
	}
	return false
}

// sameMessage compares two messages of the protos by their own fields. Deeper keys are those of a
// tool, with one spelling.
func sameMessage(a, b *wire.Node) bool {
	if !a.Is(wire.Object) || !b.Is(wire.Object) {
		return wire.SameJSON(string(a.Raw), string(b.Raw))
	}
	return len(a.Members) == len(b.Members) && !slices.ContainsFunc(b.Members, func(m wire.Member) bool {
		other := under(a, form.Camel(m.Key))
		return other == nil || !wire.SameJSON(string(other.Raw), string(m.Value.Raw))
	})
}

func thoughtsCounted(r *rules.Run) (j rules.CheckResult) {
	if r.Outcome == nil || r.Outcome.Usage == nil || !r.UsedTools() {
		return j
	}
	said, thoughts := 0, 0
	for _, x := range r.Served() {
		if !x.Turn.Whole() {
			return j // its cost is unknown
		}
		said += x.Turn.Answer.Usage.Completion
		thoughts += x.Turn.Answer.Usage.Reasoning
	}
	if thoughts == 0 {
		return j
	}
	j.HasEvidence = true
	if got := r.Outcome.Usage.OutputTokens; got != said+thoughts {
		j.Find(trace.Finding{
			Message:  "the tokens of the thoughts are not among those that the loop reports",
			Expected: fmt.Sprintf("%d output tokens, %d of them for thoughts", said+thoughts, thoughts),
			Actual:   fmt.Sprintf("%d output tokens", got),
		})
	}
	return j
}
