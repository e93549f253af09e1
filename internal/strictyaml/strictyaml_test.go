package strictyaml_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// recipe has a field of every kind that is read.
type recipe struct {
	Format int               `yaml:"format"`
	Title  string            `yaml:"title"`
	Vegan  bool              `yaml:"vegan"`
	Rest   time.Duration     `yaml:"rest"`
	Bake   *time.Duration    `yaml:"bake"`
	Note   *string           `yaml:"note"`
	Tags   []string          `yaml:"tags"`
	Steps  []step            `yaml:"steps"`
	Bowls  []bowl            `yaml:"bowls"`
	Needs  []ingredient      `yaml:"needs"`
	Prices map[int]string    `yaml:"prices"`
	Extra  wire.Fields       `yaml:"extra"`
	Colour colour            `yaml:"colour"`
	Hidden string            `yaml:"-"`
	Names  map[string]string `yaml:"names"`
	origin `yaml:",inline"`
}

type step struct {
	Do string `yaml:"do"`
}

type bowl struct {
	Name   string `yaml:"~key"`
	Litres int    `yaml:"litres"`
}

type ingredient struct {
	Name   string `yaml:"~key"`
	Amount string `yaml:"~value"`
}

type origin struct {
	Country string `yaml:"country"`
}

// colour reads itself.
type colour struct{ name string }

func (c *colour) ReadYAML(n *strictyaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		return strictyaml.At(n.Content[1], "a colour has one name")
	}
	if n.Value != "red" && n.Value != "green" {
		return fmt.Errorf("unknown colour %q", n.Value)
	}
	c.name = n.Value
	return nil
}

const keys = "bake, bowls, colour, country, extra, format, names, needs, note, prices, rest, steps, tags, title, vegan"

func TestReadsEveryKindOfField(t *testing.T) {
	data := `# A comment.
format: 1
title: Bread
vegan: True
rest: 1h30m
bake: 40m
note: ""
tags: [simple, "no 1"]
steps:
  - do: mix
  - do: bake
bowls:
  small: {litres: 1}
  big: {litres: 5}
needs: {flour: 500 g, water: 300 g}
prices: {7: cheap, 12: dear}
extra: {a: null, b: true, c: 12, d: 1.50, e: text, f: {g: [1, [x], {h: i}]}, j: 12345678901234567890}
colour: red
names: {de: Brot}
country: Norway
`
	var got recipe
	if _, err := strictyaml.Read("bread.yaml", []byte(data), &got); err != nil {
		t.Fatal(err)
	}
	bake, note := 40*time.Minute, ""
	want := recipe{
		Format: 1, Title: "Bread", Vegan: true, Rest: 90 * time.Minute, Bake: &bake, Note: &note,
		Tags:   []string{"simple", "no 1"},
		Steps:  []step{{"mix"}, {"bake"}},
		Bowls:  []bowl{{"small", 1}, {"big", 5}},
		Needs:  []ingredient{{"flour", "500 g"}, {"water", "300 g"}},
		Prices: map[int]string{7: "cheap", 12: "dear"},
		Colour: colour{"red"},
		Names:  map[string]string{"de": "Brot"},
		origin: origin{"Norway"},
	}
	extra := string(got.Extra.JSON())
	got.Extra = nil
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(recipe{}, colour{})); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if want := `{"a":null,"b":true,"c":12,"d":1.50,"e":"text","f":{"g":[1,["x"],{"h":"i"}]},"j":12345678901234567890}`; extra != want {
		t.Errorf("extra is %s, want %s", extra, want)
	}
}

func TestNothingIsForgiven(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "x.yaml: the file is empty"},
		{"only a comment", "# nothing\n", "x.yaml: the file is empty"},
		{"null", "~", "x.yaml:1:1: expected a mapping with the keys " + keys + ", found nothing"},
		{"a text", "hello", `x.yaml:1:1: expected a mapping with the keys ` + keys + `, found the text "hello"`},
		{"a list", "- title: a", "x.yaml:1:1: expected a mapping with the keys " + keys + ", found a list"},

		{"unknown key", "titel: a", `x.yaml:1:1: unknown key "titel" (did you mean "title"?); the keys here are ` + keys},
		{"unknown key, none near", "wikipedia: a", `x.yaml:1:1: unknown key "wikipedia"; the keys here are ` + keys},
		{"unknown key deep inside", "steps:\n  - do: a\n    dont: b", `x.yaml:3:5: unknown key "dont" (did you mean "do"?); the keys here are do`},
		{"key in capitals", "Title: a", `x.yaml:1:1: unknown key "Title" (did you mean "title"?); the keys here are ` + keys},
		{"key that is only the program's", "Hidden: a", `x.yaml:1:1: unknown key "Hidden"; the keys here are ` + keys},
		{"merge key", "<<: {title: a}", `x.yaml:1:1: unknown key "<<"; the keys here are ` + keys},
		{"key that is a list", "? [a]\n: b", "x.yaml:1:3: expected a text as key, found a list"},
		{"doubled key", "title: a\nrest: 1s\ntitle: b", `x.yaml:3:1: the key "title" is here twice, first in line 1`},
		{"doubled name", "needs: {salt: a, salt: b}", `x.yaml:1:18: the key "salt" is here twice, first in line 1`},
		{"doubled number", "prices: {1: a, 01: b}", `x.yaml:1:16: the key "01" is here twice`},
		{"doubled JSON key", "extra: {a: {b: 1, b: 2}}", `x.yaml:1:19: the key "b" is here twice, first in line 1`},

		{"text: list", "title: [a]", "x.yaml:1:8: expected a text, found a list; a text that begins with a bracket is between quotes: '{}'"},
		{"text: mapping", "title: {a: b}", "x.yaml:1:8: expected a text, found a mapping; a text that begins with a bracket is between quotes: '{}'"},
		{"text: list in lines", "title:\n  - a", "x.yaml:2:3: expected a text, found a list"},
		{"text: nothing", "title:", "x.yaml:1:7: expected a text, found nothing"},
		{"optional text: list", "note: [a]", "x.yaml:1:7: expected a text, found a list; a text that begins with a bracket is between quotes: '{}'"},
		{"number: text", "format: one", `x.yaml:1:9: expected a whole number, found the text "one"`},
		{"number: quoted", `format: "1"`, `x.yaml:1:9: expected a whole number, found the text "1"`},
		{"number: fraction", "format: 1.5", "x.yaml:1:9: expected a whole number, found 1.5"},
		{"number: too large", "format: 99999999999999999999", "x.yaml:1:9: expected a whole number, found 99999999999999999999"},
		{"number: hexadecimal", "format: 0x10", "x.yaml:1:9: expected a whole number, found 0x10"},
		{"boolean: yes", "vegan: yes", `x.yaml:1:8: expected true or false, found the text "yes"`},
		{"boolean: number", "vegan: 1", "x.yaml:1:8: expected true or false, found 1"},
		{"boolean: nothing", "vegan: ~", "x.yaml:1:8: expected true or false, found nothing"},
		{"time: no unit", "rest: 5", "x.yaml:1:7: expected a time such as 50ms or 2s, found 5"},
		{"time: negative", "bake: -5s", `x.yaml:1:7: expected a time such as 50ms or 2s, found the text "-5s"`},
		{"time: list", "rest: [5s]", "x.yaml:1:7: expected a time such as 50ms or 2s, found a list"},
		{"list: text", "tags: a", `x.yaml:1:7: expected a list, found the text "a"`},
		{"list: list inside", "tags: [a, [b]]", "x.yaml:1:11: expected a text, found a list; a text that begins with a bracket is between quotes: '{}'"},
		{"list: mapping", "steps: {do: a}", "x.yaml:1:8: expected a list, found a mapping"},
		{"names: list", "bowls: [a]", "x.yaml:1:8: expected a mapping of names, found a list"},
		{"names: value", "needs: {salt: [a]}", "x.yaml:1:15: expected a text, found a list; a text that begins with a bracket is between quotes: '{}'"},
		{"mapping: text", "names: de", `x.yaml:1:8: expected a mapping of names, found the text "de"`},
		{"mapping: key of another type", "prices: {low: a}", `x.yaml:1:10: expected a whole number, found the text "low"`},
		{"JSON: list", "extra: [a]", "x.yaml:1:8: expected a mapping of JSON keys, found a list"},
		{"JSON: number of YAML only", "extra: {a: {b: .inf}}", "x.yaml:1:16: JSON has no number .inf; write it in decimal, or in quotes for a text"},
		{"JSON: hexadecimal", "extra: {a: 0x10}", "x.yaml:1:12: JSON has no number 0x10; write it in decimal, or in quotes for a text"},
		{"own reader", "colour: blue", `x.yaml:1:9: unknown colour "blue"`},
		{"own reader, place inside", "colour: [red, green]", "x.yaml:1:15: a colour has one name"},
		{"long text", "format: " + strings.Repeat("a", 100), `x.yaml:1:9: expected a whole number, found the text "` + strings.Repeat("a", 40) + `…"`},

		{"two documents", "title: a\n---\ntitle: b", "x.yaml:3:1: a second document begins here; a file holds one"},
		{"an empty second document", "title: a\n---\n", "x.yaml:3:1: a second document begins here; a file holds one"},
		{"alias", "title: &a x\nnote: *a", "x.yaml:1:8: anchors and aliases are not read here; write the value out, or a text between quotes"},
		{"alias of nothing", "title: *a", "x.yaml:1:8: not YAML: unknown anchor 'a' referenced; a text that begins with * is between quotes: title: '*a'"},
		{"tag", "title: !!int a", "x.yaml:1:8: tags such as !!int are not read here; leave it out, or write a text between quotes"},
		{"not UTF-8", "# ü\ntitle: \"é\xe9\"", "x.yaml:2:10: the file is not UTF-8: the byte 0xe9 is here"},
		{"UTF-16", "\xff\xfet\x00", "x.yaml:1:1: the file is not UTF-8: the byte 0xff is here"},
		{"too large", "title: " + strings.Repeat("a", 10<<20), "x.yaml: the file has 10.0 MB, at most 1 MB are read"},

		{"syntax: a control character", "title: a\nnote: \"é\x00\"", "x.yaml:2:9: not YAML: control characters are not allowed (value: 0)"},
		{"syntax: quote", "title: \"a", "x.yaml:1:10: not YAML: found unexpected end of stream (while scanning a quoted scalar)"},
		{"syntax: bracket", "tags: [a, b", "x.yaml:2:1: not YAML: did not find expected ',' or ']' (while parsing a flow sequence that begins in line 1)"},
		{"syntax: quote, lines later", "title: a\nnote: \"b\n\n\n", "x.yaml:5:1: not YAML: found unexpected end of stream (while scanning a quoted scalar that begins in line 2)"},
		{"syntax: tab", "title: a\n\tnote: b", "x.yaml:2:1: not YAML: found a tab character that violates indentation (while scanning a plain scalar that begins in line 1); the line begins with a tab, and YAML is indented with spaces"},
		{"syntax: tab at the top", "\ttitle: a", "x.yaml:1:1: not YAML: found character that cannot start any token (while scanning for the next token); the line begins with a tab, and YAML is indented with spaces"},
		{"syntax: two colons", "title: a: b", "x.yaml:1:9: not YAML: mapping values are not allowed in this context; a text with a colon is between quotes: title: 'a: b'"},
		{"syntax: a colon at the end", "steps:\n  - do: a:", "x.yaml:2:10: not YAML: mapping values are not allowed in this context; a text with a colon is between quotes: do: 'a:'"},
		{"syntax: a place", "title: {{ a }} b", "x.yaml:1:16: not YAML: did not find expected key (while parsing a block mapping); a text that begins with a bracket is between quotes: title: '{{ a }} b'"},
		{"syntax: a star", "title: *a*", "x.yaml:1:8: not YAML: unknown anchor 'a*' referenced; a text that begins with * is between quotes: title: '*a*'"},
		{"syntax: quotes in quotes", "title: \"a \"b\"\"\nnote: c", "x.yaml:1:12: not YAML: did not find expected key (while parsing a block mapping); quotes within a text are others than those around it: title: 'a \"b\"'"},
		{"syntax: an apostrophe", "title: 'it's'\nnote: c", "x.yaml:1:12: not YAML: did not find expected key (while parsing a block mapping); quotes within a text are others than those around it: title: \"it's\""},
		{"syntax: indentation", "steps:\n   - do: a\n  - do: b", "x.yaml:3:3: not YAML: did not find expected key (while parsing a block mapping that begins in line 1); see whether this line and those above are indented alike"},
		{"syntax: sign", "title: @a", "x.yaml:1:8: not YAML: found character that cannot start any token (while scanning for the next token); a text that begins with @ is between quotes: title: '@a'"},
		{"syntax: depth", "extra: " + strings.Repeat("[", 20_000), "x.yaml:1:10008: not YAML: exceeded max depth of 10000 (while increasing flow level)"},
		{"syntax: NUL", "title: \x00", "x.yaml:1:8: not YAML: control characters are not allowed (value: 0)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r recipe
			_, err := strictyaml.Read("x.yaml", []byte(c.data), &r)
			if err == nil {
				t.Fatalf("read as %+v, want an error", r)
			}
			if err.Error() != c.want {
				t.Errorf("the error is\n\t%s\nwant\n\t%s", err, c.want)
			}
		})
	}
}

// A file of a few hundred bytes that would be a gigabyte when written out.
func TestBombIsRefusedUnexpanded(t *testing.T) {
	bomb := "extra:\n  a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'j'; c++ {
		bomb += fmt.Sprintf("  %c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1)
	}
	start := time.Now()
	var r recipe
	_, err := strictyaml.Read("x.yaml", []byte(bomb), &r)
	if want := "x.yaml:2:6: anchors and aliases are not read here; write the value out, or a text between quotes"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestAllErrorsOfAFileAreReported(t *testing.T) {
	var r recipe
	_, err := strictyaml.Read("x.yaml", []byte("titel: a\nrest: 5\ntags: {}\ncolour: blue\n"), &r)
	want := []strictyaml.Error{
		{File: "x.yaml", Line: 1, Column: 1, Message: `unknown key "titel" (did you mean "title"?); the keys here are ` + keys},
		{File: "x.yaml", Line: 2, Column: 7, Message: "expected a time such as 50ms or 2s, found 5"},
		{File: "x.yaml", Line: 3, Column: 7, Message: "expected a list, found a mapping"},
		{File: "x.yaml", Line: 4, Column: 9, Message: `unknown colour "blue"`},
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("the error is %v", err)
	}
	var got []strictyaml.Error
	for _, e := range joined.Unwrap() {
		var one *strictyaml.Error
		if !errors.As(e, &one) {
			t.Fatalf("%v names no place", e)
		}
		got = append(got, *one)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// TestChecksAreJoined: what a check finds is told together with what could not be read, but for
// what is only missing because of that.
func TestChecksAreJoined(t *testing.T) {
	check := func(doc *strictyaml.Document, paths ...string) error {
		var errs []error
		for _, path := range paths {
			errs = append(errs, doc.Errorf(path, "check of %s", path))
		}
		return errors.Join(errs...)
	}
	for _, c := range []struct {
		name, data string
		paths      []string
		want       []string // paths that are told
	}{
		{"nothing is wrong", "title: a", []string{"/title", ""}, []string{"/title", ""}},
		{"a key that was guessed", "titel: a\nsteps: [{do: b}]", []string{"", "/steps/0/do"}, []string{"", "/steps/0/do"}},
		{"an unknown key at the top", "wikipedia: a\nsteps: [{do: b}]", []string{"", "/steps/0/do"}, []string{"/steps/0/do"}},
		{"an unknown key inside", "title: b\nsteps:\n  - wikipedia: a\n  - do: a", []string{"/title", "/steps/0", "/steps/1/do"}, []string{"/title", "/steps/1/do"}},
		{"a guess that does not fit", "title: b\nsteps:\n  - dou: [a]", []string{"/title", "/steps/0"}, []string{"/title"}},
		{"a value of another type", "rest: 5\ntitle: b\nsteps:\n  - do: [a]\n  - do: a", []string{"/rest", "/title", "/steps/0", "/steps/0/do/0", "/steps/1"}, []string{"/title", "/steps/1"}},
		{"a list that is none", "title: b\nsteps: 7", []string{"/title", "/steps"}, nil},
		{"no mapping at all", "hello", []string{""}, nil},
		{"a reader that failed", "title: b\ncolours:\n  - {name: blue, note: c}\n  - {name: red}", []string{"/title", "/colours/0/note", "/colours/1"}, []string{"/title", "/colours/1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r struct {
				recipe  `yaml:",inline"`
				Colours []struct {
					Name *colour `yaml:"name"`
					Note string  `yaml:"note"`
				} `yaml:"colours"`
			}
			doc, unread := strictyaml.Read("x.yaml", []byte(c.data), &r)
			var want []error
			if joined, is := unread.(interface{ Unwrap() []error }); is {
				want = joined.Unwrap()
			}
			want = append(want, check(doc, c.want...))
			if got := doc.With(unread, check(doc, c.paths...)); fmt.Sprint(got) != fmt.Sprint(errors.Join(want...)) {
				t.Errorf("told:\n%v\nwant:\n%v", got, errors.Join(want...))
			}
			for _, c := range r.Colours {
				if c.Name != nil && c.Name.name == "" {
					t.Error("half a colour was read")
				}
			}
		})
	}
}

func TestErrorf(t *testing.T) {
	data := "title: a\nsteps:\n  - do: mix\n  - do: bake\nbowls:\n  big: {litres: 5}\n"
	var r recipe
	doc, err := strictyaml.Read("x.yaml", []byte(data), &r)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{"/title", "x.yaml:1:8: bad"},
		{"/steps/1/do", "x.yaml:4:9: bad"},
		{"/steps/1", "x.yaml:4:5: bad"},
		{"/bowls/big/litres", "x.yaml:6:17: bad"},
		{"/steps/1/until", "x.yaml:4:5: bad"}, // no such key: the step
		{"/steps/7/do", "x.yaml:3:3: bad"},    // no such step: the steps
		{"/steps/-1", "x.yaml:3:3: bad"},
		{"/title/0", "x.yaml:1:8: bad"},
		{"/nothing/at/all", "x.yaml:1:1: bad"},
		{"", "x.yaml:1:1: bad"},
	} {
		if got := doc.Errorf(c.path, "%s", "bad").Error(); got != c.want {
			t.Errorf("at %q the error is %q, want %q", c.path, got, c.want)
		}
	}
}

// Whatever is in a file, reading it ends in a value or in errors that say where.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"title: a", "titel: [", "- {a: b}\n- *c", "extra: {a: [1, .inf, {b: ~}]}", "? [a]\n: b", "bowls: {a: {litres: x}}", "\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r recipe
		if _, err := strictyaml.Read("x.yaml", data, &r); err != nil && !strings.HasPrefix(err.Error(), "x.yaml:") {
			t.Errorf("the error %q does not begin with the name of the file", err)
		}
	})
}
