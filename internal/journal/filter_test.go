package journal_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestFilter(t *testing.T) {
	j := open(journal.Options{})
	first := answered(entry(t, asks), 200, "")
	first.Run, first.Scenario = "a", "weather/oslo"
	first.Answer.Said.Calls = []wire.AnswerCall{{Name: "get_weather"}}
	second := answered(entry(t, asks, calls, results), 200, "It is 4 C.")
	second.Run = "b"
	third := answered(entry(t, asks, calls, results, says, thanks), 200, "You are welcome.")
	refused := answered(entry(t, asks, calls), 400, "no")
	unrouted := journal.Entry{Unrouted: true, Target: "/"}
	for _, e := range []journal.Entry{first, second, third, refused, unrouted} {
		j.Add(&e)
	}
	for _, c := range []struct {
		filter journal.Filter
		want   string
	}{
		{journal.Filter{}, "[1 2 3 4]"},
		{journal.Filter{Unrouted: true}, "[1 2 3 4 5]"},
		{journal.Filter{After: 2}, "[3 4]"},
		{journal.Filter{Run: "b"}, "[2]"},
		{journal.Filter{Path: "/v1/**"}, "[1 2 3 4]"},
		{journal.Filter{Path: "/v1/messages"}, "[]"},
		{journal.Filter{Model: "gpt-*"}, "[1 2 3 4]"},
		{journal.Filter{Model: "gpt"}, "[]"},
		{journal.Filter{Scenario: "weather/*"}, "[1]"},
		{journal.Filter{Status: "4xx"}, "[4]"},
		{journal.Filter{Status: "200"}, "[1 2 3]"},
		{journal.Filter{Contains: "4 C"}, "[2 3]"},
		{journal.Filter{Contains: "get_weather"}, "[2 3 4]"},
		{journal.Filter{User: "Thanks"}, "[3]"},
		{journal.Filter{User: "Oslo"}, "[1]"},
		{journal.Filter{Result: "4 C"}, "[2]"},
		{journal.Filter{Tool: "get_weather"}, "[2]"},
		{journal.Filter{Tool: "get_time", Result: "4 C"}, "[]"},
		{journal.Filter{Answer: "welcome"}, "[3]"},
		{journal.Filter{Called: "get_weather"}, "[1]"},
		{journal.Filter{Rule: "pairing/*"}, "[4]"},
		{journal.Filter{Level: "must"}, "[4]"},
		{journal.Filter{Level: "must", Status: "200"}, "[]"},
	} {
		if err := c.filter.Check(); err != nil {
			t.Errorf("%+v: %v", c.filter, err)
		}
		if got := numbers(c.filter.Of(j.Entries())); got != c.want {
			t.Errorf("%+v selects %s, want %s", c.filter, got, c.want)
		}
	}
}

func TestFiltersThatSelectNothing(t *testing.T) {
	for want, f := range map[string]journal.Filter{
		`path: "/v1/[" is not a pattern`:                                                             {Path: "/v1/["},
		`status: "40" is neither a status like 400 nor a class like 4xx`:                             {Status: "40"},
		`status: "teapot" is neither a status like 400 nor a class like 4xx`:                         {Status: "teapot"},
		`rule: the pattern has 60 alternatives in braces, and may have 24: ask in several questions`: {Rule: strings.Repeat("{a,aa}", 30)},
		`level: "bad" is none of must, should, info`:                                                 {Level: "bad"},
	} {
		if err := f.Check(); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", f, err, want)
		}
	}
}
