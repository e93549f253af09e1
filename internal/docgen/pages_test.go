package main

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/scenarios"
)

// pages returns the Markdown files that people read, by their paths from the root of the
// repository.
func pages(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "lab/*.md", "lab/*/*.md", "lab/adapters/*/*.md", "lab/adapters/*/*/*.md", "packages/starters/*/*.md"} {
		files, err := filepath.Glob(filepath.FromSlash("../../" + pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			found = append(found, strings.TrimPrefix(filepath.ToSlash(f), "../../"))
		}
	}
	if len(found) < 50 {
		t.Fatalf("found only %d pages", len(found))
	}
	return found
}

var (
	fenced   = regexp.MustCompile("(?ms)^```.*?^```")
	codeSpan = regexp.MustCompile("``[^\n]*?``|`[^`\n]*`")
)

// Links between pages lead to a file that exists, and to a heading that it has.
func TestLinksLeadSomewhere(t *testing.T) {
	headings := map[string]map[string]bool{}
	for _, page := range pages(t) {
		text := codeSpan.ReplaceAllString(fenced.ReplaceAllString(read(t, "../../"+page), ""), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, anchor := page, m[2]
			if m[1] != "" {
				path, err := url.PathUnescape(m[1])
				if err != nil {
					t.Errorf("%s: %v", page, err)
					continue
				}
				target = filepath.ToSlash(filepath.Join(filepath.Dir(page), path))
			}
			if _, err := os.Stat(filepath.FromSlash("../../" + target)); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
				continue
			}
			if anchor == "" || !strings.HasSuffix(target, ".md") {
				continue
			}
			if headings[target] == nil {
				headings[target] = anchors(read(t, "../../"+target))
			}
			if !headings[target][anchor] {
				t.Errorf("%s links to %s#%s, but there is no such heading", page, target, anchor)
			}
		}
	}
}

// The examples in YAML can be copied: they are valid.
func TestExamplesAreValid(t *testing.T) {
	for page, parse := range map[string]func(text string) error{
		"scenarios.md": func(text string) error {
			_, err := scenarios.Parse("example.yaml", text)
			return err
		},
		"fuzz.md": func(text string) error {
			_, err := scenarios.Parse("example.yaml", text)
			return err
		},
		"ci.md": func(text string) error {
			if !strings.Contains(text, "rule:") { // a workflow
				return nil
			}
			_, err := knownfailing.Parse("example.yaml", []byte(text))
			return err
		},
		"agents.md": func(text string) error {
			_, err := agents.Parse("example.yaml", []byte(text))
			return err
		},
	} {
		blocks := yamlBlock.FindAllStringSubmatch(read(t, "../../docs/"+page), -1)
		if len(blocks) == 0 {
			t.Errorf("docs/%s has no example", page)
		}
		for _, block := range blocks {
			if err := parse(block[1]); err != nil {
				t.Errorf("docs/%s: %v in\n%s", page, err, block[1])
			}
		}
	}
}

// The pages for authors of scenarios explain every key.
func TestKeysOfScenariosAreDocumented(t *testing.T) {
	var schema struct {
		Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(scenarios.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	text := read(t, "../../docs/scenarios.md") + read(t, servePage)
	keys := 0
	for name, object := range schema.Defs {
		for key := range object.Properties {
			keys++
			// A key stands in code, at its beginning or before a colon.
			if key != "~key" && !strings.Contains(text, "`"+key) && !strings.Contains(text, key+":") {
				t.Errorf("neither docs/scenarios.md nor docs/serve.md explains the key %s of %s", key, name)
			}
		}
	}
	if keys < 50 {
		t.Errorf("the schema has %d keys", keys)
	}
}

var (
	goTest   = regexp.MustCompile("(?:cd (\\w+) && )?go (?:test|run) (\\.(?:/[a-z][\\w/]*)?(?: \\./[a-z][\\w/]*)*)([^`\n]*)")
	selected = regexp.MustCompile(`-(?:run|fuzz|bench) '?(\w+)`)
)

// The commands that the pages show test packages that exist, and select tests that exist.
func TestCommandsSelectWhatExists(t *testing.T) {
	tried := 0
	for _, page := range pages(t) {
		for _, m := range goTest.FindAllStringSubmatch(read(t, "../../"+page), -1) {
			for folder := range strings.FieldsSeq(m[2]) {
				if folder != strings.ToLower(folder) { // a word to replace, such as AREA
					continue
				}
				folder = filepath.Join("../..", m[1], folder)
				if _, err := os.Stat(folder); err != nil {
					t.Errorf("%s: %s: there is no such package", page, m[0])
					continue
				}
				tried++
				named := selected.FindStringSubmatch(strings.ReplaceAll(m[3], "'^$'", ""))
				if named == nil || strings.ToUpper(named[1]) == named[1] {
					continue
				}
				if !regexp.MustCompile(`\nfunc (Test|Fuzz|Benchmark|Example)?\w*` + named[1]).MatchString(sources(t, folder+"/*_test.go")) {
					t.Errorf("%s: %s: there is no such test", page, m[0])
				}
			}
		}
	}
	if tried < 50 {
		t.Errorf("the pages show %d commands", tried)
	}
}

// The architecture has a line for each folder below internal.
func TestEveryPackageHasALine(t *testing.T) {
	entries, err := os.ReadDir("..")
	if err != nil || len(entries) < 20 {
		t.Fatalf("found %d folders below internal: %v", len(entries), err)
	}
	text := read(t, "../../docs/architecture.md")
	for _, entry := range entries {
		name := "internal/" + entry.Name()
		if entry.IsDir() && !regexp.MustCompile("`"+name+"[`/]").MatchString(text) {
			t.Errorf("docs/architecture.md does not say what %s is for: add it to one of the tables under Packages", name)
		}
	}
}
