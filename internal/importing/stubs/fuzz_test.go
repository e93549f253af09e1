package stubs_test

import (
	"os"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/importing/stubs"
	"github.com/loopproof/loopproof/internal/wire"
)

// Whatever is in a file, each of its answers is in a script or it is said why not.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"fixtures":[{"match":{"userMessage":"a","turnIndex":1,"systemMessage":["a"]},"response":{"toolCalls":[{"name":"b","arguments":{}}]},"chaos":{"dropRate":1}},{"match":null,"response":3}]}`))
	f.Add([]byte(`{"mappings":[{"scenarioName":"a","requiredScenarioState":"Started","request":{"urlPath":"/v1/messages","headers":{"A":{"equalTo":"b"},"B":null},"bodyPatterns":[{"equalToJson":"{\"a\":[1]}"},{"matchesJsonPath":"$.a['b'][0]"},{"contains":"c"}]},"response":{"bodyFileName":"a","delayDistribution":{"type":"uniform"}}}]}`))
	f.Add([]byte(`{"request":{"urlPattern":"/v1/.*"},"response":{"jsonBody":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := wire.ParseNode(data)
		if err != nil {
			return
		}
		if stubs.IsAimock(root) {
			script, notes := stubs.Aimock("x", root, false)
			accounted(t, len(root.Get("fixtures").All()), []*stubs.Script{script}, notes)
		}
		if stubs.IsWireMock(root) {
			file := stubs.WireMockFile{Name: "x.json", Root: root, Body: func(string) ([]byte, error) { return nil, os.ErrNotExist }}
			scripts, notes := stubs.WireMock("x", []stubs.WireMockFile{file}, spoken())
			n := 1
			if root.Has("mappings") {
				n = len(root.Get("mappings").All())
			}
			accounted(t, n, scripts, notes)
		}
	})
}

func spoken() []stubs.Dialect {
	var all []stubs.Dialect
	for _, d := range dialect.All() {
		all = append(all, stubs.Dialect{Dialect: d, Profile: d.Standard})
	}
	return all
}

func accounted(t *testing.T, want int, scripts []*stubs.Script, notes []stubs.Note) {
	t.Helper()
	seen := map[string]bool{}
	lost := 0
	for _, n := range notes {
		if n.Lost {
			lost++
		}
	}
	for _, script := range scripts {
		for _, step := range script.Steps {
			seen[step.From] = true
		}
		if _, err := script.YAML("x"); err != nil {
			t.Error(err)
		}
	}
	if len(seen)+lost != want {
		t.Errorf("of %d answers %d are in scripts and %d are lost", want, len(seen), lost)
	}
}
