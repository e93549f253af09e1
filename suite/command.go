package suite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/rules"
)

// Command is a loop behind a program that is started anew for every task and knows no protocol: the environment says
// where the model is, the task is on standard input, the answer is what it prints on standard output, and the exit code
// 0 says that it is done. Any other is a failure, with the last lines of standard error as its words.
//
//	suite.Config{Loop: suite.Command{Command: "python3", Args: []string{"agent.py"}}, Features: ...}
//
// The environment has OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, and
// LOOPPROOF_TASK with the task as JSON, which is left out where it is longer than an environment takes.
type Command struct {
	Command string   // looked up in the PATH
	Args    []string // its arguments
	Env     []string // "NAME=value", in addition to our own environment
	Dir     string   // where it runs; "" is where we run
}

// Open checks that there is such a program. What the loop claims is in the config.
func (c Command) Open(_ context.Context, config Config) (Session, error) {
	if c.Command == "" {
		return nil, errors.New("the loop has no command: set Command.Command")
	}
	if slices.Contains(config.Features, Cancel) {
		return nil, errors.New("a command cannot be told to cancel: claim the feature cancel for an adapter, or leave it out")
	}
	if err := c.program().check(); err != nil {
		return nil, fmt.Errorf("the loop did not start: %w", err)
	}
	name := config.Name
	if name == "" {
		name = filepath.Base(c.Command)
	}
	hello := config.hello(name, "")
	hello.Concurrency = cmp.Or(config.Concurrency, config.Workers, runtime.GOMAXPROCS(0))
	return &commandSession{program: c.program(), hello: hello}, nil
}

func (c Command) program() program {
	return program{command: c.Command, args: c.Args, env: c.Env, dir: c.Dir}
}

type commandSession struct {
	program program
	hello   protocol.Hello
}

func (s *commandSession) Hello() protocol.Hello { return s.hello }
func (s *commandSession) Close() error          { return nil }

const (
	maxAnswer  = 8 << 20  // of an answer on standard output, in bytes
	maxEnvTask = 96 << 10 // of a task in the environment: Linux takes 128 KB for one variable
)

// Do runs the program for one task.
func (s *commandSession) Do(ctx context.Context, task Task) Ending {
	text, err := json.Marshal(task)
	if err != nil {
		panic("suite: a task has no JSON form: " + err.Error())
	}
	prog := s.program
	prog.env = append(environment(task, text), prog.env...)
	p, err := prog.start()
	if err != nil {
		return Ending{How: rules.Crashed, Note: err.Error()}
	}
	go func() {
		p.stdin.Write(text) // it may well not read it
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
		return Ending{How: rules.Hung, Note: p.stderr.note("the program did not end in time")}
	}
}

// environment returns what the program is told in its environment.
func environment(task Task, text []byte) []string {
	root := strings.TrimSuffix(task.BaseURL, "/v1")
	env := []string{
		"OPENAI_BASE_URL=" + root + "/v1",
		"OPENAI_API_KEY=" + task.APIKey,
		"OPENAI_MODEL=" + task.Model,
		"ANTHROPIC_BASE_URL=" + root,
		"ANTHROPIC_API_KEY=" + task.APIKey,
	}
	if len(text) <= maxEnvTask {
		env = append(env, "LOOPPROOF_TASK="+string(text))
	}
	return env
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
		return Ending{How: rules.Crashed, Note: p.stderr.note(fmt.Sprintf("the program printed more than %d MB", maxAnswer>>20))}
	case code < 0:
		return Ending{How: rules.Crashed, Note: p.stderr.note("the program " + p.ended())}
	case code > 0:
		message := p.stderr.String()
		if message == "" {
			message = "the program " + p.ended() + " and printed nothing on standard error"
		}
		return Ending{How: rules.Reported, Outcome: &Outcome{Type: protocol.TypeOutcome, Status: Failed, Error: message}}
	}
	answer = strings.TrimSuffix(strings.TrimSuffix(answer, "\n"), "\r")
	outcome := &Outcome{Type: protocol.TypeOutcome, Status: Completed, Text: answer}
	return Ending{How: rules.Reported, Outcome: outcome, Note: p.stderr.note("")}
}
