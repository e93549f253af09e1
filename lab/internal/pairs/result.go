package pairs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

const resultsFolder = "lab/adapters/pairs/results"

// result is what came of both versions. It is kept, so that the document can be written when only
// some pairs are played.
type result struct {
	Date   string  `json:"date"`
	Commit string  `json:"commit"`
	Bad    outcome `json:"bad"`
	Good   outcome `json:"good"`
}

// outcome is what came of one version.
type outcome struct {
	Version string             `json:"version"` // as the adapter names it
	Cases   int                `json:"cases"`
	Rules   map[string]verdict `json:"rules"` // those of the pair
}

// verdict is that on a rule, over all cases.
type verdict struct {
	Verdict trace.Verdict `json:"verdict"`
	Cases   int           `json:"cases"` // in which it was judged
	Failed  int           `json:"failed"`
	Found   *found        `json:"found,omitempty"` // in the simplest case that failed
}

// found is a violation.
type found struct {
	Case     string `json:"case"`
	Message  string `json:"message"`
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
}

func outcomeOf(r *report.Report, rules []string) outcome {
	o := outcome{Version: r.Loop.Version, Cases: len(r.Cases), Rules: map[string]verdict{}}
	for _, id := range rules {
		o.Rules[id] = verdict{Verdict: trace.Untested}
	}
	for _, rule := range r.Rules {
		if _, ours := o.Rules[rule.ID]; !ours {
			continue
		}
		v := verdict{Verdict: rule.Verdict, Cases: rule.Cases, Failed: rule.Failed}
		if c, f := r.Example(rule.ID); f != nil {
			v.Found = &found{Case: c.ID, Message: f.Message, Expected: f.Expected, Actual: f.Actual}
		}
		o.Rules[rule.ID] = v
	}
	return o
}

// toldApart reports whether each rule of a pair is broken by the bad version and kept by the good
// one.
func (r result) toldApart(p pair) bool {
	for _, rule := range p.Rules {
		if r.Bad.Rules[rule].Verdict != trace.Failed || r.Good.Rules[rule].Verdict != trace.Passed {
			return false
		}
	}
	return true
}

// unexpected says how a pair did not come out as the list has it, or "".
func (r result) unexpected(p pair) string {
	switch apart := r.toldApart(p); {
	case apart && p.Same != "":
		return "the versions were told apart, although the list has a reason why they cannot be: remove the reason"
	case !apart && p.Same == "":
		return "the versions were not told apart: each rule has to fail with the bad version and pass with the good one"
	default:
		return ""
	}
}

func (v verdict) words() string {
	switch v.Verdict {
	case trace.Failed:
		return fmt.Sprintf("fails it in %d of %d", v.Failed, v.Cases)
	case trace.Passed:
		return fmt.Sprintf("passes it in %d", v.Cases)
	default:
		return "is not judged by it"
	}
}

func (p pair) resultFile() string { return path.Join(resultsFolder, p.Name+".json") }

func (r result) write(p pair) error {
	var b strings.Builder
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	to.SetIndent("", " ")
	if err := to.Encode(r); err != nil {
		return err
	}
	if err := os.MkdirAll(resultsFolder, 0o777); err != nil {
		return err
	}
	return os.WriteFile(p.resultFile(), []byte(b.String()), 0o666)
}

// readResult returns the result of the last run of a pair.
func readResult(p pair) (r result, err error) {
	data, err := os.ReadFile(p.resultFile())
	if errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("%s was never played: cd lab && go run ./pairs %s", p.Name, p.Name)
	}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", p.resultFile(), err)
	}
	return r, nil
}
