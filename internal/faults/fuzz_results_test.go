package faults

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/fuzzing"
)

// fuzzResult is what became of a loop that was fuzzed.
type fuzzResult struct {
	Loop          string   `json:"loop"`
	Dialect       string   `json:"dialect"`
	Breaks        []string `json:"breaks,omitempty"` // what it is declared to break
	Verdict       string   `json:"verdict"`
	Seed          uint64   `json:"seed"`
	Conversations int      `json:"conversations"` // so many were played, to a loop that was found those up to its batch
	Cases         int      `json:"cases"`
	Seconds       float64  `json:"seconds"`

	// Of the first finding.
	Rule   string `json:"rule,omitempty"`
	Case   string `json:"case,omitempty"`
	Number int    `json:"conversation,omitempty"`
	File   string `json:"scenario,omitempty"`
}

// The verdicts. A fault that breaks only rules of the level info cannot be found.
const (
	fuzzFound  = "found"
	fuzzMissed = "missed"
	fuzzInfo   = "info"
)

func (r fuzzResult) found() bool { return r.Verdict == fuzzFound }

func (r fuzzResult) area() string {
	area, _, _ := strings.Cut(r.Loop, "/")
	return area
}

// result returns what became of a fault or a variation.
func (p performance) result(r fuzzing.Result, took time.Duration) fuzzResult {
	told := fuzzResult{
		Loop: p.Name, Dialect: p.dialect, Breaks: p.BreaksIn(p.dialect), Verdict: fuzzMissed,
		Seed: *fuzzedFrom, Conversations: r.Conversations, Cases: r.Cases, Seconds: took.Round(10 * time.Millisecond).Seconds(),
	}
	if len(r.Findings) > 0 {
		f := r.Findings[0]
		told.Verdict, told.Rule, told.Case, told.Number, told.File = fuzzFound, f.Rule, f.Case, f.Number, string(f.File)
	}
	return told
}

// fuzzResults are the results of all loops, in a file where one is named. It is safe for use by
// many tests.
type fuzzResults struct {
	mu   sync.Mutex
	all  []fuzzResult
	file *os.File
}

// openFuzzResults reads what the file tells already, and adds to it.
func openFuzzResults(t *testing.T) *fuzzResults {
	t.Helper()
	r := &fuzzResults{}
	if *fuzzedTo == "" {
		return r
	}
	if err := r.read(*fuzzedTo); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(*fuzzedTo, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	r.file = file
	t.Cleanup(func() { file.Close() })
	return r
}

func (r *fuzzResults) read(name string) error {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var known fuzzResult
		if err := json.Unmarshal(lines.Bytes(), &known); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r.keep(known)
	}
	return lines.Err()
}

// keep keeps a result instead of an earlier one of the same loop and seed.
func (r *fuzzResults) keep(result fuzzResult) {
	i := slices.IndexFunc(r.all, func(other fuzzResult) bool {
		return other.Loop == result.Loop && other.Dialect == result.Dialect && other.Seed == result.Seed
	})
	if i < 0 {
		r.all = append(r.all, result)
		return
	}
	r.all[i] = result
}

// of returns the result of a loop with a seed.
func (r *fuzzResults) of(p performance, seed uint64) (fuzzResult, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, known := range r.all {
		if known.Loop == p.Name && known.Dialect == p.dialect && known.Seed == seed {
			return known, true
		}
	}
	return fuzzResult{}, false
}

func (r *fuzzResults) add(t *testing.T, result fuzzResult) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep(result)
	if r.file == nil {
		return
	}
	if err := json.NewEncoder(r.file).Encode(result); err != nil {
		t.Error(err)
	}
}

// tables shows the shares of the faults that were found, as Markdown, and names those that were
// not.
func (r *fuzzResults) tables() string {
	var b strings.Builder
	shares := func(title string, of func(fuzzResult) string) {
		fmt.Fprintf(&b, "\n| %s | found | of | only info |\n|---|---|---|---|\n", title)
		names := []string{}
		for _, one := range r.all {
			if name := of(one); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		for _, name := range append(names, "") {
			found, all, told := 0, 0, 0
			for _, one := range r.all {
				if name != "" && of(one) != name {
					continue
				}
				all++
				switch one.Verdict {
				case fuzzFound:
					found++
				case fuzzInfo:
					told++
				}
			}
			if name == "" {
				name = "all"
			}
			fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", name, found, all, told)
		}
	}
	shares("wire API", func(r fuzzResult) string { return r.Dialect })
	shares("area", fuzzResult.area)
	b.WriteString("\nmissed\n")
	for _, one := range r.all {
		if one.Verdict == fuzzMissed {
			fmt.Fprintf(&b, "%s@%s after %d conversations: %s\n", one.Loop, one.Dialect, one.Conversations, strings.Join(one.Breaks, ", "))
		}
	}
	return b.String()
}
