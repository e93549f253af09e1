package engine

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// runTool runs a scripted tool: 200 with the result, or another status with the message of its
// failure.
func (p *Provider) runTool(w http.ResponseWriter, r *http.Request) {
	vars := mux.Vars(r)
	run, ok := p.runInPath(w, r)
	if !ok {
		return
	}
	call := ToolCall{Tool: vars["tool"], ID: r.Header.Get(protocol.CallIDHeader), Start: run.since()}
	body, err := p.readBody(r)
	if err != nil {
		http.Error(w, err.Error(), statusOf(err))
		return
	}
	call.Arguments = string(body)
	e, status, ok := run.CallTool(r.Context(), call)
	if !ok {
		return
	}
	if e.Image != nil {
		w.Header().Set("Content-Type", e.Image.MediaType)
		w.Write(e.Image.Data)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, e.Result)
}

// runInPath returns the run that a request for its tools names, and otherwise answers that there is
// none.
func (p *Provider) runInPath(w http.ResponseWriter, r *http.Request) (*Run, bool) {
	id := mux.Vars(r)["run"]
	found, ok := p.runs.Load(id)
	if !ok {
		http.Error(w, p.ended.noRun(id, r.URL.Path).Error(), http.StatusNotFound)
		return nil, false
	}
	run := found.(*Run)
	run.dropIfDown()
	return run, true
}

// serveToolServer lets [Config.ToolServer] answer a request.
func (p *Provider) serveToolServer(w http.ResponseWriter, r *http.Request) {
	run, ok := p.runInPath(w, r)
	if !ok {
		return
	}
	run.toolServer.Do(func() { run.toolHandler = p.config.ToolServer(run) })
	run.toolHandler.ServeHTTP(w, r)
}

// ToolCall is a call of a tool of a run.
type ToolCall struct {
	Tool      string // its name, or that under which the loop offers it
	ID        string // of the call, where the loop exposes it
	Arguments string
	Start     time.Duration // since the start of the run; 0: now
	Several   bool          // the result may have several blocks; otherwise it is one text or one image
}

// CallTool runs a scripted tool. The status is 200, or that of the failure whose message is the
// result. It returns false if the loop has given up the call.
func (r *Run) CallTool(ctx context.Context, call ToolCall) (e trace.Execution, status int, ok bool) {
	if thread := r.threadOfTool(call); thread != nil {
		return thread.CallTool(ctx, call)
	}
	ctx, stop := r.endingWithRun(ctx)
	defer stop()
	if call.Start == 0 {
		call.Start = r.since()
	}
	noted := &trace.Execution{Tool: call.Tool, CallID: call.ID, Arguments: call.Arguments, Start: call.Start}
	result, status := r.tool(noted)
	if call.Several || noted.Image == nil {
		noted.Blocks = blocksOf(r.compiled, noted, result)
	}
	if noted.Blocks != nil {
		noted.Blocks.Joined = !call.Several
	}
	r.beginTool(noted)
	defer r.endTool(noted)
	if x := r.last(); x != nil && r.interruptsTool(x, noted) && r.holdTool(ctx, x) {
		r.dropTool(noted)
		return trace.Execution{}, 0, false
	}
	if r.steer(ctx, r.last()) {
		r.dropTool(noted)
		return trace.Execution{}, 0, false
	}
	if r.changeTools(ctx, noted.Tool) {
		r.dropTool(noted)
		return trace.Execution{}, 0, false
	}
	if !r.provider.config.Clock.Sleep(ctx, result.After) {
		r.dropTool(noted)
		return trace.Execution{}, 0, false
	}
	return trace.Execution{Tool: noted.Tool, CallID: noted.CallID, Arguments: noted.Arguments, Result: result.Output(), Image: noted.Image, Blocks: noted.Blocks, Failed: noted.Failed}, status, true
}

// interruptsTool reports whether the user cancels, or the process of the loop is killed, while a
// tool runs.
func (r *Run) interruptsTool(x *trace.Exchange, e *trace.Execution) bool {
	return r.cancels(x, scenarios.DuringTool) || r.crashes(x, scenarios.DuringTool) && r.runningAtCrash(x, e)
}

// endingWithRun returns a context that also ends with the run. A call over MCP has another context than
// its HTTP request, and without this a slow tool would keep the server from closing.
func (r *Run) endingWithRun(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	unlink := context.AfterFunc(r.about.ctx, cancel)
	return ctx, func() { unlink(); cancel() }
}

// tool finds what a tool answers, and fills in what the execution says of it.
func (r *Run) tool(e *trace.Execution) (*scenarios.Result, int) {
	e.Tool = r.scripted(e.Tool)
	return r.given.answer(r.config.Scenario, r.compiled, e)
}

// scripted returns the scenario's own name of a tool that may be asked for under the name by which
// the loop offers it.
func (r *Run) scripted(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.scriptedName(name)
}

func (r *Run) scriptedName(name string) string {
	if r.config.Scenario.Tool(name) != nil {
		return name
	}
	for own, offered := range r.offered {
		if offered == name {
			return own
		}
	}
	return name
}

func (r *Run) beginTool(e *trace.Execution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.executions = append(r.executions, e)
	r.cancelled.enter()
}

// dropTool notes that the loop gave a tool up.
func (r *Run) dropTool(e *trace.Execution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Dropped = true
}

func (r *Run) endTool(e *trace.Execution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.End = r.since()
	r.cancelled.leave()
}
