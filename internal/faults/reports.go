package faults

import (
	"embed"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/strictyaml"
)

// Report is a public report of a bug of a loop over Chat Completions, with one URL or several. The
// faults that name one of the URLs have the same bug. If there is none, the report says why.
type Report struct {
	Project string   `yaml:"project"`
	Symptom string   `yaml:"symptom"`
	Links   []string `yaml:"links"`
	Cannot  string   `yaml:"cannot"` // why no fault can show it
}

// ModelledBy returns the names of the faults that model the report, of all that there are.
func (r Report) ModelledBy(all []hooks.Fault) []string {
	var names []string
	for _, f := range all {
		if slices.ContainsFunc(f.Reports, r.names) {
			names = append(names, f.Name)
		}
	}
	return names
}

func (r Report) names(link string) bool {
	return slices.ContainsFunc(r.Links, func(l string) bool { return thread(l) == thread(link) })
}

// thread is what a link leads to, whether it calls it an issue or a pull request.
func thread(link string) string { return strings.Replace(link, "/pull/", "/issues/", 1) }

//go:embed reports/*.yaml
var reportFiles embed.FS

var embeddedReports = sync.OnceValues(func() ([]Report, error) {
	names, err := fs.Glob(reportFiles, "reports/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []Report
	var errs []error
	for _, name := range names {
		data, err := fs.ReadFile(reportFiles, name)
		if err != nil {
			return nil, err
		}
		var file struct {
			Reports []Report `yaml:"reports"`
		}
		_, err = strictyaml.Read(name, data, &file)
		errs = append(errs, err)
		all = append(all, file.Reports...)
	}
	return all, errors.Join(errs...)
})

// Reports returns the public reports that the faults are held against, by area.
func Reports() []Report {
	all, err := embeddedReports()
	if err != nil {
		panic(err) // a test reads the files
	}
	return all
}
