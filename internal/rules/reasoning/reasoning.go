package reasoning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Reasons is what a loop claims that handles reasoning.
var Reasons = []protocol.Feature{protocol.Reasoning}

var streamedReasons = []protocol.Feature{protocol.Reasoning, protocol.Streaming}

const (
	kimiThinking     = "https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model"
	mistralReasoning = "https://github.com/mistralai/platform-docs-public/blob/main/public/studio-api/conversations/reasoning.md"
)

// coreRules are the rules about the model's reasoning, which providers want back in opposite ways.
var coreRules = []rules.Rule{
	{
		ID:        "reasoning/resent-on-tool-turns",
		Level:     trace.Should,
		Where:     rules.PlainReasoning,
		Text:      "If the provider requires it, the reasoning of a turn with tool calls goes back with the turn.",
		Why:       "DeepSeek refuses the request without it; other models answer worse.",
		Invariant: true,
		Needs:     Reasons,
		Evidence:  "a request that returns a turn with reasoning and tool calls, under a profile that wants it back",
		Sources: []rules.Source{
			{URL: rules.DeepseekDocs, Says: "reasoning_content of turns with tool calls must be passed back"},
			{URL: "https://github.com/anomalyco/opencode/issues/24083", Says: "the 400 of DeepSeek"},
			{URL: "https://github.com/cloudwego/eino-ext/issues/700", Says: "the 400 of Moonshot"},
			{URL: "https://github.com/openai/openai-cookbook/blob/main/articles/gpt-oss/handle-raw-cot.md", Says: "servers of gpt-oss give it as reasoning, and take it back under that name"},
			{URL: "https://github.com/anomalyco/opencode/issues/34798", Says: "sent to Ollama as reasoning_content, which it does not know"},
		},
		Vars:     []string{"index"},
		Provider: reasoningMissing,
		Run:      resentOnToolTurns,
	},
	{
		ID:        "reasoning/resent-on-all-turns",
		Level:     trace.Should,
		Text:      "If the provider requires it, the reasoning of answers goes back, too.",
		Why:       "Models that were trained with it in their history answer worse.",
		Invariant: true,
		Needs:     Reasons,
		Returned:  true,
		Evidence:  "a further prompt after an answer with reasoning, under a profile that wants that back",
		Sources: []rules.Source{
			{URL: kimiThinking, Says: "keep the reasoning_content of all earlier turns in the context"},
			{URL: mistralReasoning, Says: "always replay the full assistant message, the thinking included"},
		},
		Run: resentOnAllTurns,
	},
	{
		ID:       "reasoning/empty-resent",
		Level:    trace.Should,
		Where:    rules.PlainReasoning,
		Text:     "If the provider requires reasoning to be sent back, an empty reasoning is sent back as an empty string.",
		Why:      "DeepSeek refuses a turn without the field, also when the model reasoned with \"\".",
		Needs:    Reasons,
		Evidence: "a request that returns a turn with empty reasoning and tool calls, under a profile that wants it back even so",
		Sources: []rules.Source{
			{URL: "https://github.com/deepseek-ai/deepseek-harness/discussions/739", Says: "the 400 for the missing empty field"},
		},
		Vars:     []string{"index"},
		Provider: reasoningMissing,
		Run:      emptyResent,
	},
	{
		ID:        "reasoning/withheld",
		Level:     trace.Must,
		Where:     rules.PlainReasoning,
		Text:      "If the provider forbids it, reasoning is not sent back.",
		Why:       "The reasoner of DeepSeek's R1 generation refuses input with reasoning_content.",
		Invariant: true,
		Needs:     Reasons,
		Evidence:  "a request that returns a turn with reasoning, under a profile that forbids it",
		Sources: []rules.Source{
			{URL: "https://api-docs.deepseek.com/guides/reasoning_model", Says: "reasoning_content in the input: 400"},
		},
		Vars:    []string{"index", "key"},
		Request: withheld,
	},
	{
		ID:        "reasoning/kept-out-of-the-content",
		Level:     trace.Should,
		Text:      "Reasoning does not go back as part of the content.",
		Why:       "The model treats it as something that it said to the user.",
		Invariant: true,
		Needs:     Reasons,
		Returned:  true,
		Evidence:  "a request that returns a turn with reasoning",
		Sources: []rules.Source{
			{URL: "https://github.com/spring-projects/spring-ai/commit/d8444f128e", Says: "reasoning leaked into the text"},
			{URL: "https://github.com/BerriAI/litellm/issues/26395", Says: "reasoning put into content"},
			{URL: "https://github.com/vercel/ai/issues/17930", Says: "the thinking and the text of Mistral glued into one"},
		},
		Run: keptOutOfTheContent,
	},
	{
		ID:        "reasoning/kept-out-of-the-answer",
		Level:     trace.Must,
		Text:      "The answer that the loop reports is the model's text without its reasoning.",
		Why:       "Reasoning is not meant for the user.",
		Invariant: true,
		Needs:     Reasons,
		Evidence:  "an outcome after an answer with reasoning",
		Sources: []rules.Source{
			{URL: "https://github.com/featherless-ai/open-agent-loops", Says: "reasoning is emitted apart from the text"},
			{URL: rules.DeepseekDocs, Says: "reasoning_content is at the level of content, apart from it"},
		},
		Run: keptOutOfTheAnswer,
	},
}

// reasoningMissing is what a provider sees that wants reasoning back: a turn with tool calls and
// without the field.
func reasoningMissing(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if !p.Reasoning.Resend.OnToolTurns() || req.ThinkingOff() {
		return j
	}
	from := 0
	if p.Reasoning.CurrentPromptOnly {
		from = rules.LastPrompt(req)
	}
	for i, m := range req.Messages {
		if i >= from && len(m.Calls) > 0 && !m.Node.Get(p.Traits.ReasoningField).Is(wire.String) && len(m.Reasoning.Details) == 0 {
			j.Find(trace.Finding{
				Pointer: m.Node.Pointer(),
				Message: "no " + p.Traits.ReasoningField,
				Vars:    map[string]string{"index": strconv.Itoa(i)},
			})
		}
	}
	return j
}

// wantedBack calls f for every turn whose reasoning has to go back under the run's profile.
func wantedBack(r *rules.Run, f func(e rules.ReturnedTurn, reasoning string)) {
	if !r.Script.Profile.Reasoning.Resend.OnToolTurns() {
		return
	}
	for _, e := range r.ReturnedCallTurns() {
		if e.Message != nil && e.Turn.Answer.Reasoning != nil && !e.In.Request.ThinkingOff() && !r.MayDoWithout(e, "reasoning/resent-on-tool-turns") {
			f(e, *e.Turn.Answer.Reasoning)
		}
	}
}

// hasField reports whether the reasoning of a turn went back. A provider that refuses looks for its
// own field; others take it under each other's names, as OpenRouter documents. An empty text is not
// reasoning where the model gave some.
func hasField(r *rules.Run, e rules.ReturnedTurn) bool {
	p := r.Script.Profile
	if given := e.Turn.Answer.Reasoning; given != nil && *given != "" && saysNoThought(e) {
		return false
	}
	if p.Traits.ReasoningInContent { // a turn that came back in two messages is for the rules about history
		before := max(e.Index-1, 0)
		return slices.ContainsFunc(e.In.Request.Messages[before:e.Index+1], func(m wire.Message) bool { return len(m.Reasoning.Thoughts) > 0 })
	}
	if reads := p.Reasoning.Reads; len(reads) > 0 {
		return slices.ContainsFunc(reads, func(key string) bool { return !e.Message.Node.Get(key).Is(wire.Absent) })
	}
	_, refuses := p.Refusal("reasoning/resent-on-tool-turns")
	return e.Message.Node.Get(p.Traits.ReasoningField).Is(wire.String) || len(e.Message.Reasoning.Details) > 0 ||
		!refuses && e.Message.Reasoning.Text.Is(wire.String)
}

// saysNoThought reports whether the message has a field for reasoning, and nothing in it.
func saysNoThought(e rules.ReturnedTurn) bool {
	said := e.Message.Reasoning
	return said.Text.Is(wire.String) && strings.TrimSpace(said.Text.Text()) == "" && len(said.Details) == 0 && len(said.Thoughts) == 0
}

func resentOnToolTurns(r *rules.Run) (j rules.CheckResult) {
	wantedBack(r, func(e rules.ReturnedTurn, reasoning string) {
		if reasoning == "" {
			return
		}
		j.HasEvidence = true
		if !hasField(r, e) {
			j.Find(missingReasoning(r, e, reasoning))
			return
		}
		if later, ok := droppedLater(r, e); ok {
			j.Find(missingReasoning(r, later, reasoning))
		}
	})
	return j
}

// droppedLater returns the return of a turn in the first later request that has lost the reasoning.
// Only where the provider refuses that: others want it no longer than their own turn lasts.
func droppedLater(r *rules.Run, e rules.ReturnedTurn) (rules.ReturnedTurn, bool) {
	if _, refuses := r.Script.Profile.Refusal("reasoning/resent-on-tool-turns"); !refuses {
		return e, false
	}
	for _, x := range r.Conversation() {
		for i := range x.Request.Messages {
			later := rules.ReturnedTurn{Turn: e.Turn, In: x, Message: &x.Request.Messages[i], Index: i}
			if x.Number > e.In.Number && rules.SameID(e.Turn.Answer, later.Message) && !hasField(r, later) {
				return later, true
			}
		}
	}
	return e, false
}

func emptyResent(r *rules.Run) (j rules.CheckResult) {
	wantedBack(r, func(e rules.ReturnedTurn, reasoning string) {
		if reasoning != "" || !r.Script.Profile.Reasoning.EvenIfEmpty {
			return
		}
		j.HasEvidence = true
		if !hasField(r, e) {
			j.Find(missingReasoning(r, e, reasoning))
		}
	})
	return j
}

func missingReasoning(r *rules.Run, e rules.ReturnedTurn, reasoning string) trace.Finding {
	field := r.Script.Profile.Traits.ReasoningField
	if r.Script.Profile.Traits.ReasoningInContent {
		return trace.Finding{
			Request:  e.In.Number,
			Pointer:  e.Message.Node.Pointer() + "/content",
			Message:  "the reasoning of a turn with tool calls did not go back",
			Expected: "a part of the type thinking with " + rules.Quote(reasoning),
			Actual:   rules.Show(e.Message.Node.Get("content")),
		}
	}
	return trace.Finding{
		Request:  e.In.Number,
		Pointer:  e.Message.Node.Pointer() + "/" + field,
		Message:  "the reasoning of a turn with tool calls did not go back",
		Expected: fmt.Sprintf("%q: %s", field, rules.Quote(reasoning)),
		Actual:   "only " + rules.List(e.Message.Node.Keys()),
	}
}

// resentOnAllTurns looks at the answers; the turns with tool calls are for resentOnToolTurns.
func resentOnAllTurns(r *rules.Run) (j rules.CheckResult) {
	if r.Script.Profile.Reasoning.Resend != profiles.ResendAllTurns {
		return j
	}
	for _, e := range r.ReturnedTurns() {
		given := e.Turn.Answer.Reasoning
		if !e.Turn.Final() || e.Message == nil || given == nil || *given == "" || rules.LastPrompt(e.In.Request) < e.Index || r.MayDoWithout(e, "reasoning/resent-on-all-turns") {
			continue
		}
		j.HasEvidence = true
		if !hasField(r, e) {
			f := missingReasoning(r, e, *given)
			f.Message = "the reasoning of an answer did not go back"
			j.Find(f)
		}
	}
	return j
}

func withheld(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if p.Reasoning.Resend != profiles.ResendNever {
		return j
	}
	for i, m := range req.Messages {
		if m.Role != wire.Assistant {
			continue
		}
		j.HasEvidence = true
		for _, key := range []string{"reasoning_content", "reasoning", "reasoning_text"} {
			if v := m.Node.Get(key); v != nil && !v.Is(wire.Null) {
				j.Find(trace.Finding{
					Pointer:  v.Pointer(),
					Message:  "reasoning went back to a provider that forbids it",
					Expected: "no " + key,
					Actual:   rules.Show(v),
					Vars:     map[string]string{"index": strconv.Itoa(i), "key": key},
				})
			}
		}
	}
	return j
}

func keptOutOfTheContent(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		given := e.Turn.Answer.Reasoning
		if e.Message == nil || given == nil || *given == "" || !r.SaidBy(e.In.Request.Model, e.Turn) {
			continue // what another model thought may be told as a text
		}
		j.HasEvidence = true
		if rules.LeaksReasoning(e.Turn.Answer, e.Message.Content.Text) {
			j.FindAt(e.In, e.Message.Content.Node.Pointer(),
				"the reasoning went back as content",
				rules.Quote(e.Turn.Answer.Text),
				rules.Quote(e.Message.Content.Text))
		}
	}
	return j
}

func keptOutOfTheAnswer(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !last.Turn.Final() {
		return j
	}
	given := last.Turn.Answer.Reasoning
	if given == nil || *given == "" {
		return j
	}
	j.HasEvidence = r.UsedTools()
	aloud := func(t *scenarios.Turn) bool { return strings.Contains(t.Answer.Text, strings.TrimSpace(*given)) }
	if rules.LeaksReasoning(last.Turn.Answer, r.Outcome.Text) && !slices.ContainsFunc(r.TurnsBefore(last), aloud) {
		j.FindInAnswer(last, "the reasoning is part of the answer", rules.Quote(last.Turn.Answer.Text), rules.Quote(r.Outcome.Text))
	}
	return j
}
