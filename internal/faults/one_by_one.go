package faults

import (
	"context"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// oneByOne runs the tools of a turn one after the other, from the first call to the last or the other way round. Where
// only the running one is given up when the user cancels, the next begins all the same.
func oneByOne(backwards, givesUpAll bool) func() Changes {
	return func() Changes {
		var mu sync.Mutex
		var done map[string]chan struct{} // by the id of the call
		var before map[string]string      // the id of the call before it
		var task protocol.Task
		return Changes{
			Timing:     true,
			RawRequest: func(r *RawRequest) { task = r.Task },
			RawAnswer: func(a *RawAnswer) {
				mu.Lock()
				defer mu.Unlock()
				done, before = map[string]chan struct{}{}, map[string]string{}
				last := ""
				for _, c := range a.Calls() {
					if c.id == "" || done[c.id] != nil || !knows(task, c.name) || !gjson.Valid(c.arguments) {
						continue // it is not run, or cannot be told from others
					}
					done[c.id] = make(chan struct{})
					if backwards && last != "" {
						before[last] = c.id
					} else if !backwards {
						before[c.id] = last
					}
					last = c.id
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
					r.ctx = context.WithoutCancel(r.ctx)
				}
				if mine != nil {
					defer close(mine)
				}
				return post(r)
			},
		}
	}
}
