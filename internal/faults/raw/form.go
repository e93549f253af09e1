package raw

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/loopproof/loopproof/internal/form"
)

// OfForm returns faults that break the form of a request, under names that begin with a prefix: each
// breaks one node, which is named with the keyword, as in "metadata keys", in every request that has
// a place for it.
func OfForm(f *form.Form, prefix string, nodes []string) []Fault {
	mutants := map[string]form.Mutant{}
	for _, m := range f.Mutants() {
		mutants[m.ID()] = m
	}
	all := make([]Fault, len(nodes))
	for i, id := range nodes {
		m, ok := mutants["request."+id]
		if !ok {
			panic("the form has no mutant " + id)
		}
		all[i] = Fault{
			Name:   prefix + strings.Trim(letters.ReplaceAllString(strings.ToLower(id), "-"), "-"),
			Does:   fmt.Sprintf("The form of a request is broken: `%s`, in the keyword `%s`.", m.Node, m.Keyword),
			Breaks: []string{m.Rule},
			Make: OnRequest(func(r *Request) {
				if body, _, ok := m.Of([]byte(r.Body)); ok {
					r.Body = string(body)
				}
			}),
		}
	}
	return all
}

var letters = regexp.MustCompile(`[^a-z0-9]+`)
