package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// ruleLists are the lines below a clause that name its rules.
var ruleLists = regexp.MustCompile(`(?m)^- (MUST|SHOULD): (.+)$`)

// chapterLinks are links to chapters.
var chapterLinks = regexp.MustCompile(`\]\(([1-9]-[a-z-]+\.md)\)`)

// requirements writes the requirements for agent loops into one page that can be printed: the
// chapters of docs/spec, and for each wire API an annex of what it alone asks.
func requirements(repo fs.FS) ([]byte, error) {
	files, err := fs.Glob(repo, "docs/spec/[1-9]-*.md")
	if err != nil {
		return nil, err
	}
	about, err := fs.ReadFile(repo, "docs/spec/README.md")
	if err != nil {
		return nil, err
	}
	texts, ids := [][]byte{about}, map[string]string{}
	for _, file := range files {
		text, err := fs.ReadFile(repo, file)
		if err != nil {
			return nil, err
		}
		title, _, _ := bytes.Cut(text, []byte("\n"))
		ids[path.Base(file)] = matrix.HeadingID(strings.TrimPrefix(string(title), "# "))
		texts = append(texts, allHeadings.ReplaceAll(text, []byte("#$0")))
	}
	var b bytes.Buffer
	for _, text := range texts {
		b.Write(inOnePage(text, ids))
		b.WriteByte('\n')
	}
	for i, d := range dialect.All() {
		writeAnnex(&b, rune('A'+i), d)
	}
	return b.Bytes(), nil
}

var allHeadings = regexp.MustCompile(`(?m)^#+ `)

// inOnePage makes the links of a chapter lead to the headings of the page, by the ids of chapters,
// and those of its rules to the page of all rules.
func inOnePage(text []byte, ids map[string]string) []byte {
	text = chapterLinks.ReplaceAllFunc(text, func(link []byte) []byte {
		return fmt.Appendf(nil, "](#%s)", ids[string(chapterLinks.FindSubmatch(link)[1])])
	})
	text = bytes.ReplaceAll(text, []byte("](../../"), []byte("](../"))
	text = bytes.ReplaceAll(text, []byte("](../rules.md"), []byte("](rules.md"))
	return ruleLists.ReplaceAllFunc(text, func(line []byte) []byte {
		parts := ruleLists.FindSubmatch(line)
		var links []string
		for id := range strings.SplitSeq(string(parts[2]), ", ") {
			links = append(links, fmt.Sprintf("[%s](rules.md#%s)", id, anchor(id)))
		}
		return fmt.Appendf(nil, "- %s: %s", parts[1], strings.Join(links, ", "))
	})
}

// writeAnnex writes what one wire API asks besides the chapters.
func writeAnnex(b *bytes.Buffer, letter rune, d *wire.Dialect) {
	fmt.Fprintf(b, "\n## Annex %c: %s\n\nWhat this wire API asks besides, by area. A MUST is refused by a provider, or silently does or tells the wrong thing.\n", letter, d.Title)
	area, n := "", 0
	for _, r := range rulebook.Book() {
		if r.Dialect == nil && r.Where == nil || !r.In(d) || r.Level == trace.Info {
			continue
		}
		if r.Area() != area {
			area = r.Area()
			fmt.Fprintf(b, "\n### %c %s\n\n", letter, area)
		}
		n++
		fmt.Fprintf(b, "- **%c.%d** %s: %s ([%s](rules.md#%s))\n", letter, n, strings.ToUpper(string(r.Level)), r.Text, r.ID, anchor(r.ID))
	}
}
