package rulebook

import "testing"

func TestMayStemFrom(t *testing.T) {
	for _, test := range []struct {
		name, rule, cause string
		want              bool
	}{
		{"it follows", "execution/siblings-unaffected", "execution/every-call-run", true},
		{"it follows from what follows", "history/only-grows", "execution/every-call-run", true},
		{"another kind of call is lost", "execution/invalid-json-answered", "execution/every-call-run", true},
		{"the cause does not follow", "execution/every-call-run", "execution/siblings-unaffected", false},
		{"a rule is not its own cause", "history/only-grows", "history/only-grows", false},
		{"they have nothing to do with each other", "retry/same-request", "execution/every-call-run", false},
	} {
		if got := MayStemFrom(test.rule, test.cause); got != test.want {
			t.Errorf("%s: %s from %s is %t", test.name, test.rule, test.cause, got)
		}
	}
}

// TestLostCalls: the rules about lost calls exist.
func TestLostCalls(t *testing.T) {
	for rule, cause := range lostCalls {
		if Lookup(rule) == nil || Lookup(cause) == nil {
			t.Errorf("%s or %s is no rule", rule, cause)
		}
	}
}
