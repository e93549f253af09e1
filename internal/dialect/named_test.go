package dialect_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
)

// mayNameDialects are the folders in which a dialect may be named: its own ones, what reads the files of other tools, whose words
// may be the same, clients, and lab, a module of its own that runs the code of providers and of public loops.
var mayNameDialects = []string{
	"internal/dialect", "internal/refloop", "internal/faults/chat", "internal/faults/messages", "internal/faults/responses",
	"internal/faults/raw", "internal/importing/stubs", "lab", "packages", "examples",
}

// TestDialectsAreNamedInTheirFoldersAlone: no other code imports the package of a dialect, or has its name as a text.
func TestDialectsAreNamedInTheirFoldersAlone(t *testing.T) {
	const root, home = "../..", "github.com/loopproof/loopproof/internal/dialect/"
	names := dialect.Names(dialect.All())
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		file := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains(mayNameDialects, file) || strings.HasPrefix(entry.Name(), ".") && path != root || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		named := false
		ast.Inspect(parsed, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				named = named || slices.ContainsFunc(names, func(name string) bool {
					return text == name || text == home+name || strings.HasPrefix(text, home+name+"/")
				})
			}
			return true
		})
		if named {
			found = append(found, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		t.Errorf("dialects are named in %s", strings.Join(found, ", "))
	}
}
