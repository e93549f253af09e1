package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

const resultsFolder = "docs/findings/results"

// result is what the documents say of a run. It is kept, so that they can be written when only some loops are played.
type result struct {
	Version  string             `json:"version"`
	Commit   string             `json:"commit"`
	Date     string             `json:"date"`
	Cases    int                `json:"cases"`
	Features []protocol.Feature `json:"features"`
	Failed   []failed           `json:"failed"`
	Untested []string           `json:"untested,omitempty"`
	Odd      map[string]string  `json:"odd,omitempty"` // what the loop made of the odd answer of a scenario
}

// failed is a rule that is broken.
type failed struct {
	Rule   string      `json:"rule"`
	Level  trace.Level `json:"level"`
	Failed int         `json:"failed"` // in so many cases
	Cases  int         `json:"cases"`  // of so many in which it was judged

	// Follows says that the rule is broken only where another one is, and since that one is.
	Follows bool `json:"follows,omitempty"`
}

func resultOf(r *report.Report, commit string, odd oddities) result {
	res := result{
		Version: r.Loop.Version, Commit: commit, Date: r.Started.Format("2006-01-02"), Cases: len(r.Cases), Odd: odd.made(r),
	}
	for _, f := range r.Claims.Features {
		if f != protocol.Executions {
			res.Features = append(res.Features, f)
		}
	}
	for _, level := range []trace.Level{trace.Must, trace.Should} {
		for _, rule := range r.Rules {
			switch {
			case rule.Level != level:
			case rule.Verdict == trace.Failed:
				res.Failed = append(res.Failed, failed{rule.ID, rule.Level, rule.Failed, rule.Cases, !rule.Own()})
			case rule.Verdict == trace.Untested:
				res.Untested = append(res.Untested, rule.ID)
			}
		}
	}
	return res
}

// broken counts the rules of a level that are broken.
func (r result) broken(level trace.Level) int {
	n := 0
	for _, f := range r.Failed {
		if f.Level == level && !f.Follows {
			n++
		}
	}
	return n
}

func (r result) summary() string {
	return fmt.Sprintf("%s, %s and %s broken", counted(r.Cases, "case"), counted(r.broken(trace.Must), "must"), counted(r.broken(trace.Should), "should"))
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

func resultFile(l loop) string { return path.Join(resultsFolder, l.Name+".json") }

func (r result) write(l loop) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(resultsFolder, 0o777); err != nil {
		return err
	}
	return os.WriteFile(resultFile(l), append(data, '\n'), 0o666)
}

// readResult returns the result of the last run, or false when the loop was never played.
func readResult(l loop) (result, bool, error) {
	var r result
	data, err := os.ReadFile(resultFile(l))
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return r, false, fmt.Errorf("%s: %w", resultFile(l), err)
	}
	return r, true, nil
}
