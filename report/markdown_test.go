package report_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/report"
)

func TestMarkdown(t *testing.T) {
	for file, r := range map[string]*report.Report{"broken.md": broken(), "fine.md": fine()} {
		golden(t, file, written(t, r.WriteMarkdown))
	}
}

// A request may contain the fence of a code block.
func TestMarkdownFence(t *testing.T) {
	r := broken()
	r.Cases[2].Findings[0].Exhibit = "{\"content\":\"```\"}"
	text := written(t, r.WriteMarkdown)
	if !strings.Contains(text, "\n````text\n") {
		t.Errorf("the block ends at the fence in it:\n%s", text)
	}
}
