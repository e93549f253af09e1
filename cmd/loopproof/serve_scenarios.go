package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/engine/scripts"
	"github.com/loopproof/loopproof/internal/exercises"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/suggest"
)

// load reads the scenarios, and checks that each request belongs to only one of them.
func (v *service) load() error {
	if v.flags.exercises {
		script, err := exercises.Script(rulebook.Vocabulary(v.known))
		if err != nil {
			return err
		}
		v.scenarios = append(v.scenarios, script)
	}
	for _, name := range v.flags.scenarios {
		found, err := v.find(name)
		if err != nil {
			return err
		}
		fit, err := v.fitting(name, found)
		if err != nil {
			return err
		}
		v.scenarios = append(v.scenarios, fit...)
	}
	if err := scripts.Check(v.scenarios); err != nil {
		return err
	}
	v.warnOfSameRecordings()
	v.warnOfIdleProfiles()
	v.tellLacks()
	return nil
}

// warnOfIdleProfiles logs profiles that were asked for and play nothing: each request under them is
// answered by an error.
func (v *service) warnOfIdleProfiles() {
	if len(v.flags.profiles) == 0 {
		return
	}
	for _, p := range v.played() {
		if len(v.scenarios) > 0 && !slices.ContainsFunc(v.scenarios, func(s *scenarios.Scenario) bool { return scripts.PlayedUnder(s, p) }) {
			v.log("the profile %s plays nothing: each scenario has something that this provider cannot say, such as reasoning that it does not show", p.Name)
		}
	}
}

// tellLacks logs what is played in part, or not at all, since a profile cannot show it.
func (v *service) tellLacks() {
	for _, p := range v.played() {
		var none []string
		for _, s := range v.scenarios {
			switch {
			case !s.Prompted() && s.ScriptFor(p):
				v.tellLacksOf(s, p)
			case !scripts.PlayedUnder(s, p) && (len(s.Profiles) == 0 && len(s.Facts().Recorded) == 0):
				none = append(none, s.ID)
			}
		}
		if more := len(none) - maxListed; more > 0 {
			none = append(none[:maxListed], fmt.Sprintf("%d more", more))
		}
		if len(none) > 0 {
			v.log("not played under the profile %s, which cannot show all of it: %s", p.Name, list(none))
		}
	}
}

// maxListed is how many scenarios a line lists.
const maxListed = 8

// tellLacksOf logs what a profile cannot show of a script.
func (v *service) tellLacksOf(s *scenarios.Scenario, p *profiles.Profile) {
	_, lacks := s.ShownUnder(p)
	for _, l := range lacks {
		step := fmt.Sprintf("step %d of %s (line %d)", l.Step+1, s.ID, s.Line(l.Step))
		if l.Key == "" {
			v.log("%s is not played under the profile %s, and requests that it matches get an error: %s", step, p.Name, l.Why)
			continue
		}
		v.log("%s is played without its `%s` under the profile %s: %s", step, l.Key, p.Name, l.Why)
	}
}

// played returns all profiles that are played.
func (v *service) played() []*profiles.Profile {
	all := append([]*profiles.Profile{v.profile}, v.others...)
	for _, r := range v.routes {
		all = append(all, r.Profile)
	}
	return all
}

// warnOfSameRecordings logs recordings of the same requests, of which only the first is played.
func (v *service) warnOfSameRecordings() {
	first := map[string]string{}
	sorted := slices.SortedStableFunc(slices.Values(v.scenarios), func(a, b *scenarios.Scenario) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID)) // hello, hello-2, hello-10
	})
	for _, s := range sorted {
		if len(s.Facts().Recorded) == 0 || !s.Prompted() {
			continue
		}
		var tools []string
		for _, t := range s.Tools {
			tools = append(tools, t.Name)
		}
		slices.Sort(tools)
		start := fmt.Sprintf("%q %q %q %q %s", s.Profiles, s.System, s.Prompts, tools, s.When)
		if other, taken := first[start]; taken {
			v.log("the recordings %s and %s begin with the same request; only %s is played: delete one, or add a `when` to it", other, s.ID, other)
			continue
		}
		first[start] = s.ID
	}
}

// find returns the scenarios of an id, a file or a folder.
func (v *service) find(name string) ([]*scenarios.Scenario, error) {
	library := catalog.Library{}
	if s, err := library.Find(name); s != nil || err != nil {
		return []*scenarios.Scenario{s}, err
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("there is no scenario, file or folder %q%s; run loopproof list scenarios to see all scenarios", name, suggest.Hint(name, library.IDs()))
	case err != nil:
		return nil, err
	case info.IsDir():
		return v.scenariosBelow(name)
	default:
		s, err := v.readScenario(name)
		return []*scenarios.Scenario{s}, err
	}
}

// readScenario reads a scenario, and collects the files that it names.
func (v *service) readScenario(file string) (*scenarios.Scenario, error) {
	s, err := readScenario(file, v.known.Own...)
	if err != nil {
		return nil, err
	}
	for _, name := range s.Files() {
		v.beside = append(v.beside, filepath.Join(filepath.Dir(file), filepath.FromSlash(name)))
	}
	return s, nil
}

func (v *service) scenariosBelow(folder string) ([]*scenarios.Scenario, error) {
	files, err := scenarioFiles([]string{folder})
	if err != nil {
		return nil, err
	}
	var all []*scenarios.Scenario
	var errs []error
	for _, file := range files {
		s, err := v.readScenario(file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, s)
	}
	return all, errors.Join(errs...)
}

// fitting returns the scenarios that can be played under the profile. Others in a folder are
// skipped; one that is named must fit.
func (v *service) fitting(name string, found []*scenarios.Scenario) ([]*scenarios.Scenario, error) {
	var fit []*scenarios.Scenario
	for _, s := range found {
		switch {
		case s.Facts().Cancels && len(found) > 1:
			v.log("%s is skipped: its user cancels, which only loopproof run can play", s.ID)
		case s.Facts().Cancels:
			return nil, fmt.Errorf("in the scenario %s the user cancels, which only loopproof run can play", s.ID)
		case v.plays(s):
			fit = append(fit, s)
		case len(found) > 1:
			v.log("%s is skipped: it is %s", s.ID, v.unfit(s))
		}
	}
	if len(fit) > 0 {
		return fit, nil
	}
	if len(found) > 1 {
		return nil, fmt.Errorf("all scenarios of %s are skipped, so there is nothing to play", name)
	}
	return nil, fmt.Errorf("the scenario %s is %s", name, v.unfit(found[0]))
}

// unfit says for which profiles a scenario is, and how they are played.
func (v *service) unfit(s *scenarios.Scenario) string {
	var others []string
	for _, p := range v.known.All() {
		if s.PlayedUnder(p) {
			others = append(others, p.Name)
		}
	}
	what := "the profile "
	if len(v.others) > 0 {
		what = "the profiles "
	}
	played := profiles.Names(v.played())
	if len(others) == 0 {
		return fmt.Sprintf("not for %s%s", what, list(played))
	}
	return fmt.Sprintf("not for %s%s, but for %s; play it with --profile %s", what, list(played), list(others), others[0])
}

// plays reports whether a scenario is for one of the profiles that are played.
func (v *service) plays(s *scenarios.Scenario) bool {
	return slices.ContainsFunc(v.played(), func(p *profiles.Profile) bool { return scripts.PlayedUnder(s, p) })
}

// playedProfiles finds the profiles that are played, each of another dialect. instead says what else
// can be done with several of one.
func playedProfiles(known profiles.Known, names []string, instead string) ([]*profiles.Profile, error) {
	played, err := known.FindAll(names)
	if err != nil {
		return nil, err
	}
	for i, p := range played {
		for _, other := range played[:i] {
			if other.Dialect == p.Dialect {
				return nil, fmt.Errorf("the profiles %s and %s have the same dialect, %s: choose one of them%s", other.Name, p.Name, p.Dialect, strings.ReplaceAll(instead, "NAME", p.Name))
			}
		}
	}
	return played, nil
}
