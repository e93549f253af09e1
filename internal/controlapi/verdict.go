package controlapi

import (
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/trace"
)

// verdictView is the verdict on a run for the test that had it.
type verdictView struct {
	Passed  bool         `json:"passed"`
	Sum     journal.Sum  `json:"sum"`
	Broken  []brokenRule `json:"broken"`
	Failure string       `json:"failure"`
	Message string       `json:"message"`
}

type brokenRule struct {
	Rule  string      `json:"rule"`
	Level trace.Level `json:"level"`
}

// showVerdict says whether a run passed, and in the terms of the command what is wrong with it. The
// helpers for test frameworks print that, so that they agree without knowing the rules.
func (c *api) showVerdict(w http.ResponseWriter, r *http.Request) {
	run, ok := c.found(w, r)
	if !ok {
		return
	}
	v, err := run.Journal.Verdict(c.provider.Version())
	if err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	if run.Lenient {
		v.Failure = ""
	}
	broken := []brokenRule{}
	for _, rule := range v.Broken {
		broken = append(broken, brokenRule{rule.ID, rule.Level})
	}
	reply(w, http.StatusOK, verdictView{Passed: v.Failure == "", Sum: v.Sum, Broken: broken, Failure: v.Failure, Message: v.Message})
}

// environment returns what official SDKs read from the environment to ask a run: the base URL of
// each dialect that is played, and the key.
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
		for _, more := range d.Endpoint.MoreEnv {
			name, value, _ := strings.Cut(more, "=")
			env[name] = value
		}
	}
	return env
}
