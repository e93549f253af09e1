package faults

import (
	"strings"
	"sync/atomic"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// The makers of faults that change one thing and remember nothing.

func onRawRequest(change func(*raw.Request)) func() Mutation {
	return func() Mutation { return Mutation{RawRequest: change} }
}

func onBytes(change func([]byte) []byte) func() Mutation {
	return func() Mutation { return Mutation{Bytes: change} }
}

func onLoop(change func(*refloop.Loop)) func() Mutation {
	return func() Mutation { return Mutation{Loop: change} }
}

func onTool(run func(*ToolRun, func(*ToolRun) ToolResult) ToolResult) func() Mutation {
	return func() Mutation { return Mutation{Tool: run} }
}

func onTask(change func(*protocol.Task)) func() Mutation {
	return func() Mutation {
		return Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			change(&task)
			return run(task)
		}}
	}
}

func onOutcome(change func(*protocol.Outcome)) func() Mutation {
	return func() Mutation {
		return Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			o := run(task)
			change(&o)
			return o
		}}
	}
}

// rounds is how long a run goes well for the faults that only show in long ones.
const rounds = 4

// givesUpAfter makes a loop that ends what it does for a prompt after an answer or a tool of some
// kind.
func givesUpAfter(answer func(*Answer) bool, tool func(ToolResult) bool) func() Mutation {
	return func() Mutation {
		var over atomic.Bool // tools run at the same time
		note := func(bad bool) {
			if bad {
				over.Store(true)
			}
		}
		return Mutation{
			Request: func(r *Request) {
				if r.NextPrompt {
					over.Store(false)
				}
				if over.Load() {
					r.Abort()
				}
			},
			Answer: func(a *Answer) { note(answer != nil && answer(a)) },
			Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
				result := post(r)
				note(tool != nil && tool(result))
				return result
			},
		}
	}
}

func isError(content string) bool { return strings.HasPrefix(content, "Error: ") }

func content(message string) string {
	if said := gjson.Get(message, "content"); said.Type == gjson.String { // a list has thinking in it
		return said.String()
	}
	return ""
}
