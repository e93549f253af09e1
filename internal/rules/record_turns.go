package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// recordTurns are the rules about what a transcript says that was said, whatever its format.
var recordTurns = []Rule{
	{
		ID:        "record/prompts-kept",
		Level:     Must,
		MustIn:    openAgentLoops,
		Text:      "The transcript has what the user said, in order.",
		Why:       "A conversation that is continued from its transcript has lost its question.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a transcript of a run that used tools",
		Sources:   []Source{{oalDocs + "user-message.ts", "a user turn is a message of the conversation"}},
		Run:       promptsKept,
	},
	{
		ID:        "record/every-turn-once",
		Level:     Must,
		MustIn:    openAgentLoops,
		Text:      "Every turn of the model that the loop acted on is in the transcript, once.",
		Why:       "A conversation that is continued from its transcript is another one.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a turn that the loop returned to the model, reported, or ran the calls of, in a run that used tools",
		Sources:   []Source{{oalAssistant, "an assistant message is a turn of the model"}},
		Run:       everyTurnOnce,
	},
	{
		ID:        "record/nothing-made-up",
		Level:     Should,
		Text:      "The transcript has no turn of the model or of the user that nobody said.",
		Why:       "Who reads it takes the loop's words for the model's.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a transcript of a run that used tools",
		Sources:   []Source{{oalAssistant, "content is the model's text output"}},
		Run:       nothingMadeUp,
	},
	{
		ID:        "record/text-as-sent",
		Level:     Must,
		MustIn:    openAgentLoops,
		Text:      "The text of a turn in the transcript is the one that crossed the wire.",
		Why:       "What the user sees is not what the model said.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a turn of the model in the transcript of a run that used tools",
		Sources:   []Source{{oalAssistant, "content: the model's text output; it is sent verbatim"}},
		Run:       textAsSent,
	},
	{
		ID:        "record/calls-as-sent",
		Level:     Must,
		MustIn:    openAgentLoops,
		Text:      "A turn in the transcript makes the same calls, with the same arguments, as the one that crossed the wire, one way or the other.",
		Why:       "An auditor of what the model did sees something else.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a turn with calls in the transcript",
		Sources:   []Source{{oalAssistant, "tool_calls: the tool calls that the assistant wants to make, sent verbatim"}},
		Run:       callsAsSent,
	},
	{
		ID:        "record/call-ids-as-sent",
		Level:     Should,
		Text:      "The calls in the transcript have the ids that crossed the wire.",
		Why:       "A conversation that is continued from its transcript pairs results with nothing.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a turn with calls in the transcript",
		Sources: []Source{
			{oalAssistant, "tool_calls: the tool calls that the assistant wants to make, sent verbatim"},
			{artDocs, "id: a unique identifier of this call; tool_call_id links to it"},
		},
		Run: callIDsAsSent,
	},
}

func promptsKept(r *Run) (j Judged) {
	t := r.transcript.read
	if t == nil || !r.UsedTools() {
		return j
	}
	j.Seen = true
	from := 0
	for i, prompt := range r.Task.Prompts {
		if !r.sent(wire.User, prompt) {
			break
		}
		n := slices.IndexFunc(t.Conversation.Messages[from:], func(m wire.Message) bool {
			return m.Role == wire.User && strings.Contains(m.Content.Text, prompt)
		})
		if n < 0 && r.leftOpenPrompt(i) {
			continue
		}
		if n < 0 {
			j.Find(Finding{
				Message:  fmt.Sprintf("the transcript has not the user's turn number %d where it belongs", i+1),
				Expected: quote(prompt),
				Actual:   plural(len(t.Conversation.Messages), "message") + ", none of which has it there",
			})
			continue
		}
		from += n + 1
	}
	return j
}

// sent reports whether some request of the run has a message of a role with a text.
func (r *Run) sent(role wire.Role, text string) bool {
	for _, x := range r.Taken() {
		for _, m := range x.Request.Messages {
			if m.Role == role && strings.Contains(m.Content.Text, strings.TrimSpace(text)) {
				return true
			}
		}
	}
	return false
}

func everyTurnOnce(r *Run) (j Judged) {
	if !r.UsedTools() {
		return j
	}
	for _, k := range r.kept {
		j.Seen = true
		if k.Message == nil && (r.leftOpen(k.Turn) || r.ofCancelledPrompt(k.x)) {
			continue
		}
		if k.Message == nil {
			j.notKept(k, "a turn of the model is not in the transcript", describeTurn(k.Turn), "no such message")
		} else if again := r.keptAgain(k); again != nil {
			j.notKept(k, "a turn of the model is in the transcript twice", describeTurn(k.Turn)+", once", place(again.Node))
		}
	}
	return j
}

// leftOpen reports whether the user cancelled during a turn, or the time was over before the loop had done what the turn
// asks for: loops keep such a turn, or forget it.
func (r *Run) leftOpen(t *scenarios.Turn) bool {
	last := r.Last()
	return r.interrupted(t) || r.timeWasOver() && last != nil && last.Turn == t && r.Next(last) == nil
}

// leftOpenPrompt reports the same of a prompt.
func (r *Run) leftOpenPrompt(n int) bool {
	last := r.Last()
	return r.Cancel != nil && r.promptOf(r.Exchanges[r.Cancel.Request-1]) == n || last != nil && r.leftOpen(last.Turn) && r.promptOf(last) == n
}

// ofCancelledPrompt reports whether a request was made for the prompt that the user cancelled, before that: some loops
// forget all that came of it.
func (r *Run) ofCancelledPrompt(x *Exchange) bool {
	return r.Cancel != nil && x.Number <= r.Cancel.Request && r.promptOf(x) == r.promptOf(r.Exchanges[r.Cancel.Request-1])
}

// promptOf returns the index of the last prompt that a request carries, -1 for none.
func (r *Run) promptOf(x *Exchange) int {
	last := -1
	for n, prompt := range r.Task.Prompts {
		if x.Request != nil && saysPrompt(x.Request, prompt) {
			last = n
		}
	}
	return last
}

func describeTurn(t *scenarios.Turn) string {
	if len(t.Answer.Calls) > 0 {
		return "a turn with " + describeCalls(t.Answer.Calls)
	}
	return "a turn with " + quote(t.Answer.Text)
}

// keptAgain returns a second message of the transcript that says what a turn said, or nil.
func (r *Run) keptAgain(k keptTurn) *wire.Message {
	messages := r.transcript.read.Conversation.Messages
	for i := range messages {
		m := &messages[i]
		if m.Role != wire.Assistant || i == k.Index || r.isKept(i) {
			continue
		}
		sameCalls := len(m.Calls) > 0 && sameID(k.Turn.Answer, *m) && sameCall(k.Turn.Answer, *m) && slices.Equal(callIDs(*m), callIDs(*k.Message))
		if sameCalls || len(k.Turn.Answer.Calls) == 0 && len(m.Calls) == 0 && sameAnswerText(k.Turn.Answer, *m) {
			return m
		}
	}
	return nil
}

func (r *Run) isKept(index int) bool {
	return slices.ContainsFunc(r.kept, func(k keptTurn) bool { return k.Message != nil && k.Index == index })
}

func nothingMadeUp(r *Run) (j Judged) {
	t := r.transcript.read
	if t == nil || !r.UsedTools() {
		return j
	}
	j.Seen = true
	for i, m := range t.Conversation.Messages {
		text := strings.TrimSpace(m.Content.Text)
		if m.Role != wire.Assistant && m.Role != wire.User || r.isKept(i) || t.Notes[i].Failed {
			continue
		}
		said := r.sent(m.Role, text) || m.Role == wire.Assistant && r.saidByModel(text) || m.Role == wire.User && slices.Contains(r.Task.Prompts, m.Content.Text)
		if text != "" && !said && !(m.Role == wire.Assistant && r.overran()) {
			j.Find(Finding{
				Message:  fmt.Sprintf("the transcript has a turn of the %s that nobody said", m.Role),
				Expected: "what was said, and nothing else",
				Actual:   place(m.Node),
			})
		}
	}
	return j
}

// overran reports whether the loop went past the script: what the model says then is in no turn of it.
func (r *Run) overran() bool {
	return slices.ContainsFunc(r.Exchanges, func(x *Exchange) bool { return x.Overrun })
}

// saidByModel reports whether a text is, or belongs to, what the model said in any turn, also in one that broke off.
func (r *Run) saidByModel(text string) bool {
	return slices.ContainsFunc(r.Served(), func(x *Exchange) bool {
		return x.Turn.Answer != nil && (strings.Contains(x.Turn.Answer.Text, text) || strings.Contains(x.Turn.Answer.Refusal, text))
	})
}

func textAsSent(r *Run) (j Judged) {
	r.eachKept(func(k keptTurn) {
		j.Seen = true
		said := []string{strings.TrimSpace(k.Turn.Answer.Text)}
		if k.on != nil {
			said = append(said, strings.TrimSpace(k.on.Message.Content.Text))
		}
		if !slices.ContainsFunc(said, func(text string) bool { return r.keptText(k, text) }) {
			j.notKept(k, "the text of a turn is another one in the transcript", quote(said[len(said)-1]), place(k.Message.Node))
		}
	})
	return j
}

// keptText reports whether the transcript has a text in a turn, or in a message of the model beside it: some formats
// have the text of a turn and its calls apart.
func (r *Run) keptText(k keptTurn, text string) bool {
	if strings.TrimSpace(k.Message.Content.Text) == text {
		return true
	}
	messages := r.transcript.read.Conversation.Messages
	for _, step := range []int{-1, 1} {
		for i := k.Index + step; i >= 0 && i < len(messages) && messages[i].Role == wire.Assistant && !r.isKept(i); i += step {
			if strings.TrimSpace(messages[i].Content.Text) == text {
				return true
			}
		}
	}
	return false
}

func callsAsSent(r *Run) (j Judged) {
	r.eachKeptCall(func(k keptTurn, c CallRun) {
		j.Seen = true
		want := wire.Call{ID: c.Call.ID, Name: c.Call.Name, Arguments: c.Call.Arguments}
		got, ok := k.Call(c.N)
		asMade := got.Name == want.Name && sameArguments(got.Arguments, want.Arguments)
		if k.on != nil {
			if sent, ok := k.on.Call(c.N); ok {
				want = sent
			}
		}
		switch {
		case asMade: // a loop may mend arguments for a provider that takes no others
		case !ok:
			j.notKept(k, fmt.Sprintf("the transcript has not the call %s", c.Call.As), want.Name+" "+quote(want.Arguments), place(k.Message.Node))
		case got.Name != want.Name || !sameArguments(got.Arguments, want.Arguments):
			j.notKept(k, fmt.Sprintf("the call %s is another one in the transcript", c.Call.As), want.Name+" "+quote(want.Arguments), place(got.Node))
		}
	})
	return j
}

// sameArguments compares the arguments of a call in a record with those on the wire. Some formats have only objects, and
// so no place for what is none.
func sameArguments(kept, sent string) bool {
	if wire.SameJSON(orNone(kept), orNone(sent)) {
		return true
	}
	n, err := wire.ParseNode([]byte(sent))
	return (err != nil || !n.Is(wire.Object)) && orNone(kept) == "{}"
}

func callIDsAsSent(r *Run) (j Judged) {
	r.eachKeptCall(func(k keptTurn, c CallRun) {
		want := c.Call.ID
		if k.on != nil {
			if sent, ok := k.on.Call(c.N); ok {
				want = sent.ID
			}
		}
		got, ok := k.Call(c.N)
		if !ok || want == "" || k.on == nil { // an id that was not sent has named nothing to anybody
			return
		}
		j.Seen = true
		if got.ID != want {
			j.notKept(k, fmt.Sprintf("the call %s has another id in the transcript", c.Call.As), want, place(got.Node))
		}
	})
	return j
}
