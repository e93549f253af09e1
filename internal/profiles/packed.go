package profiles

import (
	_ "embed" // for the packed profiles
	"encoding/binary"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/strictyaml"
)

// packed are the embedded profiles in a form that is read faster than YAML, made by internal/docgen: the length and the bytes
// of a name, and those of a packed file, in turn. A profile whose text has changed since then is read as YAML.
//
//go:embed packed.bin
var packed string

// packedFiles are the packed profiles by their names.
var packedFiles = sync.OnceValue(func() map[string]string {
	files := map[string]string{}
	for rest := packed; rest != ""; {
		var name, file string
		name, rest = cutPart(rest)
		file, rest = cutPart(rest)
		files[name] = file
	}
	return files
})

// cutPart returns the first part of what [Pack] returned, and the rest.
func cutPart(text string) (part, rest string) {
	size, n := binary.Uvarint([]byte(text[:min(len(text), binary.MaxVarintLen32)]))
	if n <= 0 || size > uint64(len(text)-n) {
		return "", ""
	}
	return text[n : n+int(size)], text[n+int(size):]
}

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
	names, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		file, err := strictyaml.Pack(name, text)
		if err != nil {
			return nil, err
		}
		name = strings.TrimSuffix(name, path.Ext(name))
		out = append(binary.AppendUvarint(out, uint64(len(name))), name...)
		out = append(binary.AppendUvarint(out, uint64(len(file))), file...)
	}
	return out, nil
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
	return strictyaml.Unpack(file, packedFiles()[nameOf(file)], sum)
}
