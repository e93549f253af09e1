package scenarios_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

const toolbox = `
tools:
  mix:
    parameters: {s: string, i: integer?, n: number?, b: boolean?, o: object?, a: array?}
    results:
      - {when: {s: one, i: 1}, text: first}
      - {when: {s: one}, text: second}
      - {when: {n: 1.5}, fail: no halves}
      - {when: {o: {deep: [1, two, null]}}, text: deep}
      - {when: {b: true}, text: ab, repeat: 3}
  bare:
    results: [{text: ok}]
  deep:
    schema: {type: object, properties: {where: {type: object, properties: {city: {type: string}}}, unit: {type: [string, "null"]}}, required: [where]}
    results: [{text: ok}]
model: [{text: Done.}]
`

func TestTrouble(t *testing.T) {
	s := scenario(t, toolbox)
	for _, c := range []struct {
		tool, arguments string
		want            scenarios.Trouble
	}{
		{"mix", `{"s":"a"}`, scenarios.NoTrouble},
		{"mix", ` {"s" : "a" , "i":-3,"n":1.5,"b":false,"o":{},"a":[]} `, scenarios.NoTrouble},
		{"mix", `{"s":"a","extra":1}`, scenarios.NoTrouble},
		{"mix", `{"s":"a","i":1.0}`, scenarios.NoTrouble}, // whole, as JSON Schema has it
		{"mix", `{"s":"a","i":9007199254740993}`, scenarios.NoTrouble},
		{"mix", `{"s":"a","i":1.5}`, scenarios.SchemaViolation},
		{"mix", `{"s":"a","i":"1"}`, scenarios.SchemaViolation},
		{"mix", `{"s":"a","n":"1"}`, scenarios.SchemaViolation},
		{"mix", `{"s":"a","b":0}`, scenarios.SchemaViolation},
		{"mix", `{"s":"a","o":[]}`, scenarios.SchemaViolation},
		{"mix", `{"s":"a","a":{}}`, scenarios.SchemaViolation},
		{"mix", `{"s":"a","i":null}`, scenarios.SchemaViolation},
		{"mix", `{"s":null}`, scenarios.SchemaViolation},
		{"mix", `{}`, scenarios.SchemaViolation},
		{"mix", ``, scenarios.SchemaViolation},
		{"mix", `[]`, scenarios.SchemaViolation},
		{"mix", `"{\"s\":\"a\"}"`, scenarios.SchemaViolation}, // encoded twice
		{"deep", `{"where":{"city":"Oslo"},"unit":null}`, scenarios.NoTrouble},
		{"deep", `{"where":{}}`, scenarios.NoTrouble}, // what is in an object is not looked at
		{"deep", `{"where":"Oslo"}`, scenarios.SchemaViolation},
		{"deep", `{"unit":"C"}`, scenarios.SchemaViolation},
		{"mix", `{"s":"a"`, scenarios.NotJSON},
		{"mix", `{"s":"a"}}`, scenarios.NotJSON},
		{"mix", `s=a`, scenarios.NotJSON},
		{"bare", ``, scenarios.NoTrouble},
		{"bare", ` null `, scenarios.NoTrouble},
		{"bare", `{}`, scenarios.NoTrouble},
		{"bare", `1`, scenarios.SchemaViolation},
		{"constructor", `{}`, scenarios.UnknownTool},
		{"Mix", `{"s":"a"}`, scenarios.UnknownTool},
		{"", ``, scenarios.UnknownTool},
	} {
		if got := s.Trouble(wire.AnswerCall{Name: c.tool, Arguments: c.arguments}); got != c.want {
			t.Errorf("%s(%s) has the trouble %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
}

func TestAnswer(t *testing.T) {
	s := scenario(t, toolbox)
	for _, c := range []struct{ tool, arguments, want string }{
		{"mix", `{"i":1,"s":"one"}`, "first"},
		{"mix", `{"s":"one","i":1.0}`, "first"},
		{"mix", `{"s":"one","i":2}`, "second"},
		{"mix", `{"s":"\u006fne"}`, "second"},
		{"mix", `{"s":"x","n":15e-1}`, "no halves"},
		{"mix", `{"s":"x","o":{"deep":[1,"two",null]}}`, "deep"},
		{"mix", `{"b":true}`, "ababab"},
		{"mix", `{"s":"One"}`, "-"},
		{"mix", `{}`, "-"},
		{"mix", ``, "-"},
		{"mix", `{broken`, "-"},
		{"bare", ``, "ok"},
		{"bare", `{"any":"thing"}`, "ok"},
	} {
		got := "-"
		if r, ok := s.Tool(c.tool).Answer(c.arguments); ok {
			got = r.Output()
		}
		if got != c.want {
			t.Errorf("%s(%s) answers %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
}

func TestSchema(t *testing.T) {
	s := scenario(t, toolbox)
	want := `{"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"o":{"type":"object"},"a":{"type":"array","items":{}}},"required":["s"]}`
	if got := string(s.Tool("mix").Schema()); got != want {
		t.Errorf("the schema is %s, want %s", got, want)
	}
	if got := string(s.Tool("bare").Schema()); got != `{"type":"object","properties":{},"required":[]}` {
		t.Errorf("the schema of a tool without parameters is %s", got)
	}
}

func TestOutput(t *testing.T) {
	for _, c := range []struct {
		result scenarios.Result
		want   string
	}{
		{scenarios.Result{}, ""},
		{scenarios.Result{Text: "a"}, "a"},
		{scenarios.Result{Text: "a", Repeat: 1}, "a"},
		{scenarios.Result{Text: "ab", Repeat: 1000}, strings.Repeat("ab", 1000)},
		{scenarios.Result{Fail: new("no")}, "no"},
		{scenarios.Result{Fail: new("")}, ""},
	} {
		if got := c.result.Output(); got != c.want {
			t.Errorf("%+v says %d bytes, want %d", c.result, len(got), len(c.want))
		}
	}
}
