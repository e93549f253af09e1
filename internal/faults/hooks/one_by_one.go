package hooks

import (
	"context"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// OneByOne runs the tools of a turn one after the other, from the first call to the last or the
// other way round. Where only the running one is given up when the user cancels, the next begins
// anyway.
func OneByOne(backwards, givesUpAll bool) func() Mutation {
	return func() Mutation {
		var mu sync.Mutex
		var done map[string]chan struct{} // by the id of the call
		var before map[string]string      // the id of the call before it
		var task protocol.Task
		return Mutation{
			Timing:  true,
			Request: func(r *Request) { task = r.Task },
			Answer: func(a *Answer) {
				mu.Lock()
				defer mu.Unlock()
				done, before = map[string]chan struct{}{}, map[string]string{}
				last := ""
				for _, c := range a.Calls() {
					if c.ID == "" || done[c.ID] != nil || !runs(task, c) {
						continue // it is not run, or cannot be distinguished from others
					}
					done[c.ID] = make(chan struct{})
					if backwards && last != "" {
						before[last] = c.ID
					} else if !backwards {
						before[c.ID] = last
					}
					last = c.ID
				}
			},
			Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
				mu.Lock()
				mine, first := done[r.CallID], done[before[r.CallID]]
				mu.Unlock()
				if first != nil {
					<-first
				}
				if first != nil && !givesUpAll {
					r.Context = context.WithoutCancel(r.Context)
				}
				if mine != nil {
					defer close(mine)
				}
				return post(r)
			},
		}
	}
}

// runs reports whether the reference loop runs a call whatever the user says: its tool is offered,
// takes the arguments, and needs no approval.
func runs(task protocol.Task, call *neutral.Call) bool {
	for _, t := range task.Tools {
		if t.Name == call.Name {
			_, err := refloop.ArgumentsFor(t, call)
			return err == nil && !t.NeedsApproval
		}
	}
	return false
}
