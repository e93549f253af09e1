package knownfailing

import (
	"slices"
	"strings"
	"testing"
)

func TestChangedSince(t *testing.T) {
	const (
		twoTools = "- {rule: pairing/every-call-answered, case: 'pairing/two-tools@**', reason: an issue}\n"
		reworded = "- {rule: pairing/every-call-answered, case: 'pairing/two-tools@**', reason: another issue}\n"
		narrower = "- {rule: pairing/every-call-answered, case: 'pairing/two-tools@**', message: 1 tool call, reason: an issue}\n"
		ordered  = "- {rule: pairing/results-in-call-order, case: '**@chat/**', reason: an issue}\n"
		resent   = "- {rule: reasoning/empty-resent, case: '**@chat/**', reason: an issue}\n"
	)
	for name, test := range map[string]struct {
		older, now string
		want       []string
	}{
		"nothing":                     {twoTools, twoTools, nil},
		"another reason":              {twoTools, reworded, nil},
		"another order":               {twoTools + ordered, ordered + twoTools, nil},
		"a new list":                  {"", twoTools, []string{"pairing/two-tools@**"}},
		"an entry more":               {twoTools, twoTools + ordered, []string{"**@chat/**"}},
		"an entry less":               {twoTools + ordered, ordered, []string{"pairing/two-tools@**"}},
		"another message":             {twoTools, narrower, []string{"pairing/two-tools@**"}},
		"two with the same pattern":   {"", ordered + resent, []string{"**@chat/**"}},
		"another rule in these cases": {ordered, resent, []string{"**@chat/**"}},
		"an entry without a reason":   {strings.Replace(twoTools, "an issue", "''", 1), twoTools, nil},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := Parse("list.yaml", []byte(test.now))
			if err != nil {
				t.Fatal(err)
			}
			got, err := list.ChangedSince("list.yaml", []byte(test.older))
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("the changed patterns are %q, with the error %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestChangedSinceAListThatCannotBeRead(t *testing.T) {
	_, err := (&List{}).ChangedSince("HEAD:list.yaml", []byte("- {rule: pairing/no-such-rule, case: '**', reason: an issue}\n"))
	if err == nil || !strings.Contains(err.Error(), "HEAD:list.yaml:1:") {
		t.Errorf("the error is %v, and should name the place", err)
	}
}
