package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// WriteMarkdown writes a summary as Markdown, for the job summary of GitHub Actions.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	if r.Requests {
		fmt.Fprintf(&b, "## Loopproof: %s\n\n**%s**, each request judged by itself.\n", r.why(), r.Loop)
	} else {
		fmt.Fprintf(&b, "## Loopproof: %s\n\n", r.word())
		fmt.Fprintf(&b, "**%s** in %s, seed %d.\n", r.Loop, textlayout.Count(len(r.Cases), "case"), r.Seed)
	}
	if r.Stopped != "" {
		fmt.Fprintf(&b, "Stopped early: %s.\n", r.Stopped)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "\nNote: %s.\n", note)
	}
	if lost := r.Cache.String(); lost != "" {
		fmt.Fprintf(&b, "\nCache: %s.\n", lost)
	}
	if !r.Requests {
		r.markdownCounts(&b)
	}
	for i, l := range r.levelLines() {
		if i == 0 {
			b.WriteString("\n| level | result |\n|---|---|\n")
		}
		fmt.Fprintf(&b, "| %s | %s |\n", l.Level, l.Says)
	}
	r.markdownBroken(&b)
	r.markdownUntested(&b)
	if len(r.Claims.Designs) > 0 {
		fmt.Fprintf(&b, "\nJudged as a loop of the design %s.\n", strings.Join(designs(r), ", "))
	}
	if r.Claims.EachOnce {
		b.WriteString("\nEach scenario was played once, under one profile and in one delivery.\n")
	}
	if len(r.Claims.Unclaimed) > 0 {
		fmt.Fprintf(&b, "\nNot claimed, and therefore not judged: %s.\n", strings.Join(unclaimed(r), ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) markdownCounts(b *strings.Builder) {
	t := r.tally()
	b.WriteString("\n| rules | must | should |\n|---|---:|---:|\n")
	for _, v := range verdicts {
		fmt.Fprintf(b, "| %s | %d | %d |\n", v, t[v][Must], t[v][Should])
		if v == Failed && t.of(follows) > 0 {
			fmt.Fprintf(b, "| as a result | %d | %d |\n", t[follows][Must], t[follows][Should])
		}
	}
}

// markdownBroken describes each broken rule in a collapsed section.
func (r *Report) markdownBroken(b *strings.Builder) {
	for _, e := range r.failures(nil) {
		text := Console{}.failure(e, r.fatal(e.rule.Level), true)
		fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
		fmt.Fprintf(b, "\n<details><summary><code>%s</code> (%s) broken in %d of %s</summary>\n\n", e.rule.ID, e.rule.Level, e.rule.OwnCases(), textlayout.Count(e.rule.Cases, "case"))
		fmt.Fprintf(b, "%stext\n%s%s\n\n</details>\n", fence, text, fence)
	}
}

func longestRun(text string, of rune) int {
	longest, run := 0, 0
	for _, c := range text {
		if c != of {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

func (r *Report) markdownUntested(b *strings.Builder) {
	for i, rule := range r.With(Untested) {
		if i == 0 {
			b.WriteString("\nUntested:\n\n")
		}
		fmt.Fprintf(b, "- `%s` (%s): needs %s\n", rule.ID, rule.Level, rule.Evidence)
	}
}
