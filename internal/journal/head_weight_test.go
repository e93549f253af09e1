package journal_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/journal"
)

// Long heads and URLs weigh as much as bodies, and are forgotten with them: a client may send a
// megabyte of either.
func TestLongHeadsAreForgotten(t *testing.T) {
	const size = 100_000
	j := open(journal.Options{Budget: journal.NewBudget(10 * size)})
	for i := range 50 {
		e := entry(t, asks)
		e.Target = "/v1/chat/completions?" + strings.Repeat("a", size)
		e.Header = http.Header{}
		for k := range size / 20 {
			e.Header.Set(fmt.Sprintf("X-%d-%d", i, k), "value")
		}
		j.Add(&e)
	}
	j.Add(new(entry(t, asks)))
	all := j.Entries()
	kept := 0
	for _, e := range all[:50] {
		if !e.Forgotten {
			kept++
			continue
		}
		if len(e.Header) > 0 || len(e.Target) > 1100 || !strings.HasPrefix(e.Target, "/v1/chat/completions?aaa") {
			t.Fatalf("of a forgotten request %d headers and %d bytes of the URL are kept", len(e.Header), len(e.Target))
		}
	}
	if kept == 0 || kept > 10 {
		t.Errorf("%d of 50 are kept whole", kept)
	}
}

// Usual ones stay when the bodies are forgotten.
func TestUsualHeadsAreKept(t *testing.T) {
	j := open(journal.Options{Budget: journal.NewBudget(1)})
	for range 3 {
		e := entry(t, asks)
		e.Header = http.Header{"User-Agent": {"a"}}
		j.Add(&e)
	}
	if e := j.Entries()[0]; !e.Forgotten || e.Header.Get("User-Agent") != "a" || e.Target == "" {
		t.Errorf("of a forgotten request this is kept: %+v", e)
	}
}
