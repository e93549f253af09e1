package loopproof_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof"
)

// public are the packages that programs import, with the number of names that each of them exports: types, functions,
// constants and variables. Each name has to stay compatible, so the numbers must only change on purpose.
var public = map[string]int{
	".":                       3,
	"suite":                   55,
	"mockprovider":            24, // the last are Route, by which a gateway is tested, MCPServer, which only a package that links an SDK of MCP can play, and what --endpoints does
	"mockprovider/matchers":   14, // the last is BeDisconnected: clients that leave are what chats with a stop button test
	"mockprovider/schemas":    1,
	"mockprovider/mcpservers": 1,
	"fixtures":                10,
	"scenarios":               5,
	"profiles":                6,
	"protocol":                73,
	"report":                  41,
}

// TestPublicNames checks the number of public names, and that each public function has an example.
func TestPublicNames(t *testing.T) {
	for folder, want := range public {
		names, functions, examples := read(t, folder)
		if len(names) != want {
			t.Errorf("%s exports %d names, expected %d: %s", folder, len(names), want, strings.Join(names, " "))
		}
		for _, f := range functions {
			if !slices.ContainsFunc(examples, func(e string) bool { return e == f || strings.HasPrefix(e, f+"_") }) && !tested[folder+"."+f] {
				t.Errorf("%s.%s has no example: write Example%s", folder, f, f)
			}
		}
	}
}

// tested are functions that need a *testing.T, and so have a test as their example.
var tested = map[string]bool{"suite.Run": true}

// read returns the exported names of a package, its functions, and the names of its examples.
func read(t *testing.T, folder string) (names, functions, examples []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), folder+"/"+entry.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		test := strings.HasSuffix(entry.Name(), "_test.go")
		for _, declaration := range file.Decls {
			declared, function := declares(declaration)
			for _, name := range declared {
				if example, is := strings.CutPrefix(name, "Example"); is {
					examples = append(examples, example)
				}
				if test || !ast.IsExported(name) {
					continue
				}
				names = append(names, name)
				if function {
					functions = append(functions, name)
				}
			}
		}
	}
	return names, functions, examples
}

// declares returns the names that a declaration declares, but not those of methods.
func declares(declaration ast.Decl) (names []string, function bool) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
		return names, true
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names, false
}

// TestFilesAreEmbedded: an embed pattern that matches nothing would leave programs without data.
func TestFilesAreEmbedded(t *testing.T) {
	for _, pattern := range []string{"profiles/*.yaml", "profiles/schema.json", "scenarios/*/*.yaml", "scenarios/schema.json"} {
		found, err := fs.Glob(loopproof.Files(), pattern)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %d files, %v", pattern, len(found), err)
		}
	}
}

func ExampleFiles() {
	data, err := fs.ReadFile(loopproof.Files(), "scenarios/pairing/single-call.yaml")
	if err != nil {
		panic(err)
	}
	_, title, _ := strings.Cut(string(data), "title: ")
	title, _, _ = strings.Cut(title, "\n")
	os.Stdout.WriteString(title + "\n")
	// Output:
	// One call gets one result
}
