package runner

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// foreignTools are those of a program that runs none of the task's.
type foreignTools struct{ way http.RoundTripper }

// RoundTrip answers what is asked of a tool of the task, as the program's own tool of that name
// does.
func (f foreignTools) RoundTrip(req *http.Request) (*http.Response, error) {
	if !strings.Contains(req.URL.Path, "/tools/") {
		return f.way.RoundTrip(req)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("Nothing was found.")), Request: req}, nil
}

// TestLoopsWithToolsOfTheirOwn: the tools of a program and their results are unknown. It can be
// conformant by the rest.
func TestLoopsWithToolsOfTheirOwn(t *testing.T) {
	t.Parallel()
	// Custom tools, sub-agents and tools that code of the provider calls are those of the task.
	features := claims.Without(protocol.CustomTools, protocol.SubAgents, protocol.ProgrammaticTools)
	bash := protocol.Tool{Name: "bash", Description: "Run a command.", Parameters: json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}`)}
	for name, loop := range map[string]func(http.RoundTripper) loops.Func{
		"other tools": func(way http.RoundTripper) loops.Func {
			return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
				task.Tools = []protocol.Tool{bash}
				return referenceOver(way)(ctx, task)
			}
		},
		"tools of the same names": func(way http.RoundTripper) loops.Func { return referenceOver(foreignTools{way}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := inMemory(t, Config{
				Seed:   41,
				Claims: loops.Claims{NoExecutions: true, Dialects: profiles.Dialects(profiles.All()), Features: features, Profiles: []string{"**"}},
				Select: Select{Quick: true},
			}, loop)
			for _, rule := range r.Rules {
				if rule.Verdict == trace.Failed && rule.Level != trace.Info || rule.Verdict == trace.Untested && rule.Level == trace.Must {
					_, f := r.Example(rule.ID)
					t.Errorf("%s, a %s, is %s: %+v", rule.ID, rule.Level, rule.Verdict, f)
				}
			}
		})
	}
}

// TestSystemPromptsOfPrograms: a program with tools of its own has instructions of its own, too. It
// is held to those of a task only where it is handed them.
func TestSystemPromptsOfPrograms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		args         []string
		noExecutions bool
		handed       bool
	}{
		{"tools of the task", []string{"{prompt}"}, false, true},
		{"its own tools", []string{"{prompt}"}, true, false},
		{"its own tools, prompt on standard input", nil, true, false},
		{"its own tools, handed both", []string{"--system={system}", "{prompt}"}, true, true},
	} {
		config := Config{Loop: loops.Command{Command: "agent", Args: c.args}, Claims: loops.Claims{NoExecutions: c.noExecutions}}
		plan, err := newPlan(config, config.options(profiles.Known{}).Hello("agent", ""))
		if err != nil {
			t.Fatal(err)
		}
		played := slices.ContainsFunc(plan.Cases, func(tc trace.Case) bool { return plan.scenarios[tc.Scenario].System != "" })
		if expected := slices.Contains(plan.Expected, "history/system-prompt-sent"); played != c.handed || expected != c.handed {
			t.Errorf("%s: scenarios with a system prompt are played: %v, and expected of it: %v; want %v", c.name, played, expected, c.handed)
		}
	}
}
