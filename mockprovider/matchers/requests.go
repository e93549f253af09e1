package matchers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/gomega/format"
	"github.com/onsi/gomega/types"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/opaque"
	"github.com/loopproof/loopproof/mockprovider"
)

// journaled is implemented by everything with a journal: a mockprovider.Server, a Provider, a run.
type journaled interface{ Journal() *mockprovider.Journal }

// entriesOf returns the entries of the actual value of an expectation.
func entriesOf(actual any) ([]mockprovider.Entry, error) {
	switch a := actual.(type) {
	case []mockprovider.Entry:
		return a, nil
	case *mockprovider.Journal:
		if a != nil {
			return a.Entries(), nil
		}
	case journaled:
		if j := a.Journal(); j != nil {
			return j.Entries(), nil
		}
	}
	return nil, fmt.Errorf("expected a mock provider, a run, a journal or its entries, not\n%s", format.Object(actual, 1))
}

// routed returns the requests that reached a conversation.
func routed(entries []mockprovider.Entry) []mockprovider.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e mockprovider.Entry) bool { return opaque.Open(e).Unrouted })
}

// RequestsMatcher is a matcher for a journal. See [HaveRequest].
type RequestsMatcher struct {
	about []types.GomegaMatcher
	least int
	most  int // -1: any number
	found int
	came  []mockprovider.Entry
}

// HaveRequest expects at least one request that satisfies all matchers. Without matchers, any
// request does.
func HaveRequest(about ...types.GomegaMatcher) *RequestsMatcher {
	return &RequestsMatcher{about: about, least: 1, most: -1}
}

// Times expects exactly this number of requests.
func (m *RequestsMatcher) Times(n int) *RequestsMatcher {
	m.least, m.most = n, n
	return m
}

// AtLeast expects this number of requests or more.
func (m *RequestsMatcher) AtLeast(n int) *RequestsMatcher {
	m.least = n
	return m
}

// AtMost expects this number of requests or fewer; none is enough.
func (m *RequestsMatcher) AtMost(n int) *RequestsMatcher {
	m.most = n
	if m.least > n || m.least == 1 {
		m.least = 0
	}
	return m
}

// Match implements the matcher interface of Gomega.
func (m *RequestsMatcher) Match(actual any) (bool, error) {
	entries, err := entriesOf(actual)
	if err != nil {
		return false, err
	}
	m.came, m.found = routed(entries), 0
	for _, e := range m.came {
		ok, err := takenByAll(m.about, e)
		if err != nil {
			return false, err
		}
		if ok {
			m.found++
		}
	}
	return m.found >= m.least && (m.most < 0 || m.found <= m.most), nil
}

func takenByAll(about []types.GomegaMatcher, e mockprovider.Entry) (bool, error) {
	for _, one := range about {
		if ok, err := one.Match(e); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// FailureMessage says what was expected, and shows the requests.
func (m *RequestsMatcher) FailureMessage(any) string {
	return fmt.Sprintf("Expected %s%s, but found %d.\n%s", m.number(), described(m.about), m.found, conversation(m.came))
}

// NegatedFailureMessage says what was not expected, and shows the requests.
func (m *RequestsMatcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected not to find %s%s, but found %d.\n%s", m.number(), described(m.about), m.found, conversation(m.came))
}

func (m *RequestsMatcher) number() string {
	switch {
	case m.least == m.most:
		return requests(m.least)
	case m.most < 0 && m.least == 1:
		return "a request"
	case m.most < 0:
		return "at least " + requests(m.least)
	case m.least == 0:
		return "at most " + requests(m.most)
	default:
		return fmt.Sprintf("%d to %s", m.least, requests(m.most))
	}
}

func requests(n int) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", n)
}

// described describes what matchers look for.
func described(about []types.GomegaMatcher) string {
	if len(about) == 0 {
		return ""
	}
	parts := make([]string, len(about))
	for i, one := range about {
		parts[i] = wordsOf(one)
	}
	return " that " + strings.Join(parts, " and ")
}

// wordsOf describes what a matcher of a request looks for.
func wordsOf(m types.GomegaMatcher) string {
	if one, ok := m.(*requestMatcher); ok {
		return one.words
	}
	return "fits " + named(m)
}

// conversation shows the requests.
func conversation(entries []mockprovider.Entry) string {
	if len(entries) == 0 {
		return "No request came."
	}
	return "These came:\n" + shown(entries)
}

// shown shows requests as a conversation.
func shown(entries []mockprovider.Entry) string {
	inner := make([]journal.Entry, len(entries))
	for i, e := range entries {
		inner[i] = *opaque.Open(e)
	}
	return journal.Text(inner)
}

// orderMatcher expects requests one after the other.
type orderMatcher struct {
	about []types.GomegaMatcher
	came  []mockprovider.Entry
	last  int // number of the request that was found last
	next  int // index of the matcher that found none
}

// HaveRequestsInOrder expects a request for each matcher, in this order. There may be other
// requests between them.
func HaveRequestsInOrder(about ...types.GomegaMatcher) types.GomegaMatcher {
	return &orderMatcher{about: about}
}

func (m *orderMatcher) Match(actual any) (bool, error) {
	entries, err := entriesOf(actual)
	if err != nil {
		return false, err
	}
	m.came, m.next, m.last = routed(entries), 0, 0
	for _, e := range m.came {
		if m.next == len(m.about) {
			break
		}
		ok, err := m.about[m.next].Match(e)
		if err != nil {
			return false, err
		}
		if ok {
			m.next, m.last = m.next+1, e.Number
		}
	}
	return m.next == len(m.about), nil
}

func (m *orderMatcher) FailureMessage(any) string {
	behind := ""
	if m.last > 0 {
		behind = fmt.Sprintf(" after request %d", m.last)
	}
	return fmt.Sprintf("Expected %s in this order, but number %d is missing: none%s %s.\n%s",
		requests(len(m.about)), m.next+1, behind, wordsOf(m.about[m.next]), conversation(m.came))
}

func (m *orderMatcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected no requests in this order%s.\n%s", described(m.about), conversation(m.came))
}
