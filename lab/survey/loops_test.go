package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Everything that goes with a loop is there, and leads to the rest.
func TestEveryLoopIsComplete(t *testing.T) {
	t.Chdir("../..")
	for _, l := range theLoops(t).Loops {
		t.Run(l.Name, func(t *testing.T) {
			page := read(t, l.page())
			if link := "](../../" + l.source() + ")"; !strings.Contains(page, link) {
				t.Errorf("%s does not lead to its adapter or description: %s", l.page(), link)
			}
			if l.isAgent() {
				if l.known() != "" && !strings.Contains(page, "--known-failing "+l.known()) {
					t.Errorf("%s does not say how the agent is played with %s", l.page(), l.known())
				}
				return
			}
			readme := read(t, l.Adapter+"/README.md")
			if link := "](../../../../" + l.page() + ")"; !strings.Contains(readme, link) {
				t.Errorf("the README of the adapter does not lead to its page: %s", link)
			}
			if l.known() != "" {
				if !strings.Contains(read(t, l.known()), "reason:") {
					t.Errorf("%s is empty: a conformant loop has no list in %s", l.known(), loopsFile)
				}
				if !strings.Contains(readme, "--known-failing "+l.known()) {
					t.Errorf("the README of the adapter does not say how it is played with %s", l.known())
				}
			}
			if !strings.Contains(readme, strings.Join(l.command(), " ")) {
				t.Errorf("the README of the adapter does not show its command: %s", strings.Join(l.command(), " "))
			}
		})
	}
}

// agentsFile is about programs that need no adapter.
const agentsFile = "docs/findings/agents.md"

func TestEveryAdapterIsListed(t *testing.T) {
	t.Chdir("../..")
	list := theLoops(t)
	var listed []string
	for _, l := range list.Loops {
		listed = append(listed, l.Adapter)
	}
	var lists []string
	for _, l := range list.Loops {
		lists = append(lists, l.known())
	}
	for _, readme := range glob(t, "lab/adapters/*/*/README.md") {
		if folder := path.Dir(readme); !slices.Contains(listed, folder) {
			t.Errorf("%s is not in %s", folder, loopsFile)
		}
	}
	for _, file := range glob(t, "lab/adapters/*/*/known-failing*.yaml") {
		if !slices.Contains(lists, file) {
			t.Errorf("no loop of %s has the list %s", loopsFile, file)
		}
	}
	for _, file := range glob(t, "agents/known-failing/*.yaml") {
		if !slices.Contains(lists, file) {
			t.Errorf("no agent of %s has the list %s", loopsFile, file)
		}
	}
	for _, page := range glob(t, "docs/findings/*.md") {
		name := strings.TrimSuffix(path.Base(page), ".md")
		if page != oddFile && page != agentsFile && !slices.Contains(names(list.Loops), name) {
			t.Errorf("%s is about no loop of %s", page, loopsFile)
		}
	}
	for _, file := range glob(t, resultsFolder+"/*") {
		if name := strings.TrimSuffix(path.Base(file), ".json"); !slices.Contains(names(list.Loops), name) {
			t.Errorf("%s is about no loop of %s", file, loopsFile)
		}
	}
}

// The numbers are those of the last run, and people have looked at all that it found.
func TestDocumentsAreUpToDate(t *testing.T) {
	t.Chdir("../..")
	all, err := documents(theLoops(t).Loops)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if read(t, d.file) != d.text {
			t.Errorf("%s is not up to date: run cd lab && go run ./survey --write", d.file)
		}
		for _, one := range d.unseen {
			t.Error("to be looked at:", one)
		}
	}
	for _, one := range openQuestions(theLoops(t).Loops) {
		t.Error(one)
	}
}

func TestCommands(t *testing.T) {
	for name, c := range map[string]struct {
		loop         loop
		setup, start []string
	}{
		"Go":              {loop{Adapter: "lab/adapters/go/l"}, []string{"go build -C lab/adapters/go/l -o l ."}, []string{"lab/adapters/go/l/l"}},
		"Java":            {loop{Adapter: "lab/adapters/java/l"}, []string{"mvn --batch-mode --quiet --file lab/adapters/java/l package"}, []string{"java", "-jar", "lab/adapters/java/l/target/adapter.jar"}},
		"Rust":            {loop{Adapter: "lab/adapters/rust/l", Args: []string{"x"}}, []string{"cargo build --quiet --locked --manifest-path lab/adapters/rust/l/Cargo.toml"}, []string{"lab/adapters/rust/l/target/debug/l", "x"}},
		"Node":            {loop{Adapter: "lab/adapters/node/l"}, []string{"npm ci --no-audit --no-fund --prefix lab/adapters/node/l"}, []string{"node", "lab/adapters/node/l/adapter.mjs"}},
		"Python":          {loop{Adapter: "lab/adapters/python/l", Args: []string{"x"}}, []string{"python3 -m venv lab/adapters/python/l/.venv", "lab/adapters/python/l/.venv/bin/pip install --quiet --requirement lab/adapters/python/l/requirements.txt"}, []string{"lab/adapters/python/l/.venv/bin/python", "lab/adapters/python/l/adapter.py", "x"}},
		"an agent":        {loop{Agent: "a", Package: "some-agent@1.2.3"}, []string{"npm install --global --no-audit --no-fund --prefix loopproof-report/agents some-agent@1.2.3"}, nil},
		"fetched by hand": {loop{Adapter: "lab/adapters/node/l", Checkout: "."}, nil, []string{"node", "lab/adapters/node/l/adapter.mjs", "."}},
	} {
		t.Run(name, func(t *testing.T) {
			commands, err := c.loop.setup()
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
			if c.loop.isAgent() {
				return
			}
			if diff := cmp.Diff(c.start, c.loop.command()); diff != "" {
				t.Error("started:", diff)
			}
		})
	}
}

func TestMissingCheckoutSaysWhatToDo(t *testing.T) {
	_, err := loop{Name: "l", Adapter: "lab/adapters/node/l", Checkout: "nowhere"}.setup()
	if err == nil || !strings.Contains(err.Error(), "lab/adapters/node/l/README.md") || !strings.Contains(err.Error(), "--checkout l=FOLDER") {
		t.Error(err)
	}
}

func TestBadLists(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"unknown key":       {"loops: [{nome: a}]", "unknown key"},
		"no title":          {"loops: [{name: a, adapter: lab/adapters/go/a}]", "a name, a title and an adapter"},
		"adapter and agent": {"loops: [{name: a, title: A, adapter: lab/adapters/go/a, agent: b}]", "an adapter, or an agent instead"},
		"no package":        {"loops: [{name: a, title: A, agent: b}]", "a package of npm"},
		"two of one name":   {"loops: [{name: a, title: A, adapter: lab/adapters/go/a}, {name: a, title: B, adapter: lab/adapters/go/b}]", "two loops a"},
		"unknown language":  {"loops: [{name: a, title: A, adapter: lab/adapters/perl/a}]", "go, java, node, python, rust"},
		"another folder":    {"loops: [{name: a, title: A, adapter: python/a}]", "lab/adapters/LANGUAGE/NAME"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "loops.yaml")
			if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := readLoops(file); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestListIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "loops.yaml")
	text := "loops: [{name: a, title: A, short: a, adapter: lab/adapters/go/a, args: [x], checkout: ../a, list: k.yaml, timeout: 60s}]"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := readLoops(file)
	if err != nil {
		t.Fatal(err)
	}
	want := &loopList{Loops: []loop{{
		Name: "a", Title: "A", Short: "a", Adapter: "lab/adapters/go/a", Args: []string{"x"}, Checkout: "../a", List: "k.yaml", Timeout: time.Minute,
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func theLoops(t *testing.T) *loopList {
	t.Helper()
	list, err := readLoops(loopsFile)
	if err != nil {
		t.Fatal(err)
	}
	return list
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
