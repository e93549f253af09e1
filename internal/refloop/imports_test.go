package refloop_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestSharesNoCodeWithTheProvider: the reference loop imports neither internal/wire nor a dialect,
// so that one mistake about a wire API cannot hide in both.
// docs/decisions/reference-loop-without-wire.md says why.
func TestSharesNoCodeWithTheProvider(t *testing.T) {
	const module = "github.com/loopproof/loopproof/"
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			own, ours := strings.CutPrefix(imported, module)
			if ours && own != "protocol" && !strings.HasPrefix(own, "internal/refloop/") {
				t.Errorf("internal/refloop/%s imports %s: the reference loop may import of Loopproof only protocol and what is below internal/refloop", filepath.ToSlash(path), own)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Errorf("found only %d files", files)
	}
}
