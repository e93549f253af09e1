package profiles

import (
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/strictyaml"
)

// Form is what texts of a kind have to look like, given as a regular expression. The zero value
// takes any text.
type Form struct{ re *regexp.Regexp }

// ReadYAML reads the form from a profile file.
func (f *Form) ReadYAML(n *strictyaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("expected a regular expression such as ^[a-z]{9}$")
	}
	re, err := regexp.Compile(n.Value)
	if err != nil {
		return fmt.Errorf("not a regular expression: %w", err)
	}
	f.re = re
	return nil
}

// Any reports whether the form takes every text.
func (f Form) Any() bool { return f.re == nil }

// Takes reports whether a text has the form.
func (f Form) Takes(text string) bool { return f.re == nil || f.re.MatchString(text) }

// String returns the regular expression, or nothing for a form that takes every text.
func (f Form) String() string {
	if f.re == nil {
		return ""
	}
	return f.re.String()
}
