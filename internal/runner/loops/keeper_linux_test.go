package loops

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/runner/testadapters"
	"github.com/loopproof/loopproof/protocol"
)

func init() { playKept = playKeptRun }

// playKeptRun prints the numbers of the loop and its child, and lives on.
func playKeptRun(kind string) {
	var loop Loop
	switch kind {
	case "adapter":
		loop = Adapter{Command: os.Args[0], Env: testadapters.Env("deserted", "")}
	case "command":
		loop = Command{Command: os.Args[0], Env: testadapters.Env("command-deserted", "")}
	case "agent":
		loop = Agent{Description: desertedAgent()}
	}
	session, err := loop.Open(context.Background(), Options{})
	if err != nil {
		panic(err)
	}
	switch s := session.(type) {
	case *commandSession:
		tellComplaint(s.program.start())
	case *agentSession:
		launch, err := s.description.Prepare(protocol.Task{})
		if err != nil {
			panic(err)
		}
		tellComplaint(s.start(launch, "Oslo", true))
	default:
		fmt.Println(session.RunTask(context.Background(), protocol.Task{ID: "t1", Prompts: []string{"Oslo"}}).Outcome.Text)
	}
	time.Sleep(ample)
}

// desertedAgent describes an agent whose child leaves its session.
func desertedAgent() *agents.Description {
	d := &agents.Description{Command: []string{os.Args[0]}, Env: map[string]string{}, Dialect: "chat", Tools: agents.Tools{None: "it has none"}}
	for _, variable := range testadapters.Env("command-deserted", "") {
		name, value, _ := strings.Cut(variable, "=")
		d.Env[name] = value
	}
	return d
}

// tellComplaint prints what a process prints on standard error.
func tellComplaint(p *process, err error) {
	if err != nil {
		panic(err)
	}
	for p.stderr.String() == "" {
		time.Sleep(time.Millisecond)
	}
	fmt.Println(p.stderr.String())
}

// A run that is killed cannot end what it has started. That ends nevertheless, also what has left
// its group.
func TestKilledRunLeavesNothing(t *testing.T) {
	for _, kind := range []string{"adapter", "command", "agent"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			run := exec.Command(os.Args[0])
			run.Env = append(os.Environ(), "LOOPPROOF_TEST_KEPT="+kind)
			run.Stderr = os.Stderr
			out, err := run.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := run.Start(); err != nil {
				t.Fatal(err)
			}
			numbers, err := bufio.NewReader(out).ReadString('\n')
			run.Process.Kill()
			run.Wait()
			if err != nil {
				t.Fatal(err)
			}
			wantGone(t, numbers)
		})
	}
}

// A child that has left the session of its parent outlives that, and not the run.
func TestChildOfAnotherSessionEndsWithTheRun(t *testing.T) {
	t.Run("adapter", func(t *testing.T) {
		t.Parallel()
		session := open(t, adapter("deserted", ""))
		numbers := ask(session, ample, "Oslo")[0].Outcome.Text
		session.Close()
		wantGone(t, numbers)
	})
	t.Run("command", func(t *testing.T) {
		t.Parallel()
		note := run(t, "command-deserted", short).Note
		wantGone(t, note[strings.LastIndex(note, "\n"):])
	})
	t.Run("agent", func(t *testing.T) {
		t.Parallel()
		session, err := Agent{Description: desertedAgent()}.Open(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), short)
		defer cancel()
		note := session.RunTask(ctx, protocol.Task{Prompts: []string{"Oslo"}}).Note
		session.Close()
		wantGone(t, note[strings.LastIndex(note, "\n"):])
	})
}

// One run does not end the processes of another, nor we ourselves where we are started by one.
func TestRunsAreKeptApart(t *testing.T) {
	first, second := open(t, adapter("deserted", "")), open(t, adapter("deserted", ""))
	numbers := ask(first, ample, "Oslo")[0].Outcome.Text
	second.Close()
	again := ask(first, ample, "Lima")[0].Outcome.Text
	if again != numbers {
		t.Errorf("%q answers, and not %q", again, numbers)
	}
	first.Close()
	wantGone(t, numbers)
}
