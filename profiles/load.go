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

func (p *Profile) check() error {
	var errs []error
	expect := func(ok bool, at, format string, args ...any) {
		if !ok {
			errs = append(errs, p.doc.Errorf(at, format, args...))
		}
	}
	expect(p.Format == 1, "/loopproof", "this is not a file of format 1: it needs the line `loopproof: 1`")
	expect(p.Title != "", "/title", "a profile needs a title")
	expect(p.Dialect == "chat", "/dialect", "unknown dialect %q; the dialects are chat", p.Dialect)
	expect(!p.Errors.Envelope.Empty(), "/errors", "a profile needs errors.envelope, the body of an error response")
	expect(slices.Contains(policies, p.Reasoning.Resend), "/reasoning/resend", "unknown policy %q; the policies are %s", p.Reasoning.Resend, join(policies))
	for i, r := range p.Refuses {
		at := fmt.Sprintf("/refuses/%d", i)
		expect(r.Status >= 400 && r.Status <= 599, at+"/status", "a refusal has a status from 400 to 599, not %d", r.Status)
		expect(slices.Contains(proofs, r.KnownBy), at+"/known-by", "unknown word %q; a claim is known-by %s", r.KnownBy, join(proofs))
		expect(len(r.Sources) > 0 || !r.KnownBy.Strong(), at, "the refusal of %s names no source", r.Rule)
	}
	return errors.Join(errs...)
}

// Errorf returns an error at a place of the profile's file: "/refuses/2/rule".
func (p *Profile) Errorf(at, format string, args ...any) error {
	return p.doc.Errorf(at, format, args...)
}

var (
	policies = []Resend{ResendNone, ResendNever, ResendOptional, ResendToolTurns}
	proofs   = []KnownBy{Documented, Recorded, Measured, Reported, Unnamed}
)

func join[T ~string](words []T) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, ", ")
}
