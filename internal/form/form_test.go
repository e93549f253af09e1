package form_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

// small is a form in which most words occur.
const small = `loopproof: 1
sources: {docs: https://example.com}
elsewhere: [e/elsewhere]
request:
  keys: [user]
  types: e/elsewhere
  rule: {keys: e/keys}
  properties:
    size: {type: integer, minimum: 1, maximum: 9, rule: e/size}
    name: {type: string, maxLength: 3, rule: {type: e/name, maxLength: e/name}}
    id: {pattern: "^[a-z]+$", rule: e/id}
    mark: {prefix: m_, rule: e/mark}
    word: {enum: [a, b], or: object, rule: e/word}
    old: {insteadOf: name, rule: e/old}
    one: {notWith: other, rule: e/one}
    other: {}
    list: {items: {is: thing}}
    stream: {type: boolean}
    tone: {enum: [high, low], own: tones, rule: e/tone}
    kinds: {enum: [new], wrong: [older], rule: e/wrong}
    tools: {type: array, minItems: 1, maxItems: 2, rule: e/count, items: {type: string, minLength: 1, rule: e/empty}}
    gone: {deprecated: true, rule: e/gone}
    options: {onlyWith: {stream: 'true'}, with: user, rule: {onlyWith: e/options, with: e/with}}
    noted:
      maxProperties: 2
      propertyNames: {maxLength: 9}
      additionalProperties: {type: string, rule: e/note}
      rule: e/notes
    said: {keys: [by], own: said, also: more, rule: e/said-keys, is: private}
nodes:
  private: {forbidden: [secret], rule: e/private}
  thing:
    by: kind
    enum: [text, note]
    like: ":"
    rule: e/kind
    of:
      text:
        properties:
          said: {type: string, required: true, rule: e/said}
          loud: {onlyWith: {tone: high}, rule: e/loud}
          parts: {type: array, minItems: 1, rule: e/parts, items: {is: thing}}
      picture: {anyOf: [url, data], at: key, rule: e/picture, properties: {url: {type: string, unjudged: {type: anyOf wants a text}}}}
rules:
  e/keys: {text: T., why: W., sources: {docs: x}}
  e/size: {text: T., why: W., sources: {docs: x}}
  e/name: {text: T., why: W., sources: {docs: x}}
  e/id: {text: T., why: W., sources: {docs: x}}
  e/mark: {text: T., why: W., sources: {docs: x}}
  e/word: {text: T., why: W., sources: {docs: x}}
  e/old: {text: T., why: W., sources: {docs: x}}
  e/one: {text: T., why: W., sources: {docs: x}}
  e/kind: {text: T., why: W., sources: {docs: x}}
  e/said: {text: T., why: W., when: [kind], sources: {docs: x}}
  e/loud: {text: T., why: W., sources: {docs: x}}
  e/parts: {text: T., why: W., sources: {docs: x}}
  e/picture: {text: T., why: W., sources: {docs: x}}
  e/tone: {text: T., why: W., sources: {docs: x}}
  e/wrong: {text: T., why: W., sources: {docs: x}}
  e/count: {text: T., why: W., when: [value], sources: {docs: x}}
  e/empty: {text: T., why: W., sources: {docs: x}}
  e/gone: {text: T., why: W., sources: {docs: x}}
  e/options: {text: T., why: W., sources: {docs: x}}
  e/with: {text: T., why: W., sources: {docs: x}}
  e/note: {text: T., why: W., sources: {docs: x}}
  e/notes: {text: T., why: W., sources: {docs: x}}
  e/said-keys: {text: T., why: W., sources: {docs: x}}
  e/private: {text: T., why: W., sources: {docs: x}}
`

// check reads a request of no API, and checks it.
func check(f *form.Form, body []byte, of wire.Provider) *wire.FormResult {
	return f.Check(requestOf(wire.Parsed(body)), of)
}

func requestOf(body *wire.Node) *wire.Request {
	return &wire.Request{Dialect: &wire.Dialect{}, Body: body}
}

func TestCheck(t *testing.T) {
	f := form.Lazy("small.yaml", []byte(small), nil)()
	for _, c := range []struct{ body, want string }{
		{`{}`, ``},
		{`{"size":null,"name":null,"id":null,"word":null}`, ``},
		{`{"user":1,"x":1,"a/b":2}`, `e/keys keys /x, e/keys keys /a~1b`},
		{`{"size":0}`, `e/size minimum /size`},
		{`{"size":10}`, `e/size maximum /size`},
		{`{"size":1e999}`, `e/size maximum /size`},
		{`{"size":"0"}`, ``},  // its type is judged elsewhere
		{`{"size":99.5}`, ``}, // the same: nothing more is said of it
		{`{"name":5}`, `e/name type /name`},
		{`{"name":"üüü"}`, ``},
		{`{"name":"üüüü"}`, `e/name maxLength /name`},
		{`{"name":"x","name":"long"}`, `e/name maxLength /name`}, // the last one counts
		{`{"id":"A"}`, `e/id pattern /id`},
		{`{"id":5}`, `e/id pattern /id`},
		{`{"mark":"x"}`, `e/mark prefix /mark`},
		{`{"mark":""}`, ``},
		{`{"word":{}}`, ``},
		{`{"word":"c"}`, `e/word enum /word`},
		{`{"word":["a"]}`, `e/word enum /word`},
		{`{"old":null}`, `e/old insteadOf /old`},
		{`{"one":1,"other":null}`, ``},
		{`{"one":1,"other":1}`, `e/one notWith /one`},
		{`{"list":"x"}`, ``},
		{`{"list":["x",null,{"kind":"a:b"},{"kind":"note","said":5}]}`, `e/kind by /list/0, e/kind by /list/1`},
		{`{"list":[{"kind":"text"}]}`, `e/said required /list/0/said`},
		{`{"list":[{"kind":"text","said":null}]}`, `e/said type /list/0/said`},
		{`{"list":[{"kind":"text","said":"","loud":1,"tone":"low"}]}`, `e/loud onlyWith /list/0/loud`},
		{`{"list":[{"kind":"text","said":"","loud":1,"tone":"high"}]}`, ``},
		{`{"list":[{"kind":"text","said":"","parts":[]}]}`, `e/parts minItems /list/0/parts`},
		{`{"list":[{"kind":"text","said":"","parts":[{"kind":"text"}]}]}`, `e/said required /list/0/parts/0/said`},
		{`{"list":[{"kind":"picture","url":5}]}`, `e/picture anyOf /list/0/url`},
		{`{"list":[{"kind":"picture","data":5}]}`, ``},
		{`{"tone":"flat"}`, `e/tone enum /tone`},
		{`{"kinds":"old"}`, ``},
		{`{"kinds":"older"}`, `e/wrong enum /kinds`},
		{`{"kinds":5}`, ``},
		{`{"tools":[]}`, `e/count minItems /tools`},
		{`{"tools":["a","b",""]}`, `e/count maxItems /tools, e/empty minLength /tools/2`},
		{`{"gone":0}`, `e/gone deprecated /gone`},
		{`{"gone":null}`, ``},
		{`{"options":1,"stream":"true"}`, `e/with with /options`},
		{`{"options":1,"user":1}`, `e/options onlyWith /options`},
		{`{"options":1,"user":1,"stream":true}`, ``},
		{`{"noted":{"abcdefghij":1,"b":null}}`, `e/notes propertyNames /noted/abcdefghij, e/note type /noted/b`},
		{`{"noted":{"a":"","b":"","c":5}}`, `e/notes maxProperties /noted`},
		{`{"said":{"by":1,"secret":1,"to":1}}`, `e/private forbidden /said/secret, e/said-keys keys /said/to`},
	} {
		var found []string
		for _, b := range check(f, []byte(c.body), nil).Breaches {
			found = append(found, fmt.Sprint(b.Rule, " ", b.Keyword, " ", b.Pointer()))
		}
		if got := strings.Join(found, ", "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
		}
	}
	if !check(f, []byte(`{"list":[{"kind":"text","said":""}]}`), nil).Kinds["e/said"] {
		t.Error("an object of the kind that e/said is about is not noticed")
	}
}

// provider has words and keys of its own.
type provider map[string][]string

func (p provider) Accepted(list string) []string { return p[list] }

// TestOwn: what a provider takes is in place of the reference.
func TestOwn(t *testing.T) {
	f := form.Lazy("small.yaml", []byte(small), nil)()
	own := provider{"tones": {"flat"}, "said": {"to"}, "more": {"cc"}}
	for _, b := range check(f, []byte(`{"tone":"flat","said":{"to":1,"cc":2}}`), own).Breaches {
		t.Errorf("it breaks %s at %s", b.Rule, b.Pointer())
	}
	all := check(f, []byte(`{"tone":"high","said":{"by":1}}`), own).Breaches
	if len(all) != 2 || all[0].Want != "one of flat" || all[1].Want != "only to, cc" {
		t.Errorf("%+v", all)
	}
	if check(f, []byte(`{}`), nil).Kinds["e/count"] || !check(f, []byte(`{"tools":["a"]}`), nil).Kinds["e/count"] {
		t.Error("a value is evidence for e/count, and nothing else is")
	}
}

// TestMutants: each mutant of the small form breaks its keyword, and no other.
func TestMutants(t *testing.T) {
	f := form.Lazy("small.yaml", []byte(small), nil)()
	base := []byte(`{"name":"a","stream":true,"user":"u","list":[{"kind":"text","said":"x","parts":[{"kind":"note"}]},{"kind":"picture","url":"u"}]}`)
	for _, m := range f.Mutants() {
		body, pointer, ok := m.Of(base)
		found := check(f, body, nil).Breaches
		if !ok || len(found) != 1 || found[0].Rule != m.Rule || found[0].Keyword != m.Keyword || found[0].Pointer() != pointer {
			t.Errorf("%s: %s breaks %v", m.ID(), body, found)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"types: e/elsewhere", "typs: e/elsewhere", `small.yaml:6:3: unknown key "typs"`},
		{"type: integer", "type: int", "small.yaml:9:18: expected a type: string, integer, number, boolean, object, array or null"},
		{"{type: e/name, maxLength", "{typ: e/name, maxLength", `"typ" can have no rule of its own`},
		{"is: thing}}\n    stream", "is: thin}}\n    stream", `there is no node "thin"`},
		{`"^[a-z]+$"`, `"^[a-z+$"`, "missing closing ]"},
		{"rule: e/kind", "rule: e/kinds", "no node belongs to the rule e/kind"},
		{"  e/kind: {text: T., why: W., sources: {docs: x}}\n", "", "the rule e/kind has nodes, and is not described under rules"},
		{"type: integer, minimum: 1, maximum: 9, rule: e/size", "type: integer, minimum: 1", `small.yaml:9:11: /request/properties/size: no rule judges minimum`},
		{"type: anyOf wants a text", `type: ""`, "/nodes/thing/of/picture/properties/url: no rule judges type"},
		{"type: anyOf wants a text", "types: it is so", `"types" is none of`},
		{"type: anyOf wants a text", "enum: it is so", "the node has no enum"},
		{"url: {type: string", "url: {type: string, rule: {type: e/picture}", "type: there is a rule for it"},
		{"{type: e/name, maxLength", "{type: e/name, enum: e/name, maxLength", "the node has no enum"},
		{"maxLength: 9}", "maxLength: 9, minLength: 1}", "expected a pattern or a maxLength, and no minLength"},
		{"[e/elsewhere]", "[e/elsewhere, e/nowhere]", "no node belongs to the rule e/nowhere"},
		{"by: kind\n", "by: kind\n    as: thing\n", `the dialect has no function "thing"`},
	} {
		_, err := form.Read("small.yaml", []byte(strings.Replace(small, c.old, c.new, 1)), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}

func TestTables(t *testing.T) {
	f := form.Lazy("small.yaml", []byte(small), nil)()
	if keys := f.Keys(); !slices.Contains(keys, "user") || !slices.Contains(keys, "size") {
		t.Errorf("keys %v", keys)
	}
	if types := f.Parameters("e/elsewhere").Types; len(types) != 3 || types["size"] != wire.AWholeNumber {
		t.Errorf("types %v", types)
	}
}

// TestFlood: of very many breaches few are kept, and all are found.
func TestFlood(t *testing.T) {
	f := form.Lazy("small.yaml", []byte(small), nil)()
	var body strings.Builder
	body.WriteString(`{"tone":"flat","said":{"by":1`)
	for i := range 150_000 {
		fmt.Fprintf(&body, `,"k%d":1`, i)
	}
	body.WriteString("}}")
	root := wire.Parsed([]byte(body.String()))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	result := f.Check(requestOf(root), nil)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); len(result.Breaches) != 1001 || kept > 1<<20 {
		t.Errorf("%d breaches are kept, in %d bytes", len(result.Breaches), kept)
	}
	for rule, want := range map[string]int{"e/said-keys": 150_000, "e/tone": 1} {
		var found []string
		result.Of(rule, func(b *wire.Breach) { found = append(found, b.Pointer()) })
		if len(found) != want {
			t.Errorf("%d breaches of %s are found, want %d", len(found), rule, want)
		}
		if last := found[len(found)-1]; want > 1 && last != "/said/k149999" {
			t.Errorf("the last of them is at %s", last)
		}
	}
	runtime.KeepAlive(root)
}
