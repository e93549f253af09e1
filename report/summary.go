package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/rules"
)

// levels are the levels of rules, the heaviest first.
var levels = []rules.Level{rules.Must, rules.Should, rules.Info}

// verdicts are the verdicts of rules, in the order in which they are listed.
var verdicts = []rules.Verdict{rules.Passed, rules.Failed, rules.Untested, rules.Unclaimed}

// words are what the results are called in a text.
var words = map[Result]string{Conformant: "conformant", Partial: "partial", NotConformant: "not conformant"}

// WriteSummary writes the result: who was judged, how many rules came to which verdict, and by name whatever did not
// simply pass.
func (c Console) WriteSummary(w io.Writer, r *Report) error {
	b := block{console: c}
	b.line(0, c.paint(resultInk(r.Result), strings.ToUpper(words[r.Result]))+"  "+r.Loop.String())
	b.line(0, "")
	if t := r.tally(); t.all(rules.Failed)+t.all(rules.Untested) == 0 {
		b.passed(r, t)
	} else {
		b.table(r, t)
	}
	b.cases(r)
	b.unclaimed(r)
	if r.Result == Partial {
		b.item("partial", "nothing was broken in what was selected; only a run without a selection can say conformant")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func resultInk(r Result) ink {
	switch r {
	case Conformant:
		return green
	case Partial:
		return amber
	default:
		return red
	}
}

// String returns who a loop is: "openai-node 7.55.0 (javascript)".
func (l Loop) String() string {
	s := l.Name
	if l.Version != "" {
		s += " " + l.Version
	}
	if l.Language != "" {
		s += " (" + l.Language + ")"
	}
	return s
}

// tally counts the rules of each verdict and level.
type tally map[rules.Verdict]map[rules.Level]int

func (r *Report) tally() tally {
	t := tally{}
	for _, rule := range r.Rules {
		if t[rule.Verdict] == nil {
			t[rule.Verdict] = map[rules.Level]int{}
		}
		t[rule.Verdict][rule.Level]++
	}
	return t
}

func (t tally) all(v rules.Verdict) int {
	sum := 0
	for _, n := range t[v] {
		sum += n
	}
	return sum
}

// levels returns the levels that occur, the heaviest first.
func (t tally) levels() []rules.Level {
	return slices.DeleteFunc(slices.Clone(levels), func(l rules.Level) bool {
		for _, counts := range t {
			if counts[l] > 0 {
				return false
			}
		}
		return true
	})
}

// passed says in one line that nothing is amiss.
func (b *block) passed(r *Report, t tally) {
	var parts []string
	for _, l := range t.levels() {
		if n := t[rules.Passed][l]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, l))
		}
	}
	b.item("rules", strings.Join(parts, " and ")+" passed")
}

// table lists the rules by verdict, the numbers first and then the names of those that did not pass.
func (b *block) table(r *Report, t tally) {
	for _, v := range verdicts[:3] {
		var parts []string
		for _, l := range t.levels() {
			if n := t[v][l]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, l))
			}
		}
		b.item(string(v), strings.Join(parts, ", "))
		if v != rules.Passed {
			b.named(r, v)
		}
	}
}

// named lists the rules of a verdict, with what is known of each.
func (b *block) named(r *Report, v rules.Verdict) {
	list := r.With(v)
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b Rule) int { return slices.Index(levels, a.Level) - slices.Index(levels, b.Level) })
	widest := 0
	for _, rule := range list {
		widest = max(widest, length(rule.ID))
	}
	for _, rule := range list {
		note := fmt.Sprintf("in %d of %s", rule.Failed, count(rule.Cases, "case"))
		if v == rules.Untested {
			note = "for want of " + evidence(rule.ID)
		}
		head := fmt.Sprintf("  %-6s  %-*s  ", rule.Level, widest, rule.ID)
		for i, line := range wrap(note, b.console.width()-labels-2-length(head)) {
			if i > 0 {
				head = strings.Repeat(" ", length(head))
			}
			b.labelled("", []string{head + line})
		}
	}
}

// unclaimed returns the features that the loop does not claim.
func unclaimed(r *Report) []string {
	features := make([]string, len(r.Claims.Unclaimed))
	for i, f := range r.Claims.Unclaimed {
		features[i] = string(f)
	}
	return features
}

func evidence(rule string) string {
	if r := rules.Lookup(rule); r != nil {
		return r.Evidence
	}
	return "what the rule needs"
}

func (b *block) cases(r *Report) {
	took := (time.Duration(r.DurationMS) * time.Millisecond).Round(10 * time.Millisecond)
	b.item("cases", fmt.Sprintf("%d played in %s, seed %d", len(r.Cases), took, r.Seed))
	b.item("stopped", r.Stopped)
}

// unclaimed lists what the loop does not claim, and which rules were not judged for it.
func (b *block) unclaimed(r *Report) {
	if len(r.Claims.Unclaimed) == 0 {
		return
	}
	b.item("unclaimed", strings.Join(unclaimed(r), ", "))
	var ids []string
	for _, rule := range r.With(rules.Unclaimed) {
		ids = append(ids, rule.ID)
	}
	if len(ids) > 0 {
		b.item("", "not judged for it: "+strings.Join(ids, ", "))
	}
}
