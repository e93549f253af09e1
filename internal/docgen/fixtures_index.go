package main

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/fixtures"
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
	Requests  int      `json:"requests"`
	Providers []string `json:"providers"`
}

// indexOfFixtures returns the index of requests and of providers, which are by dialect.
func indexOfFixtures(requests []fixtures.Request, providers map[string][]string) ([]byte, error) {
	index := fixtureIndex{
		Format: 1, Version: loopproof.Version, Rulebook: rulebook.Latest().String(), Licence: "Apache-2.0",
		Source: "https://github.com/loopproof/loopproof/tree/main/fixtures", Dialects: map[string]dialectFixtures{},
	}
	for _, r := range requests {
		d := dialect.Named(r.Dialect)
		if d == nil {
			return nil, fmt.Errorf("there is no dialect %s", r.Dialect)
		}
		index.Dialects[r.Dialect] = dialectFixtures{
			Path:      strings.ReplaceAll(d.Endpoint.Path(), "{model}", "model"),
			Requests:  index.Dialects[r.Dialect].Requests + 1,
			Providers: providers[r.Dialect],
		}
	}
	text, err := plainJSON(index, "  ")
	return append(text, '\n'), err
}
