package engine

import (
	"cmp"
	"fmt"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// What a script takes in memory, as it was measured: its text is held about twice, and a step and a
// call take some more in each dialect in which they are made ready. A script of 900 kB with nothing
// but short steps took 38 MB.
const (
	stepWeight = 1500
	callWeight = 700
)

// weightOfScript returns about how many bytes a script takes in memory.
func weightOfScript(text string, s *scenarios.Scenario) int64 {
	weight := 2 * int64(len(text))
	for i := range s.Model {
		step := &s.Model[i]
		times := 1
		if s.Prompted() {
			times = max(1, step.Times) // each is a turn of its own
		}
		weight += int64(times) * int64(stepWeight+callWeight*len(step.Calls))
	}
	return weight
}

// scripts returns how many bytes the scripts of runs may take together.
func (l Limits) scripts() int64 { return cmp.Or(l.ScriptBytes, 256<<20) }

// checkScripts returns an error if the scripts of one run take more memory than those of all runs
// may.
func (l Limits) checkScripts(weight int64) error {
	if weight <= l.scripts() {
		return nil
	}
	return fmt.Errorf("the scripts of a run take about %d MB of memory, and those of all runs together may take %d MB: give the run fewer steps, or the server more (--scripts-mb)",
		(weight+1<<20-1)>>20, l.scripts()>>20)
}
