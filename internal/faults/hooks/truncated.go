package hooks

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// AsksForTheRest makes a loop that asks once for the rest of a text that ended for a reason: with
// the text in the history, and behind that what it says in the place of the user, if anything.
func AsksForTheRest(of neutral.Finish, says string) func() Mutation {
	return func() Mutation {
		var last *Request
		var turn *neutral.Turn
		return Mutation{
			Request: func(r *Request) { last = r },
			Turn:    func(t *neutral.Turn) { turn = t },
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if turn == nil || turn.Finish != of || strings.TrimSpace(turn.Said()) == "" || len(turn.Calls()) > 0 {
					return o
				}
				last.Add(neutral.Says(neutral.Assistant, turn.Said()))
				if says != "" {
					last.Add(neutral.Says(neutral.User, says))
				}
				last.AskAgain()
				return o
			},
		}
	}
}

// A loop goes on behind a cut answer with messages, and reports the rest in some way.
type (
	Asking    func(r *Request, half string)
	Reporting func(half, rest string) string
)

// WithHalf sends what came, and asks for the rest.
func WithHalf(r *Request, half string) {
	r.Add(neutral.Says(neutral.Assistant, strings.TrimSpace(half)), neutral.Says(neutral.User, "Go on where you were cut off."))
}

// WithHalfAlone sends what came, and lets the model go on behind it.
func WithHalfAlone(r *Request, half string) {
	r.Add(neutral.Says(neutral.Assistant, strings.TrimSpace(half)))
}

// WithNote says that something was cut off, and asks for the rest.
func WithNote(r *Request, _ string) {
	r.Add(neutral.Says(neutral.Assistant, "[the answer was cut off]"), neutral.Says(neutral.User, "Go on where you were cut off."))
}

// AsksShorter asks for a shorter answer.
func AsksShorter(r *Request, _ string) {
	r.Add(neutral.Says(neutral.User, "Your answer was too long. Answer in one sentence."))
}

// Joined and Alone report both parts of an answer, and the last one.
func Joined(half, rest string) string { return half + rest }
func Alone(_, rest string) string     { return rest }

// GoesOn makes a loop that asks for the rest of an answer which the token limit cut, each time.
func GoesOn(ask Asking, report Reporting) func() Mutation {
	return func() Mutation {
		before, asked := "", false
		return Mutation{
			Request: func(r *Request) {
				if r.NextPrompt {
					before = ""
				}
				if asked = before != ""; asked {
					ask(r, before)
				}
			},
			Answer: func(a *Answer) {
				t := a.Turn()
				if asked || !a.OK() || a.Err != nil {
					return
				}
				if before = ""; t.Finish == neutral.Length && strings.TrimSpace(t.Said()) != "" && len(t.Calls()) == 0 {
					before = t.Said()
					a.Fail("the answer was cut") // so that the loop asks again
				}
			},
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if o.Status == protocol.Completed && before != "" {
					o.Text = report(before, o.Text)
				}
				return o
			},
		}
	}
}

// AsksForTheCall makes a loop that asks again for a call which the token limit cut: with an error
// as its result, and in its place what is made of its arguments, or without it where that is nil.
func AsksForTheCall(arguments func(cut string) string) func() Mutation {
	return func() Mutation {
		var asking []neutral.Message // from the cut on, they are in each request
		at := -1
		return Mutation{
			Request: func(r *Request) {
				if asking != nil && at < 0 {
					at = len(r.Messages)
				}
				if asking != nil && at <= len(r.Messages) {
					r.Messages = slices.Insert(r.Messages, at, asking...)
				}
			},
			Answer: func(a *Answer) {
				t := a.Turn()
				if !a.OK() || a.Err != nil || asking != nil || t.Finish != neutral.Length || len(t.Calls()) != 1 || !Unparsed(t.Calls()[0]) {
					return
				}
				a.Fail("the call was cut") // so that the loop asks again
				if arguments == nil {
					asking = []neutral.Message{neutral.Says(neutral.User, "Your call was cut off. Make it again.")}
					return
				}
				call := *t.Calls()[0]
				call.Arguments = arguments(call.Arguments)
				result := &neutral.Result{CallID: call.ID, Name: call.Name, Text: "The call was cut off. Make it again.", Failed: true}
				parts := slices.Clone(t.Parts)
				parts[slices.Index(parts, neutral.Part(t.Calls()[0]))] = &call
				asking = []neutral.Message{{Role: neutral.Assistant, Parts: parts}, {Role: neutral.Tool, Parts: []neutral.Part{result}}}
			},
		}
	}
}
