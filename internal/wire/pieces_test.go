package wire_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/wire"
)

// FuzzPieces: whatever the pieces are, they are the same again, one by one and together.
func FuzzPieces(f *testing.F) {
	for _, text := range []string{"", "one", "one|two|three", "|", "||", "aaaa|aa|aaaaaa|a", "data: {a}|data: {bb}|data: {}||data: {a}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := [][]byte{}
		for piece := range strings.SplitSeq(text, "|") {
			all = append(all, []byte(piece))
		}
		p := wire.NewPieces(all...)
		same := func(how string, got [][]byte) {
			if !slices.EqualFunc(got, all, bytes.Equal) {
				t.Errorf("%s, %q are %q", how, all, got)
			}
		}
		same("split", p.Split())
		if got := p.Join(); !bytes.Equal(got, bytes.Join(all, nil)) || p.Size() != len(got) || p.Len() != len(all) {
			t.Errorf("%q are together %q, %d bytes in %d pieces", all, got, p.Size(), p.Len())
		}
		for i, size := range p.Sizes() {
			if size != len(all[i]) {
				t.Errorf("piece %d of %q has %d bytes", i, all, size)
			}
		}
		data, err := json.Marshal(p)
		again := &wire.Pieces{}
		if err != nil || json.Unmarshal(data, again) != nil {
			t.Fatalf("%q: %v", data, err)
		}
		same("sent to another server", again.Split())
	})
}

// No pieces are nothing.
func TestNoPieces(t *testing.T) {
	if none := (*wire.Pieces)(nil); none.Len() != 0 || none.Size() != 0 || none.Join() != nil || none.Split() != nil || len(none.Sizes()) != 0 {
		t.Errorf("no pieces are %q", none.Join())
	}
}
