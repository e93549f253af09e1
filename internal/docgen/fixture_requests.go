package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/engine/oracles"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// requestFixtures returns the files of fixtures/requests in the form in which they are committed,
// and all requests. People write them, but for those of the class form.
func requestFixtures() (map[string][]byte, []fixtures.Request, error) {
	names, err := filepath.Glob("fixtures/requests/*/*/*.json")
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]byte{}
	var all []fixtures.Request
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		var indented, compact bytes.Buffer
		if err := errors.Join(json.Indent(&indented, bytes.TrimSpace(text), "", "  "), json.Compact(&compact, text)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		name = filepath.ToSlash(name)
		if strings.Contains(name, "/form/") {
			continue
		}
		files[name] = append(indented.Bytes(), '\n')
		inside := strings.SplitN(strings.TrimSuffix(name, ".json"), "/", 4)
		if dialect.Named(inside[2]) == nil {
			return nil, nil, fmt.Errorf("%s: there is no dialect %q", name, inside[2])
		}
		all = append(all, fixtures.Request{Dialect: inside[2], ID: inside[3], Body: compact.Bytes()})
	}
	for _, d := range dialect.Known() {
		formed, err := formFixtures(d, slices.DeleteFunc(slices.Clone(all), func(r fixtures.Request) bool { return r.Dialect != d.Name }))
		if err != nil {
			return nil, nil, err
		}
		for _, r := range formed {
			name := "fixtures/requests/" + r.Dialect + "/" + r.ID + ".json"
			if files[name] != nil {
				return nil, nil, fmt.Errorf("%s: two mutants have this name", name)
			}
			var indented bytes.Buffer
			if err := json.Indent(&indented, r.Body, "", "  "); err != nil {
				return nil, nil, err
			}
			files[name] = append(indented.Bytes(), '\n')
		}
		all = append(all, formed...)
	}
	return files, all, nil
}

// judge is the mock provider under one profile, which answers every request, beside what the code
// of the provider answered.
type judge struct {
	profile  *profiles.Profile
	mock     *oracles.Mock
	executed *oracles.Result
}

func judgeOf(p *profiles.Profile) (*judge, error) {
	mock, err := oracles.NewMock(p)
	if err != nil {
		return nil, err
	}
	executed, err := oracles.Read(os.DirFS("lab/oracles/results"), p.Name)
	if errors.Is(err, fs.ErrNotExist) { // nobody can run its code
		return &judge{p, mock, &oracles.Result{}}, nil
	}
	return &judge{p, mock, executed}, err
}

// verdicts returns the verdict about each request of the dialect, by its id.
func (j *judge) verdicts(requests []fixtures.Request) (map[string]fixtures.Verdict, error) {
	all := map[string]fixtures.Verdict{}
	for i := range requests {
		r := &requests[i]
		if r.Dialect != j.profile.Dialect {
			continue
		}
		v, err := j.verdict(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		all[r.ID] = v
	}
	return all, nil
}

const assumed = "assumed"

func (j *judge) verdict(r *fixtures.Request) (fixtures.Verdict, error) {
	mock := j.mock.Ask(r.Body)
	if mock.Code >= 400 {
		return j.refusal(r, mock)
	}
	for _, a := range j.executed.Answers {
		whole := len(j.executed.Classes) == 0 && !j.executed.NoEnvelope
		if a.Body != r.ID || a.LeftOut != "" || !whole {
			continue
		}
		return fixtures.Verdict{Status: a.Status, Body: a.Error, Evidence: fixtures.Evidence{KnownBy: string(profiles.Executed), Code: j.executed.Code}}, nil
	}
	return fixtures.Verdict{Status: http.StatusOK, Evidence: fixtures.Evidence{KnownBy: assumed}}, nil
}

// refusal says how it is known that the provider refuses a request as the mock provider does.
func (j *judge) refusal(r *fixtures.Request, mock *httptest.ResponseRecorder) (fixtures.Verdict, error) {
	v := fixtures.Verdict{Status: mock.Code, Body: bytes.TrimSpace(mock.Body.Bytes())}
	req, err := j.profile.Speaks.Read(r.Body)
	if err != nil {
		return v, err
	}
	for refused := range rulebook.Refusals(context.Background(), j.profile, req) {
		v.Rule, v.Evidence = refused.Rule, evidence(refused.Known)
		return v, nil
	}
	// No rule of requests refuses it, but what the server keeps: it names a response that it never
	// gave.
	v.Evidence = evidence(j.profile.Forms.Errors)
	return v, nil
}

func evidence(p profiles.Proof) fixtures.Evidence {
	e := fixtures.Evidence{KnownBy: string(p.KnownBy), Sources: p.Sources, Seen: p.Seen}
	if p.KnownBy == profiles.Executed {
		e.Code = p.Version
	}
	return e
}
