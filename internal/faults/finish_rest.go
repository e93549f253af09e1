package faults

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// asksForTheRest makes a loop that asks once for the rest of a text that ended for a reason: with
// the text in the history, and behind that what it says in the place of the user, if anything.
func asksForTheRest(of neutral.Finish, says string) func() Mutation {
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
				last.askAgain()
				return o
			},
		}
	}
}

// A loop goes on behind a cut answer with messages, and reports the rest in some way.
type (
	asking    func(r *Request, half string)
	reporting func(half, rest string) string
)

func withHalf(r *Request, half string) {
	r.Add(neutral.Says(neutral.Assistant, strings.TrimSpace(half)), neutral.Says(neutral.User, "Go on where you were cut off."))
}

func withHalfAlone(r *Request, half string) {
	r.Add(neutral.Says(neutral.Assistant, strings.TrimSpace(half)))
}

func withNote(r *Request, _ string) {
	r.Add(neutral.Says(neutral.Assistant, "[the answer was cut off]"), neutral.Says(neutral.User, "Go on where you were cut off."))
}

func asksShorter(r *Request, _ string) {
	r.Add(neutral.Says(neutral.User, "Your answer was too long. Answer in one sentence."))
}

func joined(half, rest string) string { return half + rest }
func alone(_, rest string) string     { return rest }

// goesOn makes a loop that asks for the rest of an answer which the token limit cut, each time.
func goesOn(ask asking, report reporting) func() Mutation {
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

// asksForTheCall makes a loop that asks again for a call which the token limit cut: with an error
// as its result, and in its place what is made of its arguments, or without it where that is nil.
func asksForTheCall(arguments func(cut string) string) func() Mutation {
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
				if !a.OK() || a.Err != nil || asking != nil || t.Finish != neutral.Length || len(t.Calls()) != 1 || !unparsed(t.Calls()[0]) {
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
