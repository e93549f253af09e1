// Package adapter is the half of an adapter that is the same for every loop in Go, for programs of
// their own: it says hello, reads a task a line from standard input, runs each in a goroutine, and
// writes an outcome a line to standard output. It is one file, to be imported or copied. What
// differs, the use of a library, is in the folders beside this one.
//
//	func main() {
//		adapter.Serve(protocol.Hello{Name: "my loop", Features: []protocol.Feature{protocol.MultiPrompt}, Concurrency: 8}, run)
//	}
//
//	func run(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
//		agent := myloop.New(task.BaseURL, task.APIKey)
//		var answer string
//		err := adapter.EachPrompt(ctx, task, func(ctx context.Context, prompt string) (more bool, err error) {
//			answer, err = agent.Ask(ctx, prompt)
//			return true, err
//		})
//		return protocol.Outcome{Status: protocol.Completed, Text: answer}, err
//	}
//
// A panic of the loop and a runtime.Goexit are failures of the task. A panic in a goroutine that
// the loop started ends the program, as it does in any program: Loopproof then starts it again, and
// plays its tasks alone.
//
// The same function is a suite.LoopFunc, for a loop that is judged in a go test.
package adapter

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/protocol"
)

// errTakenBack is the error of a conversation whose last prompt the user cancelled.
var errTakenBack = errors.New("the user cancelled the last prompt")

// Run holds the conversation of one task. Its error is what the loop reported to its caller. The
// context ends when the user cancels the task.
type Run func(ctx context.Context, task protocol.Task) (protocol.Outcome, error)

// Serve says hello, and runs every task until standard input ends. A hello needs only a name. Type,
// Protocol and Language of the hello are filled in, and so are the dialects if there are none:
// chat. Call it before anything prints: from then on os.Stdout is standard error, since standard
// output is for the protocol.
func Serve(hello protocol.Hello, run Run) {
	hello.Type, hello.Protocol, hello.Language = protocol.TypeHello, protocol.Version, "go"
	if len(hello.Dialects) == 0 {
		hello.Dialects = []string{"chat"}
	}
	s := server{run: run, out: json.NewEncoder(os.Stdout), running: map[string]*asked{}}
	os.Stdout = os.Stderr
	s.say(hello)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		if err := s.take(in.Bytes()); err != nil {
			log.Fatalf("expected a task or a cancellation on standard input: %v", err)
		}
	}
	if err := in.Err(); err != nil {
		log.Fatalf("cannot read standard input: %v", err)
	}
	s.tasks.Wait()
}

// EachPrompt calls ask for one prompt of the task after the other, until it says that there is no
// answer to go on from (more is false) or returns an error. Its context also ends when the user
// cancels only this prompt: then the next one follows, whatever became of it. So it does in a task
// that resumes after a failure.
func EachPrompt(ctx context.Context, task protocol.Task, ask func(ctx context.Context, prompt string) (more bool, err error)) error {
	var failed error // what became of the last prompt
	for _, prompt := range task.Prompts {
		own := ctx
		if task.PromptContext != nil {
			own = task.PromptContext(ctx)
		}
		var more bool
		more, failed = ask(own, prompt)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if own.Err() != nil {
			failed = errTakenBack
			continue
		}
		if (failed != nil || !more) && !task.ResumeAfterFailure {
			return failed
		}
	}
	return failed
}

// server speaks the protocol.
type server struct {
	run Run

	mu      sync.Mutex
	out     *json.Encoder
	running map[string]*asked
	tasks   sync.WaitGroup
}

// asked is what can be cancelled of a task.
type asked struct {
	task   context.CancelFunc
	prompt context.CancelFunc // nil before the first prompt

	said      chan string                // while tools ran
	questions []chan []protocol.Decision // whether calls may be run; each has room for the answer
}

func (s *server) take(line []byte) error {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return err
	}
	switch kind.Type {
	case protocol.TypeCancel:
		var cancel protocol.CancelLine
		if err := json.Unmarshal(line, &cancel); err != nil {
			return err
		}
		s.cancel(cancel)
	case protocol.TypeDecision:
		var decided protocol.DecisionLine
		if err := json.Unmarshal(line, &decided); err != nil {
			return err
		}
		s.decide(decided)
	case protocol.TypePrompt:
		var prompt protocol.PromptLine
		if err := json.Unmarshal(line, &prompt); err != nil {
			return err
		}
		s.steer(prompt)
	case protocol.TypeTask:
		var task protocol.Task
		if err := json.Unmarshal(line, &task); err != nil {
			return err
		}
		ctx := s.begin(&task)
		s.tasks.Go(func() { s.carryOut(ctx, task) }) // not waited for: other tasks go on meanwhile
	}
	return nil
}

// begin makes the contexts of a task.
func (s *server) begin(task *protocol.Task) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	a := &asked{task: cancel, said: make(chan string, 1)}
	if task.Steering {
		task.Steered = a.said
	}
	task.PromptContext = func(ctx context.Context) context.Context {
		own, cancel := context.WithCancel(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		if a.prompt != nil {
			a.prompt() // nobody waits for the prompt before any more
		}
		a.prompt = cancel
		return own
	}
	if slices.ContainsFunc(task.Tools, func(t protocol.Tool) bool { return t.NeedsApproval }) {
		id := task.ID
		task.Decide = func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
			return s.ask(ctx, id, a, calls)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[task.ID] = a
	return ctx
}

// ask asks the user about calls, and waits for the decisions.
func (s *server) ask(ctx context.Context, id string, a *asked, calls []protocol.PendingCall) ([]protocol.Decision, error) {
	answer := make(chan []protocol.Decision, 1)
	s.mu.Lock()
	number := strconv.Itoa(len(a.questions))
	a.questions = append(a.questions, answer)
	s.mu.Unlock()
	s.say(protocol.ApprovalLine{Type: protocol.TypeApproval, ID: id, Approval: number, Calls: calls})
	select {
	case decisions := <-answer:
		return decisions, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// decide hands over what the user has decided.
func (s *server) decide(line protocol.DecisionLine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := strconv.Atoi(line.Approval)
	if a := s.running[line.ID]; a != nil && err == nil && n >= 0 && n < len(a.questions) {
		select {
		case a.questions[n] <- line.Decisions:
		default: // it was answered before
		}
	}
}

// steer hands over what the user says while tools run, which they do once.
func (s *server) steer(line protocol.PromptLine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.running[line.ID]; a != nil {
		select {
		case a.said <- line.Text:
		default:
		}
	}
}

func (s *server) cancel(line protocol.CancelLine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch a := s.running[line.ID]; {
	case a == nil: // it has ended
	case line.Scope == protocol.ScopePrompt && a.prompt != nil:
		a.prompt()
	default:
		a.task()
	}
}

// carryOut reports exactly one outcome for a task, whatever happens.
func (s *server) carryOut(ctx context.Context, task protocol.Task) {
	outcome, err := s.caught(ctx, task)
	switch {
	case err == nil:
	case ctx.Err() != nil, errors.Is(err, errTakenBack):
		outcome.Status, outcome.Reason = protocol.Stopped, "cancelled"
	default:
		outcome.Status, outcome.Error = protocol.Failed, textOf(err)
	}
	s.forget(task.ID) // before the outcome is read: the id is free from then on
	s.say(checked(outcome, task.ID))
}

// forget ends the contexts of a task, and takes no cancellation for it any more.
func (s *server) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[id].task() // and with it the context of its last prompt
	delete(s.running, id)
}

// textOf returns the text of an error, also of one that has none or cannot be printed.
func textOf(err error) string {
	if text := fmt.Sprint(err); text != "" {
		return text
	}
	return fmt.Sprintf("an error of the type %T without a text", err)
}

// checked returns the outcome as it can be reported. Without a status it is completed, as for a
// suite.LoopFunc.
func checked(o protocol.Outcome, id string) protocol.Outcome {
	o.Type, o.ID, o.Status = protocol.TypeOutcome, id, cmp.Or(o.Status, protocol.Completed)
	failed := protocol.Outcome{Type: o.Type, ID: id, Status: protocol.Failed}
	if known := []protocol.Status{protocol.Completed, protocol.Failed, protocol.Stopped}; !slices.Contains(known, o.Status) {
		failed.Error = fmt.Sprintf("the loop returned the status %q, where one of %v is expected", o.Status, known)
		return failed
	}
	if _, err := json.Marshal(o); err != nil {
		failed.Error = fmt.Sprintf("the outcome cannot be written as JSON: %v", err)
		return failed
	}
	return o
}

// caught runs a task. A panic of the loop ends only its own task.
func (s *server) caught(ctx context.Context, task protocol.Task) (outcome protocol.Outcome, err error) {
	done := make(chan struct{})
	go func() { // of its own, since runtime.Goexit ends a goroutine
		defer close(done)
		err = errors.New("the loop ended its goroutine by runtime.Goexit")
		defer func() {
			if why := recover(); why != nil {
				log.Printf("%v\n%s", why, debug.Stack())
				outcome, err = protocol.Outcome{}, fmt.Errorf("panic: %v%s", why, panicPlace())
			}
		}()
		outcome, err = s.run(ctx, task)
	}()
	<-done
	return outcome, err
}

// panicPlace returns where the panic began that a deferred function has just recovered: behind the
// frames of panic itself.
func panicPlace() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for panicked, more := false, true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if panicked && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
	}
	return ""
}

func (s *server) say(line any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.out.Encode(line); err != nil {
		log.Fatalf("cannot write to standard output: %v", err)
	}
}
