// Package oracles reads what the code of providers was seen to answer, and asks the mock provider the
// same.
//
//	results, err := oracles.Load(os.DirFS("lab/oracles/results"))
//	mock, err := oracles.NewMock(profile)
//	answer := mock.Ask(body)
//
// The code is run by `cd lab && go run ./oracles`, which stores its answers as one file per profile.
package oracles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Result is what the code of one server answered, as it is stored.
type Result struct {
	Profile string `json:"profile"` // of the same server
	Oracle  string `json:"oracle"`  // the program that was asked: a folder in oracles/
	Code    string `json:"code"`    // name and version of the code
	Dialect string `json:"dialect"`
	Path    string `json:"path"` // to which the requests were posted

	// Classes limits the comparison to bodies of these classes, where the code is not all of the
	// server. Empty: all.
	Classes []string `json:"classes,omitempty"`

	// Forms says that the code was asked about the class form, too: requests that are made of the form of
	// the dialect, one for each keyword.
	Forms bool `json:"forms,omitempty"`

	// NoEnvelope says that the code is a library: its errors have no body of their own.
	NoEnvelope bool `json:"no-envelope,omitempty"`

	Answers []Answer `json:"answers"`
}

// Answer is what the code answered to one body.
type Answer struct {
	Body   string `json:"body"`   // the id of the body
	Digest string `json:"digest"` // of the request that was sent
	Reply

	// LeftOut says why the code could not be asked.
	LeftOut string `json:"left-out,omitempty"`

	// Others are the answers of other versions of the code, by their names, where they differ.
	Others map[string]Reply `json:"others,omitempty"`
}

// Reply is a status and, of an error, the body.
type Reply struct {
	Status int             `json:"status,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// Refused reports whether the reply is an error.
func (r Reply) Refused() bool { return r.Status >= 400 }

// Answer returns the answer to the body of an id, and false when there is none to the version of it
// that has a digest.
func (r *Result) Answer(id, digest string) (Answer, bool) {
	i := slices.IndexFunc(r.Answers, func(a Answer) bool { return a.Body == id })
	if i < 0 || r.Answers[i].Digest != digest {
		return Answer{}, false
	}
	return r.Answers[i], true
}

// Asks reports whether bodies of a class are those that the code is asked about.
func (r *Result) Asks(class string) bool {
	if class == "form" {
		return r.Forms
	}
	return len(r.Classes) == 0 || slices.Contains(r.Classes, class)
}

// MarshalJSON writes one answer a line, so that the differences of two results can be read.
func (r *Result) MarshalJSON() ([]byte, error) {
	type plain Result
	head := plain(*r)
	head.Answers = nil
	return WithAnswers(head, r.Answers)
}

// WithAnswers writes an object whose last key has no answers yet, and these answers under it, one a
// line.
func WithAnswers[T any](head any, answers []T) ([]byte, error) {
	text, err := marshal(head)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(text, []byte("null}")))
	b.WriteString("[\n")
	for i, a := range answers {
		line, err := marshal(a)
		if err != nil {
			return nil, err
		}
		b.Write(line)
		if i < len(answers)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]}")
	return b.Bytes(), nil
}

// marshal writes JSON without escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// Text returns the result as it is stored.
func (r *Result) Text() ([]byte, error) {
	text, err := r.MarshalJSON()
	return append(text, '\n'), err
}

// File returns the name of the file in which the result is stored.
func (r *Result) File() string { return r.Profile + ".json" }

// Load reads all results of a folder, sorted by profile, but for files that hold something else.
func Load(folder fs.FS, others ...string) ([]*Result, error) {
	names, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, err
	}
	var all []*Result
	for _, name := range names {
		if slices.Contains(others, name) {
			continue
		}
		r, err := Read(folder, strings.TrimSuffix(name, path.Ext(name)))
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there are no stored results here; `cd lab && go run ./oracles` makes them")
	}
	return all, nil
}

// Read reads the result of a profile from a folder. The error is [fs.ErrNotExist] where there is
// none.
func Read(folder fs.FS, profile string) (*Result, error) {
	name := profile + ".json"
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: not a stored result: %w", name, err)
	}
	if r.Profile != profile {
		return nil, fmt.Errorf("%s: it is about the profile %q; a result is stored under the name of its profile", name, r.Profile)
	}
	return r, nil
}
