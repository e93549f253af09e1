package controlapi

import (
	"bytes"
	"slices"
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
func errorOf(answered journal.Entry) providerError {
	if answered.Answer.Said != nil {
		return providerError{}
	}
	body := bytes.TrimSpace(answered.Answer.Body())
	doc, err := wire.ParseNode(body)
	if err != nil {
		doc = firstObject(framerOf(answered), body)
	}
	if doc == nil {
		return providerError{}
	}
	e := providerError{message: first(doc, wordsAt), kind: first(doc, kindsAt)}
	if code := first(doc, codesAt); code != "" && code != e.kind {
		e.kind = strings.TrimPrefix(e.kind+", "+code, ", ")
	}
	return e
}

// framerOf returns how the stream that a request asks for is framed.
func framerOf(e journal.Entry) *wire.Framer {
	if e.Exchange.Request == nil {
		return wire.SSE
	}
	return e.Exchange.Request.Frames()
}

// firstObject returns the first event of a stream that is an object, or nil.
func firstObject(by *wire.Framer, stream []byte) *wire.Node {
	for _, payload := range by.Payloads(append(slices.Clip(stream), "\n\n"...)) {
		if doc := wire.Parsed(payload); doc.Is(wire.Object) {
			return doc
		}
	}
	return nil
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
