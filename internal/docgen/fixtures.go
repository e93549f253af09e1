package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/profiles"
)

// fixtureFiles returns all files of fixtures: the requests as people wrote them, and what follows
// from the profiles and from the code of providers that the oracles ran.
func fixtureFiles() (map[string][]byte, error) {
	files, requests, err := requestFixtures()
	if err != nil {
		return nil, err
	}
	answers, folders, err := answerFixtures()
	if err != nil {
		return nil, err
	}
	maps.Copy(files, answers)
	providers := map[string][]string{}
	for _, p := range profiles.All() {
		if p.QuirksOnly { // it stands for no provider
			continue
		}
		text, err := provider(p, requests, folders[p.Name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		files["fixtures/providers/"+p.Name+".json"] = text
		providers[p.Dialect] = append(providers[p.Dialect], p.Name)
	}
	files["fixtures/index.json"], err = indexOfFixtures(providers)
	return files, err
}

// provider returns the file of a profile: one verdict a line, so that a change can be read.
func provider(p *profiles.Profile, requests []fixtures.Request, answers string) ([]byte, error) {
	j, err := judgeOf(p)
	if err != nil {
		return nil, err
	}
	verdicts, err := j.verdicts(requests)
	if err != nil {
		return nil, err
	}
	head := fixtures.Provider{Title: p.Title, Dialect: p.Dialect, About: p.About, Docs: p.Docs, Answers: answers, Form: evidence(p.Forms.Answers)}
	text, err := plainJSON(head, "  ")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(text, []byte("null\n}")))
	b.WriteString("{")
	for i, id := range slices.Sorted(maps.Keys(verdicts)) {
		line, err := plainJSON(verdicts[id], "")
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %q: %s", id, line)
	}
	b.WriteString("\n  }\n}\n")
	return b.Bytes(), nil
}

// plainJSON writes JSON without escapes for HTML.
func plainJSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
