package starters_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/loopproof/loopproof/packages/starters"
)

// A starter has the protocol half that the adapters of libraries use, byte for byte.
func TestStartersHaveTheSharedHalf(t *testing.T) {
	for language, half := range map[string]struct{ file, name string }{
		"python":     {"protocol/python/loopproof_adapter.py", "loopproof_adapter.py"},
		"node":       {"protocol/node/protocol.mjs", "protocol.mjs"},
		"typescript": {"protocol/node/protocol.d.mts", "protocol.d.mts"},
		"java":       {"protocol/java/Loopproof.java", "src/main/java/Loopproof.java"},
		"rust":       {"protocol/rust/loopproof.rs", "src/loopproof.rs"},
	} {
		files, err := starters.Starter(language)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.FromSlash(half.file))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f starters.File) bool { return f.Name == half.name })
		if i < 0 || string(files[i].Text) != string(want) {
			t.Errorf("%s: the starter has no %s that is %s", language, half.name, half.file)
		}
	}
}
