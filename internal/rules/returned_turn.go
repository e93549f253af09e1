package rules

import (
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// ReturnedTurn pairs a good turn of the model with the assistant message by which the next request returns it.
type ReturnedTurn struct {
	Turn    *scenarios.Turn
	In      *trace.Exchange // the request that has to return the turn
	Message *wire.Message   // nil: the turn did not come back
	Index   int             // of the message
}

// ReturnedTurns returns, for every good turn after which the loop asked again, how that next request returns it. Later
// requests repeat what this one said; the rules about history watch over that. A turn that the provider kept itself does
// not come back. Callers must not change the slice.
func (r *Run) ReturnedTurns() []ReturnedTurn { return r.returned.byTheLoop }

// ReturnedCallTurns returns how turns that asked for tools came back. Callers must not change the slice.
func (r *Run) ReturnedCallTurns() []ReturnedTurn { return r.returned.withCalls }

// Answered returns how turns that asked for tools came back, also of those that the provider kept itself: their calls
// are answered anyway. Callers must not change the slice.
func (r *Run) Answered() []ReturnedTurn { return r.returned.answered }

// returnedTurns are the turns that came back, as the rules ask for them. Many rules do, for each request.
type returnedTurns struct {
	all       []ReturnedTurn
	byTheLoop []ReturnedTurn // without those that the provider kept
	withCalls []ReturnedTurn // of those by the loop, the turns that asked for tools
	answered  []ReturnedTurn // the turns that asked for tools
}

func newReturnedTurns(all []ReturnedTurn) returnedTurns {
	r := returnedTurns{all: all}
	byTheLoop := func(e ReturnedTurn) bool { return !e.kept() }
	asked := func(e ReturnedTurn) bool { return e.Turn.Asks() }
	r.byTheLoop = those(all, byTheLoop)
	r.withCalls, r.answered = those(r.byTheLoop, asked), those(all, asked)
	return r
}

// those returns the turns for which a condition holds: the same slice where that is all of them.
func those(all []ReturnedTurn, hold func(ReturnedTurn) bool) (some []ReturnedTurn) {
	if n := slices.IndexFunc(all, func(e ReturnedTurn) bool { return !hold(e) }); n < 0 {
		return slices.Clip(all)
	}
	for _, e := range all {
		if hold(e) {
			some = append(some, e)
		}
	}
	return some
}

// kept reports whether the loop had no need to return the turn, since the provider kept it.
func (e ReturnedTurn) kept() bool { return e.Message != nil && e.Index < e.In.Kept() }

// Result returns the result that the request gives to the n-th call of the turn, and false when there is none. It is found
// by the id under which the loop returned the call, which may not be that of the model; calls that share an id are
// distinguished by their order.
func (e ReturnedTurn) Result(n int) (wire.Result, bool) {
	if e.Message == nil {
		return wire.Result{}, false
	}
	id, skip, at := e.Turn.Answer.Calls[n].ID, 0, e.Index
	if message, call, ok := e.PlaceOfCall(n); ok {
		calls := e.In.Request.Messages[message].Calls
		id, at = calls[call].ID, message
		for _, c := range calls[:call] {
			if c.ID == id {
				skip++
			}
		}
	}
	results, _ := e.In.Request.AnswersTo(at)
	for _, res := range results {
		if res.CallID != id {
			continue
		}
		if skip == 0 {
			return res, true
		}
		skip--
	}
	return wire.Result{}, false
}

// PlaceOfCall returns where the n-th call of the turn came back: the message and the place in it. It is the call of the same
// id, wherever it is, since a loop may sort calls or split a turn over messages; else, when just as many calls
// came back, the one at the same place.
func (e ReturnedTurn) PlaceOfCall(n int) (message, call int, ok bool) {
	if e.Message == nil {
		return 0, 0, false
	}
	given := e.Turn.Answer.Calls
	if id := given[n].ID; id != "" && !sharedAmong(given, id) {
		for i := e.Index; i < len(e.In.Request.Messages); i++ {
			if at := slices.Index(CallIDs(e.In.Request.Messages[i]), id); at >= 0 {
				return i, at, true
			}
		}
	}
	if at := e.onlyOfItsTool(n); given[n].ID == "" && at >= 0 {
		return e.Index, at, true
	}
	if len(e.Message.Calls) != len(given) {
		return 0, 0, false
	}
	taken := slices.ContainsFunc(given, func(c wire.AnswerCall) bool { return c.ID == e.Message.Calls[n].ID && c.ID != given[n].ID })
	return e.Index, n, !taken
}

// onlyOfItsTool returns the place of the only returned call of the tool of the n-th call, or -1 where the turn has several.
func (e ReturnedTurn) onlyOfItsTool(n int) int {
	name := e.Turn.Answer.Calls[n].Name
	for i, c := range e.Turn.Answer.Calls {
		if i != n && c.Name == name {
			return -1
		}
	}
	return slices.IndexFunc(e.Message.Calls, func(c wire.Call) bool { return c.Name == name })
}

// Call returns the n-th call of the turn as it came back, and false when it did not.
func (e ReturnedTurn) Call(n int) (wire.Call, bool) {
	message, call, ok := e.PlaceOfCall(n)
	if !ok {
		return wire.Call{}, false
	}
	return e.In.Request.Messages[message].Calls[call], true
}

func sharedAmong(calls []wire.AnswerCall, id string) bool {
	count := 0
	for _, c := range calls {
		if c.ID == id {
			count++
		}
	}
	return count > 1
}

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

// withoutGivenUp leaves out the turn at whose calls the loop gave up before the user went on, unless it came back.
func (r *Run) withoutGivenUp(returned []ReturnedTurn, x *trace.Exchange) []ReturnedTurn {
	at := r.ResumedBy(x)
	return slices.DeleteFunc(slices.Clone(returned), func(e ReturnedTurn) bool {
		return at != nil && e.Turn == at.Failed.Turn && e.Message == nil
	})
}

// align finds for each turn the message of a request that returns it. The message of a turn of a prompt that the user took back may
// be there or not, and is not that of an equal turn behind the next prompt.
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

// remembered returns the turns that a request did not leave out, so that none of the others is treated as a later turn of
// the same id. Where there are as many messages as turns, one that was not found may have been changed beyond recognition.
func remembered(all []ReturnedTurn, messages int) (turns []*scenarios.Turn) {
	for _, e := range all {
		if e.Message != nil || messages >= len(all) {
			turns = append(turns, e.Turn)
		}
	}
	return turns
}

// AlignTurns finds for each turn the assistant message that returns it. Messages are taken in order; among those left the
// best likeness wins: the same call under the same id, then the same id, the same call, the same text. When there are just as many messages
// as turns, the one at the same place will do, unless it is known to be that of a turn before. Where there are fewer, the loop has
// forgotten some turns, the oldest in most cases: see [isRatherLater].
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

// AnswersIn returns the indices of the assistant messages after the first prompt. What is before it, such as a
// greeting or an example, is none of this conversation.
func AnswersIn(req *wire.Request, prompts []string) []int {
	var at []int
	begun := len(prompts) == 0
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

// bestMatch returns which of some messages is most like an answer, or -1. One that has an id of a later turn is that turn's,
// although the answer may have made the same call. Without ids, a message with all calls of the answer is more like it than one
// before that shares a call with it, such as the message of a cancelled turn.
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

// isCallOfLater reports whether a message has a call of a later turn under its id: where a provider repeats ids, the message is not
// that of an earlier turn whose id is all that it has.
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

// sameCallsAndIDs reports whether the calls of a message are those of an answer, in their order and under their ids.
func sameCallsAndIDs(a *wire.Answer, m *wire.Message) bool {
	return len(a.Calls) > 0 && slices.EqualFunc(a.Calls, m.Calls, func(x wire.AnswerCall, y wire.Call) bool {
		return x.ID == y.ID && EqualCall(x, y)
	})
}

// isRatherLater reports whether a message is more like a later turn than like one, or just as much like a later turn that made
// the same calls. One that is as surely that of two turns with different calls joins them.
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

// saysTheSame reports whether two answers make the same calls, or say the same without any.
func saysTheSame(a, b *wire.Answer) bool {
	return sameCallsMade(a, b) && (len(a.Calls) > 0 || strings.TrimSpace(a.Text) == strings.TrimSpace(b.Text))
}

func hasIDOf(m *wire.Message, turns []*scenarios.Turn) bool {
	return len(m.Calls) > 0 && slices.ContainsFunc(turns, func(t *scenarios.Turn) bool { return SameID(t.Answer, m) })
}

func sameCallAndID(a *wire.Answer, m *wire.Message) bool {
	return AnyCall(a, m, func(x wire.AnswerCall, y wire.Call) bool {
		return x.ID != "" && x.ID == y.ID && EqualCall(x, y)
	})
}

// SameID reports whether a message has a call under an id of an answer.
func SameID(a *wire.Answer, m *wire.Message) bool {
	return AnyCall(a, m, func(x wire.AnswerCall, y wire.Call) bool { return x.ID != "" && x.ID == y.ID })
}

// SameCall reports whether a message has a call with the name and the arguments of one in an answer.
func SameCall(a *wire.Answer, m *wire.Message) bool {
	return AnyCall(a, m, EqualCall)
}

// EqualCall reports whether a returned call has the name and the arguments of one that was made. Blank arguments may come back
// as an empty object.
func EqualCall(x wire.AnswerCall, y wire.Call) bool {
	return x.Name == y.Name && wire.SameJSON(ArgumentsOrNone(x.Arguments), ArgumentsOrNone(y.Arguments))
}

// sameCalls reports whether the calls of a message are those of an answer, in their order.
func sameCalls(a *wire.Answer, m *wire.Message) bool {
	return len(a.Calls) > 0 && slices.EqualFunc(a.Calls, m.Calls, EqualCall)
}

// sameCallsMade reports whether two answers make the same calls.
func sameCallsMade(a, b *wire.Answer) bool {
	return slices.EqualFunc(a.Calls, b.Calls, func(x, y wire.AnswerCall) bool {
		return EqualCall(x, wire.Call{Name: y.Name, Arguments: y.Arguments})
	})
}

// AnyCall reports whether some call of an answer and some call of a message are alike.
func AnyCall(a *wire.Answer, m *wire.Message, alike func(wire.AnswerCall, wire.Call) bool) bool {
	for _, x := range a.Calls {
		for _, y := range m.Calls {
			if alike(x, y) {
				return true
			}
		}
	}
	return false
}

// SameAnswerText reports whether an answer has a text and a message has the same.
func SameAnswerText(a *wire.Answer, m *wire.Message) bool {
	text := strings.TrimSpace(a.Text)
	return text != "" && text == strings.TrimSpace(m.Content.Text) || JoinsCommentary(a, m.Content.Text)
}

// JoinsCommentary reports whether a text is that of an answer after its commentary: two messages that many loops, and
// OpenAI's SDKs, read as one.
func JoinsCommentary(a *wire.Answer, text string) bool {
	rest, found := strings.CutPrefix(strings.TrimSpace(text), strings.TrimSpace(a.Commentary))
	return a.Commentary != "" && found && strings.TrimSpace(rest) == strings.TrimSpace(a.Text+a.Refusal)
}

// DescribeReturn says for a finding how a turn came back.
func DescribeReturn(e ReturnedTurn) string {
	if e.Message == nil {
		return "no assistant message for this turn"
	}
	return Show(e.Message.Node)
}
