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

// mayNameDialects are the folders in which a dialect may be named, besides internal/faults/NAME:
// its own ones, what reads the files of other tools and the records of loops, whose words may be
// the same, clients, and lab, a module of its own that runs the code of providers and of public
// loops.
var mayNameDialects = []string{
	"internal/dialect", "internal/refloop", "internal/faults/raw", "internal/importing/cassettes", "internal/importing/stubs", "internal/transcript", "lab", "packages", "examples",
}

// TestDialectsAreNamedInTheirFoldersAlone: no other code imports the package of a dialect, or has
// its name as a text.
func TestDialectsAreNamedInTheirFoldersAlone(t *testing.T) {
	const root, home = "../..", "github.com/loopproof/loopproof/internal/dialect/"
	names := dialect.Names(dialect.All())
	allowed := slices.Clone(mayNameDialects)
	for _, name := range names {
		allowed = append(allowed, "internal/faults/"+name)
	}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		file := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains(allowed, file) || strings.HasPrefix(entry.Name(), ".") && path != root || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, _ := strconv.Unquote(lit.Value)
			if slices.ContainsFunc(names, func(name string) bool {
				return text == name || text == home+name || strings.HasPrefix(text, home+name+"/")
			}) {
				t.Errorf("%s:%d names a dialect, %s: only its own packages may. Move the code there, or ask the dialect for what differs (wire.Dialect); a profile is named by a constant of its dialect",
					file, files.Position(lit.Pos()).Line, lit.Value)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
