package loopproof_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/loopproof/loopproof"

// mostToLearn is how many exported fields and methods a program can reach from the public packages,
// besides the keys of JSON documents, which are a contract in any language: as many as a person can
// learn. A feature may need more; then raise it on purpose.
const mostToLearn = 227

// TestFace: what a program can reach from the public packages names no type of an internal package,
// not even in a field of a field, and it is not too much.
func TestFace(t *testing.T) {
	in := importer.ForCompiler(token.NewFileSet(), "gc", exportData(t))
	f := &face{seen: map[*types.TypeName]bool{}}
	for _, folder := range slices.Sorted(maps.Keys(public)) {
		pkg, err := in.Import(strings.TrimSuffix(module+"/"+folder, "/."))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			if o := pkg.Scope().Lookup(name); o.Exported() {
				f.object(o)
			}
		}
	}
	for _, leak := range f.leaks {
		t.Error(leak)
	}
	t.Logf("%d types with %d exported fields and methods, and %d keys of documents", len(f.seen), f.members, f.keys)
	if f.members > mostToLearn {
		t.Errorf("%d exported fields and methods are reachable, more than %d", f.members, mostToLearn)
	}
}

// exportData returns a function that opens what the compiler wrote about a package.
func exportData(t *testing.T) importer.Lookup {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for folder := range public {
		args = append(args, "./"+folder)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	files := map[string]string{}
	for line := range bytes.Lines(out) {
		path, file, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

// face is what a program can reach.
type face struct {
	seen    map[*types.TypeName]bool // types of this module
	members int                      // exported fields and methods of these types
	keys    int                      // fields that are keys of a JSON document, and so no members
	leaks   []string                 // what names an internal type
}

// object looks at a name that a package exports.
func (f *face) object(o types.Object) {
	name, is := o.(*types.TypeName)
	switch {
	case !is:
		f.mentions(o.Type(), nameOf(o))
	case name.IsAlias():
		f.mentions(types.Unalias(name.Type()), nameOf(o))
	default:
		f.declaration(name)
	}
}

// declaration looks at a type of this module with its fields and methods.
func (f *face) declaration(name *types.TypeName) {
	if f.seen[name] || name.Pkg() == nil || !strings.HasPrefix(name.Pkg().Path(), module) {
		return
	}
	f.seen[name] = true
	f.mentions(name.Type().Underlying(), nameOf(name))
	if types.IsInterface(name.Type()) {
		return // its methods are mentioned
	}
	methods := types.NewMethodSet(types.NewPointer(name.Type()))
	for i := range methods.Len() {
		if m := methods.At(i); m.Obj().Exported() && !promotedByExported(m, name.Type()) {
			f.members++
			f.mentions(m.Type(), nameOf(name)+"."+m.Obj().Name())
		}
	}
}

// promotedByExported reports whether a method is that of an embedded field that is exported itself,
// so that it is counted where it is declared.
func promotedByExported(m *types.Selection, t types.Type) bool {
	path := m.Index()
	return len(path) > 1 && t.Underlying().(*types.Struct).Field(path[0]).Exported()
}

// mentions looks at a type that is mentioned somewhere.
func (f *face) mentions(t types.Type, where string) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		name := t.Origin().Obj()
		if name.Pkg() != nil && strings.HasPrefix(name.Pkg().Path(), module+"/internal/") {
			f.leaks = append(f.leaks, fmt.Sprintf("%s names %s", where, nameOf(name)))
		}
		f.declaration(name)
		for of := range t.TypeArgs().Types() {
			f.mentions(of, where)
		}
	case *types.Struct:
		f.fields(t, where)
	case *types.Interface:
		for m := range t.Methods() {
			if m.Exported() {
				f.members++
				f.mentions(m.Type(), where+"."+m.Name())
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			f.mentions(v.Type(), where)
		}
		for v := range t.Results().Variables() {
			f.mentions(v.Type(), where)
		}
	case *types.Map:
		f.mentions(t.Key(), where)
		f.mentions(t.Elem(), where)
	case interface{ Elem() types.Type }:
		f.mentions(t.Elem(), where)
	}
}

// fields looks at the fields of a struct, and at those that an embedded struct adds to it.
func (f *face) fields(s *types.Struct, where string) {
	for i := range s.NumFields() {
		field := s.Field(i)
		embedded, isStruct := field.Type().Underlying().(*types.Struct)
		switch {
		case field.Exported():
			if strings.HasPrefix(s.Tag(i), `json:"`) && s.Tag(i) != `json:"-"` {
				f.keys++
			} else {
				f.members++
			}
			f.mentions(field.Type(), where+"."+field.Name())
		case field.Embedded() && isStruct:
			f.fields(embedded, where)
		}
	}
}

// nameOf returns the name of an object with its package: report.Report.
func nameOf(o types.Object) string {
	if o.Pkg() == nil {
		return o.Name()
	}
	return strings.TrimPrefix(o.Pkg().Path(), module+"/") + "." + o.Name()
}

// TestFaceSeesEverything: an internal type is found wherever it is mentioned, and what is reachable
// is counted once.
func TestFaceSeesEverything(t *testing.T) {
	internal := check(t, module+"/internal/inner", `package inner; type T struct{ A, B int }; func (T) M() {}`, nil)
	public := check(t, module+"/outer", `package outer
		import "`+module+`/internal/inner"
		type Alias = inner.T
		type hidden struct{ Promoted inner.T }
		type S struct {
			Field map[string][]*inner.T
			Key int `+"`json:\"key\"`"+`
			hidden
			unseen inner.T
		}
		func (*S) Method(func(inner.T)) {}
		func F(...inner.T) {}
		type Fine struct{ OK int }
	`, internal)
	f := &face{seen: map[*types.TypeName]bool{}}
	for _, name := range public.Scope().Names() {
		if o := public.Scope().Lookup(name); o.Exported() {
			f.object(o)
		}
	}
	slices.Sort(f.leaks)
	want := []string{
		"outer.Alias names internal/inner.T", "outer.F names internal/inner.T", "outer.S.Field names internal/inner.T",
		"outer.S.Method names internal/inner.T", "outer.S.Promoted names internal/inner.T",
	}
	if !slices.Equal(f.leaks, want) {
		t.Errorf("found are %q, want %q", f.leaks, want)
	}
	if f.members != 7 || f.keys != 1 { // Field, Promoted, Method, OK; A, B, M
		t.Errorf("%d members and %d keys are counted, want 7 and 1", f.members, f.keys)
	}
}

// check returns the package of a source, which may import another one.
func check(t *testing.T, path, source string, imported *types.Package) *types.Package {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "source.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: imports{imported}}
	pkg, err := config.Check(path, files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// imports is an importer that knows one package.
type imports struct{ pkg *types.Package }

func (i imports) Import(string) (*types.Package, error) { return i.pkg, nil }
