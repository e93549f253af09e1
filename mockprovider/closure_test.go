package mockprovider

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestClosure holds what a program links that imports the mock provider: few modules, and neither a test framework nor a
// schema engine. coder/websocket, which itself needs nothing, is there since clients of Responses ask over WebSockets by
// default or by a switch (Codex, the Agents SDKs), and tests of them start the mock provider like all others do.
func TestClosure(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	want := []string{
		"github.com/agnivade/levenshtein",
		"github.com/bmatcuk/doublestar/v4",
		"github.com/coder/websocket",
		"github.com/go-json-experiment/json",
		"github.com/gorilla/mux",
		"github.com/loopproof/loopproof",
		"go.yaml.in/yaml/v4",
	}
	if got := slices.Compact(modules); !slices.Equal(got, want) {
		t.Errorf("importing mockprovider links the modules %q\nwant %q", got, want)
	}
}
