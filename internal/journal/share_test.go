package journal

import (
	"bytes"
	"testing"
)

// TestRepeatedBodyIsShared: a long request that comes again and again is kept once, in as many pieces as before.
func TestRepeatedBodyIsShared(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789"), compactAbove)
	first := Entry{body: [][]byte{long}}
	again := Entry{}
	again.share(long, []Entry{first})
	if len(again.body) != 1 || &again.body[0][0] != &long[0] {
		t.Errorf("the same request is kept in %d pieces of its own", len(again.body))
	}
	next := append(bytes.Clone(long), "and more"...)
	longer := Entry{}
	longer.share(next, []Entry{first, again})
	if len(longer.body) != 2 || string(longer.body[1]) != "and more" || !bytes.Equal(joined(longer.body), next) {
		t.Errorf("a longer one is kept in %d pieces", len(longer.body))
	}
	other := append(bytes.Clone(long[:len(long)-5]), "else!"...)
	branch := Entry{}
	branch.share(other, []Entry{longer})
	if !bytes.Equal(joined(branch.body), other) || !bytes.Equal(joined(longer.body), next) || len(again.body) != 1 {
		t.Error("a request that ends otherwise changed what another one has")
	}
}
