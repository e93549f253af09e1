package loops

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/runner/testadapters"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

func command(mode string) Command {
	return Command{Command: os.Args[0], Env: testadapters.Env(mode, "")}
}

var commandTask = protocol.Task{
	Type: "task", ID: "t1", Dialect: "chat", BaseURL: "http://127.0.0.1:1/run/8c1f/v1", APIKey: "loopproof-8c1f", Model: "loopproof",
	Prompts: []string{"Oslo\n\"or\" Lima?"}, Tools: []protocol.Tool{},
}

// run gives a task to a command and returns how it ended.
func run(t *testing.T, mode string, timeout time.Duration) Ending {
	t.Helper()
	session, err := command(mode).Open(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return session.RunTask(ctx, commandTask)
}

func TestCommandIsTold(t *testing.T) {
	e := run(t, "command-env", ample)
	if e.How != trace.Reported {
		t.Fatalf("it ended as %q: %s", e.How, e.Note)
	}
	var told map[string]string
	if err := json.Unmarshal([]byte(e.Outcome.Text), &told); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"OPENAI_BASE_URL":        "http://127.0.0.1:1/run/8c1f/v1",
		"OPENAI_API_KEY":         "loopproof-8c1f",
		"OPENAI_MODEL":           "loopproof",
		"ANTHROPIC_BASE_URL":     "http://127.0.0.1:1/run/8c1f",
		"ANTHROPIC_API_KEY":      "loopproof-8c1f",
		"ANTHROPIC_MODEL":        "loopproof",
		"GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:1/run/8c1f",
		"GEMINI_API_KEY":         "loopproof-8c1f",
		"GEMINI_MODEL":           "loopproof",
		"stdin":                  commandTask.Prompts[0],
	} {
		if told[name] != want {
			t.Errorf("%s is %q, want %q", name, told[name], want)
		}
	}
	var task protocol.Task
	if err := json.Unmarshal([]byte(told["LOOPPROOF_TASK"]), &task); err != nil || task.Prompts[0] != commandTask.Prompts[0] {
		t.Errorf("LOOPPROOF_TASK is %q", told["LOOPPROOF_TASK"])
	}
}

// TestCommandIsToldInArguments demands that a prompt in the arguments is not on standard input as
// well, and that braces which mean something else stay.
func TestCommandIsToldInArguments(t *testing.T) {
	c := command("command-env")
	c.Args = []string{"--ask={prompt}", "{base_url} {api_key} {model}", `{"a":1}`}
	session, err := c.Open(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := session.RunTask(t.Context(), commandTask)
	if e.How != trace.Reported {
		t.Fatalf("it ended as %q: %s", e.How, e.Note)
	}
	var told map[string]string
	if err := json.Unmarshal([]byte(e.Outcome.Text), &told); err != nil {
		t.Fatal(err)
	}
	want := "--ask=" + commandTask.Prompts[0] + "|http://127.0.0.1:1/run/8c1f/v1 loopproof-8c1f loopproof|" + `{"a":1}`
	if told["args"] != want || told["stdin"] != "" {
		t.Errorf("the arguments are %q and standard input is %q, want %q and nothing", told["args"], told["stdin"], want)
	}
}

// TestCommandTakesLongTasks demands that a task too long for the environment is in a file, which is
// removed afterwards.
func TestCommandTakesLongTasks(t *testing.T) {
	t.Parallel()
	session, err := command("command-env").Open(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	task := commandTask
	task.Prompts = []string{strings.Repeat("x", 1<<20)}
	e := session.RunTask(t.Context(), task)
	if e.How != trace.Reported {
		t.Fatalf("it ended as %q: %s", e.How, e.Note)
	}
	var told map[string]string
	if err := json.Unmarshal([]byte(e.Outcome.Text), &told); err != nil {
		t.Fatal(err)
	}
	if told["LOOPPROOF_TASK"] != "" || !strings.Contains(told["in the file"], task.Prompts[0]) || told["stdin"] != task.Prompts[0] {
		t.Error("the task is not in the file and its prompt on standard input")
	}
	if _, err := os.Stat(told["LOOPPROOF_TASK_FILE"]); !os.IsNotExist(err) {
		t.Errorf("the file of the task is left behind: %v", err)
	}
}

func TestCommandEndings(t *testing.T) {
	t.Parallel()
	e := run(t, "command-no-stdin", ample)
	if e.How != trace.Reported || e.Outcome.Status != protocol.Completed || e.Outcome.Text != "fine" {
		t.Errorf("it ended as %q with %+v: %s", e.How, e.Outcome, e.Note)
	}
	e = run(t, "command-fails", ample)
	if e.How != trace.Reported || e.Outcome.Status != protocol.Failed || e.Outcome.Error != "Error: 400 Invalid parameter" || e.Outcome.Text != "" {
		t.Errorf("it ended as %q with %+v: %s", e.How, e.Outcome, e.Note)
	}
	wantEnding(t, run(t, "command-floods", ample), trace.Crashed, "the program printed more than 8 MB")
}

func TestCommandThatDoesNotStart(t *testing.T) {
	for want, c := range map[string]Command{
		"set Command.Command":                    {},
		"no such program in the PATH":            {Command: "no-such-loop"},
		"the folder to run it in does not exist": {Command: "./no-such-loop"},
	} {
		if _, err := c.Open(context.Background(), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}

// TestNameOfCommand: a report is about the script, and not about its interpreter.
func TestNameOfCommand(t *testing.T) {
	for want, c := range map[string]Command{
		"my-agent": {Command: "./bin/my-agent", Args: []string{"--prompt", "{prompt}"}},
		"agent.py": {Command: "../v/bin/python", Args: []string{"-u", "src/agent.py", "{prompt}"}},
		"loop.jar": {Command: "java", Args: []string{"-jar", "target/loop.jar"}},
	} {
		if got := c.name(); got != want {
			t.Errorf("%v is called %s, want %s", c, got, want)
		}
	}
}
