package matchers

import (
	"fmt"
	"slices"

	"github.com/onsi/gomega/types"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/report"
)

// findingsMatcher expects that there are no findings.
type findingsMatcher struct {
	levels []report.Level
	came   []mockprovider.Entry
	bad    []mockprovider.Entry
}

// HaveNoFindings expects that there are requests, that all of them could be read and matched a
// script, and that none of them breaks a must. Other levels are checked if they are given:
//
//	Expect(run).To(HaveNoFindings(report.Must, report.Should))
func HaveNoFindings(levels ...report.Level) types.GomegaMatcher {
	if len(levels) == 0 {
		levels = []report.Level{report.Must}
	}
	return &findingsMatcher{levels: levels}
}

func (m *findingsMatcher) Match(actual any) (bool, error) {
	entries, err := entriesOf(actual)
	if err != nil {
		return false, err
	}
	m.came, m.bad = routed(entries), nil
	if len(m.came) == 0 {
		return false, errNothing
	}
	for _, e := range m.came {
		broken := slices.ContainsFunc(e.Findings, func(f report.Finding) bool { return slices.Contains(m.levels, f.Level) })
		if broken || e.Problem != "" {
			m.bad = append(m.bad, e)
		}
	}
	return len(m.bad) == 0, nil
}

func (m *findingsMatcher) FailureMessage(any) string {
	return fmt.Sprintf("Expected no findings, but %d of %s went wrong.\n%s", len(m.bad), requests(len(m.came)), shown(m.bad))
}

func (m *findingsMatcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected findings, but there are none in %s.\n%s", requests(len(m.came)), conversation(m.came))
}
