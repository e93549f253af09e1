package savedrequests

import (
	"bytes"
	"errors"
	"net/url"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Errors of [Find].
var (
	ErrNone    = errors.New("no request to a model was found in it")
	errTangled = errors.New("it has too many brackets that do not close to be searched")
)

// Find returns the requests in the data of a file, in their order. The error is ErrNone where there
// is none.
func Find(data []byte, o Options) ([]Request, error) {
	whole := data
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	f := &finder{Options: o, data: data, lines: &lines{}, budget: 64*len(data) + 1<<20}
	root, err := wire.ParseNode(data)
	switch {
	case err == nil:
		f.root(root, len(whole) > len(data))
	case f.broken(data, err):
	default:
		if err := f.text(data, spot{copied: true}); err != nil {
			return nil, err
		}
	}
	if len(f.found) == 0 {
		return nil, ErrNone
	}
	return f.found, nil
}

type finder struct {
	Options
	data   []byte
	lines  *lines
	found  []Request
	budget int // how many bytes may still be read in search of the ends of values
}

// spot is where in the data a value is.
type spot struct {
	start  int // of the document to which the value belongs
	copied bool
	whole  bool // the document is the whole file, so that pointers lead to its values
	above  string
	url    *url.URL
}

// value searches a JSON value from the outside.
func (f *finder) value(n *wire.Node, at spot) {
	switch n.Type() {
	case wire.Object:
		if u := urlOf(n); u != nil {
			at.url = u
		}
		if d, sure := f.dialectOf(n, at.url); d != nil {
			f.add(Request{Body: n.Raw, Dialect: d, Sure: sure}, n, at)
			return
		}
		for _, m := range n.Members {
			f.value(m.Value, at)
		}
	case wire.Array:
		if d, sure := f.listOf(n); d != nil {
			head := `{"` + d.Request.Messages + `":`
			f.add(Request{Body: []byte(head + string(n.Raw) + "}"), List: true, Dialect: d, Sure: sure, prefix: len(head)}, n, at)
			return
		}
		for _, item := range n.Items {
			f.value(item, at)
		}
	case wire.String:
		f.within(n, at)
	}
}

func (f *finder) add(r Request, n *wire.Node, at spot) {
	r.data, r.lines, r.start, r.copied, r.URL = f.data, f.lines, at.start, at.copied, at.url
	if at.copied {
		r.start += n.Offset()
	}
	if at.whole {
		r.Place = at.above + n.Pointer()
	}
	f.found = append(f.found, r)
}

// within searches a string: HAR files, for example, have bodies as strings.
func (f *finder) within(n *wire.Node, at spot) {
	text := strings.TrimSpace(n.Text())
	if !strings.ContainsAny(text, "{[") || len(text) < len(`{"input":[]}`) {
		return
	}
	if at.copied {
		at.start += n.Offset()
	}
	at.above, at.copied = at.above+n.Pointer(), false
	if root, err := wire.ParseNode([]byte(text)); err == nil {
		f.value(root, at)
	} else if strings.Contains(text, " HTTP/1.1\r\n") || strings.Contains(text, " HTTP/1.1\n") {
		at.whole = false
		_ = f.text([]byte(text), at)
	}
}

// text searches a text for JSON values, and for values as Python prints them.
func (f *finder) text(text []byte, at spot) error {
	urls := urlsIn(text)
	for i := 0; i < len(text); i++ {
		if text[i] != '{' && (text[i] != '[' || !startsLine(text[:i])) {
			continue
		}
		if f.budget < 0 {
			return errTangled
		}
		here := at
		if at.copied {
			here.start += i
		}
		i += f.valueAt(text, urls, i, here)
	}
	return nil
}

// valueAt searches the value that begins at an offset of a text, and returns how many bytes after
// its first were searched.
func (f *finder) valueAt(whole []byte, urls [][2]int, offset int, at spot) int {
	text := whole[offset:]
	length, looked := end(text)
	f.budget -= looked
	if length == 0 {
		return 0
	}
	root, err := wire.ParseNode(text[:length])
	if err != nil && f.Literal != nil {
		f.budget -= length
		at.copied = false
		var written []byte
		if written, err = f.Literal(text[:length]); err == nil {
			root, err = wire.ParseNode(written)
		}
	}
	if err != nil {
		return 0
	}
	at.url = urlBefore(whole, urls, offset, at.url)
	if startsLine(whole[:offset]) && endsLine(text[length:]) {
		f.document(root, at)
	} else {
		f.value(root, at)
	}
	return length - 1
}

// maxDepth is how deep the brackets of a value in a text may be nested.
const maxDepth = 200

// end returns the length of the bracket at the start of a text with all in it, or 0 where it does
// not close, and how many bytes were looked at.
func end(text []byte) (length, looked int) {
	var quote byte
	depth := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == '\n':
			return 0, i
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '{' || c == '[' || c == '(':
			if depth++; depth > maxDepth {
				return 0, i
			}
		case c == '}' || c == ']' || c == ')':
			if depth--; depth == 0 {
				return i + 1, i
			}
		}
	}
	return 0, len(text)
}

func startsLine(before []byte) bool {
	before = bytes.TrimRight(before, " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

func endsLine(after []byte) bool {
	after = bytes.TrimLeft(after, " \t\r")
	return len(after) == 0 || after[0] == '\n'
}
