package variations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// onBody changes how a request is written down, after everything else.
func onBody(change func(body string) string) func() hooks.Mutation {
	return hooks.OnSend(func(req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		changed := change(string(body))
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(changed)), int64(len(changed))
	})
}

var inJSON = []hooks.Variation{
	{
		Name:    "json/laid-out",
		Does:    "The JSON of a request is indented.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-2"},
		Make:    onBody(func(body string) string { return gjson.Get(body, "@pretty").Raw }),
	},
	{
		Name:    "json/ascii",
		Does:    "The JSON of a request is ASCII, as Python writes it.",
		Sources: []string{"https://docs.python.org/3/library/json.html#json.dumps (ensure_ascii)"},
		Make:    onBody(ascii),
	},
	{
		Name:    "json/markup-escaped",
		Does:    "In the JSON of a request <, > and & are escapes, as Go writes them.",
		Sources: []string{"https://pkg.go.dev/encoding/json#Marshal (U+003C)"},
		Make: onBody(func(body string) string {
			var b bytes.Buffer
			json.HTMLEscape(&b, []byte(body))
			return b.String()
		}),
	},
	{
		Name:    "json/slashes-escaped",
		Does:    "In the JSON of a request each slash is an escape, as PHP writes it.",
		Sources: []string{"https://www.php.net/manual/en/json.constants.php (JSON_UNESCAPED_SLASHES is no default)"},
		Make: onBody(func(body string) string {
			return slashes.ReplaceAllStringFunc(body, func(s string) string {
				if s == "/" {
					return `\/`
				}
				return s
			})
		}),
	},
	{
		Name:    "json/keys-sorted",
		Does:    "The keys of every object of a request are in the order of the alphabet.",
		Sources: []string{"https://docs.python.org/3/library/json.html#json.dumps (sort_keys)"},
		Make:    onBody(sorted),
	},
	{
		Name:      "json/model-last",
		Does:      "The model is at the end of a request.",
		Sources:   []string{"https://www.rfc-editor.org/rfc/rfc8259#section-1 (an object is an unordered collection)"},
		Unless:    neutral.ModelInURL,
		Elsewhere: "the model is in the URL.",
		Make: onBody(func(body string) string {
			model := gjson.Get(body, "model")
			if !model.Exists() { // at the door of a cloud, whose path has it
				return body
			}
			return raw.SetRaw(raw.Remove(body, "model"), "model", model.Raw)
		}),
	},
}

// slashes are the slashes of a JSON text, and its escapes, in which a slash stays as it is.
var slashes = regexp.MustCompile(`\\.|/`)

// ascii writes all letters beyond ASCII as escapes.
func ascii(document string) string {
	var b strings.Builder
	for _, r := range document {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// sorted writes a document with the keys of its objects in order.
func sorted(document string) string { return formatted(document, ",", ":", true) }

// spaced writes a document with a space after each comma and colon between its values.
func spaced(document string) string { return formatted(document, ", ", ": ", false) }

// formatted writes a document with these texts between its values, and the keys of its objects in
// order or as they come. Each value stays as it is to the byte.
func formatted(document, comma, colon string, inOrder bool) string {
	value := gjson.Parse(document)
	var items []string
	switch {
	case value.IsArray():
		for _, item := range value.Array() {
			items = append(items, formatted(item.Raw, comma, colon, inOrder))
		}
		return "[" + strings.Join(items, comma) + "]"
	case value.IsObject():
		value.ForEach(func(key, item gjson.Result) bool {
			items = append(items, key.Raw+colon+formatted(item.Raw, comma, colon, inOrder))
			return true
		})
		if inOrder {
			slices.Sort(items)
		}
		return "{" + strings.Join(items, comma) + "}"
	}
	return value.Raw
}
