package report

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// failures returns the broken rules, each by the case that shows it. Those in which the loop itself
// reported an error of the same kind are together, since it is what they have in common; causes
// come in the order of their heaviest rule, and of how often it is broken.
func (r *Report) failures(expected func(rule, caseID string) bool) []example {
	var all []example
	first := map[string]int{} // the place of the first failure with an error
	for _, level := range levels {
		for _, rule := range r.Broken(level) {
			e, ok := r.example(rule, expected)
			if !ok {
				continue
			}
			e.cause = errorKey(e.finding.Reported)
			if _, known := first[e.cause]; !known && e.cause != "" {
				first[e.cause] = len(all)
			}
			e.place = len(all)
			all = append(all, e)
		}
	}
	begins := func(e example) int {
		if e.cause == "" {
			return e.place
		}
		return first[e.cause]
	}
	slices.SortStableFunc(all, func(a, b example) int { return cmp.Compare(begins(a), begins(b)) })
	return all
}

// varying are the parts of an error in which those of the same kind differ: what is quoted,
// numbers, and ids. An apostrophe within a word is no quote.
var varying = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`"(?:[^"\\]|\\.)*"`, `\B'(?:[^'\\]|\\.)*'`, "`[^`]*`", `“[^”]*”`, `[\pL_-]*[0-9][\pL0-9_-]*`,
	}, "|"))
})

// errorKey returns what errors of the same kind have in common; "" for none, and for one that says
// nothing.
func errorKey(reported string) string {
	_, said, _ := strings.Cut(reported, ": ")
	if said == "" {
		return ""
	}
	return varying().ReplaceAllString(reported, "#")
}

// spaces are white space in a text, and in one that is quoted.
var spaces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:\s|\\[nrt])+`) })

// reported returns what the loop itself reported, unless the finding says it already.
func (f *Finding) reported() string {
	_, said, _ := strings.Cut(f.Reported, ": ")
	inALine := func(text string) string { return spaces().ReplaceAllString(text, " ") }
	begins := []rune(inALine(strings.Trim(strconv.Quote(said), `"`)))
	if said != "" && strings.Contains(inALine(f.Actual), string(begins[:min(len(begins), 40)])) {
		return "" // Actual has it in quotes, perhaps shortened
	}
	return f.Reported
}
