package matrix

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// oddProfile plays what gateways and proxies were seen to do.
const oddProfile = "gateway"

// madeOf is what a loop made of the odd answer of a scenario.
type madeOf struct {
	Scenario string `yaml:"~key"`
	Made     string `yaml:"~value"`
}

// How a loop can handle an unusual answer, the worst last; lab/results/odd-answers.md explains the
// words.
const (
	readsIt = "reads it"
	anError = "error"
	wrong   = "wrong"
	silence = "silence"
	waits   = "waits"
)

var waysToRead = []string{readsIt, anError, wrong, silence, waits}

// made returns for each scenario with an odd answer what the loop of a report made of it, whole and
// streamed.
func (o oddities) made(r *report.Report) []madeOf {
	made := map[string]map[string]bool{}
	for i := range r.Cases {
		c := &r.Cases[i]
		ordinary := wire.Delivery(c.Delivery).Ordinary()
		asked, isOdd := o[c.Scenario]
		if c.Profile != oddProfile || !ordinary || !isOdd {
			continue
		}
		word := madeIn(c, asked.rules)
		if word == "" {
			continue
		}
		if made[c.Scenario] == nil {
			made[c.Scenario] = map[string]bool{}
		}
		made[c.Scenario][word] = true
	}
	var odd []madeOf
	for _, scenario := range slices.Sorted(maps.Keys(made)) {
		odd = append(odd, madeOf{scenario, together(made[scenario])})
	}
	return odd
}

// together names all that a loop made of an answer, and that it reads it only if it always does.
func together(words map[string]bool) string {
	if len(words) > 1 {
		delete(words, readsIt)
	}
	sorted := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return slices.Index(waysToRead, a) - slices.Index(waysToRead, b)
	})
	return strings.Join(sorted, " or ")
}

// madeIn tells by what was found in a case what the loop made of its odd answer, and "" where none
// of the rules about it was judged: the loop does not claim what they are about, or never came to
// it.
func madeIn(c *report.Case, about []string) string {
	for _, f := range c.Findings {
		if f.Level == report.Info || !strings.HasPrefix(f.Message, "the provider ") {
			continue
		}
		said := f.Message + " " + f.Actual
		switch {
		case strings.Contains(said, "waited for its end"):
			return waits
		case strings.Contains(said, "reported failed"), strings.Contains(said, "reported stopped"):
			return anError
		case strings.Contains(said, "reported completed"), strings.Contains(said, "reported as completed"),
			strings.Contains(said, "status completed"):
			return silence
		default:
			return wrong
		}
	}
	if slices.ContainsFunc(about, func(rule string) bool { return c.Verdicts[rule] == report.Passed }) {
		return readsIt
	}
	return ""
}

// ofCalls begin the scenarios of the first table, which are about odd tool calls.
var ofCalls = []string{"arguments/", "stream/id-", "stream/index-", "stream/name-", "stream/type-", "stream/call-", "stream/text-"}

// OddAnswers is what the page of odd answers shows of all loops: two tables in Markdown, and how
// many answers need no row.
type OddAnswers struct {
	Calls, Others string
	ReadByAll     int
}

// CompareOddAnswers compares what the newest versions of the loops made of odd answers. A loop
// without a short name has no column.
func CompareOddAnswers(loops []*Loop) (OddAnswers, error) {
	odd, err := readOddities()
	return odd.compare(loops), err
}

func (o oddities) compare(loops []*Loop) OddAnswers {
	loops = slices.DeleteFunc(slices.Clone(loops), func(l *Loop) bool { return l.Short == "" })
	var page OddAnswers
	var calls, others []string
	for _, id := range slices.Sorted(maps.Keys(o)) {
		read := func(l *Loop) bool { return l.madeOf(id) == readsIt }
		played := func(l *Loop) bool { return l.madeOf(id) != "" }
		switch {
		case !slices.ContainsFunc(loops, played):
		case !slices.ContainsFunc(loops, func(l *Loop) bool { return played(l) && !read(l) }):
			page.ReadByAll++
		case slices.ContainsFunc(ofCalls, func(begin string) bool { return strings.HasPrefix(id, begin) }):
			calls = append(calls, id)
		default:
			others = append(others, id)
		}
	}
	page.Calls, page.Others = o.table(calls, loops), o.table(others, loops)
	return page
}

// madeOf returns what the newest version made of the odd answer of a scenario, and "" if it was not
// judged.
func (l *Loop) madeOf(scenario string) string {
	for _, o := range l.Versions[0].Result.Odd {
		if o.Scenario == scenario {
			return o.Made
		}
	}
	return ""
}

// oddities are the odd answers by scenario.
type oddities map[string]oddity

type oddity struct {
	does  string   // what the provider does
	rules []string // about it
}

func readOddities() (oddities, error) {
	all, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		return nil, err
	}
	odd := oddities{}
	for _, s := range all {
		if names := s.Facts().Quirks; len(names) > 0 {
			quirk, _ := profiles.QuirkNamed(profiles.All(), names[0])
			odd[s.ID] = oddity{quirk.Does, s.Rules}
		}
	}
	return odd, nil
}

// table returns a row for each scenario, and a column for each loop.
func (o oddities) table(ids []string, loops []*Loop) string {
	var b strings.Builder
	b.WriteString("| the provider |")
	for _, l := range loops {
		b.WriteString(" " + l.Short + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(loops)) + "\n")
	for _, id := range ids {
		fmt.Fprintf(&b, "| %s (`%s`) |", o[id].does, id)
		for _, l := range loops {
			fmt.Fprintf(&b, " %s |", cmp.Or(l.madeOf(id), "–"))
		}
		b.WriteString("\n")
	}
	return b.String()
}
