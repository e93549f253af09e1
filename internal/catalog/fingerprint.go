package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// Fingerprint identifies what a loop is judged by: the rules, and the files of the scenarios and
// profiles. Two reports with the same one come from the same cases and rules if the loops claim the
// same.
var Fingerprint = sync.OnceValue(func() string {
	h := sha256.New()
	for _, r := range rulebook.Book() {
		fmt.Fprintf(h, "%s %s %t %v\n", r.ID, r.Level, r.Invariant, r.Quirks)
	}
	files := loopproof.Files()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".yaml") {
			return err
		}
		data, err := fs.ReadFile(files, name)
		fmt.Fprintf(h, "%s %d\n%s", name, len(data), data)
		return err
	})
	if err != nil {
		panic(err) // the files are embedded
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
})
