package fuzzing

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/textlayout"
)

// nameOf returns the name of the scenario of a finding. It has the seed and the conversation
// besides the rule, so that the file of what another run finds does not replace it.
func (f *fuzzer) nameOf(rule string, conversation int) string {
	return fmt.Sprintf("%s-%d-%d", strings.ReplaceAll(rule, "/", "-"), f.Seed, conversation)
}

// file returns the scenario file of a finding. The comment at its top says why the loop failed.
func (f *fuzzer) file(found *Finding) []byte {
	s := found.Small.assemble()
	s.Title = found.Small.Title()
	if rule := rulebook.Lookup(found.Rule); rule != nil && !rule.Invariant {
		s.Rules = []string{rule.ID}
	}
	text, err := strictyaml.Write(s)
	if err != nil {
		panic(err) // it was written before
	}
	var b bytes.Buffer
	for _, line := range f.comment(found) {
		fmt.Fprintln(&b, strings.TrimSpace("# "+line))
	}
	b.Write(text)
	return b.Bytes()
}

// comment says in lines why the loop failed.
func (f *fuzzer) comment(found *Finding) []string {
	text := fmt.Sprintf("Drawn by loopproof fuzz. The loop broke %s: %s", found.Rule, found.Message)
	if found.Expected != "" {
		text += fmt.Sprintf("; expected %s, actual %s", found.Expected, found.Actual)
	}
	text = textlayout.OneLine(text) + "."
	if found.Cause != "" {
		text += fmt.Sprintf(" The cause may be that of %s, which the loop breaks in a plainer conversation.", found.Cause)
	}
	if IsComparison(found.Rule) {
		text += fmt.Sprintf(" loopproof run does not compare runs, and may pass this scenario; loopproof fuzz --seed %d --conversation %d compares them.", f.Seed, found.Number)
	}
	b := textlayout.Builder{Width: 100}
	b.Text(0, text, textlayout.Plain)
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}
