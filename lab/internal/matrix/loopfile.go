package matrix

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/suggest"
)

// LoopFileName is the name of the file that describes a loop.
const LoopFileName = "loop.yaml"

// NotExamined is the verdict of a broken rule that nobody has examined.
const NotExamined = "not yet examined"

// LoopFile describes a loop whose reports are published, and says whose fault each broken rule is.
type LoopFile struct {
	Format int    `yaml:"loopproof"` // version of the file format: 1
	Title  string `yaml:"title"`     // what people call the loop
	About  string `yaml:"about"`     // in a sentence, what else is to be known

	Repository string `yaml:"repository"` // URL of the source code of the loop
	Adapter    string `yaml:"adapter"`    // URL of the adapter
	Findings   string `yaml:"findings"`   // URL of a page that tells what was found

	Setup   []string `yaml:"setup"`   // commands that install it
	Command string   `yaml:"command"` // that plays it: loopproof run ... -- ...

	Verdicts map[string]Verdict `yaml:"verdicts"` // by the id of a broken rule
}

// Verdict is what a person found out about a broken rule.
type Verdict struct {
	Verdict  string   `yaml:"verdict"`  // whose fault it is, in a few words, or [NotExamined]
	Because  []string `yaml:"because"`  // how it comes about
	Link     string   `yaml:"link"`     // URL of an explanation
	Upstream []string `yaml:"upstream"` // URLs of reports and repairs
	Versions []string `yaml:"versions"` // of the loop, to which the verdict applies; none means all
}

// Examined reports whether the verdict says more than that nobody has examined it.
func (v Verdict) Examined() bool { return v.Verdict != "" && v.Verdict != NotExamined }

// appliesTo reports whether the verdict is about a version of the loop.
func (v Verdict) appliesTo(version string) bool {
	return len(v.Versions) == 0 || slices.Contains(v.Versions, version)
}

// readLoopFile reads the description of a loop.
func readLoopFile(file string) (*LoopFile, *strictyaml.Document, error) {
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil, fmt.Errorf("the folder %s has no %s, which describes the loop; go run ./matrix store writes one", filepath.Dir(file), LoopFileName)
	}
	if err != nil {
		return nil, nil, err
	}
	f := &LoopFile{}
	doc, err := strictyaml.Read(file, data, f)
	if err != nil {
		return nil, nil, err
	}
	return f, doc, f.check(doc)
}

// check returns what is wrong with the values of a file.
func (f *LoopFile) check(doc *strictyaml.Document) error {
	var errs problems
	switch {
	case f.Format != 1:
		errs.add(doc.Errorf("/loopproof", "the version of the file format is 1, not %d", f.Format))
	case f.Title == "":
		errs.add(doc.Errorf("", "title is missing: what people call the loop"))
	case !strings.HasPrefix(f.Command, "loopproof run "):
		errs.add(doc.Errorf("/command", "expected the command that plays the loop, as in: loopproof run -- node my-adapter.js"))
	}
	for at, address := range map[string]string{"/repository": f.Repository, "/adapter": f.Adapter, "/findings": f.Findings} {
		if address != "" && !isURL(address) {
			errs.add(doc.Errorf(at, "expected a URL that begins with https://, not %q", address))
		}
	}
	for id, v := range f.Verdicts {
		at := placeOfVerdict(id)
		if rulebook.Lookup(id) == nil {
			errs.add(doc.Errorf(at, "there is no rule %q%s", id, suggest.Hint(id, rulebook.IDs())))
		}
		if v.Verdict == "" {
			errs.add(doc.Errorf(at, "verdict is missing: whose fault it is, in a few words, or: %s", NotExamined))
		}
		if v.Link != "" && !isURL(v.Link) {
			errs.add(doc.Errorf(at+"/link", "expected a URL that begins with https://, not %q", v.Link))
		}
		for i, address := range v.Upstream {
			if !isURL(address) {
				errs.add(doc.Errorf(fmt.Sprintf("%s/upstream/%d", at, i), "expected a URL that begins with https://, not %q", address))
			}
		}
	}
	return errs.joined()
}

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// placeOfVerdict returns where the verdict on a rule is in the file.
func placeOfVerdict(id string) string { return string(jsontext.Pointer("/verdicts").AppendToken(id)) }
