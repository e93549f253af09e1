// Package catalog joins the scenarios and profiles of Loopproof with those of a user.
package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Profiles returns the profiles of Loopproof and those of a folder of one's own, which may be nil.
// Those speak of rules that exist.
func Profiles(own fs.FS) (profiles.Known, error) {
	if own == nil {
		return profiles.Known{}, nil
	}
	all, err := profiles.Load(own)
	if err != nil {
		return profiles.Known{}, err
	}
	if len(all) == len(profiles.All()) {
		return profiles.Known{}, errors.New("the folder of profiles holds no .yaml file")
	}
	var errs []error
	for _, p := range all {
		errs = append(errs, rulebook.CheckProfile(p))
	}
	mine := slices.DeleteFunc(all, func(p *profiles.Profile) bool { return slices.Contains(profiles.All(), p) })
	return profiles.Known{Own: mine}, errors.Join(errs...)
}

// ParseProfile reads one profile file, which may be built upon the embedded profiles and those of a
// folder, which may be nil.
func ParseProfile(folder fs.FS, file string, data []byte) (*profiles.Profile, error) {
	p, err := profiles.ParseBeside(folder, file, data)
	if err != nil {
		return nil, err
	}
	return p, rulebook.CheckProfile(p)
}

// embedded is read once; scenarios are never changed after they were read. A test has checked them
// with all profiles.
var embedded = sync.OnceValues(func() ([]*scenarios.Scenario, error) {
	return library(rulebook.NamesOnly(profiles.Known{}), func(string) bool { return true })
})

// library returns the scenarios that are files of Loopproof, and those of quirks, whose ids are
// wanted, sorted by id.
func library(v scenarios.Vocabulary, wanted func(id string) bool) ([]*scenarios.Scenario, error) {
	files, err := scenarios.LoadWanted(scenarios.Files(), v, wanted)
	if err != nil {
		return nil, err
	}
	quirks, err := playedQuirks(v, wanted)
	if err != nil {
		return nil, err
	}
	both := slices.Concat(files, quirks)
	slices.SortFunc(both, func(a, b *scenarios.Scenario) int { return strings.Compare(a.ID, b.ID) })
	return both, nil
}

// Scenarios returns the scenarios of Loopproof and those of a folder of one's own, which may be
// nil. The latter may speak of all profiles that are known.
func Scenarios(own fs.FS, known profiles.Known) ([]*scenarios.Scenario, error) {
	all, err := embedded()
	if err != nil {
		return nil, err
	}
	mine, err := OwnScenarios(own, known)
	return slices.Concat(all, mine), err
}

// WantedScenarios is [Scenarios] without those of Loopproof whose ids are not wanted, which are not
// read.
func WantedScenarios(own fs.FS, known profiles.Known, wanted func(id string) bool) ([]*scenarios.Scenario, error) {
	some, err := library(rulebook.NamesOnly(profiles.Known{}), wanted)
	if err != nil {
		return nil, err
	}
	mine, err := OwnScenarios(own, known)
	return slices.Concat(some, mine), err
}

// OwnScenarios returns the scenarios of a folder of one's own: none if the folder is nil.
func OwnScenarios(own fs.FS, known profiles.Known) ([]*scenarios.Scenario, error) {
	if own == nil {
		return nil, nil
	}
	mine, err := scenarios.Load(own, rulebook.Vocabulary(known))
	if err != nil {
		return nil, err
	}
	if len(mine) == 0 {
		return nil, errors.New("the folder of scenarios holds no .yaml file")
	}
	taken := Library{}.IDs()
	for _, s := range mine {
		if slices.Contains(taken, s.ID) {
			return nil, fmt.Errorf("the scenario %s is also one of Loopproof's own: rename the file", s.ID)
		}
	}
	return mine, nil
}

// CheckScenarios checks every scenario of Loopproof with all profiles, as its tests do.
func CheckScenarios() error {
	_, err := library(rulebook.Vocabulary(profiles.Known{}), func(string) bool { return true })
	return err
}

// Library holds the scenarios of Loopproof for those who need few of them: each is read when it is
// asked for.
type Library struct{}

// IDs returns the ids of all, sorted. None is read for it.
func (Library) IDs() []string {
	ids, err := scenarios.IDsBelow(scenarios.Files())
	if err != nil {
		panic(err) // the files are embedded
	}
	for _, c := range quirkCases() {
		ids = append(ids, c.id)
	}
	slices.Sort(ids)
	return ids
}

// Find returns the scenario of an id, and nil when there is none.
func (l Library) Find(id string) (*scenarios.Scenario, error) {
	v := rulebook.NamesOnly(profiles.Known{})
	if at := slices.IndexFunc(quirkCases(), func(c quirkCase) bool { return c.id == id }); at >= 0 {
		conversation, err := quirkCases()[at].conversation(v)
		if err != nil {
			return nil, err
		}
		return quirkCases()[at].in(conversation), nil
	}
	if !slices.Contains(l.IDs(), id) {
		return nil, nil
	}
	return scenarios.OpenEmbedded(id, v)
}
