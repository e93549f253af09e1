package engine

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// runTool runs a scripted tool: 200 with the result, or another status with the message of its failure.
func (p *Provider) runTool(w http.ResponseWriter, r *http.Request) {
	vars := mux.Vars(r)
	found, ok := p.runs.Load(vars["run"])
	if !ok {
		http.Error(w, p.ended.noRun(vars["run"], r.URL.Path).Error(), http.StatusNotFound)
		return
	}
	run := found.(*Run)
	e := &trace.Execution{Tool: vars["tool"], CallID: r.Header.Get(protocol.CallIDHeader), Start: run.since()}
	body, err := p.readBody(r)
	if err != nil {
		http.Error(w, err.Error(), statusOf(err))
		return
	}
	e.Arguments = string(body)
	result, status := run.tool(e)
	run.beginTool(e)
	defer run.endTool(e)
	if x := run.last(); x != nil && run.cancels(x, scenarios.DuringTool) && run.holdTool(r.Context(), x) {
		run.dropTool(e)
		return
	}
	if !p.config.Clock.Sleep(r.Context(), result.After) {
		run.dropTool(e)
		return
	}
	if e.Image != nil {
		w.Header().Set("Content-Type", e.Image.MediaType)
		w.Write(e.Image.Data)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, result.Output())
}

// tool finds what a tool answers, and fills in what the execution says of it.
func (r *Run) tool(e *trace.Execution) (*scenarios.Result, int) {
	fails := func(status int, format string, args ...any) (*scenarios.Result, int) {
		e.Failed = true
		message := fmt.Sprintf(format, args...)
		e.Result = message
		return &scenarios.Result{Fail: &message}, status
	}
	e.Tool = r.scripted(e.Tool)
	tool := r.config.Scenario.Tool(e.Tool)
	if tool == nil {
		e.Unknown = true
		return fails(http.StatusNotFound, "there is no tool %q", e.Tool)
	}
	call := wire.AnswerCall{Name: e.Tool, Arguments: e.Arguments}
	switch r.config.Scenario.Trouble(call) {
	case scenarios.NotJSON:
		return fails(http.StatusBadRequest, "the arguments are not JSON: %s", e.Arguments)
	case scenarios.SchemaViolation:
		return fails(http.StatusUnprocessableEntity, "the arguments do not fit the parameters of %s: %s", e.Tool, tool.Schema())
	}
	result, ok := tool.Answer(strings.TrimSpace(e.Arguments))
	if !ok {
		e.Unknown = true
		return fails(http.StatusUnprocessableEntity, "the tool %s has no result for %s", e.Tool, e.Arguments)
	}
	if result.Image != "" {
		e.Image = r.compiled.Picture(e.Tool, e.Arguments, result)
		return result, http.StatusOK
	}
	e.Result = result.Output()
	if result.Fails() {
		e.Failed = true
		return result, http.StatusInternalServerError
	}
	return result, http.StatusOK
}

// scripted returns the scenario's own name of a tool that may be asked for under the name by which the loop offers it.
func (r *Run) scripted(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
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
