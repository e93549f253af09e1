package savedrequests

import (
	"bytes"
	"net/url"
	"regexp"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// dialectOf returns the dialect of which an object is a request, or nil, and whether that is sure. A URL decides where it is
// one of a dialect that the object can be of.
func (f *finder) dialectOf(body *wire.Node, to *url.URL) (*wire.Dialect, bool) {
	var best *wire.Dialect
	likeness := wire.Unlike
	for _, d := range f.Dialects {
		likely := d.LikenessOf(body)
		if likely > wire.Unlike && to != nil && d.Endpoint.Has(to.Path) {
			return d, true
		}
		if likely > likeness {
			best, likeness = d, likely
		}
	}
	return best, likeness == wire.Certain
}

// listOf returns the dialect of which an array is a list of messages, or nil. An answer can have such a list too, but not one
// in which the user speaks.
func (f *finder) listOf(list *wire.Node) (*wire.Dialect, bool) {
	asks := false
	for _, item := range list.Items {
		asks = asks || item.Get("role").Text() == string(wire.User)
	}
	if !asks {
		return nil, false
	}
	body := &wire.Node{Kind: wire.Object}
	var best *wire.Dialect
	for _, d := range f.Dialects {
		body.Members = []wire.Member{{Key: d.Request.Messages, Value: list}}
		switch d.LikenessOf(body) {
		case wire.Certain:
			// An input of items is a list of messages of another dialect as well, where all of them have roles.
			if best == nil || !d.Request.Typed {
				return d, true
			}
		case wire.Likely:
			if best == nil {
				best = d
			}
		}
	}
	return best, false
}

// urlOf returns the URL that an object names alongside the body of a request, as HAR files and batches do.
func urlOf(n *wire.Node) *url.URL {
	for _, key := range []string{"url", "path"} {
		if text := n.Get(key).Text(); text != "" {
			if u, err := url.Parse(text); err == nil && u.Path != "" {
				return u
			}
		}
	}
	return nil
}

// requestLine is the first line of a request, as dumps of HTTP and logs have it.
var requestLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:POST |'url': '|"url": ?")([^ '"\n]+)`) })

// urlBefore returns the URL that a text names last, not further away than the headers of a request are long.
func urlBefore(text []byte, known *url.URL) *url.URL {
	const headers = 4 << 10
	text = text[max(0, len(text)-headers):]
	all := requestLine().FindAllSubmatch(text, -1)
	if len(all) == 0 {
		return known
	}
	last := all[len(all)-1][1]
	if u, err := url.Parse(string(bytes.TrimSpace(last))); err == nil && u.Path != "" {
		return u
	}
	return known
}
