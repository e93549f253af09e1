package specs

import (
	"regexp"
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// spec is what Ginkgo selects a spec by.
type spec struct {
	text   string
	labels []string
}

// selected reports whether the flags of Ginkgo select a spec: by its labels and its text. Only what
// they select is played and judged.
func selected(s spec) bool {
	config, _ := ginkgo.GinkgoConfiguration()
	filter, err := types.ParseLabelFilter(config.LabelFilter)
	if err != nil {
		return true // Ginkgo says so itself
	}
	return filter(s.labels) && anyMatches(config.FocusStrings, s.text, true) && !anyMatches(config.SkipStrings, s.text, false)
}

// anyMatches reports whether a text matches any of some regular expressions, and otherwise when
// there are none.
func anyMatches(expressions []string, text string, otherwise bool) bool {
	if len(expressions) == 0 {
		return otherwise
	}
	return slices.ContainsFunc(expressions, func(e string) bool {
		re, err := regexp.Compile(e)
		return err != nil || re.MatchString(text)
	})
}
