package loops

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/runner/testadapters"
)

// playKept is a run that is killed, on systems on which nothing of it is left.
var playKept func(kind string)

// TestMain makes the test binary one of the programs that the tests of the runners start. In all of
// them garbage is collected seldom, since each is short. Many tests run at a time, since they wait
// for programs.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	testadapters.Main()
	if kind := os.Getenv("LOOPPROOF_TEST_KEPT"); kind != "" && playKept != nil {
		playKept(kind)
		return
	}
	flag.Set("test.parallel", "8")
	os.Exit(m.Run())
}

func TestProgramThatDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(plain, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(dir, "bare.sh")
	if err := os.WriteFile(bare, []byte("echo no first line\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		program program
		says    string
	}{
		"not in the PATH": {program{command: "no-such-program"}, `"no-such-program" cannot be started: there is no such program in the PATH`},
		"not there":       {program{command: "./no-such-program"}, "the file, the interpreter in its first line, or the folder to run it in does not exist"},
		"not executable":  {program{command: plain}, "it has to be a program, and executable"},
		"no first line":   {program{command: bare}, "a script has to say in its first line what runs it"},
		"a folder":        {program{command: dir}, "it has to be a program, and executable"},
		"no such folder":  {program{command: os.Args[0], dir: filepath.Join(dir, "nowhere")}, "the file, the interpreter in its first line, or the folder to run it in does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := c.program.start()
			if err == nil {
				p.kill()
				t.Fatal("it started")
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %q, want it to say %q", err, c.says)
			}
		})
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var kept tail
	if n, err := kept.Write(bytes.Repeat([]byte("debug\n"), 1<<20)); n != 6<<20 || err != nil {
		t.Fatalf("Write returned %d, %v", n, err)
	}
	kept.Write([]byte("\x1b[31mError:\x1b[0m\tbad\a\xff\n"))
	kept.Write([]byte("the end\n\n"))
	if len(kept.kept) > maxTail {
		t.Errorf("it keeps %d bytes, and may keep %d", len(kept.kept), maxTail)
	}
	lines := strings.Split(kept.String(), "\n")
	if got := strings.Join(lines[len(lines)-3:], "|"); got != "debug|Error:\tbad|the end" {
		t.Errorf("the last lines are %q", got)
	}
	if len(lines) != maxTailLines {
		t.Errorf("it shows %d lines, want %d", len(lines), maxTailLines)
	}
}
