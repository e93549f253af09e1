package stubs

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// YAML writes the file of a script. source says where it comes from.
func (s *Script) YAML(source string) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Imported from %s.\nloopproof: 1\n", source)
	head, err := dump(struct {
		Title    string   `yaml:"title"`
		Profiles []string `yaml:"profiles,omitempty,flow"`
	}{s.Name, s.profiles()})
	if err != nil {
		return nil, err
	}
	b.WriteString(head + "model:\n")
	for _, step := range s.Steps {
		text, err := dump(step)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "  # %s\n", step.From)
		mark := "  - "
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				line = mark + line
			}
			b.WriteString(line)
			mark = "    "
		}
	}
	return []byte(b.String()), nil
}

func (s *Script) profiles() []string {
	if s.Profile == "" {
		return nil
	}
	return []string{s.Profile}
}

func dump(v any) (string, error) {
	text, err := yaml.Dump(v, yaml.WithLineWidth(-1))
	return string(text), err
}

// literal writes a text so that nothing in it is a value of the request.
func literal(text string) string { return strings.ReplaceAll(text, "{{", `{{ "{{" }}`) }
