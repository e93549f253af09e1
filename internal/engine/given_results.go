package engine

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// givenResults are how often each result of some scripted tools was given. It answers calls of them:
// those of a loop, and those of the MCP servers of an application.
type givenResults struct {
	mu    sync.Mutex
	times map[*scenarios.Result]int
}

// answer finds what a tool of a scenario answers, and fills in what the execution says of it.
func (g *givenResults) answer(s *scenarios.Scenario, script *scenarios.Script, e *trace.Execution) (*scenarios.Result, int) {
	fails := func(status int, format string, args ...any) (*scenarios.Result, int) {
		e.Failed = true
		message := fmt.Sprintf(format, args...)
		e.Result = message
		return &scenarios.Result{Fail: &message}, status
	}
	tool := s.Tool(e.Tool)
	if tool == nil {
		e.Unknown = true
		return fails(http.StatusNotFound, "there is no tool %q", e.Tool)
	}
	call := wire.AnswerCall{Name: e.Tool, Arguments: e.Arguments}
	switch s.Trouble(call) {
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
	if result.Pictured() != "" {
		e.Image = script.Picture(e.Tool, e.Arguments, result)
		return result, http.StatusOK
	}
	result = result.Later(g.before(result))
	e.Result = result.Output()
	if result.Fails() {
		e.Failed = true
		return result, http.StatusInternalServerError
	}
	return result, http.StatusOK
}

// before returns how often a result was given before, and counts that it is given again.
func (g *givenResults) before(result *scenarios.Result) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := g.times[result]
	if g.times == nil {
		g.times = map[*scenarios.Result]int{}
	}
	g.times[result]++
	return n
}

// forget forgets what was given.
func (g *givenResults) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.times = nil
}

// blocksOf returns the blocks of a result, or nil if it is one text or one image.
func blocksOf(script *scenarios.Script, e *trace.Execution, result *scenarios.Result) *trace.Blocks {
	if !result.Several() || e.Unknown {
		return nil
	}
	return &trace.Blocks{
		Texts: result.Texts(), Resources: result.Resources(), Links: result.Links(), Structured: result.StructuredText(),
		Media: script.Media(e.Tool, e.Arguments, result),
	}
}
