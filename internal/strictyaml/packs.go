package strictyaml

import (
	"encoding/binary"
	"hash/crc32"
	"io/fs"
	"path"
	"strings"
)

// Packs are the packed files of a folder by their names, without the ending.
type Packs map[string]string

// PackAll returns files of a folder in the form that [OpenPacks] reads: the length and the bytes of a name, and those of what
// [Pack] returns, in turn.
func PackAll(folder fs.FS, files []string) ([]byte, error) {
	var out []byte
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		packed, err := Pack(file, text)
		if err != nil {
			return nil, err
		}
		name := packName(file)
		out = append(binary.AppendUvarint(out, uint64(len(name))), name...)
		out = append(binary.AppendUvarint(out, uint64(len(packed))), packed...)
	}
	return out, nil
}

func packName(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// OpenPacks finds the files in what [PackAll] returned. None is read for it.
func OpenPacks(all string) Packs {
	packs := Packs{}
	for rest := all; rest != ""; {
		var name, file string
		name, rest = cutPart(rest)
		file, rest = cutPart(rest)
		packs[name] = file
	}
	return packs
}

// cutPart returns the first part of what [PackAll] returned, and the rest.
func cutPart(text string) (part, rest string) {
	size, n := binary.Uvarint([]byte(text[:min(len(text), binary.MaxVarintLen32)]))
	if n <= 0 || size > uint64(len(text)-n) {
		return "", ""
	}
	return text[n : n+int(size)], text[n+int(size):]
}

// Read reads a file, or returns nil if it was not packed, or its text has changed since then.
func (p Packs) Read(file string, text []byte) *Document {
	return p.ReadSum(file, crc32.ChecksumIEEE(text))
}

// ReadSum is [Packs.Read] for a text with a checksum, as [Checksum] returns it.
func (p Packs) ReadSum(file string, sum uint32) *Document {
	return Unpack(file, p[packName(file)], sum)
}
