package egress

import (
	"strings"
	"unicode/utf16"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// cutsUnits makes a loop that cuts long results after a number of units of UTF-16, with a note.
// Half a pair cannot be in a text of Go: a letter for private use stands for it until the request
// is written.
func cutsUnits(limit int) func() hooks.Mutation {
	const half = "\ue0f0"
	return func() hooks.Mutation {
		c := hooks.OnResults(func(s string) string {
			units := utf16.Encode([]rune(s))
			if len(units) <= limit {
				return s
			}
			head := strings.ReplaceAll(string(utf16.Decode(units[:limit])), "\ufffd", half)
			return head + "\n[... the rest was left out ...]"
		})()
		c.RawRequest = func(r *raw.Request) { r.Body = strings.ReplaceAll(r.Body, half, `\ud83c`) }
		return c
	}
}
