package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// suiteRuns is how often the cases are played.
const suiteRuns = 3

// suiteRow is how long the cases took.
type suiteRow struct {
	Name  string
	Cases int
	Times []time.Duration
}

// measureSuite plays the cases to the built-in reference loop: all of them, and with --quick.
func (b *bench) measureSuite(ctx context.Context) error {
	for _, args := range [][]string{{"run", "--seed", "1"}, {"run", "--seed", "1", "--quick"}} {
		row := &suiteRow{Name: "loopproof " + args[0]}
		if len(args) > 3 {
			row.Name += " " + args[3]
		}
		for range suiteRuns {
			begin := time.Now()
			out, err := exec.CommandContext(ctx, b.binary, args...).CombinedOutput()
			if err != nil {
				return fmt.Errorf("%s: %w: %s", row.Name, err, out)
			}
			row.Times = append(row.Times, time.Since(begin))
			if row.Cases, err = casesIn(out); err != nil {
				return err
			}
		}
		b.results.Suite = append(b.results.Suite, row)
	}
	return nil
}

var casesPattern = regexp.MustCompile(`(\d+) cases? of \d+ scenario`)

// casesIn returns how many cases a run says that it plays.
func casesIn(out []byte) (int, error) {
	said := casesPattern.FindSubmatch(out)
	if said == nil {
		return 0, fmt.Errorf("the run does not say how many cases were played: %s", bytes.TrimSpace(out))
	}
	return strconv.Atoi(string(said[1]))
}

// perSecond is how many cases were played each second, in the median run.
func (row *suiteRow) perSecond() float64 { return float64(row.Cases) / median(row.Times).Seconds() }
