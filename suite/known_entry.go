package suite

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
	"github.com/loopproof/loopproof/rules"
)

// entryText is how an [Expectation] is written.
type entryText struct {
	Rule    string `yaml:"rule"`
	Case    string `yaml:"case"`
	Message string `yaml:"message,omitempty"`
	Reason  string `yaml:"reason"`
}

// Entries returns the known-failing list that would expect some failures of a report, ready to be pasted but for the
// reasons, which only people know. An entry covers as many of the failures as one pattern can without covering more.
func Entries(r *report.Report, of []Failure) string {
	var list []entryText
	for _, id := range rules.IDs() {
		failing := map[string]Failure{}
		for _, f := range of {
			if f.Rule == id && f.Case != "" {
				failing[f.Case] = f
			}
		}
		if len(failing) > 0 {
			list = append(list, entries(r, id, failing)...)
		}
	}
	return written(list)
}

// written returns entries as they stand in a list.
func written(list []entryText) string {
	if len(list) == 0 {
		return ""
	}
	text, err := yaml.Dump(list, yaml.WithLineWidth(-1))
	if err != nil {
		return fmt.Sprintf("# %v\n", err) // only texts are written
	}
	return string(text)
}

// entries returns the entries for one rule.
func entries(r *report.Report, rule string, failing map[string]Failure) []entryText {
	var list []entryText
	done := map[string]bool{}
	for i := range r.Cases {
		c := &r.Cases[i]
		if _, fails := failing[c.ID]; !fails || done[c.ID] {
			continue
		}
		pattern, covered := widestPattern(r, rule, c, failing)
		var messages []string
		for _, id := range covered {
			done[id] = true
			messages = append(messages, messagesOf(r, rule, failing[id])...)
		}
		list = append(list, entryText{Rule: rule, Case: pattern, Message: beginning(messages)})
	}
	return list
}

// messagesOf returns the messages of all findings that a failure is made of.
func messagesOf(r *report.Report, rule string, f Failure) []string {
	i := slices.IndexFunc(r.Cases, func(c report.Case) bool { return c.ID == f.Case })
	if c := &r.Cases[i]; c.Verdicts[rule] == trace.Failed {
		return broken(r, c, rule).messages
	}
	return []string{f.Message}
}

// widestPattern returns the first pattern for a case that covers no case in which the rule passes, together with the
// failing cases that it covers.
func widestPattern(r *report.Report, rule string, c *report.Case, failing map[string]Failure) (string, []string) {
	patterns := []string{
		c.Scenario + "@**",
		c.Scenario + "@" + c.Dialect + "/" + c.Profile + "/*",
		c.Scenario + "@" + c.Dialect + "/*/" + c.Delivery,
		delivered(c) + "/*",
		failingCuts(r, c, failing),
	}
	for _, pattern := range patterns {
		var covered []string
		fits := true
		for _, other := range r.Cases {
			if !matches([]string{pattern}, other.ID) {
				continue
			}
			if _, fails := failing[other.ID]; fails {
				covered = append(covered, other.ID)
			} else if other.Verdicts[rule] == trace.Passed {
				fits = false
			}
		}
		if fits && len(covered) > 1 {
			return pattern, covered
		}
	}
	return c.ID, []string{c.ID}
}

// delivered returns the id of a case without the place at which its stream is cut.
func delivered(c *report.Case) string {
	return c.Scenario + "@" + c.Dialect + "/" + c.Profile + "/" + c.Delivery
}

// failingCuts returns the pattern for the failing cases of one delivery that is cut in each of them at another place.
func failingCuts(r *report.Report, c *report.Case, failing map[string]Failure) string {
	stem := delivered(c) + "/cut-"
	var places []string
	for _, other := range r.Cases {
		_, fails := failing[other.ID]
		if place, is := strings.CutPrefix(other.ID, stem); is && fails {
			places = append(places, place)
		}
	}
	return stem + "{" + strings.Join(places, ",") + "}"
}

// beginning returns how some messages all begin, up to the first word that may differ from run to run: an id, a
// number, or something quoted.
func beginning(messages []string) string {
	words := strings.Fields(messages[0])
	for _, m := range messages[1:] {
		other := strings.Fields(m)
		n := 0
		for n < len(words) && n < len(other) && words[n] == other[n] {
			n++
		}
		words = words[:n]
	}
	if n := slices.IndexFunc(words, varies); n >= 0 {
		words = words[:n]
	}
	return strings.Join(words, " ")
}

func varies(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.IsDigit(r) || r == '"' || r == '_' })
}
