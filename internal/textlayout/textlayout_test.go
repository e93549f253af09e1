package textlayout

import (
	"slices"
	"strings"
	"testing"
)

func TestBuilder(t *testing.T) {
	tests := []struct {
		name  string
		write func(*Builder)
		want  string
	}{
		{"a blank line has no spaces", func(s *Builder) { s.Line(4, "") }, "\n"},
		{"text is broken between words", func(s *Builder) { s.Text(2, "one two three four five six seven eight nine", Plain) },
			"  one two three four five six seven\n  eight nine\n"},
		{"a label occurs once", func(s *Builder) { s.Item("expected", "one two three four five six seven") },
			"   expected  one two three four five six\n             seven\n"},
		{"nothing has no label", func(s *Builder) { s.Item("expected", ""); s.Exact("", ""); s.Command("", ""); s.Detail("", "") }, ""},
		{"a long label is kept", func(s *Builder) { s.Item("a long label", "one") }, "a long label  one\n"},
		{"what is exact is folded anywhere", func(s *Builder) { s.Exact("actual", `{"role":"assistant","content":null}`) },
			"     actual  {\"role\":\"assistant\",\"conten\n             t\":null}\n"},
		{"a command stays in one line", func(s *Builder) { s.Command("reproduce", "loopproof run --case pairing/single-call@chat/openai/json") },
			"  reproduce  loopproof run --case pairing/single-call@chat/openai/json\n"},
		{"a row keeps its column", func(s *Builder) { s.Row("head: ", "one two three four five six seven") },
			"             head: one two three four\n                   five six seven\n"},
		{"lines of a text stay", func(s *Builder) { s.Item("actual", "one\n  two\n") }, "     actual  one\n               two\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &Builder{Width: 40}
			tt.write(s)
			if got := s.String(); got != tt.want {
				t.Errorf("written:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

func TestDetailIsShortened(t *testing.T) {
	s := &Builder{}
	s.Detail("actual", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14")
	lines := strings.Split(strings.TrimSpace(s.String()), "\n")
	if len(lines) != 13 || lines[12] != "             … 2 more" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestPaint(t *testing.T) {
	plain, colour := &Builder{}, &Builder{Colour: true}
	if got := plain.Styled(Red, "FAIL"); got != "FAIL" {
		t.Errorf("without colour: %q", got)
	}
	if got := colour.Styled(Red, "FAIL"); got != "\x1b[1;31mFAIL\x1b[0m" {
		t.Errorf("with colour: %q", got)
	}
	if got := colour.Styled(Plain, "fine"); got != "fine" {
		t.Errorf("plain: %q", got)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 cases", 1: "1 case", 31: "31 cases"} {
		if got := Count(n, "case"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

// Widths are counted in characters, not in bytes.
func TestWidthOfUmlauts(t *testing.T) {
	if got := wrap("äääää öööö", 10); len(got) != 1 {
		t.Errorf("ten characters do not fit into ten: %q", got)
	}
	if got := fold("ääääää", 3); !slices.Equal(got, []string{"äää", "äää"}) {
		t.Errorf("folded to %q", got)
	}
}
