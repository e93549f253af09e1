package main

import (
	"os"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// Every page can be rendered, and every link leads somewhere: write returns an error otherwise.
func TestSite(t *testing.T) {
	t.Chdir("../..")
	pages, err := render(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range longPages {
		if len(pages[htmlName(page.name)]) < 10_000 {
			t.Errorf("%s has %d bytes", page.name, len(pages[htmlName(page.name)]))
		}
	}
	for _, rule := range rulebook.Book() {
		if !strings.Contains(string(pages["rules.html"]), `id="`+anchor(rule.ID)+`"`) {
			t.Errorf("rules.html has no chapter for %s", rule.ID)
		}
	}
	for _, p := range profiles.All() {
		if !strings.Contains(string(pages["profiles.html"]), `id="`+anchor(p.Name)+`"`) {
			t.Errorf("profiles.html has no chapter for %s", p.Name)
		}
	}
	for page, wants := range map[string][]string{
		"records/openai.html":            {`<a href="../rules.html#recordopenai-schema">`},
		"agents.html":                    {`<a href="findings.html#coding-agents">`},
		"findings.html":                  {`<a href="findings/pi.html">pi</a>`, `<a href="pairs.html">`, `<a href="findings/odd-answers.html">`},
		"findings/openai-run-tools.html": {`id="a-cancelled-run-sleeps-on"`, `<a href="#a-cancelled-run-sleeps-on">`, `<a href="../findings/odd-answers.html">`, "blob/main/lab/results/openai-run-tools/6.49.0.yaml"},
		"findings/odd-answers.html":      {"<td>silence</td>", "Oddities that all of them read: "},
		"pairs.html":                     {"Told apart: ", `<a href="rules.html#`},
	} {
		for _, want := range wants {
			if !strings.Contains(string(pages[page]), want) {
				t.Errorf("%s has no %s", page, want)
			}
		}
	}
}

func TestLinksAreChecked(t *testing.T) {
	documents := map[string]*document{
		"a.md":          parse([]byte("# A\n[b](b.md#no) [c](c.md) [own](#a) [l](../lab/results/l/loop.yaml#no)\n"), "docs"),
		"b.md":          parse([]byte("# B\n"), "docs"),
		"findings/l.md": parseOthers([]byte("# L\n[b](../../../docs/b.md#b)\n"), "lab/results/l"),
	}
	err := documents["a.md"].lead("a.md", os.DirFS("."), documents)
	want := "a.md links to b.md, which has no heading #no\na.md links to docs/c.md, which does not exist\n" +
		"a.md links to findings/l.md, which has no heading #no"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if err := documents["findings/l.md"].lead("findings/l.md", os.DirFS("."), documents); err != nil {
		t.Error(err)
	}
	if page, err := documents["findings/l.md"].page("findings/l.md"); err != nil || !strings.Contains(string(page), `<a href="../b.html#b">`) {
		t.Errorf("%v: %s", err, page)
	}
}

// What may have come from anybody is text.
func TestPagesOfOthersHaveNoHTML(t *testing.T) {
	page, err := parseOthers([]byte("# L\n\n<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>\n"), "lab/results/l").page("findings/l.md")
	if err != nil || strings.Contains(string(page), "alert(1)</script>") || strings.Contains(string(page), "javascript:") || strings.Contains(string(page), "onerror") {
		t.Errorf("%v: %s", err, page)
	}
}
