package profiles

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/suggest"
)

// Find returns the profile of a name among some. The error names the nearest of them.
func Find(all []*Profile, name string) (*Profile, error) {
	for _, p := range all {
		if p.Name == name {
			return p, nil
		}
	}
	return nil, notAmong(Names(all), name)
}

func notAmong(names []string, name string) error {
	return fmt.Errorf("there is no profile %q%s; the profiles are %s", name, suggest.Hint(name, names), strings.Join(names, ", "))
}

// Of returns those of some profiles that are of a dialect.
func Of(dialect string, all []*Profile) []*Profile {
	return slices.DeleteFunc(slices.Clone(all), func(p *Profile) bool { return p.Dialect != dialect })
}

// Names returns the names of profiles.
func Names(all []*Profile) []string {
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	return names
}

// Quirks returns the profiles that show each quirk, by its name.
func Quirks(all []*Profile) map[string][]string {
	shownBy := map[string][]string{}
	for _, p := range all {
		for _, shown := range p.Quirks {
			shownBy[shown.Name] = append(shownBy[shown.Name], p.Name)
		}
	}
	return shownBy
}

// Load reads every .yaml file at the top of a folder as a profile, and returns them with the
// embedded ones, sorted by name. They may be built upon each other and upon embedded ones, and have
// names of their own. The error joins all that is wrong in all files.
func Load(folder fs.FS) ([]*Profile, error) {
	own, err := load(folder, every())
	if err != nil {
		return nil, err
	}
	return sorted(append(slices.Clone(All()), own...)), nil
}

// Parse reads one profile file, which may be built upon an embedded profile. Its name is the file's
// name without the ending. One that is embedded itself is read again.
func Parse(file string, data []byte) (*Profile, error) { return ParseBeside(nil, file, data) }

// ParseBeside is Parse for a file in a folder: it may be built upon the other files there, too.
func ParseBeside(folder fs.FS, file string, data []byte) (*Profile, error) {
	name := nameOf(file)
	known, _ := embedded().all() // those that are right
	l := newLoader(slices.DeleteFunc(slices.Clone(known), func(p *Profile) bool { return p.Name == name }), dialect.In(folder)...)
	if err := l.add(file, func() ([]byte, error) { return data, nil }); err != nil {
		return nil, err
	}
	if folder != nil {
		l.addOthers(folder)
	}
	return l.profile(name)
}

// addOthers notes the other files of a folder. What is wrong in them shows where something is built
// upon them.
func (l *loader) addOthers(folder fs.FS) {
	entries, _ := fs.ReadDir(folder, ".")
	for _, entry := range entries {
		name := nameOf(entry.Name())
		if entry.IsDir() || path.Ext(entry.Name()) != ".yaml" || l.read[name] != nil || l.files[name] != nil {
			continue
		}
		l.add(entry.Name(), func() ([]byte, error) { return fs.ReadFile(folder, entry.Name()) })
	}
}

func nameOf(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// load reads the profiles of a folder.
func load(folder fs.FS, known []*Profile) ([]*Profile, error) {
	l := newLoader(known, dialect.In(folder)...)
	err := l.addFolder(folder)
	all, errs := l.all()
	return all, errors.Join(err, errs)
}

// addFolder notes the files of a folder.
func (l *loader) addFolder(folder fs.FS) error {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return err
	}
	var errs []error
	for _, entry := range entries {
		if ext := path.Ext(entry.Name()); entry.IsDir() || ext != ".yaml" && ext != ".yml" {
			continue
		}
		errs = append(errs, l.add(entry.Name(), func() ([]byte, error) { return fs.ReadFile(folder, entry.Name()) }))
	}
	return errors.Join(errs...)
}

// all reads the profiles of all files.
func (l *loader) all() ([]*Profile, error) {
	l.parseAll()
	var all []*Profile
	var errs []error
	for _, name := range l.names {
		p, err := l.profile(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, p)
	}
	return sorted(all), errors.Join(errs...)
}

func sorted(all []*Profile) []*Profile {
	slices.SortFunc(all, func(a, b *Profile) int { return strings.Compare(a.Name, b.Name) })
	return all
}
