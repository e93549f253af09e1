package pairs

import (
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/scenarios"
)

// ListFile is the list of all pairs.
const ListFile = "lab/adapters/pairs/pairs.yaml"

// pairList is the file of all pairs.
type pairList struct {
	Pairs []pair `yaml:"pairs"`
}

// pair is a public fix: a version of a package that has the bug, and one that does not. The file
// describes the fields.
type pair struct {
	Name    string            `yaml:"name"`
	Title   string            `yaml:"title"`
	Fix     string            `yaml:"fix"`
	Adapter string            `yaml:"adapter"`
	Args    []string          `yaml:"args"`
	Package string            `yaml:"package"`
	Bad     string            `yaml:"bad"`
	Good    string            `yaml:"good"`
	With    map[string]string `yaml:"with"`
	BadWith map[string]string `yaml:"bad-with"`
	Rules   []string          `yaml:"rules"`
	Cases   []string          `yaml:"cases"`
	Same    string            `yaml:"same"`
}

// readPairs reads the list, and refuses a pair that cannot be played. The current folder is the
// root of the repository.
func readPairs(file string) ([]pair, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("run this at the root of the repository: %w", err)
	}
	var list pairList
	doc, err := strictyaml.Read(file, data, &list)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i, p := range list.Pairs {
		if err := p.check(seen); err != nil {
			return nil, doc.Errorf(fmt.Sprintf("/pairs/%d", i), "%v", err)
		}
		seen[p.Name] = true
	}
	return list.Pairs, nil
}

var (
	fixURL   = regexp.MustCompile(`^https://github\.com/[\w.-]+/[\w.-]+/(issues|pull|commit)/\w+$`)
	pairName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

// check says what is wrong with a pair.
func (p pair) check(seen map[string]bool) error {
	switch {
	case !pairName.MatchString(p.Name):
		return fmt.Errorf("the name of a pair is in small letters, digits and dashes, not %q", p.Name)
	case seen[p.Name]:
		return fmt.Errorf("there are two pairs %s", p.Name)
	case p.Title == "":
		return fmt.Errorf("%s has no title", p.Name)
	case !fixURL.MatchString(p.Fix):
		return fmt.Errorf("%s: fix is the address of an issue, a pull request or a commit on GitHub, not %q", p.Name, p.Fix)
	case p.Package == "" || p.Bad == "" || p.Good == "" || p.Bad == p.Good:
		return fmt.Errorf("%s: a pair has a package, and a bad and a good version of it", p.Name)
	case len(p.Rules) == 0 || len(p.Cases) == 0:
		return fmt.Errorf("%s: a pair has the rules that the bug breaks, and the cases to play", p.Name)
	}
	if _, err := p.language(); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	return p.checkNames()
}

// checkNames requires that the rules and scenarios exist.
func (p pair) checkNames() error {
	for _, rule := range p.Rules {
		if rulebook.Lookup(rule) == nil {
			return fmt.Errorf("%s: there is no rule %s%s", p.Name, rule, suggest.Hint(rule, rulebook.IDs()))
		}
	}
	for _, c := range p.Cases {
		scenario, rest, _ := strings.Cut(c, "@")
		if strings.Count(rest, "/") != 2 {
			return fmt.Errorf("%s: a case is SCENARIO@DIALECT/PROFILE/DELIVERY, where the last three may be patterns, not %s", p.Name, c)
		}
		if ids := scenarioIDs(); !slices.Contains(ids, scenario) {
			return fmt.Errorf("%s: there is no scenario %s%s", p.Name, scenario, suggest.Hint(scenario, ids))
		}
	}
	return nil
}

func scenarioIDs() []string {
	var ids []string
	for _, s := range scenarios.All() {
		ids = append(ids, s.ID())
	}
	return ids
}

// language is that of the adapter, which its folder shows.
func (p pair) language() (language, error) {
	for _, l := range languages {
		if _, err := os.Stat(path.Join(p.Adapter, l.file)); err == nil {
			return l, nil
		}
	}
	return language{}, fmt.Errorf("%q is no folder with an adapter.mjs or an adapter.py", p.Adapter)
}

// side is one of the two versions.
type side string

const (
	bad  side = "bad"
	good side = "good"
)

// version of the package on a side.
func (p pair) version(s side) string {
	if s == bad {
		return p.Bad
	}
	return p.Good
}

// pins are all packages that are installed for a side, with their versions.
func (p pair) pins(s side) map[string]string {
	pins := map[string]string{}
	maps.Copy(pins, p.With)
	if s == bad {
		maps.Copy(pins, p.BadWith)
	}
	pins[p.Package] = p.version(s)
	return pins
}

// choose returns the pairs with these names, or all without names.
func choose(pairs []pair, wanted []string) ([]pair, error) {
	var names []string
	for _, p := range pairs {
		names = append(names, p.Name)
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there is no pair %q in %s%s", name, ListFile, suggest.Hint(name, names))
		}
	}
	if len(wanted) == 0 {
		return pairs, nil
	}
	return slices.DeleteFunc(slices.Clone(pairs), func(p pair) bool { return !slices.Contains(wanted, p.Name) }), nil
}
