package matrix

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// problems are errors that are reported together.
type problems []error

func (p *problems) add(err error) {
	if err != nil {
		*p = append(*p, err)
	}
}

// joined returns all problems in the order of their texts, which maps do not have.
func (p problems) joined() error {
	slices.SortStableFunc(p, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(p...)
}

// maxProblems is the maximum number of problems of one kind in a file that are told.
const maxProblems = 8

// few returns the first of many problems, and how many more there are.
func few(file string, all []error) error {
	if left := len(all) - maxProblems; left > 1 {
		all = append(slices.Clone(all[:maxProblems]), fmt.Errorf("%s: and %d more problems", file, left))
	}
	return errors.Join(all...)
}
