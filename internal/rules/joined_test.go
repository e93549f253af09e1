package rules_test

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/converse"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestJoined: a rule that two dialects have is one rule, with the check of each in it.
func TestJoined(t *testing.T) {
	finds := func(words string) func(*profiles.Profile, *wire.Request) rules.CheckResult {
		return func(*profiles.Profile, *wire.Request) (j rules.CheckResult) {
			j.Find(trace.Finding{Message: words})
			return j
		}
	}
	first := rules.Only(messages.API, []rules.Rule{
		{ID: "egress/a", Text: "A.", Sources: []rules.Source{{URL: "https://a"}}, Vars: []string{"at"}, Request: finds("in messages")},
		{ID: "egress/b", Request: finds("in both")},
	})
	second := rules.Only(converse.API, []rules.Rule{
		{ID: "egress/b"},
		{ID: "egress/a", Sources: []rules.Source{{URL: "https://b"}}, Vars: []string{"at", "key"}, Request: finds("in converse")},
		{ID: "egress/c"},
	})
	all := rules.Joined(first, second)
	if len(all[0]) != 2 || len(all[1]) != 1 || all[1][0].ID != "egress/c" {
		t.Fatalf("the lists are %v", all)
	}
	a, b := all[0][0], all[0][1]
	if !a.In(messages.API) || !a.In(converse.API) || all[1][0].In(messages.API) {
		t.Error("a rule is in other dialects than those that have it")
	}
	if a.Text != "A." || len(a.Sources) != 2 || !slices.Equal(a.Vars, []string{"at", "key"}) {
		t.Errorf("the rule is %+v", a)
	}
	for _, c := range []struct {
		rule rules.Rule
		in   *wire.Dialect
		want string
	}{{a, messages.API, "in messages"}, {a, converse.API, "in converse"}, {b, converse.API, "in both"}} {
		if got := c.rule.Request(nil, &wire.Request{Dialect: c.in}).Findings[0].Message; got != c.want {
			t.Errorf("%s says %q, want %q", c.rule.ID, got, c.want)
		}
	}
	if len(first[0].Also) > 0 || len(first[0].Sources) != 1 {
		t.Error("a list that was joined has changed")
	}
}
