package hooks

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// Blank reports whether the arguments of a call say nothing.
func Blank(s string) bool { return s == "" || s == "null" }

// Unparsed reports whether the arguments of a call are neither JSON nor blank.
func Unparsed(c *neutral.Call) bool {
	return !c.FreeText && !Blank(c.Arguments) && !gjson.Valid(c.Arguments)
}

// EachHeardCall changes every call that the loop reads.
func EachHeardCall(change func(*neutral.Call)) func() Mutation {
	return OnTurn(func(t *neutral.Turn) {
		for _, c := range t.Calls() {
			change(c)
		}
	})
}

// PerTurn gives a tool hook what the turn said in which its call was made, and a value that is
// fresh for each turn. The tools run in the order of their calls.
func PerTurn[T any](run func(turn *T, calls []*neutral.Call, r *ToolRun, post func(*ToolRun) ToolResult) ToolResult) func() Mutation {
	return func() Mutation {
		free := make(chan struct{}, 1) // and no mutex, for which virtual time does not go on
		var calls []*neutral.Call
		state := new(T)
		inOrder := OneByOne(false, true)()
		return Mutation{
			Request: inOrder.Request,
			Answer: func(a *Answer) {
				calls, state = a.Calls(), new(T)
				inOrder.Answer(a)
			},
			Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
				return inOrder.Tool(r, func(r *ToolRun) ToolResult {
					free <- struct{}{}
					defer func() { <-free }()
					return run(state, calls, r, post)
				})
			},
		}
	}
}
