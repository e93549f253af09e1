package engine

import (
	"context"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// patienceAfterChange is how much longer a tool takes that changes the list of the tools: long enough
// for the word of it to reach another process, and for the list to be asked for, on a machine that may
// be busy.
const patienceAfterChange = 400 * time.Millisecond

// ToolsChange has a function called when the list of the tools changes, with the names of those that
// are gone, and with all that are there then. It returns false in a scenario in which it does not change.
func (r *Run) ToolsChange(told func(gone []string, now []protocol.Tool)) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.onToolsChange = told
	return r.config.Scenario.ChangesTools()
}

// AfterEnd has a function called when the run has ended.
func (r *Run) AfterEnd(f func()) { context.AfterFunc(r.about.ctx, f) }

// hasRun reports whether a tool has been run.
func (r *Run) hasRun(tool string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.executions, func(e *trace.Execution) bool { return e.Tool == tool && !e.Unknown })
}

// changeTools tells that the list of the tools changes, where a tool that runs does that, and waits
// until the loop can know it. It reports whether the loop gave the tool up meanwhile.
func (r *Run) changeTools(ctx context.Context, tool string) (gone bool) {
	if !r.config.Scenario.ChangesToolsWhen(tool) {
		return false
	}
	r.mu.Lock()
	told := r.onToolsChange
	r.onToolsChange = nil // it changes once
	r.mu.Unlock()
	if told == nil {
		return false
	}
	now := r.Tools()
	var without []string
	for _, t := range r.config.Scenario.Tools {
		if !slices.ContainsFunc(now, func(there protocol.Tool) bool { return there.Name == t.Name }) {
			without = append(without, t.Name)
		}
	}
	told(without, now)
	return !r.provider.config.Clock.Sleep(ctx, patienceAfterChange)
}

// passOverUnoffered leaves out steps for a tool that the request does not offer.
func (r *Run) passOverUnoffered(req *wire.Request) {
	for r.next < len(r.compiled.Turns)-1 {
		tool := r.compiled.Turns[r.next].Step.IfOffered
		if tool == "" || r.offers(req)[tool] != "" {
			return
		}
		r.next++
	}
}
