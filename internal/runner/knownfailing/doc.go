// Package knownfailing reads, judges and updates the list of failures of a loop that are accepted
// for now:
//
//	list, err := knownfailing.Load("known-failing.yaml")
//	judged := list.Judge(report, plan.Selection())
//	if !judged.Clean() {
//		fmt.Print(knownfailing.EntriesFor(report, plan.Selection(), judged.Unexpected))
//	}
package knownfailing

import "github.com/loopproof/loopproof/internal/trace"

// Plan is what was to be played, as far as a list has to know it.
type Plan struct {
	Cases    []trace.Case
	Filtered bool // something that the loop claims was left out
}
