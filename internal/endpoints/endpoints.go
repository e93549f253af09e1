// Package endpoints answers requests that are no turns of a conversation, as files say: images,
// speech, files, batches, and whatever an application asks for besides.
//
//	known, err := endpoints.Parse("endpoints.yaml", data)
//	...
//	if e, vars := endpoints.Find(known, endpoints.Request{Method: r.Method, Path: r.URL.Path, Body: body}); e != nil {
//		answer := e.Answer(req, vars)
//	}
package endpoints

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
)

// Endpoint is what is asked for at some paths, and the answer to it.
type Endpoint struct {
	// Name is what the journal calls it.
	Name string `yaml:"name"`

	// Paths are methods and the ends of paths, such as POST /images/generations; {id} stands for
	// one part of a path.
	Paths []string `yaml:"paths"`

	// Client is the dialect whose clients alone get this answer, which a header tells; "" is any.
	Client string `yaml:"client"`

	// When are the values that the request has at some JSON pointers. The fields of a form are read
	// like those of an object.
	When wire.Fields `yaml:"when"`

	// Status is that of the answer; 0 is 200.
	Status int `yaml:"status"`

	// Headers are those of the answer besides its type.
	Headers map[string]string `yaml:"headers"`

	// JSON, Text and Base64 are the body; one of them is given, or none. ContentType is that of a
	// text or of bytes.
	JSON        wire.Fields `yaml:"json"`
	Text        string      `yaml:"text"`
	Base64      string      `yaml:"base64"`
	ContentType string      `yaml:"content-type"`

	// Made names what makes the answer of a request, of those that are known here; "": it is in the
	// file.
	Made string `yaml:"made"`

	patterns []pattern
	body     []byte // of Base64
	builtIn  bool
}

// makers make the answers of which files have only the name.
var makers = map[string]func(Request) (status int, body wire.Fields){"moderations": moderations}

// file is a file with endpoints.
type file struct {
	Format    int        `yaml:"loopproof"`
	Endpoints []Endpoint `yaml:"endpoints"`
}

//go:embed endpoints.yaml
var builtin []byte

// BuiltIn returns the endpoints that come with Loopproof.
var BuiltIn = sync.OnceValue(func() []Endpoint {
	all, err := Parse("endpoints.yaml", builtin)
	if err != nil {
		panic(err) // a test reads it
	}
	for i := range all {
		all[i].builtIn = true
	}
	return all
})

// pattern is a method and the end of a path.
type pattern struct {
	text   string // as it is written
	method string
	ends   *regexp.Regexp
	length int // of what is fixed: the longest pattern wins
}

// What paths are made of is compiled when the first file is read.
var (
	patternForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) ((/[A-Za-z0-9_.:{}-]+)+)$`)
	})
	variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([a-z_]+)\}`) })
)

// Parse reads a file with endpoints. Like every file of Loopproof it is read strictly, and the error
// names each mistake.
func Parse(name string, data []byte) ([]Endpoint, error) {
	var f file
	doc, unread := strictyaml.Read(name, data, &f)
	if doc == nil {
		return nil, unread
	}
	var errs []error
	fail := func(at, format string, args ...any) { errs = append(errs, doc.Errorf(at, format, args...)) }
	if f.Format != 1 {
		fail("/loopproof", "the format is 1: `loopproof: 1`")
	}
	if len(f.Endpoints) == 0 {
		fail("", "the file has no endpoints: `endpoints: [{name: …, paths: [POST /…], json: {…}}]`")
	}
	Check(f.Endpoints, fail)
	return f.Endpoints, doc.With(unread, errs...)
}

// Check reports what is wrong in the endpoints of a file, where they stand under endpoints, and
// compiles them.
func Check(all []Endpoint, fail func(at, format string, args ...any)) {
	for i := range all {
		here := fmt.Sprintf("/endpoints/%d", i)
		all[i].check(func(at, format string, args ...any) { fail(here+at, format, args...) })
	}
}

// check reports what is wrong, and compiles the paths.
func (e *Endpoint) check(fail func(at, format string, args ...any)) {
	if e.Name == "" {
		fail("", "an endpoint has a name, which the journal shows: `name: images`")
	}
	if len(e.Paths) == 0 {
		fail("", "an endpoint has paths: `paths: [POST /images/generations]`")
	}
	for i, path := range e.Paths {
		parts := patternForm().FindStringSubmatch(path)
		if parts == nil {
			fail(fmt.Sprintf("/paths/%d", i), "a path is a method and the end of a path, such as `POST /files/{id}`, not %q", path)
			continue
		}
		fixed := variable().ReplaceAllString(parts[2], "")
		named := strings.NewReplacer(`\{`, `(?P<`, `\}`, `>[^/:]+)`).Replace(regexp.QuoteMeta(parts[2]))
		if twice := repeatedVariable(parts[2]); twice != "" {
			fail(fmt.Sprintf("/paths/%d", i), "the path has two parts that are called {%s}; each needs a name of its own", twice)
			continue
		}
		ends, err := regexp.Compile(named + "$")
		if err != nil || strings.ContainsAny(fixed, "{}") {
			fail(fmt.Sprintf("/paths/%d", i), "a part of a path that may be anything is written {name}, in small letters")
			continue
		}
		e.patterns = append(e.patterns, pattern{path, parts[1], ends, len(fixed)})
	}
	known := dialect.Names(dialect.All())
	if e.Client != "" && !slices.Contains(known, e.Client) {
		fail("/client", "there is no dialect %q%s; there are %s", e.Client, suggest.Hint(e.Client, known), strings.Join(known, ", "))
	}
	for _, f := range e.When {
		if !strings.HasPrefix(f.Key, "/") {
			fail("/when", "a condition is a JSON pointer and a value, such as `/model: tts-1`, not %q", f.Key)
		}
	}
	if e.Status != 0 && (e.Status < 200 || e.Status > 599) {
		fail("/status", "a status is a number from 200 to 599, not %d", e.Status)
	}
	e.checkBody(fail)
}

// repeatedVariable returns the first variable that a path has more than once, or "".
func repeatedVariable(path string) string {
	seen := map[string]bool{}
	for _, v := range variable().FindAllStringSubmatch(path, -1) {
		if seen[v[1]] {
			return v[1]
		}
		seen[v[1]] = true
	}
	return ""
}

func (e *Endpoint) checkBody(fail func(at, format string, args ...any)) {
	bodies := 0
	for _, is := range []bool{e.JSON != nil, e.Text != "", e.Base64 != "", e.Made != ""} {
		if is {
			bodies++
		}
	}
	if bodies > 1 {
		fail("", "the body is one of json, text, base64 and made")
	}
	if (e.Text != "" || e.Base64 != "") != (e.ContentType != "") {
		fail("", "content-type goes with text and base64, as in `content-type: audio/mpeg`")
	}
	if known := slices.Sorted(maps.Keys(makers)); e.Made != "" && makers[e.Made] == nil {
		fail("/made", "nothing makes %q%s; there is %s", e.Made, suggest.Hint(e.Made, known), strings.Join(known, ", "))
	}
	var err error
	if e.body, err = base64.StdEncoding.DecodeString(e.Base64); err != nil {
		fail("/base64", "this is no base64: %v", err)
	}
}

// Request is what is asked.
type Request struct {
	Method, Path string
	Base         string     // the URL of the server
	Client       string     // the dialect that a header tells; "" is none
	New          string     // the end of an id that no other answer has
	Body         *wire.Node // nil: it is neither JSON nor a form
}

// Find returns the endpoint for a request, and what stands for the variables of its path. The
// longest path wins, of equal ones those that are not built in, of these that with most conditions,
// and of these the last. Nil: there is none.
func Find(all []Endpoint, req Request) (found *Endpoint, vars map[string]string) {
	found, vars, _ = find(all, req, func(e *Endpoint) bool { return (e.Client == "" || e.Client == req.Client) && e.holds(req.Body) })
	return found, vars
}

// AtPath returns an endpoint with a path, whatever its conditions are, and the path as it has it.
// Nil: there is none.
func AtPath(all []Endpoint, method, path string) (found *Endpoint, as string) {
	found, _, as = find(all, Request{Method: method, Path: path}, func(*Endpoint) bool { return true })
	return found, as
}

func find(all []Endpoint, req Request, may func(*Endpoint) bool) (found *Endpoint, vars map[string]string, as string) {
	best := []int{-1}
	for i := range all {
		e := &all[i]
		if !may(e) {
			continue
		}
		for _, p := range e.patterns {
			rank := e.rank(p)
			if p.method != req.Method || slices.Compare(rank, best) < 0 {
				continue
			}
			m := p.ends.FindStringSubmatch(req.Path)
			if m == nil {
				continue
			}
			found, best, vars, as = e, rank, map[string]string{}, p.text
			for n, name := range p.ends.SubexpNames()[1:] {
				vars[name] = m[n+1]
			}
		}
	}
	return found, vars, as
}

// holds reports whether the conditions hold.
func (e *Endpoint) holds(body *wire.Node) bool {
	return !slices.ContainsFunc(e.When, func(f wire.Field) bool {
		return !wire.SameValue(body.At(f.Key), wire.NewNode(f.Value))
	})
}

// rank says which of two endpoints wins that answer a request.
func (e *Endpoint) rank(p pattern) []int {
	given := 1
	if e.builtIn {
		given = 0
	}
	return []int{p.length, given, e.conditions()}
}

// conditions returns how many conditions a request has to meet.
func (e *Endpoint) conditions() int {
	if e.Client != "" {
		return len(e.When) + 1
	}
	return len(e.When)
}

// BuiltIn reports whether the endpoint comes with Loopproof.
func (e *Endpoint) BuiltIn() bool { return e.builtIn }

// Answer is what is sent.
type Answer struct {
	Status      int
	ContentType string
	Headers     map[string]string
	Body        []byte
}

// Answer returns the answer to a request, whose path has these variables.
func (e *Endpoint) Answer(req Request, vars map[string]string) Answer {
	a := Answer{Status: e.Status, ContentType: e.ContentType}
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	fill := filling{body: req.Body, vars: maps.Clone(vars), index: -1}
	fill.vars["base"], fill.vars["new"] = req.Base, req.New
	for name, value := range e.Headers {
		if a.Headers == nil {
			a.Headers = map[string]string{}
		}
		a.Headers[name] = fill.text(value)
	}
	switch {
	case e.Made != "":
		status, body := makers[e.Made](req)
		a.Status, a.ContentType, a.Body = status, "application/json", wire.NewNode(body).JSON()
	case e.JSON != nil:
		a.ContentType, a.Body = "application/json", fill.value(wire.NewNode(e.JSON)).JSON()
	case len(e.body) > 0:
		a.Body = e.body
	default:
		a.Body = []byte(fill.text(e.Text))
	}
	return a
}
