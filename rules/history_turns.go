package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/wire"
)

func callsComeBack(r *Run) (j Judged) {
	for _, e := range r.AskingEchoes() {
		j.Seen = true
		want := e.Turn.Answer.Calls
		var got []string
		if e.Message != nil {
			for _, c := range e.Message.Calls {
				got = append(got, c.Name)
			}
		}
		// A loop may split a turn over several messages; that is for turn-in-one-message to say.
		for i := e.Index + 1; e.Message != nil && i < len(e.In.Request.Messages); i++ {
			for _, c := range e.In.Request.Messages[i].Calls {
				got = append(got, c.Name)
			}
		}
		for _, call := range want {
			if r.Script.Scenario.Trouble(call) != scenarios.NoTrouble {
				continue // the rules about execution look at bad calls
			}
			at := slices.Index(got, call.Name)
			if at < 0 {
				at = slices.Index(got, "") // call-has-name looks at those
			}
			if at >= 0 {
				got = slices.Delete(got, at, at+1)
				continue
			}
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.In.Request.HistoryPointer(),
				Message:  fmt.Sprintf("the call %s (%s) did not come back", call.As, call.Name),
				Expected: "an assistant message with " + plural(len(want), "tool call"),
				Actual:   echoed(e),
			})
			break
		}
	}
	return j
}

func echoed(e Echo) string {
	if e.Message == nil {
		return "no assistant message for this turn"
	}
	return show(e.Message.Node)
}

func textComesBack(r *Run) (j Judged) {
	for _, e := range r.AskingEchoes() {
		text := strings.TrimSpace(thinkTags.ReplaceAllString(e.Turn.Answer.Text, "")) // whose return is for think-tags-kept
		if text == "" || e.Message == nil {
			continue
		}
		j.Seen = true
		said := slices.ContainsFunc(e.In.Request.Messages, func(m wire.Message) bool {
			return m.Role == wire.Assistant && strings.Contains(m.Content.Text, text)
		})
		if !said {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.Message.Node.Pointer() + "/content",
				Message:  "the text beside the tool calls did not come back",
				Expected: quote(text),
				Actual:   quote(e.Message.Content.Text),
			})
		}
	}
	return j
}

func turnInOneMessage(r *Run) (j Judged) {
	for _, e := range r.AskingEchoes() {
		if e.Message == nil {
			continue
		}
		j.Seen = j.Seen || len(e.Turn.Answer.Calls) > 1 || e.Turn.Answer.Text != ""
		if spread := r.spread(e); spread > 1 {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.Message.Node.Pointer(),
				Message:  fmt.Sprintf("one turn of the model came back as %d assistant messages", spread),
				Expected: "one assistant message",
				Actual:   show(e.Message.Node),
			})
		}
	}
	return j
}

// spread returns over how many assistant messages the turn came back: those with another of its calls, wherever they stand,
// and those beside it with its text. That it stands twice in the history is for turns-once to say.
func (r *Run) spread(e Echo) int {
	count := 1
	for i, m := range e.In.Request.Messages {
		if i != e.Index && m.Role == wire.Assistant && (r.hasCallOf(e.Turn, m) && !sameTurn(*e.Message, m) || e.saysBeside(i)) {
			count++
		}
	}
	return count
}

// hasCallOf reports whether a message has a call of a turn, by an id that the model gave only once.
func (r *Run) hasCallOf(t *scenarios.Turn, m wire.Message) bool {
	return anyCall(t.Answer, m, func(x wire.AnswerCall, y wire.Call) bool { return x.ID == y.ID && !repeated(r, x.ID) })
}

// saysBeside reports whether message i has nothing but the text of the turn, with only results between it and the calls.
func (e Echo) saysBeside(i int) bool {
	messages := e.In.Request.Messages
	if len(messages[i].Calls) > 0 || !sameAnswerText(e.Turn.Answer, messages[i]) {
		return false
	}
	between := messages[min(i, e.Index)+1 : max(i, e.Index)]
	return !slices.ContainsFunc(between, func(m wire.Message) bool { return len(m.Results) == 0 })
}

func answersComeBack(r *Run) (j Judged) {
	for _, e := range r.Echoes() {
		if !e.Turn.Final() {
			continue
		}
		j.Seen = true
		if e.Message == nil || !strings.Contains(e.Message.Content.Text, strings.TrimSpace(e.Turn.Answer.Text)) {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.In.Request.HistoryPointer(),
				Message:  "an earlier answer is not in the history",
				Expected: "an assistant message with " + quote(e.Turn.Answer.Text),
				Actual:   echoed(e),
			})
		}
	}
	return j
}
