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
	pages, err := render(os.DirFS("../.."))
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
	if link := `<a href="../rules.html#recordopenai-schema">`; !strings.Contains(string(pages["records/openai.html"]), link) {
		t.Errorf("records/openai.html has no link %s", link)
	}
}

func TestLinksAreChecked(t *testing.T) {
	documents := map[string]*document{"a.md": parse([]byte("# A\n[b](b.md#no) [c](c.md) [own](#a)\n")), "b.md": parse([]byte("# B\n"))}
	err := documents["a.md"].lead("a.md", os.DirFS("."), documents)
	want := "a.md links to b.md, which has no heading #no\na.md links to docs/c.md, which does not exist"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
