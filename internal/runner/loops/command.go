package loops

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Command is a program without an adapter. It is started once for each task. Package suite says
// what it is given, and what its end means.
type Command struct {
	Command string   // looked up in the PATH
	Args    []string // its arguments
	Env     []string // "NAME=value", in addition to our own environment
	Dir     string   // where it runs; "" is where we run
}

// Open checks that there is such a program. What the loop claims is in the options.
func (c Command) Open(_ context.Context, o Options) (Session, error) {
	if c.Command == "" {
		return nil, errors.New("the loop has no command: set Command.Command")
	}
	for _, claim := range o.Claims.Features {
		if name, _ := claims.Split(claim); claims.Describe(name).By == claims.AdapterOnly {
			return nil, fmt.Errorf("a command is told nothing while it runs, and cannot have the feature %s: claim it for an adapter, or leave it out", name)
		}
	}
	if err := c.program().check(); err != nil {
		return nil, fmt.Errorf("the loop did not start: %w", err)
	}
	hello := o.Hello(cmp.Or(o.Name, c.name()), "")
	hello.Concurrency = cmp.Or(o.Claims.Concurrency, o.Workers, runtime.GOMAXPROCS(0))
	kept := c.program()
	kept.keeper = newKeeper()
	return &commandSession{program: kept, hello: hello, spoken: o.Profiles.Spoken()}, nil
}

// name returns the name of the program: of the script, where an interpreter runs one.
func (c Command) name() string {
	scripts := []string{".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".php", ".pl", ".sh", ".jar"}
	for _, arg := range c.Args {
		if slices.Contains(scripts, filepath.Ext(arg)) {
			return filepath.Base(arg)
		}
	}
	return filepath.Base(c.Command)
}

func (c Command) program() program {
	return program{command: c.Command, args: c.Args, env: c.Env, dir: c.Dir}
}

type commandSession struct {
	program program
	hello   protocol.Hello
	spoken  []*wire.Dialect // whose variables are in the environment
}

func (s *commandSession) Hello() protocol.Hello { return s.hello }
func (s *commandSession) Remarks() []string     { return nil }

// Close ends what the programs have left running.
func (s *commandSession) Close() error {
	s.program.keeper.close()
	return nil
}

const (
	maxAnswer  = 8 << 20  // of an answer on standard output, in bytes
	maxEnvTask = 96 << 10 // of a task in the environment: Linux takes 128 KB for one variable
)

// RunTask runs the program for one task.
func (s *commandSession) RunTask(ctx context.Context, task protocol.Task) Ending {
	told, err := tell(task, s.spoken)
	if err != nil {
		return Ending{How: trace.Crashed, Note: err.Error()}
	}
	defer told.remove()
	prog := s.program
	prog.env = append(told.env, prog.env...)
	args, inArgs := fillIn(prog.args, task)
	prog.args = args
	p, err := prog.start()
	if err != nil {
		return Ending{How: trace.Crashed, Note: err.Error()}
	}
	go func() {
		if !inArgs {
			io.WriteString(p.stdin, firstPrompt(task)) // the program may not read it
		}
		p.stdin.Close()
	}()
	answer := make(chan string, 1)
	go func() { answer <- readAnswer(p) }()
	select {
	case <-p.exited:
		return finished(p, <-answer)
	case <-ctx.Done():
		p.kill()
		<-p.exited
		<-answer
		return Ending{How: trace.Hung, Note: p.stderr.note("the program did not end in time")}
	}
}

// fillIn replaces the placeholders in the arguments, and reports whether the prompt is among them.
func fillIn(args []string, task protocol.Task) (filled []string, prompt bool) {
	values := strings.NewReplacer(
		"{prompt}", firstPrompt(task),
		"{system}", task.System,
		"{model}", task.Model,
		"{base_url}", task.BaseURL,
		"{api_key}", task.APIKey,
	)
	for _, arg := range args {
		prompt = prompt || strings.Contains(arg, "{prompt}")
		filled = append(filled, values.Replace(arg))
	}
	return filled, prompt
}

func firstPrompt(task protocol.Task) string {
	if len(task.Prompts) == 0 {
		return ""
	}
	return task.Prompts[0]
}

// toldTask is a task as a program finds it in its environment.
type toldTask struct {
	env  []string
	file string // that holds the task, where it is too long for the environment
}

func (t toldTask) remove() {
	if t.file != "" {
		os.Remove(t.file)
	}
}

// tell writes a task for a program.
func tell(task protocol.Task, spoken []*wire.Dialect) (toldTask, error) {
	text, err := json.Marshal(task)
	if err != nil {
		panic("suite: a task has no JSON form: " + err.Error())
	}
	root := task.BaseURL
	for _, d := range spoken {
		if d.Name == task.Dialect {
			root = strings.TrimSuffix(root, d.Endpoint.BasePath)
		}
	}
	var told toldTask
	for _, d := range spoken {
		e := d.Endpoint
		told.env = append(told.env, e.URLVariable()+"="+root+e.BasePath, e.KeyVariable()+"="+task.APIKey, e.Env+"_MODEL="+task.Model)
		told.env = append(told.env, e.MoreEnv...)
	}
	if len(text) <= maxEnvTask {
		told.env = append(told.env, "LOOPPROOF_TASK="+string(text))
		return told, nil
	}
	f, err := os.CreateTemp("", "loopproof-task-*.json")
	if err != nil {
		return told, fmt.Errorf("the task is too long for the environment, and cannot be written to a file: %w", err)
	}
	told.file = f.Name()
	told.env = append(told.env, "LOOPPROOF_TASK_FILE="+told.file)
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		told.remove()
		return told, fmt.Errorf("the task is too long for the environment, and cannot be written to a file: %w", err)
	}
	return told, nil
}

// readAnswer reads what the program prints. One that prints without end is ended.
func readAnswer(p *process) string {
	var answer bytes.Buffer
	n, _ := io.Copy(&answer, io.LimitReader(p.stdout, maxAnswer+1))
	if n > maxAnswer {
		p.kill()
	}
	io.Copy(io.Discard, p.stdout)
	return answer.String()
}

// finished says what the end of the program means.
func finished(p *process, answer string) Ending {
	code := p.cmd.ProcessState.ExitCode()
	switch {
	case len(answer) > maxAnswer:
		return Ending{How: trace.Crashed, Note: p.stderr.note(fmt.Sprintf("the program printed more than %d MB", maxAnswer>>20))}
	case code < 0:
		return Ending{How: trace.Crashed, Note: p.stderr.note("the program " + p.ended())}
	case code > 0:
		message := p.stderr.String()
		if message == "" {
			message = "the program " + p.ended() + " and printed nothing on standard error"
		}
		return Ending{How: trace.Reported, Outcome: &protocol.Outcome{Type: protocol.TypeOutcome, Status: protocol.Failed, Error: message}}
	}
	answer = strings.TrimSuffix(strings.TrimSuffix(answer, "\n"), "\r")
	outcome := &protocol.Outcome{Type: protocol.TypeOutcome, Status: protocol.Completed, Text: answer}
	return Ending{How: trace.Reported, Outcome: outcome, Note: p.stderr.note("")}
}
