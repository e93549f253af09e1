// Package savedrequests finds requests to models in what people have at hand: a saved body, a list
// of messages, JSON lines, a HAR file, the log of an SDK, a dump of HTTP requests.
//
//	found, err := savedrequests.Find(data, savedrequests.Options{Dialects: dialect.All()})
//	for _, r := range found {
//		fmt.Println(r.Place, r.Line(0), r.Dialect.Title, len(r.Body))
//	}
//
// No format is named or guessed: each JSON value of the data is searched, from the outside, for an
// object that is a request of a dialect, or for a list of its messages.
package savedrequests

import (
	"net/url"
	"sort"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// Options say what is searched for.
type Options struct {
	Dialects []*wire.Dialect

	// Asked are those of the dialects that a user named: what may be a request of one of them is
	// one.
	Asked []*wire.Dialect

	// Literal reads a value as Python prints it, and returns it as JSON. Nil: only JSON is read.
	Literal func(text []byte) (json []byte, err error)
}

// Request is a saved request.
type Request struct {
	// Place is the JSON pointer of the request in a file that is one JSON document, and ""
	// otherwise.
	Place string

	// Body is the request. Where only a list of messages was saved, it is an object with this list
	// alone, and List is true.
	Body []byte
	List bool

	// Dialect is the one that fits best. Sure says that only requests of that dialect look so, or
	// that its URL was saved too.
	Dialect *wire.Dialect
	Sure    bool

	URL *url.URL // to which it was sent; nil: that was not saved

	// Broken says why the file, which is this one body, is not JSON. Body is then what could be
	// read in spite of it, or nil. Nil: it is JSON.
	Broken *Broken

	data   []byte // of the file
	lines  *lines // of the file
	start  int    // where in the data the request begins
	copied bool   // the body is as it is in the data, and not decoded from a string in it
	prefix int    // how much of the body is not in the data
}

// Line returns the line of the file on which a byte of the body is, from 1. In a body that was
// saved as a string within a document it is the line on which this string begins.
func (r *Request) Line(offset int) int {
	at := r.start
	if r.copied {
		at += max(0, offset-r.prefix)
	}
	return 1 + r.lines.before(r.data, min(at, len(r.data)))
}

// lines are the offsets of the line ends of a file, which its requests share.
type lines struct {
	once sync.Once
	ends []int
}

// before returns how many lines end before an offset.
func (l *lines) before(data []byte, offset int) int {
	l.once.Do(func() {
		for i, c := range data {
			if c == '\n' {
				l.ends = append(l.ends, i)
			}
		}
	})
	return sort.SearchInts(l.ends, offset)
}

// Pointer returns a pointer into the body as a pointer into what was saved, and false where the
// body has that place only because it was made for a list.
func (r *Request) Pointer(pointer string) (string, bool) {
	if !r.List {
		return pointer, true
	}
	list := "/" + r.Dialect.Request.Messages
	if len(pointer) < len(list) || pointer[:len(list)] != list {
		return "", false
	}
	return pointer[len(list):], true
}
