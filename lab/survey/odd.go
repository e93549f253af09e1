package main

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

const (
	oddFile    = "docs/findings/odd-answers.md"
	oddProfile = "gateway" // it plays what gateways and proxies were seen to do
)

// How a loop can handle an unusual answer, the worst last; docs/findings/odd-answers.md explains the words.
const (
	readsIt = "reads it"
	anError = "error"
	wrong   = "wrong"
	silence = "silence"
	waits   = "waits"
)

var oddWords = []string{readsIt, anError, wrong, silence, waits}

// made returns for each scenario with an odd answer what the loop of a report made of it, whole and streamed.
func (o oddities) made(r *report.Report) map[string]string {
	made := map[string]map[string]bool{}
	for i := range r.Cases {
		c := &r.Cases[i]
		ordinary := c.Delivery == string(wire.DeliverJSON) || c.Delivery == string(wire.DeliverSSE)
		asked, isOdd := o[c.Scenario]
		if c.Profile != oddProfile || !ordinary || !isOdd {
			continue
		}
		word := madeOf(c, asked.rules)
		if word == "" {
			continue
		}
		if made[c.Scenario] == nil {
			made[c.Scenario] = map[string]bool{}
		}
		made[c.Scenario][word] = true
	}
	odd := map[string]string{}
	for scenario, words := range made {
		odd[scenario] = together(words)
	}
	return odd
}

// together names all that a loop made of an answer, and that it reads it only if it always does.
func together(words map[string]bool) string {
	if len(words) > 1 {
		delete(words, readsIt)
	}
	sorted := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return slices.Index(oddWords, a) - slices.Index(oddWords, b)
	})
	return strings.Join(sorted, " or ")
}

// madeOf tells by what was found in a case what the loop made of its odd answer, and "" where none of the rules about it
// was judged: the loop does not claim what they are about, or never came to it.
func madeOf(c *report.Case, about []string) string {
	for _, f := range c.Findings {
		if f.Level == trace.Info || !strings.HasPrefix(f.Message, "the provider ") {
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
	if slices.ContainsFunc(about, func(rule string) bool { return c.Verdicts[rule] == trace.Passed }) {
		return readsIt
	}
	return ""
}

// ofCalls fits the scenarios of the first table: odd tool calls.
var ofCalls = regexp.MustCompile(`^(arguments/|stream/(id|index|name|type|call|text)-)`)

// oddParts returns the parts of the page of odd answers: two tables, and how many answers need no row.
func oddParts(loops []loop, results map[string]result, odd oddities) []part {
	loops = slices.DeleteFunc(slices.Clone(loops), func(l loop) bool { return l.Short == "" })
	var calls, others []string
	readByAll := 0
	for _, id := range odd.playedTo(loops, results) {
		switch {
		case !slices.ContainsFunc(loops, func(l loop) bool { return results[l.Name].stumblesOver(id) }):
			readByAll++
		case ofCalls.MatchString(id):
			calls = append(calls, id)
		default:
			others = append(others, id)
		}
	}
	always := func(text string) func(string) (string, []string) {
		return func(string) (string, []string) { return text, nil }
	}
	return []part{
		{oddFile, "odd calls", always(odd.table(calls, loops, results))},
		{oddFile, "other odd answers", always(odd.table(others, loops, results))},
		{oddFile, "what all read", always(fmt.Sprintf("Oddities that all of them read: %d.\n", readByAll))},
	}
}

func (r result) stumblesOver(scenario string) bool {
	made, played := r.Odd[scenario]
	return played && made != readsIt
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
		if names := s.Quirks(); len(names) > 0 {
			quirk, _ := profiles.QuirkNamed(profiles.All(), names[0])
			odd[s.ID] = oddity{quirk.Does, s.Rules}
		}
	}
	return odd, nil
}

// playedTo returns the scenarios with an odd answer that one of the loops was played, in order.
func (o oddities) playedTo(loops []loop, results map[string]result) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(o)), func(id string) bool {
		return !slices.ContainsFunc(loops, func(l loop) bool { return results[l.Name].Odd[id] != "" })
	})
}

func (o oddities) table(ids []string, loops []loop, results map[string]result) string {
	var b strings.Builder
	b.WriteString("| the provider |")
	for _, l := range loops {
		b.WriteString(" " + l.Short + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(loops)) + "\n")
	for _, id := range ids {
		fmt.Fprintf(&b, "| %s (`%s`) |", o[id].does, id)
		for _, l := range loops {
			fmt.Fprintf(&b, " %s |", cmp.Or(results[l.Name].Odd[id], "–"))
		}
		b.WriteString("\n")
	}
	return b.String()
}
