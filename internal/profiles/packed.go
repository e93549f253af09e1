package profiles

import (
	_ "embed" // for the packed profiles
	"io/fs"
	"sync"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/strictyaml"
)

// packed are the embedded profiles in a form that is read faster than YAML, made by internal/docgen. A profile whose text has
// changed since then is read as YAML.
//
//go:embed packed.bin
var packed string

var packs = sync.OnceValue(func() strictyaml.Packs { return strictyaml.OpenPacks(packed) })

// Pack checks the embedded profiles, and returns them in the form of the file packed.bin.
func Pack() ([]byte, error) {
	folder, err := fs.Sub(loopproof.Files(), "profiles")
	if err != nil {
		return nil, err
	}
	checked := newLoader(nil)
	if err := checked.addFolder(folder); err != nil {
		return nil, err
	}
	if _, err := checked.all(); err != nil {
		return nil, err
	}
	files, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}
	return strictyaml.PackAll(folder, files)
}

// readPacked reads an embedded profile in its packed form, and returns nil if its text has changed since it was packed.
func readPacked(folder fs.FS, file string) *strictyaml.Document {
	text, err := folder.Open(file)
	if err != nil {
		return nil
	}
	defer text.Close()
	sum, err := strictyaml.Checksum(text)
	if err != nil {
		return nil
	}
	return packs().ReadSum(file, sum)
}
