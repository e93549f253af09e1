package profiles

import (
	"bytes"
	"io/fs"
	"testing"

	"github.com/loopproof/loopproof"
)

// TestPackedIsUpToDate: no embedded profile is read as YAML, which takes ten times as long and most of the start of a server.
func TestPackedIsUpToDate(t *testing.T) {
	want, err := Pack()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(packed)) {
		t.Fatal("the profiles have changed since they were packed: run go run ./internal/docgen")
	}
	folder, err := fs.Sub(loopproof.Files(), "profiles")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range embedded().names() {
		if readPacked(folder, name+".yaml") == nil {
			t.Errorf("%s is read as YAML", name)
		}
	}
	if readPacked(folder, "schema.json") != nil {
		t.Error("what was not packed is read")
	}
}

// TestReadingProfilesIsCheap: the profiles that a server speaks are read with few allocations. As YAML, they take four
// times as many.
func TestReadingProfilesIsCheap(t *testing.T) {
	names := []string{"openai", "anthropic", "openai-responses", "gemini-3"}
	n := testing.AllocsPerRun(3, func() {
		l := newLoader(nil)
		if err := l.addEmbedded(); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if _, err := l.profile(name); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Logf("%.0f allocations", n)
	if n > 5000 {
		t.Errorf("reading %q takes %.0f allocations", names, n)
	}
}
