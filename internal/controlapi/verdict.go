package controlapi

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// verdictView is the verdict on a run for the test that had it.
type verdictView struct {
	Passed  bool         `json:"passed"`
	Sum     journal.Sum  `json:"sum"`
	Broken  []brokenRule `json:"broken"`
	Message string       `json:"message"`
}

type brokenRule struct {
	Rule  string      `json:"rule"`
	Level trace.Level `json:"level"`
}

// showVerdict says whether a run passed, and in the terms of the command what is wrong with it. The helpers for test
// frameworks print that, so that they agree without knowing the rules.
func (c *api) showVerdict(w http.ResponseWriter, r *http.Request) {
	run, ok := c.found(w, r)
	if !ok {
		return
	}
	sum, found := run.Journal.Sum(), run.Journal.Report(c.provider.Version())
	var failures strings.Builder
	if err := (report.Console{}).WriteFailures(&failures, found); err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	for _, e := range run.Journal.Entries() {
		if e.Exchange.Request == nil && !e.Unrouted {
			failures.WriteString(fmt.Sprintf("request %d cannot be read: %s\n", e.Number, e.Exchange.Problem))
		}
	}
	if sum.Unscripted > 0 {
		failures.WriteString(textlayout.Count(sum.Unscripted, "request") + " belonged to no script, and got a 404 that says why\n")
	}
	broken := []brokenRule{}
	for _, level := range []trace.Level{trace.Must, trace.Should, trace.Info} {
		for _, rule := range found.Broken(level) {
			broken = append(broken, brokenRule{rule.ID, rule.Level})
		}
	}
	reply(w, http.StatusOK, verdictView{Passed: run.Lenient || !sum.Violations(), Sum: sum, Broken: broken, Message: failures.String()})
}

// environment returns what official SDKs read from the environment to ask a run: the base URL of each dialect that is
// played, and the key.
func (c *api) environment(run Run, server string) map[string]string {
	root := run.URL(server)
	for _, d := range c.provider.Dialects() {
		if d.Name == run.Dialect {
			root = strings.TrimSuffix(root, d.Endpoint.BasePath)
		}
	}
	env := map[string]string{}
	for _, d := range c.provider.Dialects() {
		if d.Name != run.Dialect && c.provider.Plays(d) == "" {
			continue
		}
		env[d.Endpoint.URLVariable()] = root + d.Endpoint.BasePath
		env[d.Endpoint.KeyVariable()] = run.APIKey
	}
	return env
}
