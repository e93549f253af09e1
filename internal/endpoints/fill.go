package endpoints

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strconv"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// filling fills in the places of an answer: {/model} is what the request has at a JSON pointer, {id}
// a variable of the path, {base} the URL of the server, {new} the end of an id that no other answer
// has, {#} and {@} the number and the value of the
// entry for which an entry of the answer is made.
type filling struct {
	body  *wire.Node
	vars  map[string]string
	index int
	entry *wire.Node
}

var place = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{(/[^{}]*|#|@|[a-z_]+)\}`) })

// Literal returns the keys of an endpoint that answers with a document as it is, whatever in it looks
// like a place.
func Literal(document *wire.Node) wire.Fields {
	written := document.JSON()
	if !place().Match(written) && !bytes.Contains(written, []byte(`"each"`)) {
		return wire.Fields{{Key: "json", Value: wire.Raw(written)}}
	}
	return wire.Fields{{Key: "content-type", Value: "application/json"}, {Key: "base64", Value: base64.StdEncoding.EncodeToString(written)}}
}

// value returns a value with its places filled in. {each: /documents, entry: …} is a list with one
// entry for each that the request has there. A key whose whole value is a place for which the
// request has nothing is left out.
func (f filling) value(n *wire.Node) *wire.Node {
	switch {
	case n.Is(wire.Object) && n.Has("each") && n.Has("entry") && len(n.Keys()) == 2:
		var items []any
		list := f.body.At(n.Get("each").Text())
		entries := list.All()
		if list != nil && !list.Is(wire.Array) {
			entries = []*wire.Node{list}
		}
		for i, entry := range entries {
			one := f
			one.index, one.entry = i, entry
			items = append(items, wire.Raw(one.value(n.Get("entry")).JSON()))
		}
		return wire.NewNode(items)
	case n.Is(wire.Object):
		filled := wire.Fields{}
		for key, value := range n.Fields() {
			if v := f.value(value); v != nil {
				filled = filled.With(key, wire.Raw(v.JSON()))
			}
		}
		return wire.NewNode(filled)
	case n.Is(wire.Array):
		items := []any{}
		for _, item := range n.All() {
			if v := f.value(item); v != nil {
				items = append(items, wire.Raw(v.JSON()))
			}
		}
		return wire.NewNode(items)
	case n.Is(wire.String):
		text := n.Text()
		if whole := place().FindString(text); whole != "" && whole == text {
			return f.at(text[1 : len(text)-1])
		}
		return wire.NewNode(f.text(text))
	}
	return n
}

// text fills in the places of a text. What the request does not have is empty.
func (f filling) text(text string) string {
	return place().ReplaceAllStringFunc(text, func(found string) string {
		n := f.at(found[1 : len(found)-1])
		if n == nil {
			return ""
		}
		return n.TextOrJSON()
	})
}

// at returns what stands for a place, or nil.
func (f filling) at(name string) *wire.Node {
	switch {
	case name == "#" && f.index >= 0:
		return wire.Parsed([]byte(strconv.Itoa(f.index)))
	case name == "@":
		return f.entry
	case name[0] == '/':
		return f.body.At(name)
	}
	if value, ok := f.vars[name]; ok {
		return wire.NewNode(value)
	}
	return nil
}
