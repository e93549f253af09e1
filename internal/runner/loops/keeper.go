package loops

import (
	"crypto/rand"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// keeper ends whatever a run has started when the run ends, however it ends: also when we are
// killed. It is a small shell that reads from a pipe which groups of processes there are, and which
// have ended. The pipe ends with us: then it kills the groups that are left and, where the system
// tells the environments of processes (Linux), all processes that have the variable of the run, of
// whatever group or session they are.
//
// Where there is no shell, and on Windows, there is none: then what has left its group, and after
// kill -9 everything, lives on.
type keeper struct {
	variable string // in the environment of all that the run starts

	mu    sync.Mutex
	shell *exec.Cmd // nil where there is none
	pipe  io.WriteCloser
}

// newKeeper starts one. The caller has to call close.
func newKeeper() *keeper {
	k := &keeper{variable: "LOOPPROOF_RUN_" + rand.Text()}
	shell := keeperShell(k.variable)
	if shell == nil {
		return k
	}
	pipe, err := shell.StdinPipe()
	if err != nil || shell.Start() != nil {
		return k
	}
	k.shell, k.pipe = shell, pipe
	return k
}

// env is what the environment of everything has to hold that the run starts. A nil keeper keeps
// nothing.
func (k *keeper) env() []string {
	if k == nil {
		return nil
	}
	return []string{k.variable + "=1"}
}

// tell says that a group of processes "began" or "ended".
func (k *keeper) tell(what string, group int) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pipe != nil {
		fmt.Fprintln(k.pipe, what, group) // a shell that is gone does not matter before the end
	}
}

// close ends what is left of the run, and returns when it has ended.
func (k *keeper) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pipe == nil {
		return
	}
	k.pipe.Close()
	k.pipe = nil
	late := time.AfterFunc(10*time.Second, func() { k.shell.Process.Kill() })
	defer late.Stop()
	k.shell.Wait()
}
