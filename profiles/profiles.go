// Package profiles loads profiles: one YAML file for each flavour of a dialect. A profile says how its provider writes
// answers and errors, what it wants back of the model's reasoning, and which breaches of which rules it refuses, in its own
// words and with a source. docs/profile-keys.md describes the keys of a file.
//
//	deepseek, err := profiles.Get("deepseek")
//	srv := mockprovider.NewServer(mockprovider.Config{Profile: deepseek})
//
// The profiles of Loopproof are embedded; [Load] reads others in the same form.
package profiles

import (
	"io/fs"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
)

// Profile is one provider's flavour of a dialect. The promise is the form of its file; what a program should read of it are
// Name and Title, and Dialect, the name of its wire API.
type Profile = profiles.Profile

// All returns the embedded profiles, sorted by name.
func All() []*Profile { return profiles.All() }

// Get returns the embedded profile of a name. The error names the most similar one.
func Get(name string) (*Profile, error) { return profiles.Get(name) }

// Load reads every .yaml file at the top of a folder as a profile, and returns them with the embedded ones, sorted by name.
// They may be built upon each other and upon embedded ones, and have names of their own. The error joins all that is wrong
// in all files.
func Load(folder fs.FS) ([]*Profile, error) {
	known, err := catalog.Profiles(folder)
	if err != nil {
		return nil, err
	}
	return known.All(), nil
}

// Parse reads one profile file, which may be built upon an embedded profile. Its name is the name of the file without its
// ending.
func Parse(file, text string) (*Profile, error) { return catalog.ParseProfile(nil, file, []byte(text)) }

// Schema returns the JSON Schema of profile files, for editors and other tools.
func Schema() []byte {
	schema, err := fs.ReadFile(loopproof.Files(), "profiles/schema.json")
	if err != nil {
		panic(err) // the file is embedded
	}
	return schema
}
