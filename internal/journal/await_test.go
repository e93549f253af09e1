package journal_test

import (
	"fmt"
	"testing"

	"github.com/loopproof/loopproof/internal/journal"
)

// follower is an expectation that is followed over one journal.
func follower(tb testing.TB, j *journal.Journal, x journal.Expectation) *journal.Await {
	a := x.Await(j.Changes(), func() []*journal.Journal { return []*journal.Journal{j} })
	tb.Cleanup(a.Close)
	return a
}

// An expectation that is followed has the same result as one that is evaluated on all requests.
func TestAwaitSeesWhatOfSees(t *testing.T) {
	n := func(n int) *int { return &n }
	expected := map[string]journal.Expectation{
		"one":         {Filter: journal.Filter{User: "Oslo"}},
		"two":         {Filter: journal.Filter{Tool: "get_weather"}, Count: n(2)},
		"two at most": {Filter: journal.Filter{User: "Oslo"}, AtLeast: n(1), AtMost: n(2)},
		"answered":    {Filter: journal.Filter{Answer: "4 C"}, AtLeast: n(2)},
		"in order":    {InOrder: []journal.Filter{{User: "Oslo"}, {Tool: "get_weather"}, {User: "Thanks"}}},
	}
	j := open(journal.Options{Entries: 4}) // so that some are forgotten
	followed := map[string]*journal.Await{}
	for name, x := range expected {
		followed[name] = follower(t, j, x)
	}
	held := map[string]bool{} // those that held when they were asked before: a follower need not say so again
	check := func(step string) {
		t.Helper()
		for name, x := range expected {
			may, holds := followed[name].May(), x.Of(j.Entries()).Holds
			if holds != x.Holds(j.Entries()) {
				t.Errorf("%s, %s: Holds and Of differ", step, name)
			}
			if holds && !may && !held[name] {
				t.Errorf("%s: %s holds, and the follower does not see it", step, name)
			}
			held[name] = holds
		}
	}
	check("at first")
	for i, messages := range [][]string{{asks}, {asks, calls, results}, {asks}, {asks, calls, results, says, thanks}, {asks, calls, results}, {thanks}, {thanks}} {
		note := j.Add(new(entry(t, messages...)))
		check(fmt.Sprintf("request %d", i+1))
		note.Answered(answered(entry(t, asks), 200, "It is 4 C.").Answer)
		check(fmt.Sprintf("answer %d", i+1))
	}
	j.Reset()
	check("after the reset")
	j.Add(new(entry(t, asks)))
	check("after the first request after it")
}

// Three hundred that wait look at a new request once each, however many came before.
func TestAwaitLooksAtEachRequestOnce(t *testing.T) {
	j := open(journal.Options{})
	for range 100 {
		j.Add(new(entry(t, asks)))
	}
	all := make([]*journal.Await, 300)
	for i := range all {
		all[i] = follower(t, j, journal.Expectation{Filter: journal.Filter{User: fmt.Sprintf("number %d.", i)}})
		all[i].May()
	}
	before := all[7].Looked()
	note := j.Add(new(entry(t, `{"role":"user","content":"This is number 7."}`)))
	seen := 0
	for _, a := range all {
		if a.May() {
			seen++
		}
	}
	note.Answered(journal.Answer{Status: 200})
	all[8].May()
	all[8].May()
	if got := all[7].Looked() - before; got != 1 || seen != 1 {
		t.Errorf("one request was looked at %d times, and %d of 300 saw what they wait for; want 1 and 1", got, seen)
	}
	if got := all[8].Looked() - before; got != 2 {
		t.Errorf("a request and its answer were looked at %d times, want 2", got)
	}
}

// A request with 300 that wait for something else, among 1,000 that came before.
func BenchmarkAwait(b *testing.B) {
	j := open(journal.Options{})
	for range 1000 {
		j.Add(new(entry(b, asks)))
	}
	var all []*journal.Await
	for i := range 300 {
		a := follower(b, j, journal.Expectation{Filter: journal.Filter{User: fmt.Sprintf("number %d.", i)}})
		a.May()
		all = append(all, a)
	}
	e := entry(b, asks)
	for b.Loop() {
		j.Add(new(e))
		for _, a := range all {
			a.May()
		}
	}
}
