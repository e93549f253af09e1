package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var reasons = []protocol.Feature{protocol.Reasoning}

var streamedReasons = []protocol.Feature{protocol.Reasoning, protocol.Streaming}

const (
	deepseekDocs     = "https://api-docs.deepseek.com/guides/thinking_mode"
	kimiThinking     = "https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model"
	mistralReasoning = "https://github.com/mistralai/platform-docs-public/blob/main/public/studio-api/conversations/reasoning.md"
	openrouterDocs   = "https://openrouter.ai/docs/use-cases/reasoning-tokens"
)

// reasoning are the rules about the model's reasoning, which providers want back in opposite ways.
var reasoning = []Rule{
	{
		ID:        "reasoning/resent-on-tool-turns",
		Level:     Should,
		Where:     plainReasoning,
		Text:      "Where the provider wants it, the reasoning of a turn with tool calls goes back with the turn.",
		Why:       "DeepSeek refuses the request without it; other models lose their train of thought.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request that returns a turn with reasoning and tool calls, under a profile that wants it back",
		Sources: []Source{
			{deepseekDocs, "reasoning_content of turns with tool calls must be passed back"},
			{"https://github.com/anomalyco/opencode/issues/24083", "the 400 of DeepSeek"},
			{"https://github.com/cloudwego/eino-ext/issues/700", "the 400 of Moonshot"},
			{"https://github.com/openai/openai-cookbook/blob/main/articles/gpt-oss/handle-raw-cot.md", "servers of gpt-oss give it as reasoning, and take it back under that name"},
			{"https://github.com/anomalyco/opencode/issues/34798", "sent to Ollama as reasoning_content, which it does not know"},
		},
		Vars:     []string{"index"},
		Provider: reasoningMissing,
		Run:      resentOnToolTurns,
	},
	{
		ID:        "reasoning/resent-on-all-turns",
		Level:     Should,
		Text:      "Where the provider wants it, the reasoning of answers goes back too.",
		Why:       "Models that were trained with all of it in front of them lose their train of thought.",
		Invariant: true,
		Needs:     reasons,
		Returned:  true,
		Evidence:  "a further prompt behind an answer with reasoning, under a profile that wants that back",
		Sources: []Source{
			{kimiThinking, "keep the reasoning_content of all earlier turns in the context"},
			{mistralReasoning, "always replay the full assistant message, the thinking included"},
		},
		Run: resentOnAllTurns,
	},
	{
		ID:       "reasoning/empty-resent",
		Level:    Should,
		Where:    plainReasoning,
		Text:     "Where the provider wants reasoning back, an empty reasoning goes back as the empty string.",
		Why:      "DeepSeek refuses a turn without the field, also when the model reasoned with \"\".",
		Needs:    reasons,
		Evidence: "a request that returns a turn with empty reasoning and tool calls, under a profile that wants it back even so",
		Sources: []Source{
			{"https://github.com/deepseek-ai/deepseek-harness/discussions/739", "the 400 for the missing empty field"},
		},
		Vars:     []string{"index"},
		Provider: reasoningMissing,
		Run:      emptyResent,
	},
	{
		ID:        "reasoning/withheld",
		Level:     Must,
		Where:     plainReasoning,
		Text:      "Where the provider forbids it, reasoning does not go back.",
		Why:       "The reasoner of DeepSeek's R1 generation refuses input with reasoning_content.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request that returns a turn with reasoning, under a profile that forbids it",
		Sources: []Source{
			{"https://api-docs.deepseek.com/guides/reasoning_model", "reasoning_content in the input: 400"},
		},
		Vars:    []string{"index", "key"},
		Request: withheld,
	},
	{
		ID:        "reasoning/kept-out-of-the-content",
		Level:     Should,
		Text:      "Reasoning does not go back as part of the content.",
		Why:       "The model takes it for something that it said to the user.",
		Invariant: true,
		Needs:     reasons,
		Returned:  true,
		Evidence:  "a request that returns a turn with reasoning",
		Sources: []Source{
			{"https://github.com/spring-projects/spring-ai/commit/d8444f128e", "reasoning leaked into the text"},
			{"https://github.com/BerriAI/litellm/issues/26395", "reasoning put into content"},
			{"https://github.com/vercel/ai/issues/17930", "the thinking and the text of Mistral glued into one"},
		},
		Run: keptOutOfTheContent,
	},
	{
		ID:       "reasoning/think-tags-kept",
		Level:    Should,
		Dialect:  onlyChat,
		Text:     "Thinking that a provider puts into the text, between <think> and </think>, goes back with the text.",
		Why:      "The models that write so were trained with it in front of them; MiniMax asks not to remove it.",
		Needs:    reasons,
		Evidence: "a request that returns a turn with tool calls whose text begins with thinking between tags",
		Sources: []Source{
			{"https://github.com/MiniMax-AI/MiniMax-M2/blob/main/README.md", "do not remove the <think>...</think> part"},
		},
		Run: thinkTagsKept,
	},
	{
		ID:        "reasoning/kept-out-of-the-answer",
		Level:     Must,
		Text:      "The answer that the loop reports is the model's text without its reasoning.",
		Why:       "The user reads what was not meant for them.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "an outcome after an answer with reasoning",
		Sources: []Source{
			{"https://github.com/featherless-ai/open-agent-loops", "reasoning is emitted apart from the text"},
			{deepseekDocs, "reasoning_content stands at the level of content, apart from it"},
		},
		Run: keptOutOfTheAnswer,
	},
}

// reasoningMissing is what a provider sees that wants reasoning back: a turn with tool calls and without the field.
func reasoningMissing(p *profiles.Profile, req *wire.Request) (j Judged) {
	if !p.Reasoning.Resend.OnToolTurns() {
		return j
	}
	from := 0
	if p.Reasoning.CurrentPromptOnly {
		from = lastPrompt(req)
	}
	for i, m := range req.Messages {
		if i >= from && len(m.Calls) > 0 && !m.Node.Get(p.Traits.ReasoningField).Is(wire.String) && len(m.Reasoning.Details) == 0 {
			j.Find(Finding{
				Pointer: m.Node.Pointer(),
				Message: "no " + p.Traits.ReasoningField,
				Vars:    map[string]string{"index": strconv.Itoa(i)},
			})
		}
	}
	return j
}

// lastPrompt returns the index of the last message of the user, or 0.
func lastPrompt(req *wire.Request) int {
	for i, m := range slices.Backward(req.Messages) {
		if m.Role == wire.User {
			return i
		}
	}
	return 0
}

// wantedBack calls f for every turn whose reasoning has to go back under the run's profile.
func (r *Run) wantedBack(f func(e Echo, reasoning string)) {
	if !r.Script.Profile.Reasoning.Resend.OnToolTurns() {
		return
	}
	for _, e := range r.AskingEchoes() {
		if e.Message != nil && e.Turn.Answer.Reasoning != nil {
			f(e, *e.Turn.Answer.Reasoning)
		}
	}
}

// hasField reports whether the reasoning of a turn went back. A provider that refuses looks for its own field; others
// take it under each other's names, as OpenRouter documents. An empty text is no reasoning where the model gave some.
func (r *Run) hasField(e Echo) bool {
	p := r.Script.Profile
	if given := e.Turn.Answer.Reasoning; given != nil && *given != "" && e.saysNoThought() {
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
func (e Echo) saysNoThought() bool {
	said := e.Message.Reasoning
	return said.Text.Is(wire.String) && strings.TrimSpace(said.Text.Text()) == "" && len(said.Details) == 0 && len(said.Thoughts) == 0
}

func resentOnToolTurns(r *Run) (j Judged) {
	r.wantedBack(func(e Echo, reasoning string) {
		if reasoning == "" {
			return
		}
		j.Seen = true
		if !r.hasField(e) {
			j.Find(missingReasoning(r, e, reasoning))
			return
		}
		if later, ok := r.droppedLater(e); ok {
			j.Find(missingReasoning(r, later, reasoning))
		}
	})
	return j
}

// droppedLater returns the first echo of a turn, in a later request, that has lost the reasoning. Only where the
// provider refuses that: others want it no longer than their own turn lasts.
func (r *Run) droppedLater(e Echo) (Echo, bool) {
	if _, refuses := r.Script.Profile.Refusal("reasoning/resent-on-tool-turns"); !refuses {
		return e, false
	}
	for _, x := range r.Taken() {
		for i := range x.Request.Messages {
			later := Echo{Turn: e.Turn, In: x, Message: &x.Request.Messages[i], Index: i}
			if x.Number > e.In.Number && sameID(e.Turn.Answer, *later.Message) && !r.hasField(later) {
				return later, true
			}
		}
	}
	return e, false
}

func emptyResent(r *Run) (j Judged) {
	r.wantedBack(func(e Echo, reasoning string) {
		if reasoning != "" || !r.Script.Profile.Reasoning.EvenIfEmpty {
			return
		}
		j.Seen = true
		if !r.hasField(e) {
			j.Find(missingReasoning(r, e, reasoning))
		}
	})
	return j
}

func missingReasoning(r *Run, e Echo, reasoning string) Finding {
	field := r.Script.Profile.Traits.ReasoningField
	if r.Script.Profile.Traits.ReasoningInContent {
		return Finding{
			Request:  e.In.Number,
			Pointer:  e.Message.Node.Pointer() + "/content",
			Message:  "the reasoning of a turn with tool calls did not go back",
			Expected: "a part of the type thinking with " + quote(reasoning),
			Actual:   show(e.Message.Node.Get("content")),
		}
	}
	return Finding{
		Request:  e.In.Number,
		Pointer:  e.Message.Node.Pointer() + "/" + field,
		Message:  "the reasoning of a turn with tool calls did not go back",
		Expected: fmt.Sprintf("%q: %s", field, quote(reasoning)),
		Actual:   "only " + list(e.Message.Node.Keys()),
	}
}

// resentOnAllTurns looks at the answers; the turns with tool calls are for resentOnToolTurns.
func resentOnAllTurns(r *Run) (j Judged) {
	if r.Script.Profile.Reasoning.Resend != profiles.ResendAllTurns {
		return j
	}
	for _, e := range r.Echoes() {
		given := e.Turn.Answer.Reasoning
		if !e.Turn.Final() || e.Message == nil || given == nil || *given == "" || lastPrompt(e.In.Request) < e.Index {
			continue
		}
		j.Seen = true
		if !r.hasField(e) {
			f := missingReasoning(r, e, *given)
			f.Message = "the reasoning of an answer did not go back"
			j.Find(f)
		}
	}
	return j
}

func withheld(p *profiles.Profile, req *wire.Request) (j Judged) {
	if p.Reasoning.Resend != profiles.ResendNever {
		return j
	}
	for i, m := range req.Messages {
		if m.Role != wire.Assistant {
			continue
		}
		j.Seen = true
		for _, key := range []string{"reasoning_content", "reasoning", "reasoning_text"} {
			if v := m.Node.Get(key); v != nil && !v.Is(wire.Null) {
				j.Find(Finding{
					Pointer:  v.Pointer(),
					Message:  "reasoning went back to a provider that forbids it",
					Expected: "no " + key,
					Actual:   show(v),
					Vars:     map[string]string{"index": strconv.Itoa(i), "key": key},
				})
			}
		}
	}
	return j
}

func keptOutOfTheContent(r *Run) (j Judged) {
	for _, e := range r.AskingEchoes() {
		given := e.Turn.Answer.Reasoning
		if e.Message == nil || given == nil || *given == "" {
			continue
		}
		j.Seen = true
		if leaks(e.Turn.Answer, e.Message.Content.Text) {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.Message.Content.Node.Pointer(),
				Message:  "the reasoning went back as content",
				Expected: quote(e.Turn.Answer.Text),
				Actual:   quote(e.Message.Content.Text),
			})
		}
	}
	return j
}

// leaks reports whether a text says what the model reasoned. What the model also said aloud is no leak.
func leaks(a *wire.Answer, text string) bool {
	if a.Reasoning == nil {
		return false
	}
	reasoning := strings.TrimSpace(*a.Reasoning)
	return reasoning != "" && strings.Contains(text, reasoning) && !strings.Contains(a.Text, reasoning)
}

func keptOutOfTheAnswer(r *Run) (j Judged) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !last.Turn.Final() {
		return j
	}
	given := last.Turn.Answer.Reasoning
	if given == nil || *given == "" {
		return j
	}
	j.Seen = r.UsedTools()
	if leaks(last.Turn.Answer, r.Outcome.Text) {
		j.Find(Finding{
			Request:  last.Number,
			Answer:   last.Number,
			Message:  "the reasoning is part of the answer",
			Expected: quote(last.Turn.Answer.Text),
			Actual:   quote(r.Outcome.Text),
		})
	}
	return j
}
