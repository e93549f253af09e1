package adapters_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/loopproof/loopproof/adapters"
)

// A starter has the protocol half that the adapters of libraries use, byte for byte.
func TestStartersHaveTheSharedHalf(t *testing.T) {
	for language, half := range map[string]struct{ file, name string }{
		"python": {"python/loopproof_adapter.py", "loopproof_adapter.py"},
		"node":   {"node/protocol.mjs", "protocol.mjs"},
		"java":   {"java/protocol/Loopproof.java", "src/main/java/Loopproof.java"},
		"rust":   {"rust/loopproof.rs", "src/loopproof.rs"},
	} {
		files, err := adapters.Starter(language)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.FromSlash(half.file))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f adapters.File) bool { return f.Name == half.name })
		if i < 0 || string(files[i].Text) != string(want) {
			t.Errorf("%s: the starter has no %s that is %s", language, half.name, half.file)
		}
	}
}
