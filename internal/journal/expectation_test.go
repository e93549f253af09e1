package journal_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/journal"
)

func weather(t *testing.T) []journal.Entry {
	t.Helper()
	j := open(journal.Options{})
	for _, e := range []journal.Entry{
		answered(entry(t, asks), 200, "Let me see."),
		answered(entry(t, asks, calls, results), 200, "It is 4 C."),
		answered(entry(t, asks, calls), 400, `{"error":"no"}`),
	} {
		j.Add(&e)
	}
	return j.Entries()
}

func TestExpectation(t *testing.T) {
	n := func(n int) *int { return &n }
	oslo := journal.Filter{Contains: "Oslo"}
	for _, c := range []struct {
		expected journal.Expectation
		holds    bool
		says     string
	}{
		{journal.Expectation{}, true, "expected a request; there are 3"},
		{journal.Expectation{Filter: oslo, Count: n(3)}, true, `expected 3 requests with "contains":"Oslo"; there are 3`},
		{journal.Expectation{Filter: oslo, Count: n(2)}, false, `expected 2 requests with "contains":"Oslo"; there are 3`},
		{journal.Expectation{AtLeast: n(3)}, true, "expected at least 3 requests; there are 3"},
		{journal.Expectation{AtLeast: n(4)}, false, "expected at least 4 requests; there are 3"},
		{journal.Expectation{AtMost: n(2)}, false, "expected at most 2 requests; there are 3"},
		{journal.Expectation{AtLeast: n(1), AtMost: n(3)}, true, "expected 1 to 3 requests; there are 3"},
		{journal.Expectation{Filter: journal.Filter{Tool: "get_weather", Result: "5 C"}}, false, `expected a request with "result":"5 C", "tool":"get_weather"; there is none`},
		{journal.Expectation{Filter: journal.Filter{Level: "must"}, Count: n(0)}, false, `expected 0 requests with "level":"must"; there is 1`},
		{journal.Expectation{InOrder: []journal.Filter{{User: "Oslo"}, {Result: "4 C"}}}, true, "expected 2 requests in this order; all came"},
		{journal.Expectation{InOrder: []journal.Filter{{Result: "4 C"}, {User: "Oslo"}}}, false, `expected 2 requests in this order; number 2 is missing: a request with "user":"Oslo", after request 2`},
	} {
		if err := c.expected.Check(); err != nil {
			t.Errorf("%+v: %v", c.expected, err)
		}
		got := c.expected.Of(weather(t))
		says, _, _ := strings.Cut(got.Message, "\n")
		if got.Holds != c.holds || says != c.says {
			t.Errorf("%+v: holds %v, %s", c.expected, got.Holds, got.Message)
		}
	}
	none := journal.Expectation{Filter: journal.Filter{Level: "must"}, Count: n(0)}.Of(weather(t))
	if strings.Contains(none.Message, "these came") || !strings.Contains(none.Message, "request 3") || strings.Contains(none.Message, "request 2") {
		t.Errorf("of what is one too many it shows %s", none.Message)
	}
	if got := (journal.Expectation{}).Of(nil); got.Holds || got.Message != "expected a request; there is none\nno request came" {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestBadExpectations(t *testing.T) {
	n := func(n int) *int { return &n }
	for want, x := range map[string]journal.Expectation{
		"count and at_least exclude each other":                       {Count: n(1), AtLeast: n(1)},
		"in_order is an empty list, which would hold for any request": {InOrder: []journal.Filter{}},
		"count and in_order exclude each other":                       {Count: n(1), InOrder: []journal.Filter{{}}},
		"at_least is 2 and at_most 1":                                 {AtLeast: n(2), AtMost: n(1)},
		"at_most: -1 is negative":                                     {AtMost: n(-1)},
		`in_order/1: level: "x" is none of must, should, info`:        {InOrder: []journal.Filter{{}, {Level: "x"}}},
		`model: "[" is not a pattern`:                                 {Filter: journal.Filter{Model: "["}},
	} {
		if err := x.Check(); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", x, err, want)
		}
	}
}

func TestText(t *testing.T) {
	want := `request 1  POST /v1/chat/completions  gpt-4o
  user       What is the weather in Oslo?
  answered   Let me see.
request 2  POST /v1/chat/completions  gpt-4o
  history    2 messages
  result     call_1: 4 C
  answered   It is 4 C.
request 3  POST /v1/chat/completions  gpt-4o
  history    2 messages
  answered   400 {"error":"no"}
  breaks     pairing/every-call-answered (must): 1 tool call without an answer: call_1`
	if diff := cmp.Diff(want, journal.Text(weather(t))); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	many := make([]journal.Entry, 20)
	if got := journal.Text(many); !strings.HasSuffix(got, "… and 8 requests more") {
		t.Errorf("of many it shows %s", got)
	}
	if got := journal.Text([]journal.Entry{entry(t, `{"role":"user","content":"`+strings.Repeat("x", 5000)+`"}`)}); len(got) > 400 || !strings.Contains(got, "(5000 characters)") {
		t.Errorf("a long text is shown as %s", got)
	}
}
