package recording

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/wire"
)

// besides records the answer to a request that is no turn.
type besides func(answer []byte) error

type besidesKey struct{}

// hearBesides returns a request that is no turn with what is to be recorded of its answer in its
// context. is: requests of its kind are recorded.
func (r *Recorder) hearBesides(req *http.Request) (heard *http.Request, is bool, err error) {
	record := r.recordedBesides(req)
	if record == nil {
		return req, false, nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, r.config.MaxBody+1))
	whole := err == nil && int64(len(body)) <= r.config.MaxBody
	req.Body = sentAgain(body, req.Body, whole)
	if err != nil {
		return nil, true, fmt.Errorf("%w: %w", errUnread, err)
	}
	root, err := wire.ParseNode(body)
	if !whole || err != nil || !root.Is(wire.Object) {
		return req, true, fmt.Errorf("a request to %s is let through, but not recorded: it cannot be read", req.URL.Path)
	}
	if to := record(root); to != nil {
		req = req.WithContext(context.WithValue(req.Context(), besidesKey{}, to))
	}
	return req, true, nil
}

// recordedBesides returns what finds in the body of a request what is to be recorded; nil: requests
// of its kind are not.
func (r *Recorder) recordedBesides(req *http.Request) func(body *wire.Node) besides {
	if req.Method != http.MethodPost {
		return nil
	}
	for _, d := range r.spoken {
		if vars, is := d.Endpoint.Embeds(req.URL.Path); is {
			return func(body *wire.Node) besides { return r.vectors.hear(d, req, vars, body) }
		}
	}
	if e, path := endpoints.AtPath(endpoints.BuiltIn(), req.Method, req.URL.Path); e != nil && slices.Contains(recordedEndpoints, e.Name) {
		return func(body *wire.Node) besides { return r.hearEndpoint(e.Name, path, req, body) }
	}
	return nil
}

// recordedEndpoints are the endpoints whose answers follow from the request alone.
var recordedEndpoints = []string{"moderations", "rerank"}

// The script of the answers of these endpoints, and how it begins.
const (
	endpointsScript = "endpoints.yaml"
	endpointsHead   = "# Answers to what is asked besides turns, as recorded by loopproof record.\nloopproof: 1\nendpoints:\n"
)

// hearEndpoint records the answer to a request as an endpoint that answers the same request.
func (r *Recorder) hearEndpoint(name, path string, req *http.Request, body *wire.Node) besides {
	redact := newRedactor(secret.Of(req.Header, req.URL), r.config.Redact)
	return func(answer []byte) error {
		asked, err := redact.cleaned(body.JSON())
		if err != nil {
			return err
		}
		said, err := redact.cleaned(answer)
		if err != nil {
			return err
		}
		var when wire.Fields
		for key, value := range asked.Fields() {
			if !redact.names(key) { // else no request has what is left of it
				when = append(when, wire.Field{Key: value.Pointer(), Value: wire.Raw(value.JSON())})
			}
		}
		entry := jsontext.Value(append(wire.Fields{{Key: "name", Value: name}, {Key: "paths", Value: []any{path}}, {Key: "when", Value: when}}, endpoints.Literal(said)...).JSON())
		if err := entry.Format(jsontext.PreserveRawStrings(false), jsontext.EscapeForJS(true), jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)); err != nil {
			return err
		}
		line := append([]byte("  - "), entry...)
		if _, err := endpoints.Parse(endpointsScript, append([]byte(endpointsHead), line...)); err != nil {
			return err
		}
		return r.others.add(line)
	}
}

// listenBesides records an answer when it has passed through.
func (r *Recorder) listenBesides(resp *http.Response, to besides) {
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Encoding") != "" && resp.Header.Get("Content-Encoding") != "identity" {
		return
	}
	path := resp.Request.URL.Path
	resp.Body = &copied{body: resp.Body, ended: func(all []byte) {
		if err := to(all); err != nil {
			r.config.Failed(fmt.Errorf("the answer to a request to %s is not recorded: %w", path, err))
		}
	}}
}

// copied is a body that is copied while it is read, and handed over at its end.
type copied struct {
	body  io.ReadCloser
	all   bytes.Buffer
	ended func([]byte)
}

func (c *copied) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	if c.all.Len() <= maxAnswer {
		c.all.Write(p[:n])
	}
	if err == io.EOF && c.ended != nil {
		c.ended(c.all.Bytes())
		c.ended = nil
	}
	return n, err
}

func (c *copied) Close() error { return c.body.Close() }

// growing is a file to which lines are added, each once, behind a head.
type growing struct {
	name, head string

	mu    sync.Mutex
	known map[[sha256.Size]byte]bool // hashes of its lines, which may be greater than the memory
}

func (g *growing) add(lines ...[]byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known == nil {
		known, err := linesOf(g.name)
		if err != nil {
			return err
		}
		g.known = known
	}
	var added []byte
	if len(g.known) == 0 {
		added = []byte(g.head)
	}
	for _, line := range lines {
		if hash := sha256.Sum256(line); !g.known[hash] {
			g.known[hash] = true
			added = append(append(added, line...), '\n')
		}
	}
	file, err := os.OpenFile(g.name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(added)
	return errors.Join(err, file.Close())
}

// linesOf returns the hashes of the lines that a file has already.
func linesOf(name string) (map[[sha256.Size]byte]bool, error) {
	known := map[[sha256.Size]byte]bool{}
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			known[sha256.Sum256(bytes.TrimSuffix(line, []byte("\n")))] = true
		}
		if err == io.EOF {
			return known, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
