// Package profiles loads profiles. Each is a YAML file that describes a provider: how it writes
// answers and errors, which reasoning has to be sent back, and which violations it refuses, with
// the original messages and sources. schema.json describes the keys.
//
//	deepseek, err := profiles.Get("deepseek")
//	srv := mockprovider.NewServer(mockprovider.Config{Profile: deepseek})
//
// The profiles of Loopproof are embedded; [Load] reads others.
package profiles

import (
	"io/fs"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/opaque"
	"github.com/loopproof/loopproof/internal/profiles"
)

// Profile is a provider that can be played. Get one with [Get], [Load], [Parse] or [All].
type Profile struct{ box }

type box = opaque.Box[*profiles.Profile]

// Name returns the name of the profile: that of its file, without the extension.
func (p *Profile) Name() string { return opaque.Open(p).Name }

// Title returns the name of the provider, as people write it.
func (p *Profile) Title() string { return opaque.Open(p).Title }

// Dialect returns the wire API that the provider speaks: chat, responses, messages or gemini.
func (p *Profile) Dialect() string { return opaque.Open(p).Dialect }

// All returns the embedded profiles that are no drafts, sorted by name.
func All() []*Profile { return wrapped(profiles.All()) }

// Get returns the embedded profile of a name. The error names the most similar one.
func Get(name string) (*Profile, error) { return result(profiles.Get(name)) }

// Load reads every .yaml file at the top of a folder as a profile, and returns them with the
// embedded ones, drafts among them, sorted by name. They may be based on each other and on embedded
// ones, and need other names than these. The error joins the errors of all files.
func Load(folder fs.FS) ([]*Profile, error) {
	known, err := catalog.Profiles(folder)
	if err != nil {
		return nil, err
	}
	return wrapped(known.All()), nil
}

// Parse reads one profile file, which may be based on an embedded profile. Its name is the name of
// the file without the extension.
func Parse(file, text string) (*Profile, error) {
	return result(catalog.ParseProfile(nil, file, []byte(text)))
}

func result(p *profiles.Profile, err error) (*Profile, error) {
	if err != nil {
		return nil, err
	}
	return &Profile{opaque.Of(p)}, nil
}

func wrapped(all []*profiles.Profile) []*Profile {
	out := make([]*Profile, len(all))
	for i, p := range all {
		out[i] = &Profile{opaque.Of(p)}
	}
	return out
}

// Schema returns the JSON Schema of profile files, for editors and other tools.
func Schema() []byte {
	schema, err := fs.ReadFile(loopproof.Files(), "profiles/schema.json")
	if err != nil {
		panic(err) // the file is embedded
	}
	return schema
}
