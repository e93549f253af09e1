package main

import (
	"os"
	"path"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/trace"
)

func TestOpenQuestions(t *testing.T) {
	const reasoned = "- rule: retry/told-not-to\n  case: retry/told-not-to@**\n  reason: theirs\n"
	broken := result{Failed: []failed{{"pairing/ids-echoed", trace.Must, 1, 2, false}}}
	weak := result{Failed: []failed{{"retry/told-not-to", trace.Should, 1, 2, false}}}
	for name, c := range map[string]struct {
		list   string // "" is none
		result result
		want   string // "" is nothing
	}{
		"a conformant loop":          {"", weak, ""},
		"conformant no more":         {"", broken, "l is not conformant any more"},
		"each entry has a reason":    {reasoned, broken, ""},
		"an entry without one":       {reasoned + "- rule: pairing/ids-echoed\n  case: pairing/single-call@**\n  reason: ''\n", broken, "reason"},
		"a list that cannot be read": {"- rule: 3\n  rule: 4\n", broken, "l: "},
		"a list that is not there":   {"-", broken, "there is no known-failing list lab/adapters/go/l/known.yaml"},
		"nothing broken, but a list": {reasoned, result{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			l := loop{Name: "l", Adapter: "lab/adapters/go/l"}
			if c.list != "" {
				l.List = "known.yaml"
			}
			if err := os.MkdirAll(path.Clean(l.Adapter), 0o777); err != nil {
				t.Fatal(err)
			}
			if c.list != "" && c.list != "-" {
				if err := os.WriteFile(l.known(), []byte(c.list), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.result.write(l); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(openQuestions([]loop{l}), "\n")
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
