package failures_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/packages/starters"
	"github.com/loopproof/loopproof/protocol"
)

var allLanguages = flag.Bool("all-languages", false, "test the helpers in Java and Rust as well, whose programs are built first")

func TestMain(m *testing.M) {
	if os.Getenv("FAILING") == "go" {
		serveFailing()
		return
	}
	os.Exit(m.Run())
}

// failures maps a prompt, at which the loop fails, to what the error of its outcome has to say.
type failures map[string][]string

// with returns the failures with others, which replace those of the same prompt.
func (f failures) with(others failures) failures {
	all := maps.Clone(f)
	maps.Copy(all, others)
	return all
}

// program is an adapter around a loop that fails.
type program struct {
	command []string
	env     []string
	dir     string
}

// test plays each failure, a good task behind each, and then all at once.
func (p program) test(t *testing.T, table failures) {
	t.Helper()
	prompts := slices.Sorted(maps.Keys(table))
	p.play(t, table, len(prompts), func(ask func(prompts ...string)) {
		for _, prompt := range prompts {
			ask(prompt)
			ask("fine")
		}
	})
}

// testTogether plays all failures, and good tasks, at the same time.
func (p program) testTogether(t *testing.T, table failures) {
	t.Helper()
	var prompts []string
	for _, prompt := range slices.Sorted(maps.Keys(table)) {
		prompts = append(prompts, prompt, "fine")
	}
	p.play(t, table, len(prompts), func(ask func(prompts ...string)) { ask(prompts...) })
}

// play lets script ask the program for tasks, and checks their outcomes.
func (p program) play(t *testing.T, table failures, n int, script func(ask func(prompts ...string))) {
	t.Helper()
	if n == 0 {
		t.Fatal("the table is empty")
	}
	p.run(t, func(stdin io.Writer, lines *bufio.Scanner) {
		script(func(prompts ...string) { askAll(t, stdin, lines, table, prompts) })
	})
}

// run starts the program, lets talk talk with it behind its hello, and demands that it ends well at
// the end of its input.
func (p program) run(t *testing.T, talk func(stdin io.Writer, lines *bufio.Scanner)) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), p.command[0], p.command[1:]...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = append(os.Environ(), p.env...), p.dir, 10*time.Second
	var logged strings.Builder
	cmd.Stderr = &logged
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 8<<20)
	stuck := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer stuck.Stop()

	var hello protocol.Hello
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &hello) != nil || hello.Name != "failing" && hello.Name != "my loop" || len(hello.Dialects) == 0 {
		t.Fatalf("the hello is %q\n%s", lines.Text(), &logged)
	}
	talk(stdin, lines)
	stdin.Close()
	io.Copy(io.Discard, stdout)
	if err := cmd.Wait(); err != nil || t.Failed() {
		t.Errorf("it ended with %v\n%s", err, logged.String()[max(0, logged.Len()-4000):])
	}
}

// askAll gives a program tasks at the same time, and checks their outcomes.
func askAll(t *testing.T, stdin io.Writer, lines *bufio.Scanner, table failures, prompts []string) {
	t.Helper()
	open := map[string]string{} // the ids of the tasks without an outcome, and their prompts
	for i, prompt := range prompts {
		id := fmt.Sprint("t", i)
		open[id] = prompt
		line, err := json.Marshal(protocol.Task{
			Type: protocol.TypeTask, ID: id, Dialect: "chat", BaseURL: "http://127.0.0.1:1/v1", Model: "m", Profile: "openai",
			Prompts: []string{prompt}, Tools: []protocol.Tool{}, MaxTurns: 8, TimeoutMS: 10_000,
		})
		must(t, err)
		if _, err := stdin.Write(append(line, '\n')); err != nil {
			t.Fatalf("at %q: %v", prompt, err)
		}
	}
	for len(open) > 0 {
		if !lines.Scan() {
			t.Fatalf("no outcome came of %q", slices.Sorted(maps.Values(open)))
		}
		var o protocol.Outcome
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatalf("the outcome is %s: %v", lines.Text(), err)
		}
		prompt, asked := open[o.ID]
		if !asked {
			t.Fatalf("%s came, which is for no open task", lines.Text())
		}
		delete(open, o.ID)
		check(t, prompt, o, table)
	}
}

func check(t *testing.T, prompt string, o protocol.Outcome, table failures) {
	t.Helper()
	if prompt == "fine" {
		if o.Status != protocol.Completed || o.Text == "" {
			t.Errorf("the good task ended as %+v", o)
		}
		return
	}
	if o.Status != protocol.Failed || o.Error == "" {
		t.Errorf("%q ended as %+v, which is not failed with an error", prompt, o)
	}
	for _, says := range table[prompt] {
		if !strings.Contains(o.Error, says) {
			t.Errorf("the error of %q is %q, and does not say %q", prompt, o.Error, says)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// needs skips a test whose language is not installed.
func needs(t *testing.T, command string, slow bool) {
	t.Helper()
	if slow && !*allLanguages {
		t.Skip("its program is built first: go test ./packages/starters/failures -all-languages")
	}
	if _, err := exec.LookPath(command); err != nil {
		t.Skipf("%s is not installed", command)
	}
}

// absolute returns the path of a file of this folder.
func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.FromSlash(name))
	must(t, err)
	return path
}

// built writes the starter of a language with the failing loop as one of its files, and runs a
// command in its folder.
func built(t *testing.T, language, file, loop string, command ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	starter, err := starters.Starter(language)
	must(t, err)
	text, err := os.ReadFile(absolute(t, "testdata/"+loop))
	must(t, err)
	for _, f := range starter {
		if f.Name == file {
			f.Text = text
		}
		path := filepath.Join(folder, filepath.FromSlash(f.Name))
		must(t, cmp.Or(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, f.Text, 0o666)))
	}
	build := exec.CommandContext(t.Context(), command[0], command[1:]...)
	build.Dir = folder
	if printed, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	return folder
}
