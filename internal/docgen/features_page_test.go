package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const featuresPage = "../../lab/features.md"

var (
	namedTest     = regexp.MustCompile("`([a-z][\\w/]*)\\.(Test\\w+)(?:/(\\w+))?`")
	namedCommand  = regexp.MustCompile("`(?:cd \\w+ && )?(?:go |loopproof |examples/|packages/|\\.ci/)[^`]*`")
	namedFlag     = regexp.MustCompile(`--([a-z][a-z-]*)`)
	writtenAnchor = regexp.MustCompile(`<a id="([^"]*)">`)
	link          = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
)

// Each feature is shown by something that there is.
func TestFeaturesAreProved(t *testing.T) {
	rows := 0
	for line := range strings.Lines(read(t, featuresPage)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 3 || strings.HasPrefix(cells[1], " **") || strings.HasPrefix(cells[1], " feature ") || strings.HasPrefix(cells[1], "--") {
			continue
		}
		rows++
		if len(cells) != 5 {
			t.Errorf("a row has three cells: %s", line)
			continue
		}
		if proof := cells[3]; !namedTest.MatchString(proof) && !namedCommand.MatchString(proof) {
			t.Errorf("neither a test nor a command proves it: %s", line)
		}
		for _, f := range namedFlag.FindAllStringSubmatch(cells[2], -1) {
			if !strings.Contains(sources(t, "../../cmd/loopproof/*.go"), `"`+f[1]+`"`) {
				t.Errorf("there is no flag --%s: %s", f[1], line)
			}
		}
	}
	if rows < 40 {
		t.Errorf("the page has %d rows", rows)
	}
}

func TestFeaturesPageNamesWhatExists(t *testing.T) {
	page := read(t, featuresPage)
	for _, m := range namedTest.FindAllStringSubmatch(page, -1) {
		folder, name, script := "../../"+m[1], m[2], m[3]
		if !strings.Contains(sources(t, folder+"/*_test.go"), "\nfunc "+name+"(t *testing.T)") {
			t.Errorf("there is no test %s in %s", name, m[1])
		}
		if script == "" {
			continue
		}
		if _, err := os.Stat(filepath.FromSlash(folder + "/testdata/script/" + script + ".txtar")); err != nil {
			t.Errorf("there is no script %s of %s.%s", script, m[1], name)
		}
	}
	for _, m := range link.FindAllStringSubmatch(page, -1) {
		target := featuresPage
		if m[1] != "" {
			target = "../../lab/" + m[1]
		}
		if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
			t.Errorf("the page links to %s, which is not there", m[1])
		} else if m[2] != "" && !anchors(read(t, target))[m[2]] {
			t.Errorf("%s has no heading #%s", target, m[2])
		}
	}
}

// sources returns the text of all files that fit a pattern.
func sources(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.FromSlash(pattern))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		all.WriteString(read(t, f))
	}
	return all.String()
}

// anchors returns the names by which the headings of a page, and the lines with an anchor in HTML,
// are linked.
func anchors(page string) map[string]bool {
	named := map[string]bool{}
	for _, m := range writtenAnchor.FindAllStringSubmatch(page, -1) {
		named[m[1]] = true
	}
	for line := range strings.Lines(page) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			kept := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			named[strings.ReplaceAll(kept, " ", "-")] = true
		}
	}
	return named
}
