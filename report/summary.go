package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/protocol"
)

// verdicts are the verdicts of rules, in the order in which they are listed.
var verdicts = []Verdict{Passed, Failed, Untested, Unclaimed}

// words are the names of the results in texts.
var words = map[Result]string{Conformant: "conformant", Partial: "partial", NotConformant: "not conformant"}

// WriteSummary writes the table of rules: the number of rules for each verdict, and the names of
// those that did not pass, the broken ones last.
func (c Console) WriteSummary(w io.Writer, r *Report) error {
	s := c.layout()
	played(s, r)
	t := r.tally()
	s.Item(string(Passed), t.counts(Passed))
	notJudged(s, r)
	s.Item(string(Untested), t.counts(Untested))
	evidence := maxWithEvidence
	if c.Short && len(r.With(Failed)) > 0 {
		evidence = 0 // what failed is the reason for most of it
	}
	untested(s, r, evidence)
	s.Item(string(Failed), t.counts(Failed))
	c.broken(s, r)
	s.Item("as a result", t.counts(follows))
	if !c.Short {
		named(s, r.consequences(), func(rule Rule) string {
			return fmt.Sprintf("in %d of %s, as a consequence", rule.Failed, textlayout.Count(rule.Cases, "case"))
		})
	}
	writeLevels(s, r)
	writeCache(s, r.Cache)
	notes(s, r)
	s.Item("stopped", r.Stopped)
	if r.Shard != nil {
		s.Item("shard", fmt.Sprintf("%d/%d; loopproof report merge puts the reports of all shards together", r.Shard.Index, r.Shard.Of))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// broken names the broken rules, but in a short report, which names them above.
func (c Console) broken(s *textlayout.Builder, r *Report) {
	if c.Short && c.Expected == nil {
		return
	}
	named(s, slices.DeleteFunc(r.heaviestFirst(Failed), func(rule Rule) bool { return !rule.own() }), func(rule Rule) string {
		return fmt.Sprintf("in %d of %s", rule.OwnCases(), textlayout.Count(rule.Cases, "case"))
	})
}

// WriteResult writes the last line: the result, the loop, and the reason why it is not conformant.
func (c Console) WriteResult(w io.Writer, r *Report) error {
	s := c.layout()
	s.Line(0, "")
	line := s.Styled(styleOfResult(r.Result), strings.ToUpper(r.word())) + "  " + r.Loop.String()
	if why := r.why(); why != "" {
		line += ": " + why
	}
	if reached := r.reached(); r.Result == NotConformant && len(reached) > 0 {
		line += "; " + strings.Join(reached, ", ") + " conformant"
	}
	if c.Note != "" {
		line += "; " + c.Note
	}
	s.Line(0, line)
	_, err := io.WriteString(w, s.String())
	return err
}

// word says the result for people. A loop of which no case was played is not judged, though its
// result is that of any loop that is not conformant, so that a run of nothing never passes.
func (r *Report) word() string {
	if r.Stopped != "" && len(r.Cases) == 0 {
		return "not judged"
	}
	if r.Result == Partial && len(r.OnlyLevels) > 0 {
		return strings.Join(r.OnlyLevels, ", ") + " conformant"
	}
	return words[r.Result]
}

// why gives the reason for the result in a few words.
func (r *Report) why() string {
	t := r.tally()
	var parts []string
	for _, level := range levels {
		if n := t[Failed][level]; n > 0 && level != Info {
			parts = append(parts, counted(n, level, "broken"))
		}
		if n := t[Untested][level]; n > 0 && r.fatal(level) && r.Result == NotConformant {
			parts = append(parts, counted(n, level, "never tested"))
		}
	}
	switch {
	case r.Requests && len(parts) == 0 && r.Result == NotConformant:
		return "some requests could not be read"
	case r.Requests && len(parts) == 0:
		return "no rule is broken in " + textlayout.Count(len(r.Cases), "request")
	case r.Requests:
		return strings.Join(parts, ", ") + " in " + textlayout.Count(len(r.Cases), "request")
	case r.Stopped != "" && len(r.Cases) == 0:
		return r.Stopped
	case r.Stopped != "":
		parts = append(parts, "not all cases were played")
	case r.Result == Partial && len(r.OnlyLevels) == 0 && len(parts) == 0:
		return "no rule is broken in the selected cases; only a complete run can be conformant"
	case r.Result == Partial && len(r.OnlyLevels) == 0:
		return strings.Join(parts, ", ") + "; only a complete run can be conformant"
	case len(parts) == 0:
		return fmt.Sprintf("all %d rules kept in %s", t.of(Passed), textlayout.Count(len(r.Cases), "case"))
	}
	return strings.Join(parts, ", ")
}

// counted returns the number of rules of a level in some state: "2 musts are broken".
func counted(n int, level Level, state string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s is %s", level, state)
	}
	return fmt.Sprintf("%d %ss are %s", n, level, state)
}

func styleOfResult(r Result) textlayout.Style {
	switch r {
	case Conformant:
		return textlayout.Green
	case Partial:
		return textlayout.Amber
	default:
		return textlayout.Red
	}
}

// String identifies a loop: "openai-node 7.55.0 (javascript)".
func (l Loop) String() string {
	who := l.Name
	if l.Version != "" {
		who += " " + l.Version
	}
	if l.Language != "" {
		who += " (" + l.Language + ")"
	}
	return who
}

// follows is the verdict, in a tally, of rules that failed only as a consequence of others.
const follows Verdict = "follows"

// tally counts the rules of each verdict and level.
type tally map[Verdict]map[Level]int

func (r *Report) tally() tally {
	t := tally{}
	for _, rule := range r.Rules {
		verdict := rule.Verdict
		if rule.onlyFollows() {
			verdict = follows
		}
		if t[verdict] == nil {
			t[verdict] = map[Level]int{}
		}
		t[verdict][rule.Level]++
	}
	return t
}

// counts returns the number of rules of each level with a verdict: "1 must, 3 should".
func (t tally) counts(v Verdict) string {
	var parts []string
	for _, l := range levels {
		if n := t[v][l]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, l))
		}
	}
	return strings.Join(parts, ", ")
}

// of returns the number of rules with a verdict.
func (t tally) of(v Verdict) int {
	n := 0
	for _, level := range levels {
		n += t[v][level]
	}
	return n
}

// The maximum number of untested rules that are named, with the evidence that they need, and
// without. A loop that does almost nothing leaves most rules untested.
const (
	maxWithEvidence = 5
	maxNamed        = 5
)

// untested names the rules that were not tested, and gives the evidence that so many of the first
// musts need.
func untested(s *textlayout.Builder, r *Report, evidence int) {
	var important []Rule
	var others []Rule
	for _, rule := range r.heaviestFirst(Untested) {
		if r.fatal(rule.Level) && len(important) < evidence {
			important = append(important, rule)
		} else {
			others = append(others, rule)
		}
	}
	named(s, important, func(rule Rule) string { return "needs " + rule.Evidence })
	if len(others) > 0 {
		s.Row("  ", strings.Join(r.some(others), ", "))
	}
}

// some names the first of many rules.
func (r *Report) some(list []Rule) []string {
	short := r.byArea(list)
	if left := len(short) - maxNamed; left > 1 {
		short = append(short[:maxNamed], fmt.Sprintf("and %d more", left))
	}
	return short
}

// named lists rules, with what is known of each.
func named(s *textlayout.Builder, list []Rule, note func(Rule) string) {
	widest := 0
	for _, rule := range list {
		widest = max(widest, textlayout.Length(rule.ID))
	}
	for _, rule := range list {
		s.Row(fmt.Sprintf("  %-6s  %-*s  ", rule.Level, widest, rule.ID), note(rule))
	}
}

// heaviestFirst returns the rules of a verdict, the musts first.
func (r *Report) heaviestFirst(v Verdict) []Rule {
	list := r.With(v)
	slices.SortStableFunc(list, func(a, b Rule) int { return slices.Index(levels, a.Level) - slices.Index(levels, b.Level) })
	return list
}

// unclaimed returns the features that the loop does not claim.
func unclaimed(r *Report) []string {
	features := make([]string, len(r.Claims.Unclaimed))
	for i, f := range r.Claims.Unclaimed {
		features[i] = string(f)
	}
	return features
}

// designs returns the designs that the loop claims.
func designs(r *Report) []string {
	all := make([]string, len(r.Claims.Designs))
	for i, d := range r.Claims.Designs {
		all[i] = string(d)
	}
	return all
}

func played(s *textlayout.Builder, r *Report) {
	took := (time.Duration(r.DurationMS) * time.Millisecond).Round(10 * time.Millisecond)
	once := ""
	if r.Claims.EachOnce {
		once = ", each scenario once"
	}
	s.Item("cases", fmt.Sprintf("%d played in %s, seed %d%s", len(r.Cases), took, r.Seed, once))
	if len(r.Replayed) > 0 {
		s.Item("replayed", replayed(r.Replayed))
	}
}

// manyReplayed is from how many cases on that were played again they say something of the machine,
// and not of the loop.
const manyReplayed = 5

// replayed tells which cases were played twice.
func replayed(cases []string) string {
	what := "timed out or missed a cancel, and was played again alone; only the second result counts"
	if len(cases) > 1 {
		what = "timed out or missed a cancel, and were played again alone; only the second results count"
	}
	if len(cases) >= manyReplayed {
		return fmt.Sprintf("%d cases %s; fewer --workers may be faster here", len(cases), what)
	}
	return strings.Join(cases, ", ") + " " + what
}

// notes lists the notes to the authors of the loop.
func notes(s *textlayout.Builder, r *Report) {
	for _, n := range r.Notes {
		s.Item("note", n)
	}
}

// notJudged names the features that the loop does not claim, and counts the rules that were not
// judged because of that. The files of the report list them.
func notJudged(s *textlayout.Builder, r *Report) {
	forIt, unused := 0, 0
	for _, rule := range r.With(Unclaimed) {
		if r.claims(rule) {
			unused++
		} else {
			forIt++
		}
	}
	s.Item("design", strings.Join(designs(r), ", "))
	text := strings.Join(unclaimed(r), ", ")
	if forIt > 0 {
		text += fmt.Sprintf(" (%s)", notJudgedCount(forIt))
	}
	s.Item("unclaimed", text)
	if unused > 0 {
		s.Item("not used", notJudgedCount(unused)+", about optional behaviour that this loop does not use")
	}
}

func notJudgedCount(n int) string {
	if n == 1 {
		return "1 rule is not judged"
	}
	return fmt.Sprintf("%d rules are not judged", n)
}

// byArea names rules, and writes area/* instead of the rules of an area if all of them are on the
// list.
func (r *Report) byArea(list []Rule) []string {
	in, left := map[string]int{}, map[string]int{}
	for _, rule := range r.Rules {
		in[rule.Area()]++
		left[rule.Area()]++
	}
	for _, rule := range list {
		left[rule.Area()]--
	}
	var short []string
	for _, rule := range list {
		name := rule.ID
		if in[rule.Area()] > 1 && left[rule.Area()] == 0 {
			name = rule.Area() + "/*"
		}
		if !slices.Contains(short, name) {
			short = append(short, name)
		}
	}
	return short
}

// claims reports whether the loop claims all features that a rule needs.
func (r *Report) claims(rule Rule) bool {
	return !slices.ContainsFunc(rule.Needs, func(f protocol.Feature) bool { return slices.Contains(r.Claims.Unclaimed, f) })
}
