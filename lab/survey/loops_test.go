package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// Everything that goes with a loop is there, and leads to the rest.
func TestEveryLoopIsComplete(t *testing.T) {
	t.Chdir("../..")
	for _, l := range theLoops(t) {
		t.Run(l.Name, func(t *testing.T) {
			if l.IsAgent() {
				if l.Known() != "" && !strings.Contains(l.About, "--known-failing "+l.Known()) {
					t.Errorf("its description does not say how the agent is played with %s", l.Known())
				}
				return
			}
			readme := read(t, l.Adapter+"/README.md")
			if link := "](../../../results/" + l.Name + "/loop.yaml)"; !strings.Contains(readme, link) {
				t.Errorf("the README of the adapter does not lead to what was found: %s", link)
			}
			if l.Known() != "" {
				if !strings.Contains(read(t, l.Known()), "reason:") {
					t.Errorf("%s is empty: a conformant loop has no list", l.Known())
				}
				if !strings.Contains(readme, "--known-failing "+l.Known()) {
					t.Errorf("the README of the adapter does not say how it is played with %s", l.Known())
				}
			}
			if command := strings.Join(l.Judged()[1:], " "); !strings.Contains(readme, command) {
				t.Errorf("the README of the adapter does not show its command: %s", command)
			}
		})
	}
}

func TestEveryAdapterIsPlayed(t *testing.T) {
	t.Chdir("../..")
	var adapters, lists []string
	for _, l := range theLoops(t) {
		adapters, lists = append(adapters, l.Adapter), append(lists, l.Known())
	}
	for _, readme := range glob(t, "lab/adapters/*/*/README.md") {
		if folder := path.Dir(readme); !slices.Contains(adapters, folder) {
			t.Errorf("%s is the adapter of no loop in %s", folder, matrix.ResultsFolder)
		}
	}
	for _, file := range append(glob(t, "lab/adapters/*/*/known-failing*.yaml"), glob(t, "agents/known-failing/*.yaml")...) {
		if !slices.Contains(lists, file) {
			t.Errorf("no loop in %s has the list %s", matrix.ResultsFolder, file)
		}
	}
}

// People have looked at all that the last runs found, and the list of all loops has their numbers.
func TestResultsAreExamined(t *testing.T) {
	t.Chdir("../..")
	loops, err := matrix.Load(matrix.ResultsFolder, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range openQuestions(loops) {
		t.Error("to be looked at:", one)
	}
	want, err := matrix.Readme(loops)
	if err != nil {
		t.Fatal(err)
	}
	if read(t, matrix.ReadmeFile) != want {
		t.Errorf("%s is not up to date: run cd lab && go run ./survey --write", matrix.ReadmeFile)
	}
}

// named is a loop with a description.
func named(name string, f matrix.LoopFile) *matrix.Loop {
	return &matrix.Loop{Name: name, Folder: path.Join(matrix.ResultsFolder, name), LoopFile: &f}
}

func TestCommands(t *testing.T) {
	for name, c := range map[string]struct {
		loop         matrix.LoopFile
		setup, start []string
	}{
		"Go":              {matrix.LoopFile{Adapter: "lab/adapters/go/l"}, []string{"go build -C lab/adapters/go/l -o l ."}, []string{"lab/adapters/go/l/l"}},
		"Java":            {matrix.LoopFile{Adapter: "lab/adapters/java/l"}, []string{"mvn --batch-mode --quiet --file lab/adapters/java/l package"}, []string{"java", "-jar", "lab/adapters/java/l/target/adapter.jar"}},
		"Rust":            {matrix.LoopFile{Adapter: "lab/adapters/rust/l", Args: []string{"x"}}, []string{"cargo build --quiet --locked --manifest-path lab/adapters/rust/l/Cargo.toml"}, []string{"lab/adapters/rust/l/target/debug/l", "x"}},
		"Node":            {matrix.LoopFile{Adapter: "lab/adapters/node/l"}, []string{"npm ci --no-audit --no-fund --prefix lab/adapters/node/l"}, []string{"node", "lab/adapters/node/l/adapter.mjs"}},
		"Python":          {matrix.LoopFile{Adapter: "lab/adapters/python/l", Args: []string{"x"}}, []string{"python3 -m venv lab/adapters/python/l/.venv", "lab/adapters/python/l/.venv/bin/pip install --quiet --requirement lab/adapters/python/l/requirements.txt"}, []string{"lab/adapters/python/l/.venv/bin/python", "lab/adapters/python/l/adapter.py", "x"}},
		"an agent":        {matrix.LoopFile{Agent: "a", Package: "some-agent@1.2.3"}, []string{"npm install --global --no-audit --no-fund --prefix loopproof-report/agents some-agent@1.2.3"}, nil},
		"fetched by hand": {matrix.LoopFile{Adapter: "lab/adapters/node/l", Checkout: "."}, nil, []string{"node", "lab/adapters/node/l/adapter.mjs", "."}},
	} {
		t.Run(name, func(t *testing.T) {
			commands, err := setup(named("l", c.loop))
			if err != nil {
				t.Fatal(err)
			}
			var setup []string
			for _, command := range commands {
				setup = append(setup, strings.Join(command, " "))
			}
			if diff := cmp.Diff(c.setup, setup); diff != "" {
				t.Error("set up:", diff)
			}
			if c.loop.IsAgent() {
				return
			}
			if diff := cmp.Diff(c.start, c.loop.Judged()[1:]); diff != "" {
				t.Error("started:", diff)
			}
		})
	}
}

func TestMissingCheckoutSaysWhatToDo(t *testing.T) {
	_, err := setup(named("l", matrix.LoopFile{Adapter: "lab/adapters/node/l", Checkout: "nowhere"}))
	if err == nil || !strings.Contains(err.Error(), "lab/adapters/node/l/README.md") || !strings.Contains(err.Error(), "--checkout l=FOLDER") {
		t.Error(err)
	}
}

func theLoops(t *testing.T) []*matrix.Loop {
	t.Helper()
	all, err := readLoops()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", pattern, err)
	}
	return files
}
