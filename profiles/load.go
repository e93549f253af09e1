package profiles

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/nearest"
	"github.com/loopproof/loopproof/internal/strictyaml"
)

//go:embed *.yaml
var files embed.FS

// embedded is read once; profiles are never changed after they were read.
var embedded = sync.OnceValues(func() ([]*Profile, error) { return Load(files) })

// All returns the embedded profiles, sorted by name.
func All() []*Profile {
	all, err := embedded()
	if err != nil {
		panic(err) // a test reads every embedded file
	}
	return all
}

// Get returns the embedded profile of a name. The error names the nearest known one.
func Get(name string) (*Profile, error) {
	all := All()
	for _, p := range all {
		if p.Name == name {
			return p, nil
		}
	}
	names := Names(all)
	return nil, fmt.Errorf("there is no profile %q%s; the profiles are %s", name, nearest.Hint(name, names), strings.Join(names, ", "))
}

// Names returns the names of profiles.
func Names(all []*Profile) []string {
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	return names
}

// Load reads every .yaml file at the top of a folder as a profile. The error joins all that is wrong in all files.
func Load(folder fs.FS) ([]*Profile, error) {
	entries, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}
	var all []*Profile
	var errs []error
	for _, file := range entries {
		data, err := fs.ReadFile(folder, file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		p, err := Parse(file, data)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *Profile) int { return strings.Compare(a.Name, b.Name) })
	return all, errors.Join(errs...)
}

// Parse reads one profile file. Its name is the file's name without the ending.
func Parse(file string, data []byte) (*Profile, error) {
	var p Profile
	doc, err := strictyaml.Read(file, data, &p)
	if err != nil {
		return nil, err
	}
	p.Name = strings.TrimSuffix(path.Base(file), ".yaml")
	p.doc = doc
	if err := p.check(); err != nil {
		return nil, err
	}
	return &p, nil
}
