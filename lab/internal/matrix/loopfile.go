package matrix

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/suggest"
)

// LoopFileName is the name of the file that describes a loop.
const LoopFileName = "loop.yaml"

// NotExamined is the verdict of a broken rule that nobody has examined.
const NotExamined = "not yet examined"

// LoopFile says what a loop is, how it is played, and whose fault each broken rule is. People write
// it; lab/results/README.md describes the keys. Its texts are Markdown, whose links are from its
// folder.
type LoopFile struct {
	Format int    `yaml:"loopproof"` // version of the file format: 1
	Title  string `yaml:"title"`     // what people call the loop
	Short  string `yaml:"short"`     // at the head of a column of the page of odd answers, or "" if it has none

	Adapter      string        `yaml:"adapter"`       // its folder in this repository, or a URL
	Args         []string      `yaml:"args"`          // after the adapter
	Agent        string        `yaml:"agent"`         // instead of an adapter: a name of loopproof list agents
	Package      string        `yaml:"package"`       // of npm, with the version of the agent
	Checkout     string        `yaml:"checkout"`      // where a library lies that is fetched by hand: the last argument
	KnownFailing string        `yaml:"known-failing"` // the list, in the folder of the adapter or in agents/known-failing
	Timeout      time.Duration `yaml:"timeout"`       // of a case; 0: the default

	Repository string   `yaml:"repository"` // URL of the source code, of a loop that is kept elsewhere
	Setup      []string `yaml:"setup"`      // commands that install it
	Command    string   `yaml:"command"`    // that plays it: loopproof run ... -- ...

	About    string    `yaml:"about"`    // what else is to be known of it and of the run
	Examined []string  `yaml:"examined"` // versions that the verdicts are about; none means all
	Verdicts []Verdict `yaml:"verdicts"` // by the id of a broken rule
	Findings []Finding `yaml:"findings"` // what was found, by the id of its heading

	Statement Statement `yaml:"statement"` // what the authors of the loop answer
}

// Verdict is what a person found out about a broken rule.
type Verdict struct {
	Rule string `yaml:"~key"`

	Verdict  string   `yaml:"verdict"`  // whose fault it is, in a few words, or [NotExamined]
	Odd      bool     `yaml:"odd"`      // it is how the loop reads an odd answer of a gateway
	Findings []string `yaml:"findings"` // ids of this file, or links: ../OTHER/loop.yaml#ID
	Upstream []string `yaml:"upstream"` // URLs of reports and repairs, besides those of the findings

	Statement string `yaml:"statement"` // what the authors of the loop answer
}

// Finding tells how failures come about.
type Finding struct {
	ID       string   `yaml:"~key"`     // [HeadingID] of the title
	Title    string   `yaml:"title"`    // one line
	Upstream []string `yaml:"upstream"` // URLs of reports and repairs
	Text     string   `yaml:"text"`
}

// oddWords are the verdict on a rule about what gateways and proxies were seen to answer.
const oddWords = "how it reads an odd answer of a gateway"

// Words returns the verdict in words, without marks of Markdown.
func (v Verdict) Words() string {
	words := strings.ReplaceAll(v.Verdict, "`", "")
	switch {
	case v.Odd && words != "":
		return oddWords + ": " + words
	case v.Odd:
		return oddWords
	default:
		return words
	}
}

// Examined reports whether the verdict says more than that nobody has examined it.
func (v Verdict) Examined() bool { return v.Words() != "" && v.Verdict != NotExamined }

// examines reports whether the verdicts are about a version of the loop.
func (f *LoopFile) examines(version string) bool {
	return len(f.Examined) == 0 || slices.Contains(f.Examined, version)
}

// verdict returns what the file says of a rule; of one that it does not name, the zero value.
func (f *LoopFile) verdict(rule string) Verdict {
	at := slices.IndexFunc(f.Verdicts, func(v Verdict) bool { return v.Rule == rule })
	if at < 0 {
		return Verdict{}
	}
	return f.Verdicts[at]
}

// finding returns the finding with an id, or nil.
func (f *LoopFile) finding(id string) *Finding {
	at := slices.IndexFunc(f.Findings, func(one Finding) bool { return one.ID == id })
	if at < 0 {
		return nil
	}
	return &f.Findings[at]
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
	}
	f.checkPlaying(doc, &errs)
	f.checkStatement(doc, &errs)
	checkURLs(doc, &errs, "/repository", f.Repository)
	for _, v := range f.Verdicts {
		f.checkVerdict(doc, &errs, v)
	}
	for _, one := range f.Findings {
		at := string(jsontext.Pointer("/findings").AppendToken(one.ID))
		if one.Title == "" || strings.TrimSpace(one.Text) == "" {
			errs.add(doc.Errorf(at, "a finding has a title and a text"))
		}
		if want := HeadingID(one.Title); one.ID != want {
			errs.add(doc.Errorf(at, "the id of a finding is made of its title: %s", want))
		}
		checkURLs(doc, &errs, at+"/upstream", one.Upstream...)
	}
	return errs.joined()
}

// checkPlaying checks what is said of how the loop is played.
func (f *LoopFile) checkPlaying(doc *strictyaml.Document, errs *problems) {
	switch {
	case f.Ours():
		if f.Command != "" || len(f.Setup) > 0 {
			errs.add(doc.Errorf("/command", "how an adapter or an agent of this repository is set up and played follows from the other keys"))
		}
		if f.IsAgent() && (f.Adapter != "" || f.Package == "") {
			errs.add(doc.Errorf("/agent", "an agent has a package of npm with its version, and no adapter"))
		}
		if !f.IsAgent() && f.Language() == nil {
			errs.add(doc.Errorf("/adapter", "an adapter is lab/adapters/LANGUAGE/NAME, the languages are %s", languageNames()))
		}
	case !strings.HasPrefix(f.Command, "loopproof run "):
		errs.add(doc.Errorf("/command", "expected the command that plays the loop, as in: loopproof run -- node my-adapter.js"))
	default:
		checkURLs(doc, errs, "/adapter", f.Adapter)
	}
}

func (f *LoopFile) checkVerdict(doc *strictyaml.Document, errs *problems, v Verdict) {
	at := placeOfVerdict(v.Rule)
	if rulebook.Lookup(v.Rule) == nil {
		errs.add(doc.Errorf(at, "there is no rule %q%s", v.Rule, suggest.Hint(v.Rule, rulebook.IDs())))
	}
	if v.Words() == "" {
		errs.add(doc.Errorf(at, "verdict is missing: whose fault it is, in a few words, or: %s", NotExamined))
	}
	var ids []string
	for _, one := range f.Findings {
		ids = append(ids, one.ID)
	}
	for i, id := range v.Findings {
		if !strings.Contains(id, "/") && !slices.Contains(ids, id) {
			errs.add(doc.Errorf(fmt.Sprintf("%s/findings/%d", at, i), "there is no finding %q%s", id, suggest.Hint(id, ids)))
		}
	}
	checkURLs(doc, errs, at+"/upstream", v.Upstream...)
}

func checkURLs(doc *strictyaml.Document, errs *problems, at string, addresses ...string) {
	for i, address := range addresses {
		if address != "" && !isURL(address) {
			if strings.HasSuffix(at, "/upstream") {
				at = fmt.Sprintf("%s/%d", at, i)
			}
			errs.add(doc.Errorf(at, "expected a URL that begins with https://, not %q", address))
		}
	}
}

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// placeOfVerdict returns where the verdict on a rule is in the file.
func placeOfVerdict(id string) string { return string(jsontext.Pointer("/verdicts").AppendToken(id)) }
