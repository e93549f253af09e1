package endpoints

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/url"

	"github.com/loopproof/loopproof/internal/wire"
)

// Body reads the body of a request: JSON, or a form, whose fields become the keys of an object. A
// file in it is {"filename": …, "bytes": its size}. Nil: it is neither.
func Body(contentType string, body []byte) *wire.Node {
	kind, params, _ := mime.ParseMediaType(contentType)
	switch kind {
	case "multipart/form-data":
		return parts(multipart.NewReader(bytes.NewReader(body), params["boundary"]))
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return nil
		}
		fields := wire.Fields{}
		for key := range values {
			fields = fields.With(key, values.Get(key))
		}
		return wire.NewNode(fields)
	}
	return wire.Parsed(body)
}

func parts(r *multipart.Reader) *wire.Node {
	fields := wire.Fields{}
	for {
		part, err := r.NextPart()
		if err == io.EOF {
			return wire.NewNode(fields)
		}
		if err != nil {
			return nil
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil
		}
		var value any = string(bytes.ToValidUTF8(data, []byte("\uFFFD")))
		if name := part.FileName(); name != "" {
			value = wire.Fields{{Key: "filename", Value: name}, {Key: "bytes", Value: len(data)}}
		}
		fields = fields.With(part.FormName(), value)
	}
}
