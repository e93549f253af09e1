package savedrequests

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
)

// root searches a file that is one JSON document. An object with a model is the body of a request,
// also where its list of messages is none, or is misspelt.
func (f *finder) root(n *wire.Node, marked bool) {
	at := spot{copied: true, whole: true}
	f.document(n, at)
	if len(f.found) != 1 || f.found[0].Place != "" || f.found[0].List {
		return
	}
	if bad := firstInvalid(f.data); bad < len(f.data) {
		f.found[0].Broken = placed(f.data, bad, "utf-8", "a byte that is not UTF-8")
	} else if marked {
		f.found[0].Broken = placed(f.data, 0, "byte-order-mark", "a byte order mark before the text")
	}
}

// document searches a JSON document that is a file, or a line of one.
func (f *finder) document(n *wire.Node, at spot) {
	before := len(f.found)
	if d := f.bodyOf(n); d != nil {
		f.add(Request{Body: n.Raw, Dialect: d}, n, at)
	} else if d := f.askedAlone(n); d != nil && d.LikenessOf(n) == wire.Unlike && hasAnyList(n) {
		f.add(Request{Body: n.Raw, Dialect: d}, n, at)
	} else {
		f.value(n, at)
	}
	if len(f.found) > before {
		return
	}
	d := f.modelAlone(n)
	if asked := f.askedAlone(n); asked != nil {
		d = asked
	}
	if d != nil {
		f.add(Request{Body: n.Raw, Dialect: d}, n, at)
	}
}

// askedAlone returns the dialect that is asked for where no other is, and an object may be a body
// of it: any that is no answer.
func (f *finder) askedAlone(n *wire.Node) *wire.Dialect {
	if len(f.Asked) != 1 || len(f.Dialects) != 1 || !n.Is(wire.Object) || has(n, answerKeys) || n.Has("log") || n.Has("body") {
		return nil
	}
	return f.Asked[0]
}

// hasAnyList reports whether an object has a list of messages under some key, and so is a body of
// some API.
func hasAnyList(n *wire.Node) bool {
	return slices.ContainsFunc(n.Members, func(m wire.Member) bool { return wire.HasObjects(m.Value, "role") })
}

// firstInvalid returns where the first byte of a text is that is not UTF-8.
func firstInvalid(text []byte) int {
	at := 0
	for at < len(text) {
		c, size := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return at
}

// broken adds a file that is evidently one body and not JSON, and reports whether it is.
func (f *finder) broken(text []byte, err error) bool {
	why, keys := f.brokenBody(text, err)
	if why == nil {
		return false
	}
	r := Request{Broken: why, data: f.data, lines: f.lines, start: len(text) - len(bytes.TrimLeft(text, " \t\r\n"))}
	if f.Literal != nil {
		if written, err := f.Literal(bytes.TrimSpace(text)); err == nil {
			if root, err := wire.ParseNode(written); err == nil {
				r.Body = written
				if r.Dialect, r.Sure = f.dialectOf(root, nil); r.Dialect == nil {
					r.Dialect = f.bodyOf(root)
				}
			}
		}
	}
	if r.Dialect == nil {
		r.Body, r.Dialect = nil, f.dialectWith(keys, modelIn(text))
	}
	if r.Dialect == nil {
		return false
	}
	f.found = append(f.found, r)
	return true
}

// answerKeys are keys that answers have, and otherEndpoints those of requests that are for no
// conversation.
var (
	answerKeys     = []string{"choices", "candidates", "object", "output", "usage", "error", "data", "created", "stop_reason"}
	otherEndpoints = []string{"prompt", "voice", "encoding_format", "dimensions", "query", "documents", "image", "file", "training_file", "size", "texts", "response"}
)

// bodyOf returns the dialect of which an object is evidently the body of a request, although its
// list of messages is none or has a misspelt key; nil where it is not evident, or the list is
// right.
func (f *finder) bodyOf(body *wire.Node) *wire.Dialect {
	if !body.Is(wire.Object) || has(body, answerKeys) {
		return nil
	}
	if d, _ := f.dialectOf(body, nil); d != nil {
		return nil
	}
	return f.likest(body, func(d *wire.Dialect) bool { return f.hasList(d, body) })
}

// hasList reports whether an object has the list of messages of a dialect, or something in its
// place.
func (f *finder) hasList(d *wire.Dialect, body *wire.Node) bool {
	key := d.Request.Messages
	list := body.Get(key)
	switch {
	case list == nil:
		key = misspelt(body, d)
		list = body.Get(key)
		return list != nil && (saysModel(body) || wire.HasObjects(list, d.Request.Role))
	case d.Request.Typed:
		return saysModel(body) && (!has(body, otherEndpoints) || body.Get("prompt").Is(wire.Object)) && (slices.Contains(f.Asked, d) || besides(body, "model", key, "user"))
	case d.Request.ModelInURL:
		return true
	default:
		return saysModel(body)
	}
}

func saysModel(body *wire.Node) bool { return body.Get("model").Is(wire.String) }

// besides reports whether an object has more keys than some.
func besides(body *wire.Node, keys ...string) bool {
	return slices.ContainsFunc(body.Keys(), func(key string) bool { return !slices.Contains(keys, key) })
}

func has(body *wire.Node, keys []string) bool { return slices.ContainsFunc(keys, body.Has) }

// misspelt returns the key of an object that is most like that of the list of messages of a
// dialect, and none that a request has; "" where none is.
func misspelt(body *wire.Node, d *wire.Dialect) string {
	for _, m := range body.Members {
		if slices.Contains(d.Keys(), m.Key) || !m.Value.Is(wire.Array) && !d.Request.Typed {
			continue
		}
		if _, near := suggest.Word(m.Key, []string{d.Request.Messages}); near && strings.EqualFold(m.Key[:1], d.Request.Messages[:1]) {
			return m.Key
		}
	}
	return ""
}

// likest returns the dialect of which an object is most likely a request, as it would be with a
// list of messages that is right. A condition says which may be at all.
func (f *finder) likest(body *wire.Node, may func(*wire.Dialect) bool) *wire.Dialect {
	list, _ := wire.ParseNode([]byte(`[{"role":"user","content":"x","parts":[{"text":"x"}]}]`))
	var best *wire.Dialect
	likeness := wire.Unlike
	for _, d := range f.Dialects {
		if !may(d) {
			continue
		}
		mended := &wire.Node{Kind: wire.Object, Members: []wire.Member{{Key: d.Request.Messages, Value: list}}}
		for _, m := range body.Members {
			if m.Key != d.Request.Messages {
				mended.Members = append(mended.Members, m)
			}
		}
		if likely := d.LikenessOf(mended); likely > likeness {
			best, likeness = d, likely
		}
	}
	return best
}

// modelAlone returns the dialect of a body that names a model and has no list of messages at all.
func (f *finder) modelAlone(body *wire.Node) *wire.Dialect {
	if !body.Is(wire.Object) || !saysModel(body) || has(body, answerKeys) || has(body, otherEndpoints) || body.Has("input") {
		return nil
	}
	return f.likest(body, func(d *wire.Dialect) bool {
		return !d.Request.Typed && !d.Request.ModelInURL && !slices.ContainsFunc(body.Keys(), func(key string) bool { return !slices.Contains(d.Keys(), key) })
	})
}

// dialectWith returns the dialect whose list of messages is among the keys of a body that cannot be
// read.
func (f *finder) dialectWith(keys []string, model []byte) *wire.Dialect {
	body := &wire.Node{Kind: wire.Object}
	for _, key := range keys {
		value := &wire.Node{Kind: wire.Null, Raw: []byte("null")}
		if key == "model" && model != nil {
			value = &wire.Node{Kind: wire.String, Raw: model}
		}
		body.Members = append(body.Members, wire.Member{Key: key, Value: value})
	}
	if d := f.likest(body, func(d *wire.Dialect) bool { return body.Has(d.Request.Messages) }); d != nil {
		return d
	}
	return f.likest(body, func(d *wire.Dialect) bool { return !d.Request.Typed && !d.Request.ModelInURL })
}

// modelName is the name of a model in a text that is not JSON.
var modelName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"model"\s*:\s*("[^"\\\n]*")`) })

func modelIn(text []byte) []byte {
	if found := modelName().FindSubmatch(text); found != nil {
		return found[1]
	}
	return nil
}
