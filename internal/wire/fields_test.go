package wire_test

import (
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestFieldsJSON(t *testing.T) {
	f := wire.Fields{}.
		With("text", "é \"\\\n<&>\u2028 😀").
		With("int", -3).
		With("long", int64(1<<62)).
		With("yes", true).
		With("null", nil).
		With("raw", wire.Raw(`{"a" : 1.50}`)).
		With("object", wire.Fields{{Key: "b", Value: 1}, {Key: "a", Value: 2}}).
		With("objects", []wire.Fields{{}, {{Key: "k\"", Value: ""}}}).
		With("list", []any{1, "a", nil, []any{}})
	want := "{\"text\":\"é \\\"\\\\\\n<&>\u2028 😀\",\"int\":-3,\"long\":4611686018427387904,\"yes\":true,\"null\":null,\"raw\":{\"a\" : 1.50}," +
		`"object":{"b":1,"a":2},"objects":[{},{"k\"":""}],"list":[1,"a",null,[]]}`
	if got := string(f.JSON()); got != want {
		t.Errorf("written as\n\t%s\nwant\n\t%s", got, want)
	}
	if got := string(f.Without("text").Without("nothing").JSON()); got[:9] != `{"int":-3` {
		t.Errorf("without the text it is %s", got)
	}
	if got := string(wire.Fields(nil).JSON()); got != "{}" {
		t.Errorf("nothing is written as %s", got)
	}
}

func TestAnyTextIsQuoted(t *testing.T) {
	survives := func(text string) bool {
		n, err := wire.ParseNode(wire.Quote(text))
		return err == nil && n.Text() == text
	}
	if err := quick.Check(survives, nil); err != nil {
		t.Error(err)
	}
	if got := string(wire.Quote("a\xffb")); got != "\"a\ufffdb\"" {
		t.Errorf("bytes that are no UTF-8 are written as %s", got)
	}
}

func TestTemplate(t *testing.T) {
	all := wire.Fields{
		{Key: "a", Value: "$text"},
		{Key: "b", Value: "$text or null"},
		{Key: "c", Value: `$text or ""`},
		{Key: "d", Value: []any{"$text", 1, "$more"}},
		{Key: "e", Value: wire.Fields{{Key: "f", Value: "$more"}, {Key: "g", Value: "costs $5"}}},
	}
	for _, c := range []struct {
		name   string
		value  any
		values wire.Values
		want   string
	}{
		{"filled", all, wire.Values{"text": "x", "more": 2}, `{"a":"x","b":"x","c":"x","d":["x",1,2],"e":{"f":2,"g":"costs $5"}}`},
		{"without values", all, nil, `{"b":null,"c":"","d":[1],"e":{"g":"costs $5"}}`},
		{"null is a value", all, wire.Values{"text": nil}, `{"a":null,"b":null,"c":null,"d":[null,1],"e":{"g":"costs $5"}}`},
		{"nothing left", wire.Fields{{Key: "a", Value: "$x"}, {Key: "b", Value: []any{"$x"}}}, nil, `{"b":[]}`},
		{"values are not filled again", "$a", wire.Values{"a": "$b", "b": 1}, `"$b"`},
		{"JSON as value", "$a", wire.Values{"a": wire.Raw(`[1,2]`)}, `[1,2]`},
		{"fixed", true, nil, "true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			template, err := wire.NewTemplate(c.value)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(template.JSON(c.values)); got != c.want {
				t.Errorf("filled to %s, want %s", got, c.want)
			}
		})
	}
}

func TestTemplatePlaces(t *testing.T) {
	template, err := wire.NewTemplate(wire.Fields{{Key: "a", Value: "$one"}, {Key: "b", Value: []any{"$two or null", "$one", "three"}}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"one", "two"}, template.Places()); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if !template.Has("two") || template.Has("three") || template.Empty() || !(wire.Template{}).Empty() {
		t.Error("the template does not know its places")
	}
	for _, text := range []string{"$", "$One", "$5", "$one or two", "$one or ", "$a b"} {
		if _, err := wire.NewTemplate([]any{text}); err == nil {
			t.Errorf("%q was taken as a place", text)
		}
	}
}
