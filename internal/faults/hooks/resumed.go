package hooks

import (
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// BehindFailures rewrites the history of a request of a task in which the user continues after a
// failure, which a spent budget is not: change gets what came of each prompt, and the index of the last one without an answer
// that the user has continued from.
func BehindFailures(change func(parts [][]neutral.Message, failed int) [][]neutral.Message) func() Mutation {
	return OnRequest(func(r *Request) {
		if !r.Task.ResumeAfterFailure || r.Task.TokenBudget > 0 {
			return
		}
		parts := Conversation(r.Messages)
		for i := len(parts) - 2; i > 0; i-- {
			if !AnsweredPrompt(parts[i]) {
				r.Messages = slices.Concat(change(parts, i)...)
				return
			}
		}
	})
}

// OnResumed changes the outcome of a task whose last prompt was answered after one without an
// answer. It is told the text that had come of that one.
func OnResumed(change func(o *protocol.Outcome, half string)) func() Mutation {
	return func() Mutation {
		half, failed := "", false
		return Mutation{
			Answer: func(a *Answer) {
				if a.BrokeOff() || !a.OK() {
					half, failed = a.Text(), true
				}
			},
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if task.ResumeAfterFailure && failed && o.Status == protocol.Completed {
					change(&o, half)
				}
				return o
			},
		}
	}
}

// KeepCallsOf keeps the calls of answers of a kind in the history of the next prompt, with results
// or without.
func KeepCallsOf(kind func(*Answer) bool, results func(calls []*neutral.Call) []neutral.Message) func() Mutation {
	return KeepOf(func(a *Answer) []neutral.Message {
		calls := a.Calls()
		if !kind(a) || len(calls) == 0 {
			return nil
		}
		turn := neutral.Message{Role: neutral.Assistant}
		for _, c := range calls {
			turn.Parts = append(turn.Parts, c)
		}
		return append([]neutral.Message{turn}, results(calls)...)
	})
}

// KeepOf keeps messages of an answer in the history of the next prompt, where the prompt had no
// answer.
func KeepOf(messages func(*Answer) []neutral.Message) func() Mutation {
	return func() Mutation {
		kept := map[int][]neutral.Message{} // by the number of their prompt
		prompt := 0
		return Mutation{
			Request: func(r *Request) {
				parts := Conversation(r.Messages)
				prompt = len(parts) - 1
				for i, messages := range kept {
					if i < prompt && !AnsweredPrompt(parts[i]) {
						parts[i] = append(parts[i], messages...)
					}
				}
				r.Messages = slices.Concat(parts...)
			},
			Answer: func(a *Answer) { kept[prompt] = messages(a) },
		}
	}
}

// NoResults is for [KeepCallsOf]: the calls go back without results.
func NoResults([]*neutral.Call) []neutral.Message { return nil }

// LeavesOpen gives up at the calls of a kind, and keeps them in the history of the next prompt
// without their results.
func LeavesOpen(bad func(protocol.Task, *neutral.Call) bool) func() Mutation {
	return GivingUpAnd(GivesUpAt(bad), func(r *Request) {
		open := map[string]bool{} // ids of calls
		RewriteUnanswered(r, func(part []neutral.Message) []neutral.Message {
			for _, m := range part {
				for _, c := range m.Calls() {
					open[c.ID] = bad(r.Task, c)
				}
			}
			return part
		})
		DropResults(r, func(x *neutral.Result) bool { return open[x.CallID] })
	})
}

// Interrupted returns results which say that a call was interrupted.
func Interrupted(calls []*neutral.Call) []neutral.Message {
	var results []*neutral.Result
	for _, c := range calls {
		results = append(results, &neutral.Result{CallID: c.ID, Name: c.Name, Text: "Error: interrupted", Failed: true})
	}
	return []neutral.Message{Answering(results...)}
}
