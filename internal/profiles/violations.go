package profiles

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/strictyaml"
)

// Violations are some of the violations of a rule: those that fit one of these descriptions.
type Violations []violations

// violations are described by the values that each name may have.
type violations map[string][]string

// ReadYAML reads one description, or a list of them, from a profile file.
func (b *Violations) ReadYAML(n *strictyaml.Node) error {
	nodes := []*strictyaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	for _, node := range nodes {
		one, right := violationsOf(node)
		if !right {
			return fmt.Errorf("expected the values of the violations that are refused, as in {found: [nothing, a number]}, or a list of such mappings")
		}
		for name, values := range one {
			if len(values) == 0 {
				return fmt.Errorf("%s needs the values of the violations that are refused, as in {%s: [a, b]}", name, name)
			}
		}
		*b = append(*b, one)
	}
	return nil
}

// violationsOf reads a mapping of names to lists of texts.
func violationsOf(n *strictyaml.Node) (all violations, right bool) {
	all = violations{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, list := n.Content[i], n.Content[i+1]
		_, twice := all[key.Value]
		if twice || key.Kind != yaml.ScalarNode || list.Kind != yaml.SequenceNode && list.Tag != "!!null" {
			return nil, false
		}
		var values []string
		for _, value := range list.Content {
			if value.Kind != yaml.ScalarNode {
				return nil, false
			}
			values = append(values, value.Value)
		}
		all[key.Value] = values
	}
	return all, n.Kind == yaml.MappingNode
}

func (b violations) hold(violation map[string]string) bool {
	for name, values := range b {
		if !slices.Contains(values, violation[name]) {
			return false
		}
	}
	return true
}

// names returns the names of the values in all descriptions, sorted.
func (b Violations) names() []string {
	all := map[string]bool{}
	for _, one := range b {
		for name := range one {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Described returns the names of the values by which the violations are described that are refused.
func (r *Refusal) Described() []string { return r.Only.names() }

// Where says which violations are refused, "" for all: "found is null or a number".
func (r *Refusal) Where() string {
	var all []string
	for _, one := range r.Only {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(one)) {
			parts = append(parts, name+" is "+strings.Join(one[name], " or "))
		}
		all = append(all, strings.Join(parts, ", and "))
	}
	return strings.Join(all, "; or ")
}
