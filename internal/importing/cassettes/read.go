package cassettes

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// ErrUnknown says that a file is in none of the known formats.
var ErrUnknown = errors.New("it is no HAR file, no cassette of VCR, no recording of nock, no fixtures of aimock and no mapping of WireMock")

// maxBody is the size of the largest body that is decompressed, and maxBodies that of all bodies of
// a recording together: some kilobytes may be the compression of megabytes.
const (
	maxBody   = 64 << 20
	maxBodies = 256 << 20
)

// Read returns the exchanges of a recording, in their order, and the entries that cannot be carried
// over.
func Read(data []byte) (all []Exchange, skipped []Skipped, err error) {
	root, err := load(data)
	if err != nil {
		return nil, nil, err
	}
	place, entries, read := format(value{root})
	if read == nil {
		return nil, nil, ErrUnknown
	}
	bytes := 0
	for i, entry := range entries {
		x, err := read(entry)
		if bytes += len(x.Response); bytes > maxBodies {
			return nil, nil, fmt.Errorf("its responses up to %s/%d have more than %d MB", place, i, maxBodies>>20)
		}
		x.Place = fmt.Sprintf("%s/%d", place, i)
		if err != nil {
			skipped = append(skipped, Skipped{x.Place, err.Error()})
			continue
		}
		all = append(all, x)
	}
	return all, skipped, nil
}

// load reads a document in YAML, which JSON is, too. That no key occurs twice is checked here: the
// YAML reader compares each key of a mapping with all others.
func load(data []byte) (root any, err error) {
	var doc yaml.Node
	if err := yaml.Load(data, &doc); err != nil {
		return nil, unreadable(data, err)
	}
	if err := doubledKey(&doc); err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	return root, doc.Load(&root, yaml.WithUniqueKeys(false))
}

// unreadable says why and where a document cannot be read. What begins as JSON does is to be JSON.
func unreadable(data []byte, err error) error {
	if begin := bytes.TrimLeft(data, " \t\r\n"); bytes.HasPrefix(begin, []byte("{")) || bytes.HasPrefix(begin, []byte("[")) {
		if _, err := wire.ParseNode(data); err != nil {
			return fmt.Errorf("it is not JSON: %w", err)
		}
	}
	bad := strictyaml.SyntaxError("", data, err)
	if bad.Line == 0 {
		return fmt.Errorf("it is %s", bad.Message)
	}
	return fmt.Errorf("line %d, column %d: it is %s", bad.Line, bad.Column, bad.Message)
}

// doubledKey returns an error about the first key that occurs twice in one mapping, or nil.
func doubledKey(n *yaml.Node) error {
	type key struct {
		kind  yaml.Kind
		value string
	}
	seen := map[key]int{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			k := key{c.Kind, c.Value}
			if line, doubled := seen[k]; doubled {
				return fmt.Errorf("line %d, column %d: the key %q occurs twice, first in line %d", c.Line, c.Column, c.Value, line)
			}
			seen[k] = c.Line
		}
		if err := doubledKey(c); err != nil {
			return err
		}
	}
	return nil
}

// format finds out the format of a recording, and returns its entries, where they are, and how they
// are read.
func format(root value) (place string, entries []value, read func(value) (Exchange, error)) {
	switch {
	case root.get("log", "entries").isList():
		return "/log/entries", root.get("log", "entries").list(), readHAR
	case root.get("interactions").isList():
		return "/interactions", root.get("interactions").list(), readVCR
	case root.get("http_interactions").isList():
		return "/http_interactions", root.get("http_interactions").list(), readVCR
	case root.isList() && len(root.list()) > 0 && root.list()[0].get("scope").text() != "":
		return "", root.list(), readNock
	default:
		return "", nil, nil
	}
}

// readHAR reads an entry of a HAR file,
// https://w3c.github.io/web-performance/specs/HAR/Overview.html.
func readHAR(entry value) (Exchange, error) {
	request, response := entry.get("request"), entry.get("response")
	x, err := open(request.get("method").text(), request.get("url").text(), response.get("status").number())
	if err != nil {
		return x, err
	}
	x.Request = []byte(request.get("postData", "text").text())
	for _, h := range response.get("headers").list() {
		x.Header.Add(h.get("name").text(), h.get("value").text())
	}
	// A HAR file has contents as they are after the compression, whatever the header says.
	x.Header.Del("Content-Encoding")
	content := response.get("content")
	x.Response = []byte(content.get("text").text())
	if content.get("encoding").text() == "base64" {
		x.Response, err = base64.StdEncoding.DecodeString(content.get("text").text())
	}
	return x, err
}

// readVCR reads an interaction of vcrpy, of VCR for Ruby or of go-vcr.
func readVCR(entry value) (Exchange, error) {
	request, response := entry.get("request"), entry.get("response")
	to := request.get("uri").text()
	if to == "" {
		to = request.get("url").text()
	}
	status := response.get("status", "code").number()
	if status == 0 {
		status = response.get("code").number()
	}
	x, err := open(request.get("method").text(), to, status)
	if err != nil {
		return x, err
	}
	if x.Request, err = request.body(); err != nil {
		return x, fmt.Errorf("its request: %w", err)
	}
	response.get("headers").headers(x.Header)
	if x.Response, err = response.body(); err != nil {
		return x, err
	}
	return x, x.decompress()
}

// readNock reads an entry of what nock records.
func readNock(entry value) (Exchange, error) {
	x, err := open(entry.get("method").text(), entry.get("scope").text()+entry.get("path").text(), entry.get("status").number())
	if err != nil {
		return x, err
	}
	raw := entry.get("rawHeaders")
	raw.headers(x.Header)
	for pairs := raw.list(); len(pairs) > 1; pairs = pairs[2:] {
		x.Header.Add(pairs[0].text(), pairs[1].text())
	}
	x.Request, err = entry.get("body").written()
	if err != nil {
		return x, err
	}
	if x.Response, err = entry.get("response").written(); err != nil {
		return x, err
	}
	if x.Header.Get("Content-Encoding") != "" {
		return x, errors.New("its response is compressed, and nock writes such ones as lists of numbers: record without compression")
	}
	return x, nil
}

func open(method, to string, status int) (Exchange, error) {
	x := Exchange{Method: strings.ToUpper(method), Status: status, Header: http.Header{}}
	u, err := url.Parse(to)
	switch {
	case err != nil:
		return x, err
	case u.Host == "":
		return x, fmt.Errorf("its URL %q has no host", to)
	case status < 100 || status > 599:
		return x, errors.New("it has no response with a status")
	}
	x.URL = u
	return x, nil
}

// decompress undoes the compression of a response. Some recorders have undone it before, and left
// the header.
func (x *Exchange) decompress() error {
	encoding := strings.ToLower(x.Header.Get("Content-Encoding"))
	x.Header.Del("Content-Encoding")
	var r io.Reader
	var err error
	switch {
	case encoding == "gzip" && bytes.HasPrefix(x.Response, []byte{0x1f, 0x8b}):
		r, err = gzip.NewReader(bytes.NewReader(x.Response))
	case encoding == "deflate" && bytes.HasPrefix(x.Response, []byte{0x78}):
		r, err = zlib.NewReader(bytes.NewReader(x.Response))
	case encoding == "" || encoding == "identity" || readable(x.Response):
		return nil
	default:
		return fmt.Errorf("its response is compressed with %s, which cannot be undone here", encoding)
	}
	if err == nil {
		x.Response, err = io.ReadAll(io.LimitReader(r, maxBody+1))
	}
	if len(x.Response) > maxBody {
		x.Response = nil
		return fmt.Errorf("its response has more than %d MB without its compression", maxBody>>20)
	}
	return err
}

// readable reports whether a response begins as JSON or events do.
func readable(response []byte) bool {
	text := bytes.TrimSpace(response)
	return len(text) == 0 || bytes.ContainsAny(text[:1], "{[:") || bytes.HasPrefix(text, []byte("data:")) || bytes.HasPrefix(text, []byte("event:"))
}
