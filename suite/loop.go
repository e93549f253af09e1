package suite

import (
	"context"

	"github.com/loopproof/loopproof/internal/runner/loops"
)

// Loop is a loop under test, before it is started: a [LoopFunc], an [Adapter] or a [Command]. Other
// packages cannot implement it: a loop in Go is a function, and a loop in any other language is a
// program.
type Loop interface {
	runner() loops.Loop
}

// LoopFunc is a loop in Go: it carries out a task and returns what the loop reports to its caller.
// A returned error means a failed outcome.
type LoopFunc func(ctx context.Context, task Task) (Outcome, error)

func (f LoopFunc) runner() loops.Loop { return loops.Func(f) }

// Adapter is a loop in any language, connected by a program that reads and writes the JSON lines of
// package protocol. The program is started once, sends its hello, and then carries out tasks until
// its standard input ends.
//
//	suite.Config{Loop: suite.Adapter{Command: "node", Args: []string{"adapter.mjs"}}}
//
// An adapter that exits or hangs is restarted, and its unfinished tasks are played again one at a
// time, so that the failing task can be identified.
type Adapter struct {
	Command string   // looked up in the PATH
	Args    []string // its arguments
	Env     []string // "NAME=value", in addition to our own environment
	Dir     string   // where it runs; "" is where we run
}

func (a Adapter) runner() loops.Loop {
	return loops.Adapter{Command: a.Command, Args: a.Args, Env: a.Env, Dir: a.Dir}
}

// Command is a program without an adapter. It is started once for each task. The prompt is written
// to its standard input, unless an argument contains {prompt}. What it prints on standard output is
// the answer. The exit code 0 means completed; any other code means failed, with the last lines of
// standard error as the error message.
//
//	suite.Config{Loop: suite.Command{Command: "python3", Args: []string{"agent.py", "--ask", "{prompt}"}}, Claims: ...}
//
// In the arguments, {prompt}, {system}, {model}, {base_url} and {api_key} are replaced; other
// braces stay as they are.
//
// The environment has, for each dialect, OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL or the like,
// and LOOPPROOF_TASK with the whole task as JSON. A task that is too long for an environment
// variable is in the file that LOOPPROOF_TASK_FILE names instead.
//
// A program that has its own tools, and does not run the tools of the task, is judged with
// Claims.NoExecutions. It gets tasks with a system prompt only if {system} is among its arguments,
// since it has its own instructions.
type Command struct {
	Command string   // looked up in the PATH
	Args    []string // its arguments
	Env     []string // "NAME=value", in addition to our own environment
	Dir     string   // where it runs; "" is where we run
}

func (c Command) runner() loops.Loop { return loops.Command(c) }
