package knownfailing

import (
	"strings"
	"testing"
)

// Whatever is in a known-failing list, it is read or the error names the file. A list that was
// brought up to date with a run can be read again, and is up to date.
func FuzzParse(f *testing.F) {
	entry := "- rule: " + everyCallAnswered + "\n  case: pairing/two-tools@**" + reason
	for _, text := range []string{
		"", "# none\n\n", entry, "# why\n" + entry + "  # and this\n" + entry, strings.ReplaceAll(entry, "two-tools@**", "**") + "\n# the end",
		entry + "  message: \"1 tool call\"\n", "[{rule: " + ordered + ", case: '**', reason: x}]", strings.ReplaceAll(entry, "\n", "\r\n"), "- {rule: x}", "---\n" + entry + "...\n", "#\xf5", "\f", "[]", "# none\n[] # so far\n",
	} {
		f.Add(text, "1 tool call without an answer", "2 of 3")
	}
	f.Fuzz(func(t *testing.T, text, message, other string) {
		e, err := parse("known.yaml", []byte(text), false)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "known.yaml:") {
				t.Errorf("the error does not begin with the name of the file: %v", err)
			}
			return
		}
		r := knownReport(knownCases(), inTwoTools(everyCallAnswered, message+other))
		once := e.Update(r, Plan{Cases: knownCases()})
		again, err := parse("known.yaml", []byte(once.Text), false)
		if err != nil {
			t.Fatalf("the list that was brought up to date cannot be read: %v\n%s", err, once.Text)
		}
		if twice := again.Update(r, Plan{Cases: knownCases()}); twice.Text != once.Text {
			t.Errorf("a list that is up to date changes from\n%s\nto\n%s", once.Text, twice.Text)
		}
	})
}
