package savedrequests

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/wire"
)

// Broken says why a file that evidently is the body of one request is not JSON.
type Broken struct {
	Line, Column int    // of the first character that is wrong, from 1; a column is a character
	Characters   int    // how many are before it in the file
	Kind         string // what profiles call it: trailing-comma
	Problem      string // "a comma before a closing bracket"
}

func (b *Broken) String() string {
	return fmt.Sprintf("it is not JSON: line %d, column %d: %s", b.Line, b.Column, b.Problem)
}

// brokenBody returns what is wrong with data that is not JSON and yet evidently the body of one
// request: an object with the keys of one at its top, and nothing after it. Nil: it is something
// else, such as a log.
func (f *finder) brokenBody(text []byte, err error) (*Broken, []string) {
	var syntax *wire.SyntaxError
	begin := bytes.TrimLeft(text, " \t\r\n")
	if !errors.As(err, &syntax) || !bytes.HasPrefix(begin, []byte("{")) || severalLines(text) {
		return nil, nil
	}
	if length, _ := end(begin); length > 0 && len(bytes.TrimLeft(begin[length:], " \t\r\n}],;")) > 0 {
		return nil, nil // a log that begins with a request
	}
	keys := topKeys(begin)
	if !slices.ContainsFunc(f.Dialects, func(d *wire.Dialect) bool { return slices.Contains(keys, d.Request.Messages) }) && !slices.Contains(keys, "model") {
		return nil, nil
	}
	kind, problem := problemAt(text, syntax.Offset)
	return placed(text, syntax.Offset, kind, problem), keys
}

// placed says where in a text a problem is.
func placed(text []byte, offset int, kind, problem string) *Broken {
	before := text[:min(offset, len(text))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return &Broken{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(line), Characters: utf8.RuneCount(before), Kind: kind, Problem: problem}
}

// severalLines reports whether more than one line begins with an object, as JSON lines do.
func severalLines(text []byte) bool {
	return bytes.Count(append([]byte("\n"), text...), []byte("\n{")) > 1
}

// topKeys returns the keys of the outermost object of a text, however they are quoted.
func topKeys(text []byte) (keys []string) {
	var quote byte
	depth, begin := 0, 0
	last := "" // string at the top
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
			if depth == 1 {
				last = string(text[begin:min(i, begin+maxKey)])
			}
		case quote != 0:
		case c == '"' || c == '\'':
			quote, begin = c, i+1
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ':' && depth == 1:
			if before := bytes.TrimRight(text[:i], " \t\r\n"); isLetter(rune(before[len(before)-1])) {
				last = string(before[1+bytes.LastIndexFunc(before, func(c rune) bool { return !isLetter(c) }):])
			}
			keys = append(keys, last)
		}
	}
	return keys
}

// maxKey is how long a key is that may be one of a request.
const maxKey = 100

// literals are words that other languages write where JSON has another one, or none.
var literals = []struct{ found, problem string }{
	{"NaN", "NaN, which JSON does not have"},
	{"Infinity", "Infinity, which JSON does not have"},
	{"True", "True, which JSON writes true"},
	{"False", "False, which JSON writes false"},
	{"None", "None, which JSON writes null"},
	{"undefined", "undefined, which JSON does not have"},
}

// problemAt describes what is wrong at a place of a text that is not JSON.
func problemAt(text []byte, offset int) (kind, problem string) {
	if offset >= len(text) {
		return "breaks-off", "the text breaks off"
	}
	rest := text[offset:]
	before := bytes.TrimRight(text[:offset], " \t\r\n")
	last := byte(0)
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	for _, l := range literals {
		if bytes.HasPrefix(rest, []byte(l.found)) {
			return "literal", l.problem
		}
	}
	c, _ := utf8.DecodeRune(rest)
	next := bytes.TrimLeft(rest[1:], " \t\r\n")
	switch {
	case c == '\ufeff':
		return "byte-order-mark", "a byte order mark before the text"
	case c == ',' && len(next) > 0 && (next[0] == '}' || next[0] == ']'):
		return "trailing-comma", "a comma before a closing bracket"
	case c == '\'':
		return "single-quotes", "a single quote, where JSON has double ones"
	case strings.ContainsRune("“”‘’", c):
		return "typographic-quotes", "a typographic quote, where JSON has double ones"
	case c == '/' || c == '#':
		return "comment", "a comment, which JSON does not have"
	case c < ' ':
		return "control-character", fmt.Sprintf("the control character %U inside a string, which JSON writes %s", c, escaped(c))
	case c == '\\':
		return "escape", "an escape that JSON does not have: " + string(rest[:min(len(rest), 2)])
	case isWhole(before):
		return "more-after", "more after the end of the value"
	case strings.ContainsRune(`"{[`, c) && strings.IndexByte(`"}]0123456789el`, last) >= 0:
		return "missing-comma", "a comma is missing before this"
	case isLetter(c) && last == '"':
		return "quote-inside", `a string ends before this; a double quote inside a string is written \"`
	case isLetter(c) && (last == '{' || last == ','):
		return "bare-key", "a key without double quotes"
	}
	return "other", fmt.Sprintf("%q does not belong here", c)
}

// escaped returns a control character as JSON writes it.
func escaped(c rune) string {
	switch c {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, c)
}

func isLetter(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

// isWhole reports whether a text is a whole value.
func isWhole(text []byte) bool {
	_, err := wire.ParseNode(text)
	return err == nil
}
