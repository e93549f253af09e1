package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// turnRules are the rules about what a transcript says that was said, whatever its format.
var turnRules = []rules.Rule{
	{
		ID:        "record/prompts-kept",
		Level:     trace.Must,
		MustIn:    openAgentLoops,
		Text:      "The transcript has what the user said, in order.",
		Why:       "Otherwise a conversation that is continued from the transcript has lost its question.",
		Invariant: true,
		Needs:     keepsTranscript,
		Kept:      true,
		Evidence:  "a transcript of a run that used tools",
		Sources:   []rules.Source{{URL: oalDocs + "user-message.ts", Says: "a user turn is a message of the conversation"}},
		Run:       promptsKept,
	},
	{
		ID:        "record/every-turn-once",
		Level:     trace.Must,
		MustIn:    openAgentLoops,
		Text:      "Every turn of the model that the loop acted on is in the transcript, once.",
		Why:       "Otherwise a conversation that is continued from the transcript is another one.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a turn that the loop returned to the model, reported, or ran the calls of, in a run that used tools",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "an assistant message is a turn of the model"}},
		Run:       everyTurnOnce,
	},
	{
		ID:        "record/nothing-made-up",
		Level:     trace.Should,
		Text:      "The transcript has no made-up turn of the model or of the user.",
		Why:       "Readers treat text of the loop as text of the model.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a transcript of a run that used tools",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "content is the model's text output"}},
		Run:       nothingMadeUp,
	},
	{
		ID:        "record/text-as-sent",
		Level:     trace.Must,
		MustIn:    openAgentLoops,
		Text:      "The text of a turn in the transcript is the one that was sent.",
		Why:       "Otherwise the user sees another text than the model wrote.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a turn of the model in the transcript of a run that used tools",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "content: the model's text output; it is sent verbatim"}},
		Run:       textAsSent,
	},
	{
		ID:        "record/calls-as-sent",
		Level:     trace.Must,
		MustIn:    openAgentLoops,
		Text:      "A turn in the transcript makes the same calls, with the same arguments, as the response or the request.",
		Why:       "Otherwise an audit of the model's calls is wrong.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a turn with calls in the transcript",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "tool_calls: the tool calls that the assistant wants to make, sent verbatim"}},
		Run:       callsAsSent,
	},
	{
		ID:        "record/call-ids-as-sent",
		Where:     rules.WithCallIDs,
		Level:     trace.Should,
		Text:      "The calls in the transcript have the ids of the response or the request.",
		Why:       "Otherwise results do not match their calls when the conversation is continued from the transcript.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a turn with calls in the transcript",
		Sources: []rules.Source{
			{URL: oalAssistant, Says: "tool_calls: the tool calls that the assistant wants to make, sent verbatim"},
			{URL: artDocs, Says: "id: a unique identifier of this call; tool_call_id links to it"},
		},
		Run: callIDsAsSent,
	},
}

func promptsKept(r *rules.Run) (j rules.CheckResult) {
	t := r.Transcript.Read
	if t == nil || !r.UsedTools() {
		return j
	}
	j.HasEvidence = true
	from := 0
	for i, prompt := range r.Task.Prompts {
		if !sent(r, wire.User, prompt) {
			break
		}
		n := slices.IndexFunc(t.Conversation.Messages[from:], func(m wire.Message) bool {
			return m.Role == wire.User && strings.Contains(m.Content.Text, prompt)
		})
		if n < 0 && leftOpenPrompt(r, i) {
			continue
		}
		if n < 0 {
			j.Find(trace.Finding{
				Message:  fmt.Sprintf("the transcript does not have, in its place, the user's turn number %d", i+1),
				Expected: rules.Quote(prompt),
				Actual:   rules.Plural(len(t.Conversation.Messages), "message") + ", none of which has it there",
			})
			continue
		}
		from += n + 1
	}
	return j
}

// sent reports whether some request of the run has a message of a role with a text.
func sent(r *rules.Run, role wire.Role, text string) bool {
	for _, x := range r.Conversation() {
		for _, m := range x.Request.Messages {
			if m.Role == role && strings.Contains(m.Content.Text, strings.TrimSpace(text)) {
				return true
			}
		}
	}
	return false
}

func everyTurnOnce(r *rules.Run) (j rules.CheckResult) {
	if !r.UsedTools() {
		return j
	}
	for _, k := range r.KeptTurns {
		j.HasEvidence = true
		if k.Message == nil && (leftOpen(r, k.Turn) || ofUnansweredPrompt(r, k.Exchange)) {
			continue
		}
		if k.Message == nil {
			findNotKept(&j, k, "a turn of the model is not in the transcript", describeTurn(k.Turn), "no such message")
		} else if again := keptAgain(r, k); again != nil {
			findNotKept(&j, k, "a turn of the model is in the transcript twice", describeTurn(k.Turn)+", once", place(again.Node))
		}
	}
	return j
}

// leftOpen reports whether the user cancelled during a turn, or the time was over before the loop
// had done what the turn asks for: loops keep such a turn, or forget it.
func leftOpen(r *rules.Run, t *scenarios.Turn) bool {
	last := r.Last()
	return r.Interrupted(t) || r.TimeWasOver() && last != nil && last.Turn == t && r.Next(last) == nil
}

// leftOpenPrompt reports the same of a prompt, and whether the user continued after it although it
// had got no answer.
func leftOpenPrompt(r *rules.Run, n int) bool {
	last := r.Last()
	return r.LeftUnanswered(n) || last != nil && leftOpen(r, last.Turn) && r.PromptOf(last) == n
}

// ofUnansweredPrompt reports whether a request was made for a prompt without an answer before the
// user continued: some loops forget all that came of it.
func ofUnansweredPrompt(r *rules.Run, x *trace.Exchange) bool {
	if r.Cancel != nil && x.Number <= r.Cancel.Request && r.PromptOf(x) == r.PromptOf(r.Exchange(r.Cancel.Request)) {
		return true
	}
	return slices.ContainsFunc(r.Resumptions(), func(at rules.Resumption) bool {
		return x.Number <= at.Failed.Number && r.PromptOf(x) == at.Prompt
	})
}

func describeTurn(t *scenarios.Turn) string {
	if len(t.Answer.Calls) > 0 {
		return "a turn with " + rules.DescribeCalls(t.Answer.Calls)
	}
	return "a turn with " + rules.Quote(t.Answer.Text)
}

// keptAgain returns a second message of the transcript that says what a turn said, or nil. That of
// another turn, which broke off or was cancelled and then came again, is none.
func keptAgain(r *rules.Run, k rules.KeptTurn) *wire.Message {
	messages := r.Transcript.Read.Conversation.Messages
	others := 0
	for _, x := range r.Served() {
		if x.Turn.Answer != nil && x.Turn != k.Turn && !isKeptTurn(r, x.Turn) && says(x.Turn.Answer, k.Message) {
			others++
		}
	}
	for i := range messages {
		m := &messages[i]
		if m.Role != wire.Assistant || i == k.Index || isKept(r, i) || !slices.Equal(rules.CallIDs(*m), rules.CallIDs(*k.Message)) || !says(k.Turn.Answer, m) {
			continue
		}
		if others--; others < 0 {
			return m
		}
	}
	return nil
}

// says reports whether a message has a call of an answer, or its text where there are none.
func says(a *wire.Answer, m *wire.Message) bool {
	if len(a.Calls) > 0 {
		return rules.SameID(a, m) && rules.SameCall(a, m)
	}
	return len(m.Calls) == 0 && rules.SameAnswerText(a, m)
}

// isKeptTurn reports whether a turn is paired with a message of the transcript.
func isKeptTurn(r *rules.Run, t *scenarios.Turn) bool {
	return slices.ContainsFunc(r.KeptTurns, func(k rules.KeptTurn) bool { return k.Message != nil && k.Turn == t })
}

func isKept(r *rules.Run, index int) bool {
	return slices.ContainsFunc(r.KeptTurns, func(k rules.KeptTurn) bool { return k.Message != nil && k.Index == index })
}

func nothingMadeUp(r *rules.Run) (j rules.CheckResult) {
	t := r.Transcript.Read
	if t == nil || !r.UsedTools() {
		return j
	}
	j.HasEvidence = true
	for i, m := range t.Conversation.Messages {
		text := strings.TrimSpace(m.Content.Text)
		if m.Role != wire.Assistant && m.Role != wire.User || isKept(r, i) || t.Notes[i].Failed {
			continue
		}
		said := sent(r, m.Role, text) || m.Role == wire.Assistant && saidByModel(r, text) || m.Role == wire.User && slices.Contains(r.Task.Prompts, m.Content.Text)
		if text != "" && !said && !(m.Role == wire.Assistant && overran(r)) {
			j.Find(trace.Finding{
				Message:  fmt.Sprintf("the transcript has a made-up turn of the %s", m.Role),
				Expected: "what was said, and nothing else",
				Actual:   place(m.Node),
			})
		}
	}
	return j
}

// overran reports whether the loop went past the script: what the model says then is in no turn of
// it.
func overran(r *rules.Run) bool {
	return slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool { return x.Overrun })
}

// saidByModel reports whether a text is, or belongs to, what the model said in any turn, also in
// one that broke off.
func saidByModel(r *rules.Run, text string) bool {
	return slices.ContainsFunc(r.Served(), func(x *trace.Exchange) bool {
		a := x.Turn.Answer
		return a != nil && (slices.ContainsFunc([]string{a.Text, a.Refusal, a.Commentary}, func(said string) bool { return strings.Contains(said, text) }) || rules.JoinsCommentary(a, text))
	})
}

func textAsSent(r *rules.Run) (j rules.CheckResult) {
	eachKept(r, func(k rules.KeptTurn) {
		j.HasEvidence = true
		said := []string{strings.TrimSpace(k.Turn.Answer.Text)}
		if no := strings.TrimSpace(k.Turn.Answer.Refusal); no != "" {
			said = append(said, no)
		}
		if k.Returned != nil {
			said = append(said, strings.TrimSpace(k.Returned.Message.Content.Text))
		}
		if slices.ContainsFunc(k.Message.Calls, func(c wire.Call) bool { return rules.IsFinalCall(k.Turn, c) }) {
			return // the answer is there as the model gave it
		}
		if !rules.JoinsCommentary(k.Turn.Answer, k.Message.Content.Text) && !slices.ContainsFunc(said, func(text string) bool { return keptText(r, k, text) }) {
			findNotKept(&j, k, "the text of a turn is another one in the transcript", rules.Quote(said[len(said)-1]), place(k.Message.Node))
		}
	})
	return j
}

// keptText reports whether the transcript has a text in a turn, or in a message of the model
// alongside it: some formats have the text of a turn and its calls apart.
func keptText(r *rules.Run, k rules.KeptTurn, text string) bool {
	if strings.TrimSpace(k.Message.Content.Text) == text {
		return true
	}
	messages := r.Transcript.Read.Conversation.Messages
	for _, step := range []int{-1, 1} {
		for i := k.Index + step; i >= 0 && i < len(messages) && messages[i].Role == wire.Assistant && !isKept(r, i); i += step {
			if strings.TrimSpace(messages[i].Content.Text) == text {
				return true
			}
		}
	}
	return false
}

func callsAsSent(r *rules.Run) (j rules.CheckResult) {
	eachKeptCall(r, func(k rules.KeptTurn, c rules.CallRun) {
		j.HasEvidence = true
		want := wire.Call{ID: c.Call.ID, Name: c.Call.Name, Arguments: c.Call.Arguments}
		got, ok := k.Call(c.N)
		asMade := got.Name == want.Name && sameArguments(got.Arguments, want.Arguments)
		if k.Returned != nil {
			if sent, ok := k.Returned.Call(c.N); ok {
				want = sent
			}
		}
		switch {
		case asMade: // a loop may repair arguments for a provider that takes no others
		case !ok:
			findNotKept(&j, k, fmt.Sprintf("the transcript does not have the call %s", c.Call.As), want.Name+" "+rules.Quote(want.Arguments), place(k.Message.Node))
		case got.Name != want.Name || !sameArguments(got.Arguments, want.Arguments):
			findNotKept(&j, k, fmt.Sprintf("the call %s is another one in the transcript", c.Call.As), want.Name+" "+rules.Quote(want.Arguments), place(got.Node))
		}
	})
	return j
}

// sameArguments compares the arguments of a call in a record with those on the wire. Some formats
// have only objects, and so no place for what is none, unless it is the text of the one member of
// an object.
func sameArguments(kept, sent string) bool {
	if wire.SameJSON(rules.ArgumentsOrNone(kept), rules.ArgumentsOrNone(sent)) {
		return true
	}
	if _, is := wire.ParseObject(sent); is {
		return false
	}
	wrapped, err := wire.ParseNode([]byte(kept))
	inside := err == nil && len(wrapped.Members) == 1 && wrapped.Members[0].Value.Text() == sent
	return inside || rules.ArgumentsOrNone(kept) == "{}"
}

func callIDsAsSent(r *rules.Run) (j rules.CheckResult) {
	eachKeptCall(r, func(k rules.KeptTurn, c rules.CallRun) {
		want := c.Call.ID
		if k.Returned != nil {
			if sent, ok := k.Returned.Call(c.N); ok {
				want = sent.ID
				if sent.IDNode == nil { // it is told by its place alone
					want = ""
				}
			}
		}
		got, ok := k.Call(c.N)
		if !ok || want == "" || k.Returned == nil { // an id that was not sent is not judged
			return
		}
		j.HasEvidence = true
		if got.ID != want {
			findNotKept(&j, k, fmt.Sprintf("the call %s has another id in the transcript", c.Call.As), want, place(got.Node))
		}
	})
	return j
}
