//go:build unix

package loops

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/loopproof/loopproof/internal/trace"
)

// wantGone demands that processes have ended, given their numbers in a text.
func wantGone(t *testing.T, text string) {
	t.Helper()
	numbers := strings.Fields(text)
	if len(numbers) != 2 {
		t.Fatalf("there are no two process numbers in %q", text)
	}
	for _, n := range numbers {
		pid, err := strconv.Atoi(n)
		if err != nil {
			t.Fatal(err)
		}
		NewWithT(t).Eventually(func() bool { return gone(pid) }, ample).Should(BeTrue(), "process %d lives", pid)
	}
}

// gone reports whether there is no such process, or only its number for a parent that does not ask
// for it.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return true
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return strings.Contains(string(stat), ") Z ")
}

// wantNoLeak demands at the end of a test that no goroutine is left that was not there before.
func wantNoLeak(t *testing.T) {
	before := gleak.Goroutines()
	t.Cleanup(func() {
		NewWithT(t).Eventually(gleak.Goroutines, ample).ShouldNot(gleak.HaveLeaked(before))
	})
}

// TestNothingIsLeftBehind starts programs that end in bad ways. It is not run alongside other
// tests, whose goroutines would be counted as well.
func TestNothingIsLeftBehind(t *testing.T) {
	wantNoLeak(t)
	for name, test := range map[string]func(*testing.T){
		"an adapter with a child":      adapterWithChild,
		"an adapter that will not end": adapterThatWillNotEnd,
		"an adapter that dies":         func(t *testing.T) { askUntilItEnds(t, "dies") },
		"an adapter that blocks":       func(t *testing.T) { askUntilItEnds(t, "blocks") },
		"an adapter that is not taken": adapterThatIsNotTaken,
		"a command with a child":       commandWithChild,
		"a command that hangs":         commandThatHangs,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

func adapterWithChild(t *testing.T) {
	session := open(t, adapter("parent", ""))
	e := ask(session, ample, "Oslo")[0]
	if e.How != trace.Reported {
		t.Fatalf("it ended as %q: %s", e.How, e.Note)
	}
	start := time.Now()
	session.Close()
	if took := time.Since(start); took > ample/2 {
		t.Errorf("it took %v to end it", took)
	}
	wantGone(t, e.Outcome.Text)
}

// adapterThatWillNotEnd demands that an adapter ends that minds neither the end of its input nor a
// signal.
func adapterThatWillNotEnd(t *testing.T) {
	session := open(t, adapter("stubborn", ""))
	wantAnswer(t, ask(session, ample, "Oslo")[0], "Oslo")
	process := session.(*adapterSession).conn.process
	session.Close()
	select {
	case <-process.exited:
	default:
		t.Error("it lives on after Close")
	}
	if !gone(process.cmd.Process.Pid) {
		t.Error("there is still a process of its number")
	}
}

func askUntilItEnds(t *testing.T, mode string) {
	session := open(t, adapter(mode, "Oslo"))
	ask(session, short, "Oslo", "Lima")
	session.Close()
}

func adapterThatIsNotTaken(t *testing.T) {
	if _, err := adapter("noisy", "").Open(context.Background(), Options{}); err == nil {
		t.Error("it was taken")
	}
}

func commandWithChild(t *testing.T) {
	e := run(t, "command-leaves", ample)
	if e.How != trace.Reported {
		t.Fatalf("it ended as %q: %s", e.How, e.Note)
	}
	wantGone(t, e.Outcome.Text)
}

func commandThatHangs(t *testing.T) {
	e := run(t, "command-hangs", short)
	wantEnding(t, e, trace.Hung, "the program did not end in time")
	wantGone(t, e.Note[strings.LastIndex(e.Note, "\n"):])
}

func TestCommandIsKilled(t *testing.T) {
	wantEnding(t, run(t, "command-killed", ample), trace.Crashed, "the program was ended by a signal: killed")
}
