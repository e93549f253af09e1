package rulebook

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/trace"
)

// Number is a numbered rulebook: the rules and their levels as they were frozen under a number such
// as 2026.12. What changes later is judged, reported and not counted until the next number, so that
// a result has the same meaning as long as it names the same number.
type Number struct {
	Number string `yaml:"number"` // YEAR.MONTH

	// Frozen is the date since when nothing changes under the number any more. Until then, docgen
	// writes the file anew with each change of a rule.
	Frozen string `yaml:"frozen"`

	Rules map[string]trace.Level `yaml:"rules"`

	// Changes are those since the number was frozen, the oldest first.
	Changes []Change `yaml:"changes"`
}

// Change is an entry of the log of rules.
type Change struct {
	Date   string `yaml:"date"`   // YYYY-MM-DD
	Rule   string `yaml:"rule"`   // its id
	Change Kind   `yaml:"change"` // what happened
	Why    string `yaml:"why"`    // with a link where there is one
}

// Kind says what happened to a rule.
type Kind string

// The kinds of changes.
const (
	Added     Kind = "added"     // provisional until the next number
	Raised    Kind = "raised"    // to a heavier level, from the next number on
	Lowered   Kind = "lowered"   // to a lighter level, at once
	Withdrawn Kind = "withdrawn" // it is judged no longer
	Disputed  Kind = "disputed"  // not counted until it is decided
	Decided   Kind = "decided"   // counted again
)

// Standing says why a violation of a rule is not counted; "" is counted.
type Standing string

// The standings of rules that are not counted.
const (
	IsProvisional Standing = "provisional"
	IsDisputed    Standing = "disputed"
)

//go:embed numbers/*.yaml
var numberFiles embed.FS

// numbers are read once. They are files of this package, which a test reads.
var numbers = sync.OnceValues(func() ([]Number, error) { return readNumbers(numberFiles) })

// readNumbers returns the numbers of the files in the folder numbers, the oldest first.
func readNumbers(folder fs.FS) (all []Number, err error) {
	files, err := fs.Glob(folder, "numbers/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, file := range files { // in the order of their names, which is that of time
		data, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		var n Number
		if _, err := strictyaml.Read(file, data, &n); err != nil {
			return nil, err
		}
		if want := strings.TrimSuffix(path.Base(file), ".yaml"); n.Number != want {
			return nil, fmt.Errorf("%s: the number is %s, expected that of the file, %s", file, n.Number, want)
		}
		all = append(all, n)
	}
	return all, nil
}

// Latest returns the newest number without its rules and changes, which are not read: every start of
// the program shows it in its help and its version.
func Latest() (n Number) {
	files, err := fs.Glob(numberFiles, "numbers/*.yaml")
	if err == nil && len(files) > 0 {
		newest := files[len(files)-1]
		var data []byte
		if data, err = numberFiles.ReadFile(newest); err == nil {
			head, _, _ := bytes.Cut(data, []byte("\nrules:"))
			_, err = strictyaml.Read(newest, head, &n)
		}
	}
	if err != nil {
		panic(fmt.Sprintf("rulebook: the newest number cannot be read: %v", err)) // it is embedded
	}
	return n
}

// Newest returns the newest number.
func Newest() Number {
	all, err := numbers()
	if err != nil || len(all) == 0 {
		panic(fmt.Sprintf("rulebook: the numbers cannot be read: %v", err)) // they are embedded
	}
	return all[len(all)-1]
}

// NumberFile returns the file of a number.
func NumberFile(number string) ([]byte, error) {
	return numberFiles.ReadFile("numbers/" + number + ".yaml")
}

// Numbered returns the rulebook of a number; "" is the newest.
func Numbered(number string) (Number, error) {
	if number == "" {
		return Newest(), nil
	}
	all, err := numbers()
	if err != nil {
		return Number{}, err
	}
	var known []string
	for _, n := range all {
		if n.Number == number {
			return n, nil
		}
		known = append(known, n.Number)
	}
	return Number{}, fmt.Errorf("there is no rulebook %s; there are %s", number, strings.Join(known, ", "))
}

// String returns the number, and that nothing is frozen under it yet, if so.
func (n Number) String() string {
	if n.Frozen == "" {
		return n.Number + " (draft)"
	}
	return n.Number
}

// Standing returns why violations of a rule are not counted under the number.
func (n Number) Standing(rule string) Standing {
	var last Kind
	for _, c := range n.Changes {
		if c.Rule == rule && slices.Contains([]Kind{Disputed, Decided}, c.Change) {
			last = c.Change
		}
	}
	switch _, known := n.Rules[rule]; {
	case last == Disputed:
		return IsDisputed
	case !known && n.Frozen != "":
		return IsProvisional
	default:
		return ""
	}
}

// CapLevels makes a judgement that of the number: what is not counted is an info, and no rule is heavier
// than it was when the number was frozen.
func (n Number) CapLevels(j *rules.Judgement) {
	most := trace.Info
	if n.Standing(j.Rule.ID) == "" {
		most = n.Rules[j.Rule.ID]
		if n.Frozen == "" || !j.Rule.Level.Outweighs(most) {
			return // as it was; profiles may make it heavier or lighter as before
		}
	}
	j.Level = lighter(j.Level, most)
	for i := range j.Findings {
		j.Findings[i].Level = lighter(j.Findings[i].Level, most)
	}
}

func lighter(a, b trace.Level) trace.Level {
	if a.Outweighs(b) {
		return b
	}
	return a
}

// CheckLog returns an error for each difference between the rules of today and a number that its
// log does not tell, and for each entry that tells of none.
func (n Number) CheckLog(book []*rules.Rule) (errs []error) {
	logged := map[string]Kind{}
	for _, c := range n.Changes {
		if c.Change != Disputed && c.Change != Decided {
			logged[c.Rule] = c.Change
		}
	}
	differs := func(rule string, is Kind) {
		if logged[rule] != is {
			errs = append(errs, fmt.Errorf("%s is %s since the rulebook %s, and its log says %q: add an entry to changes, with the reason", rule, is, n.Number, logged[rule]))
		}
		delete(logged, rule)
	}
	today := map[string]bool{}
	for _, r := range book {
		today[r.ID] = true
		switch frozen, known := n.Rules[r.ID]; {
		case !known:
			differs(r.ID, Added)
		case r.Level.Outweighs(frozen):
			differs(r.ID, Raised)
		case frozen.Outweighs(r.Level):
			differs(r.ID, Lowered)
		}
	}
	for rule := range n.Rules {
		if !today[rule] {
			differs(rule, Withdrawn)
		}
	}
	for rule, is := range logged {
		errs = append(errs, fmt.Errorf("the log of the rulebook %s says that %s is %s, and it is as it was", n.Number, rule, is))
	}
	return errs
}
