package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

// enough is how long something may take on a machine that is busy.
const enough = time.Minute

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(enough); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never happened: " + what)
		}
	}
}

// startMarked starts the command with something in its environment, and returns how many processes
// have that, too.
func startMarked(t *testing.T, out *bytes.Buffer, args ...string) (*exec.Cmd, func() int) {
	t.Helper()
	mark := "LOOPPROOF_TEST_MARK=" + rand.Text()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Args[0], cmd.Env = "loopproof", append(os.Environ(), mark, "GITHUB_STEP_SUMMARY=", "GOGC=400")
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, func() (n int) {
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range files {
			if environment, err := os.ReadFile(file); err == nil && bytes.Contains(environment, []byte(mark)) {
				n++
			}
		}
		return n
	}
}

// A signal ends a run with all that it has started, and leaves the report of what was judged.
func TestSignalsEndARun(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			adapter, stuck := filepath.Join(dir, "stuck"), filepath.Join(dir, "is-stuck")
			if err := os.Symlink(os.Args[0], adapter); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			cmd, alive := startMarked(t, &out, "run", "--timeout", "10m", "--report", filepath.Join(dir, "report"), "--", adapter, stuck)
			eventually(t, "the adapter is stuck", func() bool { _, err := os.Stat(stuck); return err == nil })
			if n := alive(); n < 3 {
				t.Errorf("%d processes are alive, want the run, the adapter and its child", n)
			}
			cmd.Process.Signal(signal)
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitFault || !strings.Contains(out.String(), "interrupted before all cases were played") {
				t.Errorf("it ends with %d, and says\n%s", code, out.String())
			}
			if _, err := os.Stat(filepath.Join(dir, "report", "report.json")); err != nil {
				t.Error(err)
			}
			eventually(t, "nothing is left", func() bool { return alive() == 0 })
		})
	}
}

// A signal lets a server answer what it was asked; a second one ends it at once.
func TestASecondSignalEndsAServer(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--grace", "1h", "--scenario", "pairing/single-call")
			cmd.Args[0] = "loopproof"
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { cmd.Process.Kill() })
			ready, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			base := gjson.Get(ready, "base_url").String()
			go func() {
				body := `{"model":"m","messages":[{"role":"user","content":"What is the weather in Oslo?"}]}`
				req, _ := http.NewRequest(http.MethodPost, base+"/v1/chat/completions", strings.NewReader(body))
				req.Header.Set(engine.BehaviourHeader, "first-token: 1h")
				http.DefaultClient.Do(req)
			}()
			get := func(path string) string {
				resp, err := http.Get(base + path)
				if err != nil {
					return err.Error()
				}
				defer resp.Body.Close()
				var text bytes.Buffer
				text.ReadFrom(resp.Body)
				return text.String()
			}
			eventually(t, "the request is noted", func() bool { return gjson.Get(get("/loopproof/requests"), "count").Int() == 1 })
			http.DefaultClient.CloseIdleConnections()
			cmd.Process.Signal(signal)
			eventually(t, "no connection is taken", func() bool { return strings.Contains(get("/loopproof/healthz"), "refused") })
			if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
				t.Errorf("it has ended although it has a request to answer: %v", err)
			}
			cmd.Process.Signal(signal)
			cmd.Wait()
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != signal {
				t.Errorf("the second signal ends it by %v", fmt.Sprint(cmd.ProcessState))
			}
		})
	}
}
