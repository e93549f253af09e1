package report

import (
	"strings"

	"github.com/loopproof/loopproof/wire"
)

// maxExhibit is how much of a request is shown, in bytes.
const maxExhibit = 800

// Exhibit returns the part of a request in which a JSON pointer lies: the message, the tool, or another value at the
// top. It is "" for a pointer to the whole request.
func Exhibit(req *wire.Request, pointer string) string {
	if req == nil {
		return ""
	}
	n := req.Body
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for _, step := range steps[:min(2, len(steps))] {
		if child := n.Child(step); child != nil {
			n = child
		}
	}
	if n == req.Body {
		return ""
	}
	return shorten(string(n.Raw), maxExhibit)
}

// shorten cuts a text to a number of bytes, between two characters.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
