// Package types holds what the types of the official SDKs say of requests against what Loopproof
// knows. dump.py writes them to the YAML files of this folder; testdata/differences.yaml lists each
// difference with its reason. After a look, write it again:
//
//	cd lab && go test ./selfcheck/types -update
package types

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// root is the place that all others are within.
const root = "Request"

// key is one of a place. types are those of its value, without unions.
type key struct {
	name             string
	required, vertex bool
	types            []string
}

// words are the words that a value can be, and whether it can be nothing else.
func (k key) words() (words []string, only bool) {
	only = true
	for _, kind := range k.types {
		if word, is := strings.CutPrefix(kind, "="); is {
			words = append(words, strings.TrimSuffix(word, "[]"))
		} else if kind != "null" {
			only = false
		}
	}
	return words, only && words != nil
}

// places are the keys of each type of object in a request of an SDK.
type places map[string][]key

// read reads a file that dump.py wrote.
func read(file string) (places, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var dumped struct {
		Unions, Places map[string]string
	}
	if err := yaml.Unmarshal(text, &dumped); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	all := places{}
	for place, fields := range dumped.Places {
		all[place] = nil
		if fields == "" {
			continue
		}
		for field := range strings.SplitSeq(fields, "; ") {
			name, types, ok := strings.Cut(field, " ")
			if !ok {
				return nil, fmt.Errorf("%s: %s: expected a key and its types, got %q", file, place, field)
			}
			all[place] = append(all[place], key{
				name:     strings.TrimRight(name, "*^"),
				required: strings.Contains(name, "*"),
				vertex:   strings.Contains(name, "^"),
				types:    expand(strings.Split(types, "|"), dumped.Unions),
			})
		}
	}
	return all, all.check(file)
}

// expand puts the parts of unions in their places.
func expand(types []string, unions map[string]string) (all []string) {
	for _, kind := range types {
		name, suffix := base(kind)
		union, is := unions[name]
		if !is {
			all = append(all, kind)
			continue
		}
		for _, part := range expand(strings.Fields(union), unions) {
			all = append(all, part+suffix)
		}
	}
	return all
}

// base is a type without [] and {} behind it.
func base(kind string) (name, suffix string) {
	name = strings.TrimRight(kind, "[]{}")
	return name, kind[len(name):]
}

// check reports types that are not described.
func (p places) check(file string) error {
	plain := []string{"text", "integer", "number", "flag", "null", "any"}
	for place, keys := range p {
		for _, k := range keys {
			for _, kind := range k.types {
				name, _ := base(kind)
				if _, known := p[name]; !known && !strings.HasPrefix(name, "=") && !slices.Contains(plain, name) {
					return fmt.Errorf("%s: %s.%s: %s is not described", file, place, k.name, kind)
				}
			}
		}
	}
	if p[root] == nil {
		return fmt.Errorf("%s has no place %s", file, root)
	}
	return nil
}
