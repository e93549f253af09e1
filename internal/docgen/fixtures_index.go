package main

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// fixtureIndex is fixtures/index.json: which version the fixtures are of, and what there is.
type fixtureIndex struct {
	Format   int                        `json:"format"` // of the files; another one where a key has another meaning
	Version  string                     `json:"version"`
	Rulebook string                     `json:"rulebook"`
	Licence  string                     `json:"licence"`
	Source   string                     `json:"source"`
	Dialects map[string]dialectFixtures `json:"dialects"`
}

// dialectFixtures is what there is of a wire API.
type dialectFixtures struct {
	Path      string   `json:"path"` // of requests, behind the address of a server
	Providers []string `json:"providers"`
}

// indexOfFixtures returns the index of providers, which are by dialect. A draft has none.
func indexOfFixtures(providers map[string][]string) ([]byte, error) {
	index := fixtureIndex{
		Format: 1, Version: loopproof.Version, Rulebook: rulebook.Latest().String(), Licence: "Apache-2.0",
		Source: "https://github.com/loopproof/loopproof/tree/main/fixtures", Dialects: map[string]dialectFixtures{},
	}
	for name, all := range providers {
		d := dialect.Named(name)
		if d == nil {
			return nil, fmt.Errorf("there is no dialect %s", name)
		}
		index.Dialects[name] = dialectFixtures{Path: strings.ReplaceAll(d.Endpoint.Path(), "{model}", "model"), Providers: all}
	}
	text, err := plainJSON(index, "  ")
	return append(text, '\n'), err
}
