package profiles

import (
	"io/fs"
	"slices"
	"sync"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// embedded is the shelf of the embedded profiles.
var embedded = sync.OnceValue(func() *shelf {
	l := newLoader(nil)
	if err := l.addEmbedded(); err != nil {
		panic(err) // a test reads every embedded file
	}
	return &shelf{loader: l}
})

// addEmbedded notes the embedded files.
func (l *loader) addEmbedded() error {
	folder, err := fs.Sub(loopproof.Files(), "profiles")
	if err != nil {
		return err
	}
	files, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return err
	}
	for _, file := range files {
		err := l.note(file, func() (*strictyaml.Document, error) {
			data, err := fs.ReadFile(folder, file)
			if err != nil {
				return nil, err
			}
			return strictyaml.Parse(file, data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// shelf reads profiles when they are asked for, since a program needs few of them. They are never
// changed after they were read.
type shelf struct {
	mu     sync.Mutex
	loader *loader
}

func (s *shelf) all() ([]*Profile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loader.all()
}

func (s *shelf) get(name string) (*Profile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.loader.files[name]; !there {
		return nil, notAmong(s.names(), name)
	}
	return s.loader.profile(name)
}

// names returns the names of the profiles, sorted. They are not read.
func (s *shelf) names() []string { return slices.Sorted(slices.Values(s.loader.names)) }

// All returns the embedded profiles that are no drafts, sorted by name.
func All() []*Profile {
	return slices.DeleteFunc(every(), func(p *Profile) bool { return p.Draft })
}

// every returns a list of all embedded profiles, sorted by name.
func every() []*Profile {
	all, err := embedded().all()
	if err != nil {
		panic(err) // a test reads every embedded file
	}
	return all
}

// CheckAll reads and checks every embedded profile. Those of a release are valid, as a test says;
// those of a checkout may not be: see [loopproof.CheckoutVariable].
func CheckAll() error {
	l := newLoader(nil)
	if err := l.addEmbedded(); err != nil {
		return err
	}
	_, err := l.all()
	return err
}

// Get returns the embedded profile of a name, and reads no other. The error names the nearest known
// one.
func Get(name string) (*Profile, error) { return embedded().get(name) }

// Known are the profiles that can be named: the embedded ones, which are read when they are asked
// for, and one's own.
type Known struct {
	Own []*Profile
}

// All returns all of them, drafts among them, sorted by name.
func (k Known) All() []*Profile { return sorted(slices.Concat(every(), k.Own)) }

// Names returns the names of all, sorted. None is read for it.
func (k Known) Names() []string {
	return slices.Sorted(slices.Values(slices.Concat(embedded().names(), Names(k.Own))))
}

// Find returns the profile of a name, and reads no other. The error names the nearest one.
func (k Known) Find(name string) (*Profile, error) {
	if at := slices.IndexFunc(k.Own, func(p *Profile) bool { return p.Name == name }); at >= 0 {
		return k.Own[at], nil
	}
	if !slices.Contains(embedded().loader.names, name) {
		return nil, notAmong(k.Names(), name)
	}
	return Get(name)
}

// FindAll returns the profiles of some names, as [Known.Find] does.
func (k Known) FindAll(names []string) ([]*Profile, error) {
	found := make([]*Profile, len(names))
	for i, name := range names {
		p, err := k.Find(name)
		if err != nil {
			return nil, err
		}
		found[i] = p
	}
	return found, nil
}

// Spoken returns the dialects of all: first Loopproof's own, drafts among them, then those that only
// one's own profiles speak.
func (k Known) Spoken() []*wire.Dialect { return spoken(dialect.Known(), k.Own) }

// Dialects returns the names of those dialects.
func (k Known) Dialects() []string { return dialect.Names(k.Spoken()) }
