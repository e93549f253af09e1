package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/schemacheck"
)

// TestDocumentsAreUpToDate: what is generated is generated again after each change.
func TestDocumentsAreUpToDate(t *testing.T) {
	t.Chdir("../..")
	files, err := makeAll()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not up to date: run go run ./internal/docgen", name)
		}
	}
	for _, name := range leftOver(files) {
		t.Errorf("%s is of no profile: run go run ./internal/docgen", name)
	}
}

// TestPagesOfRecords: the page of a format leads to every rule that is about it.
func TestPagesOfRecords(t *testing.T) {
	for _, rule := range rulebook.Book() {
		for _, format := range rule.Formats {
			page, err := os.ReadFile("../../docs/records/" + format + ".md")
			if err != nil {
				t.Error(err)
			} else if !strings.Contains(string(page), "(../rules.md#"+anchor(rule.ID)+")") {
				t.Errorf("docs/records/%s.md does not lead to %s", format, rule.ID)
			}
		}
	}
}

// TestSchemaTakesTheScenarios: an editor that goes by the schema does not complain about our own
// files.
func TestSchemaTakesTheScenarios(t *testing.T) {
	schema := compileSchema(t)
	err := fs.WalkDir(scenarios.Files(), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".yaml" {
			return err
		}
		data, err := fs.ReadFile(scenarios.Files(), file)
		if err != nil {
			return err
		}
		if problems := problemsOf(t, schema, asJSON(t, data)); len(problems) > 0 {
			t.Errorf("%s: %v", file, problems)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSchemaRefusesMistakes(t *testing.T) {
	schema := compileSchema(t)
	const good = "loopproof: 1\ntitle: t\nprompt: p\nmodel: [{text: a}]\n"
	if problems := problemsOf(t, schema, asJSON(t, []byte(good))); len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, mistake := range []string{
		"titel: t", "rules: [pairing/no-such-rule]", "needs: [magic]", "tools: {t: {parameters: {city: text}}}", "expect: {status: done}",
		"tools: {t: {results: [{after: soon}]}}",
	} {
		if len(problemsOf(t, schema, asJSON(t, []byte(good+mistake+"\n")))) == 0 {
			t.Errorf("the schema takes %s", mistake)
		}
	}
}

// TestSchemaTakesTheProfiles: nor about our own profiles, and it says what is wrong in others.
func TestSchemaTakesTheProfiles(t *testing.T) {
	schema := compile(t, schemaOf(t, "profiles"))
	files, err := filepath.Glob("../../profiles/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if problems := problemsOf(t, schema, asJSON(t, data)); len(problems) > 0 {
			t.Errorf("%s: %v", file, problems)
		}
	}
	const good = "loopproof: 1\ntitle: t\nlike: openai\n"
	if problems := problemsOf(t, schema, asJSON(t, []byte(good+"status: {400: 422}\nalso-refuses: [{rule: egress/tool-message-keys, status: 400, message: m, param: null, known-by: documented, sources: [s]}]\n"))); len(problems) > 0 {
		t.Error(problems)
	}
	for _, mistake := range []string{
		"titel: t", "dialect: chats", "takes: [egress/no-such-rule]", "quirks: {no-such-quirk: {known-by: recorded}}", "quirks: {nulls: {known-by: heard}}",
		"also-refuses: [{role: x}]", "chat: {anser: {}}", "chat: {stream: {chunks: {}}}", "messages: {stream: {}}", "reasoning: {resend: sometimes}", "call-id: ''", "images: {in: [there]}",
	} {
		if len(problemsOf(t, schema, asJSON(t, []byte(good+mistake+"\n")))) == 0 {
			t.Errorf("the schema takes %s", mistake)
		}
	}
}

func compileSchema(t *testing.T) *schemacheck.Schema {
	t.Helper()
	return compile(t, schemaOf(t, "scenarios"))
}

func schemaOf(t *testing.T, folder string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../" + folder + "/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func compile(t *testing.T, text []byte) *schemacheck.Schema {
	t.Helper()
	schema, err := schemacheck.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// problemsOf returns where a JSON document breaks a schema.
func problemsOf(t *testing.T, schema *schemacheck.Schema, document []byte) []schemacheck.Problem {
	t.Helper()
	problems, err := schema.Problems(document)
	if err != nil {
		t.Fatal(err)
	}
	return problems
}

// asJSON returns YAML as JSON.
func asJSON(t *testing.T, data []byte) []byte {
	t.Helper()
	var v any
	if err := yaml.Load(data, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(withTextKeys(v))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// withTextKeys makes the keys of mappings texts, as JSON has them: a profile has statuses for keys.
func withTextKeys(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = withTextKeys(value)
		}
	case map[any]any:
		texts := map[string]any{}
		for key, value := range v {
			texts[fmt.Sprint(key)] = withTextKeys(value)
		}
		return texts
	case []any:
		for i := range v {
			v[i] = withTextKeys(v[i])
		}
	}
	return v
}
