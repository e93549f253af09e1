// Package probing asks a provider, or a server that speaks its wire API, what it takes and refuses, and
// compares it with profiles:
//
//	result, err := probing.Probe(ctx, probing.Config{URL: "http://127.0.0.1:11434", Dialect: chat.API, Profiles: profiles.All()})
//	fmt.Println("most alike:", result.Profiles[0].Profile.Name)
package probing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// Config says whom to ask what.
type Config struct {
	URL      string // of the server, without the path of the wire API
	Dialect  *wire.Dialect
	Profiles []*profiles.Profile // with which the server is compared, those of other dialects left out
	Classes  []string            // patterns of the classes of requests, as in fixtures/requests; none: all but form
	Model    string              // the name of the model in each request
	Key      string              // the API key; "" sends the word any

	Client *http.Client
	Wait   func(ctx context.Context, d time.Duration) error // before a request is sent again; nil: as long as it says
	Asked  func(done, all int)                              // is told of each answer; nil: nobody
}

// Result is what a server answered.
type Result struct {
	URL      string       `json:"url"`
	Dialect  string       `json:"dialect"`
	Model    string       `json:"model"`
	Answers  []Answer     `json:"answers"`
	Profiles []Comparison `json:"profiles"` // the most alike first
	Streams  []Stream     `json:"streams"`
}

// Answer is what the server answered to a request.
type Answer struct {
	Request string `json:"request"` // CLASS/NAME, as in fixtures/requests
	Status  int    `json:"status"`
	Message string `json:"message,omitempty"` // of an error
	Body    string `json:"body,omitempty"`    // of an error

	read *wire.Request
}

// Refused reports whether the answer is an error.
func (a *Answer) Refused() bool { return a.Status >= http.StatusBadRequest }

// Stream is what became of a request for a stream.
type Stream struct {
	Request string `json:"request"`
	Problem string `json:"problem,omitempty"` // why it is no lawful stream; "": it is one
}

// Probe asks a server. The error says why it cannot be asked, or that it takes no good request, so that
// nothing that it refuses tells anything.
func Probe(ctx context.Context, c Config) (*Result, error) {
	requests, err := c.requests()
	if err != nil {
		return nil, err
	}
	r := &Result{URL: c.URL, Dialect: c.Dialect.Name, Model: c.Model}
	for i := range requests {
		a, err := c.ask(ctx, &requests[i])
		if err != nil {
			return nil, err
		}
		r.Answers = append(r.Answers, a)
		if c.Asked != nil {
			c.Asked(i+1, len(requests))
		}
	}
	if err := r.takesGood(); err != nil {
		return nil, err
	}
	for _, p := range c.Profiles {
		if p.Dialect == c.Dialect.Name && !p.QuirksOnly {
			r.Profiles = append(r.Profiles, compare(ctx, p, r.Answers))
		}
	}
	slices.SortStableFunc(r.Profiles, byLikeness)
	r.Streams, err = c.streams(ctx, requests)
	return r, err
}

// requests returns the requests to be asked, good ones first.
func (c *Config) requests() ([]fixtures.Request, error) {
	all, err := fixtures.Requests(c.Dialect.Name)
	if err != nil {
		return nil, err
	}
	known := classes(all)
	isGood := func(r fixtures.Request) bool { return r.Class() == good }
	if !slices.ContainsFunc(all, isGood) {
		return nil, fmt.Errorf("there are no good requests of %s in fixtures/requests yet", c.Dialect.Title)
	}
	chosen := slices.DeleteFunc(all, func(r fixtures.Request) bool { return !isGood(r) && !c.asks(r.Class()) || c.continues(&r) })
	if len(c.Classes) > 0 && !slices.ContainsFunc(chosen, func(r fixtures.Request) bool { return c.asks(r.Class()) }) {
		return nil, fmt.Errorf("no class of requests is called %s; there are %s", strings.Join(c.Classes, ", "), strings.Join(known, ", "))
	}
	slices.SortStableFunc(chosen, func(a, b fixtures.Request) int {
		return strings.Compare(order(a.Class()), order(b.Class()))
	})
	return chosen, nil
}

// continues reports whether a request goes on from an answer that is kept: no profile says whether it is.
func (c *Config) continues(r *fixtures.Request) bool {
	req, err := c.Dialect.Read(r.Body)
	if err != nil || c.Dialect.KeptHistory == nil {
		return false
	}
	from := c.Dialect.KeptHistory.Continues(req)
	return from != nil && !from.Begins
}

const good, form = "good", "form"

func order(class string) string {
	if class == good {
		return ""
	}
	return class
}

func (c *Config) asks(class string) bool {
	if len(c.Classes) == 0 {
		return class != form
	}
	return slices.ContainsFunc(c.Classes, func(pattern string) bool {
		fits, err := path.Match(pattern, class)
		return fits && err == nil
	})
}

func classes(all []fixtures.Request) (names []string) {
	for _, r := range all {
		if class := r.Class(); !slices.Contains(names, class) {
			names = append(names, class)
		}
	}
	return names
}

// takesGood returns an error where all good requests are refused.
func (r *Result) takesGood() error {
	var first *Answer
	for i := range r.Answers {
		a := &r.Answers[i]
		switch {
		case path.Dir(a.Request) != good:
		case !a.Refused():
			return nil
		case first == nil:
			first = a
		}
	}
	if first == nil {
		return errors.New("no good request was asked")
	}
	return fmt.Errorf("%s takes no request that a correct client sends; the first answer is %d: %s; is the key right, and --model?", r.URL, first.Status, first.Message)
}

// maxBody is how much of an answer is read.
const maxBody = 4 << 20

// ask sends a request, with the model of the config, and again while the server has no time for it.
func (c *Config) ask(ctx context.Context, r *fixtures.Request) (a Answer, err error) {
	body := c.withModel(r.Body)
	a.Request = r.ID
	if a.read, err = c.Dialect.Read(body); err != nil {
		return a, fmt.Errorf("%s: %w", a.Request, err)
	}
	response, answer, err := c.send(ctx, body)
	if err != nil {
		return a, err
	}
	if a.Status = response.StatusCode; a.Refused() {
		a.Message, a.Body = messageOf(answer), string(answer)
	}
	return a, nil
}

func (c *Config) withModel(body []byte) []byte {
	n := wire.Parsed(body)
	if n.Has("model") && n.Get("model").Is(wire.String) {
		n.Set("model", c.Model)
	}
	return n.JSON()
}

// tries is how often a request is sent that the server has no time for.
const tries = 4

func (c *Config) send(ctx context.Context, body []byte) (*http.Response, []byte, error) {
	for n := 1; ; n++ {
		response, answer, err := c.post(ctx, body)
		if err != nil || n == tries || response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
			return response, answer, err
		}
		wait := c.Wait
		if wait == nil {
			wait = pause
		}
		if err := wait(ctx, retryAfter(response.Header)); err != nil {
			return nil, nil, err
		}
	}
}

// retryAfter returns how long the server wants to be left alone.
func retryAfter(header http.Header) time.Duration {
	const longest = 30 * time.Second
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return time.Second
	}
	return min(time.Duration(seconds)*time.Second, longest)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (c *Config) post(ctx context.Context, body []byte) (*http.Response, []byte, error) {
	place := strings.TrimSuffix(c.URL, "/") + strings.ReplaceAll(c.Dialect.Endpoint.Path(), "{model}", url.PathEscape(c.Model))
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, place, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	key := c.Key
	if key == "" {
		key = "any"
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Anthropic-Version", "2023-06-01")
	for _, name := range c.Dialect.Endpoint.Keys {
		if name == "Authorization" {
			request.Header.Set(name, "Bearer "+key)
		} else {
			request.Header.Set(name, key)
		}
	}
	response, err := c.Client.Do(request)
	if err != nil {
		return nil, nil, fmt.Errorf("the server cannot be asked: %w", err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil && ctx.Err() == nil && len(answer) > 0 {
		err = nil // an answer that breaks off is one
	}
	return response, answer, err
}

// messageOf returns the words of an error, in whichever envelope.
func messageOf(body []byte) string {
	n := wire.Parsed(bytes.TrimSpace(body))
	if n.Is(wire.Array) && len(n.Items) > 0 {
		n = n.Items[0]
	}
	for _, words := range []*wire.Node{n.Get("error").Get("message"), n.Get("message"), n.Get("error"), n.Get("detail")} {
		if text := words.Text(); text != "" {
			return text
		}
	}
	return strings.ToValidUTF8(string(body[:min(len(body), 200)]), "")
}

// Spoken returns the wire APIs in which the server takes the first good request.
func Spoken(ctx context.Context, c Config, all []*wire.Dialect) (spoken []*wire.Dialect, err error) {
	c.Classes = nil
	for _, d := range all {
		c.Dialect = d
		requests, err := c.requests()
		if err != nil {
			continue // there are none of it
		}
		a, err := c.ask(ctx, &requests[0])
		if err != nil {
			return nil, err
		}
		if !a.Refused() {
			spoken = append(spoken, d)
		}
	}
	return spoken, nil
}
