package runner

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/runner/testadapters"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// acpClaims are what the reference loop claims behind the Agent Client Protocol.
var acpClaims = []protocol.Feature{
	protocol.Streaming, protocol.ParallelCalls, protocol.MultiPrompt, protocol.ResumeAfterFailure, protocol.Cancel, protocol.Retries, protocol.TurnLimit, protocol.ToolApprovals,
}

// acpAgent describes the agent of package testadapters, with more variables.
func acpAgent(t *testing.T, how agents.ACP, variables ...string) loops.Agent {
	t.Helper()
	how.Command = []string{os.Args[0]}
	d := &agents.Description{
		Name: "ACP agent", Dialect: "chat", Deliveries: []string{"sse"}, Claims: acpClaims, ACP: &how,
		Env: map[string]string{"OPENAI_BASE_URL": "{base_url}", "OPENAI_MODEL": "{model}", "MAX_TURNS": "{max_turns}", "STREAM": "1"},
	}
	for _, variable := range append(testadapters.Env("acp", ""), variables...) {
		name, value, _ := strings.Cut(variable, "=")
		d.Env[name] = value
	}
	over, err := d.OverACP()
	if err != nil {
		t.Fatal(err)
	}
	return loops.Agent{Description: over, ACP: true}
}

// TestAgentOverACP: behind the Agent Client Protocol, the reference loop is judged as it is directly.
// What is left out is failure/silent-stream, since no message tells an agent how much time it has.
func TestAgentOverACP(t *testing.T) {
	t.Parallel()
	c := acpConfig(
		"approvals/*", "cancel/*", "execution/failing-tool", "execution/prompt-after-a-failed-tool", "finish/length-in-the-answer",
		"history/*prompt*", "limits/*turn*", "outcome/refusal", "outcome/long-answer", "pairing/parallel-results", "retry/down-for-good", "retry/rate-limit",
	)
	direct, over := c, c
	direct.Claims = loops.Claims{Features: acpClaims, Deliveries: []string{"sse"}, Dialects: []string{"chat"}}
	direct.Loop = loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
		return refloop.Loop{}.Run(ctx, task), nil
	})
	over.Loop = acpAgent(t, agents.ACP{})
	want, got := play(t, direct), play(t, over)
	if want := (report.Loop{Name: "ACP agent", Version: "1.4"}); got.Loop != want {
		t.Errorf("the loop is %+v, want %+v", got.Loop, want)
	}
	expected := map[string]report.Case{}
	for _, c := range want.Cases {
		expected[c.ID] = c
	}
	for _, c := range got.Cases {
		for _, rule := range slices.Sorted(maps.Keys(c.Verdicts)) {
			was := expected[c.ID].Verdicts[rule]
			if rule == "approvals/denial-says-why" { // a denial has no reason in this protocol
				was = trace.Untested
			}
			if was != c.Verdicts[rule] {
				t.Errorf("%s: %s is %s, and %q directly; %s", c.ID, rule, c.Verdicts[rule], was, findingOf(c, rule))
			}
		}
	}
}

func findingOf(c report.Case, rule string) string {
	for _, f := range c.Findings {
		if f.Rule == rule {
			return fmt.Sprintf("%s: expected %s, actual %s", f.Message, f.Expected, f.Actual)
		}
	}
	return ""
}

func acpConfig(scenarios ...string) Config {
	return Config{Seed: 41, Timeout: ample, StartTimeout: ample, EachOnce: true, Select: Select{Scenarios: scenarios}}
}

// TestACPAgentsOfManyKinds plays to agents that want to be authenticated, or load their sessions, and
// to such as are wrong.
func TestACPAgentsOfManyKinds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		how       agents.ACP
		variables []string
		scenario  string
		broken    []string
	}{
		"loads its session":      {how: agents.ACP{Next: agents.NextLoads}, scenario: "history/two-prompts"},
		"cannot load it":         {how: agents.ACP{Next: agents.NextLoads}, variables: []string{"FAULT=cannot-load"}, scenario: "history/two-prompts", broken: []string{"outcome/run-ends"}},
		"wants to log in":        {how: agents.ACP{Auth: "key", Mode: "quick"}, variables: []string{"WANTS_LOGIN=1"}, scenario: "pairing/single-call"},
		"runs what was denied":   {variables: []string{"FAULT=runs-what-was-denied"}, scenario: "approvals/denied", broken: []string{"approvals/denied-not-run"}},
		"goes on after a cancel": {variables: []string{"FAULT=deaf"}, scenario: "cancel/in-a-tool", broken: []string{"cancel/not-completed", "cancel/no-request-after"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := acpConfig(c.scenario)
			config.Loop = acpAgent(t, c.how, c.variables...)
			r := play(t, config)
			var broken []string
			for _, rule := range r.With(trace.Failed) {
				if rule.ID != "cancel/run-ends" { // how soon depends on what else the machine does
					broken = append(broken, rule.ID)
				}
			}
			if !slices.Equal(broken, c.broken) {
				t.Errorf("the broken rules are %q, want %q", broken, c.broken)
			}
		})
	}
}
