package controlapi

import (
	"bytes"
	"strings"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/wire"
)

// providerError is the message and the kind of an error, as the provider sends them.
type providerError struct{ message, kind string }

// Where the envelopes of providers have the message of an error, and what it is called.
var (
	wordsAt = []string{"/error/message", "/message", "/detail", "/detail/0/msg", "/error", "/errors/0/message"}
	kindsAt = []string{"/error/type", "/type"}
	codesAt = []string{"/error/code", "/code"}
)

// errorOf reads the error from a response. It returns "" if there is none, or if its format is
// unknown.
func errorOf(a journal.Answer) providerError {
	if a.Said != nil {
		return providerError{}
	}
	body := bytes.TrimSpace(a.Body())
	if i := bytes.Index(body, []byte("data: {")); i >= 0 && body[0] != '{' { // an event of a stream
		body, _, _ = bytes.Cut(body[i+len("data: "):], []byte("\n"))
	}
	doc, err := wire.ParseNode(body)
	if err != nil {
		return providerError{}
	}
	e := providerError{message: first(doc, wordsAt), kind: first(doc, kindsAt)}
	if code := first(doc, codesAt); code != "" && code != e.kind {
		e.kind = strings.TrimPrefix(e.kind+", "+code, ", ")
	}
	return e
}

// first returns the first text or number that is at one of these pointers.
func first(doc *wire.Node, pointers []string) string {
	for _, pointer := range pointers {
		switch n := doc.At(pointer); {
		case n.Is(wire.String):
			return strings.TrimSpace(n.Text())
		case n.Is(wire.Number):
			return string(n.Raw)
		}
	}
	return ""
}
