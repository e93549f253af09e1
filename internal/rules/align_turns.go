package rules

import (
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

func (r *Run) findReturnedTurns() []ReturnedTurn {
	var returned []ReturnedTurn
	var given []*scenarios.Turn // good turns so far, but for those that the loop has forgotten
	pending := 0                // how many of them no request has returned yet
	for _, x := range r.Conversation() {
		if pending > 0 {
			all := r.align(given, x)
			returned = append(returned, r.withoutGivenUp(all[len(all)-pending:], x)...)
			pending, given = 0, remembered(all, len(AnswersIn(x.Request, r.Task.Prompts)))
		}
		if t := x.Turn; t != nil && t.Returns() && !r.Interrupted(t) { // what was cancelled may be forgotten
			given = append(given, t)
			pending++
		}
	}
	return returned
}

// withoutGivenUp leaves out the turn at whose calls the loop gave up before the user went on, those
// that were asked for after the user had cancelled, and those that went into a summary, unless they
// came back.
func (r *Run) withoutGivenUp(returned []ReturnedTurn, x *trace.Exchange) []ReturnedTurn {
	at, before := r.ResumedBy(x), r.Before(x)
	apart := r.shortenedApart(x)
	summarised := before != nil && before.Summary || apart
	return slices.DeleteFunc(slices.Clone(returned), func(e ReturnedTurn) bool {
		missing := e.Message == nil || apart && len(e.Message.Calls) == 0 && e.Message.Content.Text == "" // it may be what stands for the turn
		return missing && (at != nil && e.Turn == at.Failed.Turn || r.unwanted(e.Turn) || summarised)
	})
}

// shortenedApart reports whether a request has what stands for a history and came with no answer: the
// loop asked for it alone.
func (r *Run) shortenedApart(x *trace.Exchange) bool {
	form := x.Request.Dialect.Compaction
	if r.Task.CompactThreshold == 0 || form.Apart == nil {
		return false
	}
	var given []*wire.Compaction
	for _, before := range r.Exchanges {
		if before.Number < x.Number && !before.Summary && before.Turn != nil && before.Turn.Answer != nil && before.Turn.Answer.Compaction != nil {
			given = append(given, before.Turn.Answer.Compaction)
		}
	}
	return slices.ContainsFunc(form.In(x.Request), func(n *wire.Node) bool { return form.Apart(x.Request, n, given) })
}

// unwanted reports whether a turn was only asked for after the user had cancelled.
func (r *Run) unwanted(t *scenarios.Turn) bool {
	return r.Cancel != nil && !slices.ContainsFunc(r.conversation, func(x *trace.Exchange) bool { return x.Turn == t && !r.AskedAfterCancel(x) })
}

// align finds for each turn the message of a request that returns it. The message of a turn of a
// prompt that the user took back may be there or not, and is not that of an equal turn behind the
// next prompt.
func (r *Run) align(turns []*scenarios.Turn, x *trace.Exchange) []ReturnedTurn {
	at := AnswersIn(x.Request, r.Task.Prompts)
	resumed := r.Resumed()
	if resumed == nil || x.Number <= resumed.Number {
		return alignTurns(turns, x, at)
	}
	prompt := r.placeOfPrompt(r.PromptOf(resumed), x.Request)
	message, _ := slices.BinarySearch(at, prompt)
	turn := slices.IndexFunc(turns, func(t *scenarios.Turn) bool { return t.Number > r.Cancel.Turn.Number })
	if prompt < 0 || turn < 0 {
		return alignTurns(turns, x, at)
	}
	return append(alignTurns(turns[:turn], x, at[:message]), alignTurns(turns[turn:], x, at[message:])...)
}

// placeOfPrompt returns the index of the first message that says a prompt, or -1.
func (r *Run) placeOfPrompt(n int, req *wire.Request) int {
	if n < 0 {
		return -1
	}
	return slices.IndexFunc(req.Messages, func(m wire.Message) bool {
		return m.Role == wire.User && strings.Contains(m.Content.Text, r.Task.Prompts[n])
	})
}

// remembered returns the turns that a request did not leave out, so that none of the others is
// treated as a later turn of the same id. Where there are as many messages as turns, one that was
// not found may have been changed beyond recognition.
func remembered(all []ReturnedTurn, messages int) (turns []*scenarios.Turn) {
	for _, e := range all {
		if e.Message != nil || messages >= len(all) {
			turns = append(turns, e.Turn)
		}
	}
	return turns
}

// AlignTurns finds for each turn the assistant message that returns it. Messages are taken in
// order; among those left the best likeness wins: the same call under the same id, then the same
// id, the same call, the same text. When there are just as many messages as turns, the one at the
// same place will do, unless it is known to be that of a turn before. Where there are fewer, the
// loop has forgotten some turns, the oldest in most cases: see [isRatherLater].
func AlignTurns(turns []*scenarios.Turn, x *trace.Exchange, prompts []string) []ReturnedTurn {
	return alignTurns(turns, x, AnswersIn(x.Request, prompts))
}

// alignTurns aligns turns with the assistant messages at these indices.
func alignTurns(turns []*scenarios.Turn, x *trace.Exchange, at []int) []ReturnedTurn {
	messages := x.Request.Messages
	returned := make([]ReturnedTurn, len(turns))
	from := 0
	for i, t := range turns {
		returned[i] = ReturnedTurn{Turn: t, In: x, Index: -1}
		n := bestMatch(t.Answer, messages, at[from:], turns[i+1:])
		forgets := len(at)-from < len(turns)-i
		switch {
		case n >= 0 && forgets && isRatherLater(t, &messages[at[from+n]], turns[i+1:]):
			continue
		case n >= 0:
			n += from
		case len(at) == len(turns) && i >= from && !knownAs(turns[:i], &messages[at[i]]):
			n = i
		default:
			continue
		}
		returned[i].Index = at[n]
		returned[i].Message = &messages[at[n]]
		from = n + 1
	}
	return returned
}

// AnswersIn returns the indices of the assistant messages after the first prompt. Messages before
// it, such as a greeting or an example, do not belong to the conversation. Where a later prompt
// says the same, that message may be a later one, and what is before it the rest of a window over
// the conversation.
func AnswersIn(req *wire.Request, prompts []string) []int {
	var at []int
	begun := len(prompts) == 0 || slices.ContainsFunc(prompts[1:], func(later string) bool { return strings.Contains(later, prompts[0]) })
	for i := range req.Messages {
		m := &req.Messages[i]
		switch {
		case m.Role == wire.Assistant:
			at = append(at, i)
		case !begun && m.Role == wire.User && strings.Contains(m.Content.Text, prompts[0]):
			begun, at = true, nil
		}
	}
	return at
}

// knownAs reports whether a message is, or belongs to, what one of these turns said.
func knownAs(turns []*scenarios.Turn, m *wire.Message) bool {
	return slices.ContainsFunc(turns, func(t *scenarios.Turn) bool {
		return SameID(t.Answer, m) || SameCall(t.Answer, m) || SameAnswerText(t.Answer, m)
	})
}

// bestMatch returns which of some messages is most like an answer, or -1. One that has an id of a
// later turn is that turn's, although the answer may have made the same call. Without ids, a
// message with all calls of the answer is more like it than one before that shares a call with it,
// such as the message of a cancelled turn.
func bestMatch(a *wire.Answer, messages []wire.Message, at []int, later []*scenarios.Turn) int {
	match := matcher{messages, at, later}
	if len(a.Calls) > 0 {
		if n := match.byCalls(a); n >= 0 {
			return n
		}
	}
	return match.first(a, SameAnswerText)
}

// matcher finds the message that returns an answer.
type matcher struct {
	messages []wire.Message
	at       []int             // the messages that may
	later    []*scenarios.Turn // which may be returned by them, too
}

func (k matcher) byCalls(a *wire.Answer) int {
	again := sync.OnceValue(func() bool { // which few need to know, and costs a look at all of them
		return slices.ContainsFunc(k.later, func(t *scenarios.Turn) bool { return sameCallsMade(a, t.Answer) })
	})
	allCalls := func(a *wire.Answer, m *wire.Message) bool { return sameCalls(a, m) && !again() }
	idAlone := func(a *wire.Answer, m *wire.Message) bool { return SameID(a, m) && !k.isCallOfLater(m) }
	for _, alike := range []func(*wire.Answer, *wire.Message) bool{sameCallAndID, idAlone, allCalls, SameCall} {
		if n := k.first(a, alike); n >= 0 {
			return n
		}
	}
	return -1
}

// isCallOfLater reports whether a message has a call of a later turn under its id: where a provider
// repeats ids, the message is not that of an earlier turn whose id is all that it has.
func (k matcher) isCallOfLater(m *wire.Message) bool {
	return slices.ContainsFunc(k.later, func(t *scenarios.Turn) bool { return sameCallAndID(t.Answer, m) })
}

// first returns the first message that is alike and not one of a later turn, or -1.
func (k matcher) first(a *wire.Answer, alike func(*wire.Answer, *wire.Message) bool) int {
	for n, i := range k.at {
		if m := &k.messages[i]; alike(a, m) && (SameID(a, m) || !hasIDOf(m, k.later)) {
			return n
		}
	}
	return -1
}

// likenesses are the ways in which a message can be like an answer, the surest first.
var likenesses = []func(*wire.Answer, *wire.Message) bool{sameCallsAndIDs, sameCallAndID, SameID, sameCalls, SameCall, SameAnswerText}

// isRatherLater reports whether a message is more like a later turn than like one, or just as much
// like a later turn that made the same calls. One that is as surely that of two turns with
// different calls joins them.
func isRatherLater(t *scenarios.Turn, m *wire.Message, later []*scenarios.Turn) bool {
	for _, alike := range likenesses {
		mine := alike(t.Answer, m)
		if slices.ContainsFunc(later, func(l *scenarios.Turn) bool {
			return alike(l.Answer, m) && (!mine || saysTheSame(t.Answer, l.Answer))
		}) {
			return true
		}
		if mine {
			return false
		}
	}
	return false
}
