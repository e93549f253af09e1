package rulebook

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

const frozen = `number: "2026.12"
frozen: 2026-12-01
rules:
  a/kept: must
  a/raised: should
  a/lowered: must
  a/gone: must
  a/disputed: must
  a/decided: must
changes:
  - {date: 2026-12-02, rule: a/new, change: added, why: a bug report}
  - {date: 2026-12-02, rule: a/raised, change: raised, why: providers refuse it now}
  - {date: 2026-12-03, rule: a/lowered, change: lowered, why: a correct loop did so}
  - {date: 2026-12-03, rule: a/gone, change: withdrawn, why: nobody refuses it}
  - {date: 2026-12-04, rule: a/disputed, change: disputed, why: its authors say that it is right}
  - {date: 2026-12-04, rule: a/decided, change: disputed, why: its authors say that it is right}
  - {date: 2026-12-05, rule: a/decided, change: decided, why: the provider refuses it}
`

func read(t *testing.T, text string) Number {
	t.Helper()
	all, err := readNumbers(fstest.MapFS{"numbers/2026.12.yaml": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// TestCapLevels: what is newer than a number or disputed is noted, and nothing is heavier than it was.
func TestCapLevels(t *testing.T) {
	n := read(t, frozen)
	draft := read(t, strings.Replace(frozen, "frozen: 2026-12-01\n", "", 1))
	for _, c := range []struct {
		rule            string
		today           trace.Level
		want            trace.Level
		standing, draft string
	}{
		{"a/kept", trace.Must, trace.Must, "", "must"},
		{"a/kept", trace.Should, trace.Should, "", "should"},
		{"a/raised", trace.Must, trace.Should, "", "must"},
		{"a/lowered", trace.Should, trace.Should, "", "should"},
		{"a/new", trace.Must, trace.Info, "provisional", "must"},
		{"a/disputed", trace.Must, trace.Info, "disputed", "info"},
		{"a/decided", trace.Must, trace.Must, "", "must"},
	} {
		for number, want := range map[*Number]trace.Level{&n: c.want, &draft: trace.Level(c.draft)} {
			j := rules.Judgement{Rule: &rules.Rule{ID: c.rule, Level: c.today}, Level: c.today, Findings: []trace.Finding{{Level: c.today}}}
			number.CapLevels(&j)
			if j.Level != want || j.Findings[0].Level != want {
				t.Errorf("%s: %s, a %s today, is held as %s and %s, want %s", number, c.rule, c.today, j.Level, j.Findings[0].Level, want)
			}
		}
		if got := n.Standing(c.rule); string(got) != c.standing {
			t.Errorf("%s is %q, want %q", c.rule, got, c.standing)
		}
	}
	if draft.String() != "2026.12 (draft)" || n.String() != "2026.12" {
		t.Errorf("the numbers are %s and %s", draft, n)
	}
}

// TestProfilesStillWeigh: a profile that makes a rule lighter or heavier does so under a number, too.
func TestProfilesStillWeigh(t *testing.T) {
	n := read(t, frozen)
	j := rules.Judgement{Rule: &rules.Rule{ID: "a/kept", Level: trace.Should}, Level: trace.Must}
	if n.CapLevels(&j); j.Level != trace.Must {
		t.Errorf("the level is %s", j.Level)
	}
}

// TestLog: each difference between today and a number is in its log, and nothing else is.
func TestLog(t *testing.T) {
	book := func(levels map[string]trace.Level) (all []*rules.Rule) {
		for id, level := range levels {
			all = append(all, &rules.Rule{ID: id, Level: level})
		}
		return all
	}
	today := map[string]trace.Level{"a/kept": trace.Must, "a/raised": trace.Must, "a/lowered": trace.Should, "a/disputed": trace.Must, "a/decided": trace.Must, "a/new": trace.Must}
	n := read(t, frozen)
	if errs := n.CheckLog(book(today)); len(errs) > 0 {
		t.Errorf("the log is right, and the check says %v", errs)
	}
	for name, c := range map[string]struct {
		change func()
		want   string
	}{
		"a new rule":     {func() { today["a/newer"] = trace.Must }, "a/newer is added since"},
		"a removed rule": {func() { delete(today, "a/newer"); delete(today, "a/kept") }, "a/kept is withdrawn since"},
	} {
		c.change()
		if errs := n.CheckLog(book(today)); !strings.Contains(errorsOf(errs), c.want) {
			t.Errorf("%s: the check says %v, want %q", name, errs, c.want)
		}
	}
}

func errorsOf(errs []error) string {
	var b strings.Builder
	for _, err := range errs {
		b.WriteString(err.Error() + "\n")
	}
	return b.String()
}

// TestLogOfToday: the rules of today are those of the newest number, but for what its log says.
func TestLogOfToday(t *testing.T) {
	all, err := numbers()
	if err != nil {
		t.Fatal(err)
	}
	if n := all[len(all)-1]; n.Frozen != "" { // else docgen writes it, and a test of docgen compares
		for _, err := range n.CheckLog(Book()) {
			t.Error(err)
		}
	}
	if n := Latest(); n.Number != Newest().Number || n.Frozen != Newest().Frozen || n.Rules != nil {
		t.Errorf("the head of the newest number is %+v", n)
	}
	if _, err := Numbered("1999.1"); err == nil || !strings.Contains(err.Error(), "there is no rulebook 1999.1; there are 2026.12") {
		t.Errorf("the error is %v", err)
	}
}
