package journal

import (
	"bytes"
	"fmt"
	"testing"
)

// TestRepeatedBodyIsShared: a long request that comes again and again is kept once, in as many
// pieces as before.
func TestRepeatedBodyIsShared(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789"), compactAbove)
	first := Entry{body: newBody(long)}
	again := Entry{}
	again.share(long, []*body{first.body})
	if again.body != first.body {
		t.Error("the same request is kept again")
	}
	next := append(bytes.Clone(long), "and more"...)
	longer := Entry{}
	longer.share(next, []*body{first.body, again.body})
	if longer.body.before != first.body || string(longer.body.own) != "and more" || !bytes.Equal(longer.body.bytes(), next) {
		t.Errorf("of a longer one %d bytes are kept", len(longer.body.own))
	}
	other := append(bytes.Clone(long[:len(long)-5]), "else!"...)
	branch := Entry{}
	branch.share(other, []*body{longer.body})
	if branch.body.before != first.body || !bytes.Equal(branch.body.bytes(), other) || !bytes.Equal(longer.body.bytes(), next) {
		t.Error("a request that ends otherwise changed what another one has")
	}
}

// What entries share counts as long as one of them is remembered: an earlier one that is dropped
// leaves its bytes to the later ones.
func TestSharedBytesCount(t *testing.T) {
	budget := NewBudget(1 << 30)
	j := New(Options{Entries: 2, Budget: budget}, &Changes{})
	body := bytes.Repeat([]byte("0123456789"), compactAbove)
	most := int64(0)
	for i := range 20 {
		e := &Entry{}
		body = append(bytes.Clone(body), fmt.Sprint("and more ", i)...)
		e.SetBody(body)
		e.share(body, j.latest())
		e.SetFindings(nil)
		j.Add(e)
		if most = max(most, budget.Held()); budget.Held() < int64(len(body)) {
			t.Fatalf("%d bytes are remembered, and %d are counted", len(body), budget.Held())
		}
	}
	if most > 3*int64(len(body)) {
		t.Errorf("of %d bytes, %d are counted", len(body), most)
	}
	if j.Reset(); budget.Held() != 0 {
		t.Errorf("after a reset %d bytes are counted", budget.Held())
	}
}
