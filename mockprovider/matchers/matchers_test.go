package matchers_test

import (
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/loopproof/loopproof/mockprovider"
	. "github.com/loopproof/loopproof/mockprovider/matchers"
	"github.com/loopproof/loopproof/report"
)

// played is a run in which an application asks well twice, once for a tool and once with its
// result, and then badly.
func played(t *testing.T) []mockprovider.Entry {
	t.Helper()
	srv, run := start()
	t.Cleanup(srv.Close)
	base := run.BaseURL
	ask(base, asks)
	id := run.Journal().Entries()[0].Answer.Calls[0].ID
	call := `{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}`
	ask(base, asks, call, `{"role":"tool","tool_call_id":"`+id+`","content":"4 C"}`)
	ask(base, asks, call)
	return run.Journal().Entries()
}

func TestMatchers(t *testing.T) {
	entries := played(t)
	good := entries[:2]
	contains := gomega.ContainSubstring
	for name, c := range map[string]struct {
		actual  []mockprovider.Entry
		matcher types.GomegaMatcher
		takes   bool
	}{
		"any":                      {entries, HaveRequest(), true},
		"none came":                {nil, HaveRequest(), false},
		"times":                    {entries, HaveRequest(AskFor("gpt-4o")).Times(3), true},
		"other times":              {entries, HaveRequest(AskFor("gpt-4o")).Times(2), false},
		"never":                    {entries, HaveRequest(AskFor("gpt-5")).Times(0), true},
		"at least":                 {entries, HaveRequest().AtLeast(4), false},
		"at most":                  {entries, HaveRequest().AtMost(2), false},
		"at most, and none":        {nil, HaveRequest().AtMost(2), true},
		"between":                  {entries, HaveRequest().AtLeast(2).AtMost(3), true},
		"a result":                 {entries, HaveRequest(CarryResult("get_weather", "4 C")).Times(1), true},
		"a result of any tool":     {entries, HaveRequest(CarryResult("", contains("C"))), true},
		"a result of another tool": {entries, HaveRequest(CarryResult("get_time", "4 C")), false},
		"an equal text":            {entries, HaveRequest(CarryText("Oslo")), false},
		"a text":                   {entries, HaveRequest(CarryText(contains("Oslo"))).Times(1), true},
		"several at once":          {entries, HaveRequest(BeAnswered(200), AnswerWithCall("get_weather")), true},
		"never together":           {entries, HaveRequest(BeAnswered(400), AnswerWithCall("get_weather")), false},
		"Gomega's And and Not":     {entries, HaveRequest(gomega.And(BeAnswered(200), gomega.Not(AnswerWithCall("get_weather")))).Times(1), true},
		"a status":                 {entries, HaveRequest(BeAnswered(gomega.BeNumerically(">=", 400))).Times(1), true},
		"an answer":                {entries, HaveRequest(AnswerWithText("It is 4 C in Oslo.")), true},
		"a rule":                   {entries, HaveRequest(BreakRule("pairing/every-call-answered")).Times(1), true},
		"a tool offered":           {entries, HaveRequest(OfferTool("get_weather")), false},
		"one's own":                {entries, HaveRequest(Satisfy("is the second", func(e mockprovider.Entry) bool { return e.Number == 2 })), true},
		"in order":                 {entries, HaveRequestsInOrder(CarryText(contains("Oslo")), CarryResult("", "4 C"), BeAnswered(400)), true},
		"out of order":             {entries, HaveRequestsInOrder(CarryResult("", "4 C"), CarryText(contains("Oslo"))), false},
		"no findings":              {good, HaveNoFindings(report.Must, report.Should, report.Info), true},
		"findings":                 {entries, HaveNoFindings(), false},
		"other findings":           {entries, HaveNoFindings(report.Should), true},
	} {
		t.Run(name, func(t *testing.T) {
			ok, err := c.matcher.Match(c.actual)
			if err != nil || ok != c.takes {
				t.Errorf("it is %v, %v: %s", ok, err, c.matcher.FailureMessage(c.actual))
			}
			if text := c.matcher.NegatedFailureMessage(c.actual); !strings.HasPrefix(text, "Expected") {
				t.Errorf("negated it says %q", text)
			}
		})
	}
}

// Values without a journal are an error, and so is HaveNoFindings without any request.
func TestMatchersThatCannotSay(t *testing.T) {
	for name, c := range map[string]struct {
		actual  any
		matcher types.GomegaMatcher
		want    string
	}{
		"a text":       {"x", HaveRequest(), "expected a mock provider"},
		"no journal":   {(*mockprovider.Journal)(nil), HaveRequestsInOrder(BeAnswered(200)), "expected a mock provider"},
		"no requests":  {[]mockprovider.Entry{}, HaveNoFindings(), "there was no request"},
		"not an entry": {"x", BeAnswered(200), "expected an entry"},
	} {
		if _, err := c.matcher.Match(c.actual); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Matchers see later requests, for servers, runs and journals.
func TestEventually(t *testing.T) {
	g := gomega.NewWithT(t)
	srv, run := start()
	t.Cleanup(srv.Close)
	g.Expect(srv).NotTo(HaveRequest())
	go ask(run.BaseURL, asks)
	g.Eventually(run).WithTimeout(time.Minute).Should(HaveRequest(BeAnswered(200)))
	g.Expect(run.Journal()).To(HaveRequest())
	g.Expect(run.Journal().Entries()).To(gomega.ContainElement(AnswerWithCall("get_weather")))
	g.Expect(srv.Provider).NotTo(HaveRequest())
}
