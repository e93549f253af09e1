package endpoints

import (
	"bytes"
	"maps"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Body reads the body of a request: JSON, or a form, whose fields become the keys of an object. A
// file in it is {"filename": …, "bytes": its size}. Nil: it is neither.
func Body(contentType string, body []byte) *wire.Node {
	kind, params, _ := mime.ParseMediaType(contentType)
	fields := map[string]any{}
	switch kind {
	case "multipart/form-data":
		// net/http refuses forms with too many parts or headers. With this limit no file goes to disk.
		form, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).ReadForm(int64(len(body)))
		if err != nil {
			return nil
		}
		addTexts(fields, form.Value)
		for name, files := range form.File {
			fields[name] = wire.Fields{{Key: "filename", Value: files[0].Filename}, {Key: "bytes", Value: files[0].Size}}
		}
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return nil
		}
		addTexts(fields, values)
	default:
		return wire.Parsed(body)
	}
	object := wire.Fields{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		object = object.With(name, fields[name])
	}
	return wire.NewNode(object)
}

// addTexts adds the first text of each field.
func addTexts(fields map[string]any, texts map[string][]string) {
	for name, all := range texts {
		fields[name] = string(bytes.ToValidUTF8([]byte(all[0]), []byte("\uFFFD")))
	}
}
