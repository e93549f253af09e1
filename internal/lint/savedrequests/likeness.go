package savedrequests

import (
	"bytes"
	"net/url"
	"regexp"
	"sort"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// dialectOf returns the dialect of which an object is a request, or nil, and whether that is sure.
// A URL decides where it is one of a dialect that the object can be of.
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

// listOf returns the dialect of which an array is a list of messages, or nil. An answer can have
// such a list too, but not one in which the user speaks.
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
			// An input of items is a list of messages of another dialect as well, where all of them
			// have roles.
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

// urlOf returns the URL that an object names alongside the body of a request, as HAR files and
// batches do.
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

// urlsIn returns where a text names URLs, in their order.
func urlsIn(text []byte) (places [][2]int) {
	for _, found := range requestLine().FindAllSubmatchIndex(text, -1) {
		places = append(places, [2]int{found[2], found[3]})
	}
	return places
}

// urlBefore returns the URL that a text names last before an offset, not further away than the
// headers of a request are long. Those that it names are at some places.
func urlBefore(text []byte, places [][2]int, offset int, known *url.URL) *url.URL {
	const headers = 4 << 10
	i := sort.Search(len(places), func(i int) bool { return places[i][0] >= offset }) - 1
	if i < 0 || places[i][0] < offset-headers {
		return known
	}
	last := text[places[i][0]:min(places[i][1], offset)]
	if u, err := url.Parse(string(bytes.TrimSpace(last))); err == nil && u.Path != "" {
		return u
	}
	return known
}
