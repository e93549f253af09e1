package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/rules"
	"github.com/loopproof/loopproof/scenarios"
)

// Vocabulary returns the words that scenarios may use.
func Vocabulary() scenarios.Vocabulary {
	return scenarios.Vocabulary{Rules: rules.IDs(), Profiles: profiles.Names(profiles.All())}
}

// embedded is read once; scenarios are never changed after they were read.
var embedded = sync.OnceValues(func() ([]*scenarios.Scenario, error) {
	return scenarios.Load(scenarios.Files(), Vocabulary())
})

// Library returns the scenarios of Loopproof and those of a folder of one's own, which may be nil.
func Library(own fs.FS) ([]*scenarios.Scenario, error) {
	all, err := embedded()
	if err != nil || own == nil {
		return slices.Clone(all), err
	}
	more, err := scenarios.Load(own, Vocabulary())
	if err != nil {
		return nil, err
	}
	if len(more) == 0 {
		return nil, errors.New("the folder of scenarios holds no .yaml file")
	}
	for _, s := range more {
		if slices.ContainsFunc(all, func(o *scenarios.Scenario) bool { return o.ID == s.ID }) {
			return nil, fmt.Errorf("the scenario %s is also one of Loopproof's own: rename the file", s.ID)
		}
	}
	return slices.Concat(all, more), nil
}
