package recording

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// fingerprint tells what a message says from what another does. What clients add to old messages,
// such as marks for a cache, does not count.
type fingerprint [sha256.Size]byte

// fingerprints returns those of the messages of a request, without the system prompt, which some
// clients rewrite all the time.
func fingerprints(req *wire.Request) []fingerprint {
	var all []fingerprint
	for _, m := range req.Messages {
		if m.Role == wire.System {
			continue
		}
		h := sha256.New()
		part := func(kind, text string) {
			fmt.Fprintf(h, "%s %d ", kind, len(text))
			io.WriteString(h, text)
		}
		part("role", m.RoleWord)
		part("text", m.Content.Text)
		for _, c := range m.Calls {
			part("call", c.ID)
			part("name", c.Name)
			part("arguments", c.Arguments)
		}
		for _, r := range m.Results {
			part("result", r.CallID)
			part("content", r.Content.Text)
		}
		for _, p := range m.Content.Parts {
			if p.Type != "text" && len(m.Calls)+len(m.Results) == 0 {
				part(p.Type, string(p.Node.Raw))
			}
		}
		all = append(all, fingerprint(h.Sum(nil)))
	}
	return all
}

// messages returns the fingerprints of an exchange. Only the writer asks for them.
func (h *heard) messages() []fingerprint {
	if h.said == nil {
		h.said = fingerprints(h.request)
	}
	return h.said
}

// extends reports whether a request continues with the conversation: its history begins with the
// messages of the last request, and adds to them, unless that one failed and is tried again.
func (c *conversation) extends(dialect string, messages []fingerprint) bool {
	if c.dialect != dialect || len(messages) < len(c.last) || !slices.Equal(messages[:len(c.last)], c.last) {
		return false
	}
	return len(messages) > len(c.last) || c.failed
}

// find returns the conversation with which a request continues, the longest that there is, or nil.
func (w *writer) find(dialect string, messages []fingerprint) *conversation {
	var found *conversation
	for _, c := range w.conversations {
		if c.extends(dialect, messages) && (found == nil || len(c.last) >= len(found.last)) {
			found = c
		}
	}
	return found
}
