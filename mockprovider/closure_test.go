package mockprovider

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestClosure: a program that imports the mock provider links few modules, and neither a test
// framework nor a schema engine. One of them is coder/websocket, which has no dependencies: clients
// of Responses use WebSockets by default or by an option (Codex, the Agents SDKs), and their tests
// start the mock provider as all others do. Another one, golang.org/x/text, compares texts whose
// accents are written in different ways.
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
		"golang.org/x/text",
	}
	if got := slices.Compact(modules); !slices.Equal(got, want) {
		t.Errorf("importing mockprovider links the modules %q\nwant %q", got, want)
	}
}
