// Package recording is a proxy that forwards everything to a real provider unchanged, and records
// what was said: each conversation becomes a scenario with a fixture for every answer, which the
// mock provider plays again byte for byte.
//
//	r, err := recording.New(recording.Config{Upstream: "https://api.openai.com", Dir: "recordings"})
//	http.Handle("/", r)
//	...
//	err = r.Close() // when all is written
//
// Keys, and the fields that the config names, are taken out before anything touches the disk.
package recording

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/engine/guard"
	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/wire"
)

// Config says what is recorded, and where to.
type Config struct {
	// Upstream is the URL of the provider, with or without the /v1 of its paths.
	Upstream string

	// Source names the file of another tool whose recording Transport replays; "": Transport
	// reaches the provider itself.
	Source string

	// Dir is the folder of the scenarios; "" records nothing and only forwards.
	Dir string

	// Redact are the names of fields whose values are taken out, besides keys, which always are.
	Redact []string

	// Profiles judge the requests, one for each dialect. A dialect without one is not judged.
	Profiles []*profiles.Profile

	// MaxBody is the largest request that is recorded; a larger one is forwarded only. 0 is 64 MB.
	MaxBody int64

	// Transport reaches the provider; nil is one of the usual kind.
	Transport http.RoundTripper

	// Seen, if it is not nil, is called for every recorded exchange, one at a time. Failed is
	// called for exchanges that could not be recorded or forwarded. Noted is called with remarks: a
	// path that is not recorded, or two recordings that cannot be distinguished. It may be called
	// concurrently.
	Seen   func(Exchange)
	Failed func(error)
	Noted  func(string)

	// Merged is called, before Close returns, with the name of a recording that says the same as
	// another one, and that is therefore not kept.
	Merged func(name, same string)

	// Unplayable, if it is not nil, is called, before Close returns, with the name of a recording
	// that cannot be played, and that is therefore not kept. Without it such a recording is kept,
	// since the exchange may not come again, and Close returns an error.
	Unplayable func(name string, err error)
}

// Recorder is an http.Handler that forwards requests to a provider. Make one with [New], and close
// it.
type Recorder struct {
	config   Config
	upstream *url.URL
	via      string // names this recorder, so that a request which comes back to it is seen
	proxy    *httputil.ReverseProxy
	writer   *writer
	spoken   []*wire.Dialect
	vectors  *embeddings
	others   growing    // the answers of other endpoints
	passed   guard.Told // requests that are forwarded and not recorded
}

// recorderName is how recorders name themselves in the header Via, before what tells them apart.
const recorderName = "1.1 loopproof-"

// New returns a recorder.
func New(c Config) (*Recorder, error) {
	upstream, err := url.Parse(c.Upstream)
	if err != nil || upstream.Host == "" || upstream.Scheme != "http" && upstream.Scheme != "https" {
		return nil, fmt.Errorf("the upstream is a URL such as https://api.openai.com, not %q", c.Upstream)
	}
	if upstream.User != nil || upstream.RawQuery != "" {
		return nil, fmt.Errorf("the upstream %s is given with a password or a query, which would be neither used nor kept secret: clients send the key with each request", upstream.Scheme+"://"+upstream.Host+upstream.Path)
	}
	if c.MaxBody == 0 {
		c.MaxBody = 64 << 20
	}
	if c.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DisableCompression = true // bytes come as they are read
		c.Transport = t
	}
	if c.Seen == nil {
		c.Seen = func(Exchange) {}
	}
	if c.Failed == nil {
		c.Failed = func(error) {}
	}
	if c.Noted == nil {
		c.Noted = func(string) {}
	}
	if c.Merged == nil {
		c.Merged = func(string, string) {}
	}
	r := &Recorder{config: c, upstream: upstream, via: recorderName + rand.Text(), spoken: profiles.Spoken(c.Profiles)}
	if c.Dir != "" {
		if err := files.MakeFolder(c.Dir); err != nil {
			return nil, fmt.Errorf("nothing can be recorded into the folder %s: %w", c.Dir, err)
		}
		r.writer = newWriter(c, upstream.Host)
		r.vectors = &embeddings{recorder: r, table: growing{name: filepath.Join(c.Dir, embeddingsTable)}}
		r.others = growing{name: filepath.Join(c.Dir, endpointsScript), head: endpointsHead}
	}
	r.proxy = &httputil.ReverseProxy{
		Rewrite:        r.rewrite,
		Transport:      c.Transport,
		FlushInterval:  -1, // each piece at once
		ModifyResponse: r.listen,
		ErrorHandler:   r.unreachable,
		ErrorLog:       log.New(io.Discard, "", 0), // the recording reports clients that disconnect
	}
	return r, nil
}

// Close waits until all is written, and returns what is wrong with it. No request may be served
// after that.
func (r *Recorder) Close() error {
	if t, ok := r.config.Transport.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
	if r.writer == nil {
		return nil
	}
	return r.writer.close()
}

// ServeHTTP forwards a request, and records it if it is one for a model.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if slices.Contains(req.Header.Values("Via"), r.via) {
		r.fail(w, req, http.StatusLoopDetected, fmt.Errorf("the upstream %s leads back to this server: name the real provider", r.upstream.Redacted()))
		return
	}
	d := r.dialectOf(req)
	if d == nil && r.writer != nil {
		heard, is, err := r.hearBesides(req)
		switch {
		case errors.Is(err, errUnread):
			r.fail(w, req, http.StatusBadRequest, err)
			return
		case err != nil:
			r.config.Failed(err)
		case !is:
			r.notRecorded(req)
		}
		req = heard
	}
	if d != nil && r.writer != nil {
		heard, err := r.hear(req, d)
		switch {
		case errors.Is(err, errUnread):
			r.fail(w, req, http.StatusBadRequest, err)
			return
		case err != nil:
			r.config.Failed(err)
		default:
			r.writer.begins(heard)
			defer r.writer.ends(heard, false) // unless it was handed over before
			req = req.WithContext(context.WithValue(req.Context(), heardKey{}, heard))
		}
	}
	if w.Header().Get(guard.AllowOrigin) != "" {
		req = req.WithContext(context.WithValue(req.Context(), sharedKey{}, true))
	}
	r.proxy.ServeHTTP(w, req)
}

// sharedKey is under which the context of a request says that a page may read the answer.
type sharedKey struct{}

// dialectOf returns the wire API of a request whose conversation is recorded, or nil. Some
// providers have another base path than that of the API.
func (r *Recorder) dialectOf(req *http.Request) *wire.Dialect {
	for _, d := range r.spoken {
		if req.Method == http.MethodPost && d.Endpoint.Has(req.URL.Path) {
			return d
		}
	}
	return nil
}

// heard is an exchange that is being recorded.
type heard struct {
	dialect *wire.Dialect
	request *wire.Request // with the history that the provider keeps
	secrets secret.Keys
	started time.Time

	status  int
	headers http.Header
	writes  [][]byte
	severed bool
	took    time.Duration

	sent   *wire.Request // as the client sent it
	before *wire.History // that the provider keeps, or nil if none is known

	said []fingerprint // of its messages, if they are needed
	done bool          // it is complete
	keep bool          // and it is to be recorded
}

type heardKey struct{}

// errUnread is why a request is not forwarded: its client left, or was too slow.
var errUnread = errors.New("a request could not be read")

// hear reads the body of a request. One that is none of the dialect, or too large, is forwarded and
// not recorded.
func (r *Recorder) hear(req *http.Request, d *wire.Dialect) (*heard, error) {
	body, err := io.ReadAll(io.LimitReader(req.Body, r.config.MaxBody+1))
	whole := err == nil && int64(len(body)) <= r.config.MaxBody
	req.Body = sentAgain(body, req.Body, whole)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnread, err)
	}
	if !whole {
		return nil, fmt.Errorf("a request of more than %d MB is let through, but not recorded", r.config.MaxBody>>20)
	}
	if encoding := req.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return nil, fmt.Errorf("a request is let through, but not recorded: its body is compressed (Content-Encoding: %s), which is not read here", encoding)
	}
	request, err := d.Read(body)
	if err != nil {
		return nil, fmt.Errorf("a request is let through, but not recorded: its body is no JSON object: %w", err)
	}
	request.NoteURL(req.URL)
	return &heard{dialect: d, request: request, secrets: secret.Of(req.Header, req.URL), started: time.Now()}, nil
}

// sentAgain returns a body from which some was read. Of one that was read whole nothing more is:
// the server closes it when the answer begins, and the transport, which asks whether there is more,
// would then break off a request that was sent.
func sentAgain(read []byte, body io.ReadCloser, whole bool) io.ReadCloser {
	again := io.Reader(bytes.NewReader(read))
	if !whole {
		again = io.MultiReader(again, body)
	}
	return struct {
		io.Reader
		io.Closer
	}{again, body}
}

// rewrite sends a request to the provider. An upstream with /v1 and clients with /v1 mean the same
// one.
func (r *Recorder) rewrite(p *httputil.ProxyRequest) {
	base, path := strings.TrimSuffix(r.upstream.Path, "/"), p.In.URL.Path
	if last := base[strings.LastIndex(base, "/")+1:]; last != "" && strings.HasPrefix(path, "/"+last+"/") {
		base = strings.TrimSuffix(base, "/"+last)
	}
	p.Out.URL.Scheme, p.Out.URL.Host = r.upstream.Scheme, r.upstream.Host
	p.Out.URL.Path, p.Out.URL.RawPath = base+path, ""
	p.Out.Host = r.upstream.Host
	p.Out.Header.Add("Via", r.via)
	withoutOwn(p.Out.Header)
	p.Out.Header.Set("Accept-Encoding", "identity") // what is compressed could not be redacted
	if p.In.Header.Get("User-Agent") == "" {
		p.Out.Header.Set("User-Agent", "") // none of our own
	}
}

// listen keeps the bytes of a response as they are forwarded.
func (r *Recorder) listen(resp *http.Response) error {
	if resp.Request.Context().Value(sharedKey{}) != nil { // a browser takes one of each alone
		resp.Header.Del(guard.AllowOrigin)
		resp.Header.Del(guard.ExposeHeaders)
	}
	if to, is := resp.Request.Context().Value(besidesKey{}).(besides); is && answeredBy(resp) == "" {
		r.listenBesides(resp, to)
	}
	h, ok := resp.Request.Context().Value(heardKey{}).(*heard)
	if !ok {
		return nil
	}
	if by := answeredBy(resp); by != "" {
		if by != r.via { // which has told it
			r.config.Failed(fmt.Errorf("an answer is not recorded: the upstream %s is a recorder, too, and answers %d itself", r.upstream.Redacted(), resp.StatusCode))
		}
		return nil
	}
	if encoding := resp.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		r.config.Failed(fmt.Errorf("an answer is not recorded: the upstream compresses it (%s) although it was asked not to", encoding))
		return nil
	}
	h.status, h.headers = resp.StatusCode, kept(resp.Header)
	resp.Body = &tee{body: resp.Body, heard: h, ctx: resp.Request.Context(), recorder: r}
	return nil
}

// answeredBy returns the name of the recorder that gave an answer itself, in place of the provider,
// or "".
func answeredBy(resp *http.Response) string {
	for _, via := range resp.Header.Values("Via") {
		if strings.HasPrefix(via, recorderName) {
			return via
		}
	}
	return ""
}

// unreachable answers for a provider that cannot be reached.
func (r *Recorder) unreachable(w http.ResponseWriter, req *http.Request, err error) {
	if req.Context().Err() != nil {
		return // the client has left
	}
	r.fail(w, req, http.StatusBadGateway, fmt.Errorf("the upstream %s cannot be reached: %w", r.upstream.Redacted(), err))
}

// fail answers a request that is not forwarded, in the form of its dialect.
func (r *Recorder) fail(w http.ResponseWriter, req *http.Request, status int, err error) {
	r.config.Failed(err)
	r.Refuse(w, req, status, err)
}

// Refuse answers a request with an error in the form of its dialect, and neither forwards nor
// records it.
func (r *Recorder) Refuse(w http.ResponseWriter, req *http.Request, status int, err error) {
	said := wire.Fields{{Key: "type", Value: "api_error"}, {Key: "message", Value: "Loopproof: " + err.Error()}}
	body := wire.Fields{{Key: "error", Value: said}}
	if d := r.dialectOf(req); d != nil && d.Errors.Body != nil {
		body = d.Errors.Body(said)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Via", r.via) // a recorder before this one does not take it for the provider's
	w.WriteHeader(status)
	w.Write(body.JSON())
}

// withoutOwn removes what is meant for Loopproof from the headers of a request to a provider: its
// own headers, and keys that name a run.
func withoutOwn(h http.Header) {
	for name, values := range h {
		own := strings.HasPrefix(name, "X-Loopproof-")
		for _, value := range values {
			own = own || strings.HasPrefix(strings.TrimPrefix(value, "Bearer "), "loopproof-")
		}
		if own {
			h.Del(name)
		}
	}
}

// tee forwards what it reads at once, and keeps a copy.
type tee struct {
	body     io.ReadCloser
	heard    *heard
	ctx      context.Context
	recorder *Recorder
	size     int64
	ended    bool
}

// maxAnswer is the largest answer that is recorded.
const maxAnswer = 64 << 20

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.body.Read(p)
	if t.size += int64(n); n > 0 && t.size <= maxAnswer {
		t.heard.writes = append(t.heard.writes, bytes.Clone(p[:n]))
	}
	if err != nil {
		t.end(err)
	}
	return n, err
}

func (t *tee) Close() error {
	t.end(context.Canceled) // unless it ended before
	return t.body.Close()
}

// end hands the exchange over.
func (t *tee) end(err error) {
	if t.ended {
		return
	}
	t.ended = true
	h := t.heard
	h.took = time.Since(h.started)
	left := t.ctx.Err() != nil || errors.Is(err, context.Canceled)
	switch {
	case err != io.EOF && left && !h.complete():
		t.recorder.config.Failed(errors.New("an answer is not recorded: the connection to the client ended in the middle of it"))
		return
	case t.size > maxAnswer:
		t.recorder.config.Failed(fmt.Errorf("an answer of more than %d MB is not recorded", maxAnswer>>20))
		return
	case err != io.EOF && !left:
		h.severed = true
	}
	t.recorder.writer.ends(h, true)
}

// complete reports whether a stream has sent its end mark. Some clients leave then, without waiting
// for the end of the response.
func (h *heard) complete() bool {
	events := h.request.Frames().Payloads(bytes.Join(h.writes, nil))
	if len(events) == 0 {
		return false
	}
	return h.dialect.EndsStream(events[len(events)-1])
}
