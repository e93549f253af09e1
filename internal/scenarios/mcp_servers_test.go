package scenarios_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

const notes = `loopproof: 1
mcp-servers:
  notes:
    instructions: Notes of a team.
    tools:
      find:
        parameters: {word: string, limit: integer?}
        results:
          - {when: {word: none}, fail: 'nothing about {{ argument "/word" }}'}
          - {when: {word: wrong}, error: {code: -32000, message: 'broken: {{ argument "/word" }}'}}
          - {text: '{{ argument "/word" }}', structured: {word: '{{ argument "/word" }}', of: [1, '{{ argument "/limit" "9" }}']}, more: [{resource: 'R {{ argument "/word" }}'}]}
      book:
        parameters: {}
        listed-after: find
        results: [{ask: {message: Where to?, schema: {type: object, properties: {city: {type: string}}}, otherwise: Not booked.}, text: 'Booked for {{ answer "/city" }}.', after: 2s, progress: 4}]
    resources:
      notes://all: {text: Two., then: [Three.]}
      notes://{id}/{part}: {text: 'Note {{ argument "/id" }}', listed-until: find}
    prompts:
      review: {arguments: {code: the code, style?: how}, messages: [{user: 'Review {{ argument "/code" }}.'}]}
`

func parseNotes(t *testing.T) *scenarios.MCPServer {
	t.Helper()
	s, err := scenarios.Parse("x.yaml", []byte(notes), scenarios.Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	return s.MCPServer("notes")
}

func TestMCPServerIsRead(t *testing.T) {
	m := parseNotes(t)
	if m == nil || len(m.Tools) != 2 || len(m.Resources) != 2 || m.Prompts[0].Arguments[1].Name != "style?" {
		t.Fatalf("the server is %+v", m)
	}
	if !m.ChangesWith("find") || m.ChangesWith("book") {
		t.Error("the lists change with another tool than find")
	}
	vars, ok := m.Resources[1].Variables("notes://7/a%20b")
	if !ok || string(vars.JSON()) != `{"id":"7","part":"a b"}` {
		t.Errorf("the variables are %s, %t", vars.JSON(), ok)
	}
	if _, ok := m.Resources[1].Variables("notes://7"); ok {
		t.Error("a template matches what lacks a variable")
	}
	for reads, want := range []string{"Two.", "Three.", "Three."} {
		if text, _ := m.Resources[0].Content(reads); text != want {
			t.Errorf("read %d is %q", reads, text)
		}
	}
}

func TestResultsAreFilled(t *testing.T) {
	m := parseNotes(t)
	results := m.Tools[0].Results
	filled, err := results[2].Filled(scenarios.CallValues{Arguments: wire.Parsed([]byte(`{"word":"a\"b"}`))})
	if err != nil || filled.Text != `a"b` || filled.StructuredText() != `{"word":"a\"b","of":[1,"9"]}` || filled.More[0].Resource != `R a"b` {
		t.Errorf("the result is %+v, %v", filled, err)
	}
	if strings.Contains(results[2].Text, "a") != true || results[2].More[0].Resource != `R {{ argument "/word" }}` {
		t.Errorf("the script changed: %+v", results[2])
	}
	if _, err := results[2].Filled(scenarios.CallValues{}); err == nil || !strings.Contains(err.Error(), "the call has no argument /word") {
		t.Errorf("without the argument: %v", err)
	}
	if failed, _ := results[0].Filled(scenarios.CallValues{Arguments: wire.Parsed([]byte(`{"word":"none"}`))}); *failed.Fail != "nothing about none" {
		t.Errorf("the failure is %s", *failed.Fail)
	}
}

func TestMistakesInMCPServers(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{"  notes:\n", "  n/s:\n", "x.yaml:4:5: the name of an MCP server is a part of its path"},
		{"listed-after: find", "listed-after: fnd", `"fnd" is none`},
		{"notes://all:", "notes all:", "a resource has a URI"},
		{"{id}/{part}", "{id}/{id}", "each once"},
		{"messages: [{user: 'Review", "messages: [{assistant: b, user: 'Review", "a message is one of"},
		{`argument "/code"`, `argumet "/code"`, `did you mean "argument"`},
		{`argument "/code"`, `user`, `a template knows no "user"`},
		{"code: -32000, ", "cod: 1, ", `unknown key "cod"`},
		{"error: {code: -32000, message: 'broken: {{ argument \"/word\" }}'}", "error: {code: 7}", "an error has a message"},
		{"after: 2s, progress: 4", "progress: 4", "takes some time"},
		{"message: Where to?, ", "", "a question has a message"},
		{"schema: {type: object, properties: {city: {type: string}}}, ", "", "with a `schema`, or at a `url`"},
		{"mcp-servers:\n", "prompt: Hello\nmodel: [{text: a}]\nmcp-servers:\n", "only a script without a prompt has them"},
		{"mcp-servers:\n", "prompt: Hello\ntools: {a: {results: [{progress: 2}]}}\nmodel: [{text: a}]\nmcp-servers:\n", "are for the tools of `mcp-servers`"},
	} {
		file := strings.Replace(notes, c.old, c.new, 1)
		if file == notes {
			t.Errorf("%s is not in the script", c.old)
			continue
		}
		if _, err := scenarios.Parse("x.yaml", []byte(file), scenarios.Vocabulary{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.new, err, c.says)
		}
	}
}
