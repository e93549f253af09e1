package loops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/acp"
	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// acpSession is a session with an agent that speaks the Agent Client Protocol. Each task is a
// session of a process of its own, which gets the tools from the client.
type acpSession struct {
	*agentSession

	mu    sync.Mutex
	tasks map[string]*acpTask // that are carried out, by id
}

// acpTask is a task that an agent carries out.
type acpTask struct {
	task   protocol.Task
	launch *agents.Launch
	keeper *keeper
	how    *agents.ACP

	process *process
	conn    *acp.Conn
	can     acp.AgentCan
	session string // id

	mu        sync.Mutex
	answer    acp.Answer
	questions questions
	asking    bool // a prompt is being answered
	cancelled bool // the prompt is
	over      bool // the task is
}

// endingTime is how long an agent may take to end that has stored a session, and briefly how long one
// of which nothing more is wanted.
const (
	endingTime = 2 * time.Second
	briefly    = 100 * time.Millisecond
)

// askACP asks an agent for its name and its version.
func (a Agent) askACP(ctx context.Context, k *keeper, patience time.Duration) (acp.Initialized, error) {
	launch, err := a.Description.Prepare(protocol.Task{})
	if err != nil {
		return acp.Initialized{}, err
	}
	defer launch.Remove()
	t := &acpTask{launch: launch, keeper: k, how: a.Description.ACP}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	said, err := t.start(ctx)
	if t.process != nil {
		defer t.stop(briefly)
	}
	if err != nil {
		return said, errors.New(t.failed(err.Error()))
	}
	return said, nil
}

// RunTask gives an agent the prompts of a task.
func (s *acpSession) RunTask(ctx context.Context, task protocol.Task) Ending {
	launch, err := s.description.Prepare(task)
	if err != nil {
		return Ending{How: trace.Crashed, Note: err.Error()}
	}
	defer launch.Remove()
	t := &acpTask{task: task, launch: launch, keeper: s.keeper, how: s.description.ACP}
	s.mu.Lock()
	s.tasks[task.ID] = t
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.tasks, task.ID)
		s.mu.Unlock()
		t.questions.drop()
		t.stop(briefly)
	}()
	if err := t.begin(ctx); err != nil {
		return t.lost(ctx, err)
	}
	var ending Ending
	for i, prompt := range task.Prompts {
		if i > 0 && t.how.Next == agents.NextLoads {
			if err := t.loadAgain(ctx); err != nil {
				return t.lost(ctx, err)
			}
		}
		ending = t.ask(ctx, prompt)
		if ending.How != trace.Reported || !t.goesOn(ending.Outcome) {
			break
		}
	}
	return ending
}

// Cancel cancels a task, or only the prompt that is being answered.
func (s *acpSession) Cancel(line protocol.CancelLine) bool {
	s.mu.Lock()
	t := s.tasks[line.ID]
	s.mu.Unlock()
	if t != nil {
		t.cancel(line.Scope != protocol.ScopePrompt)
	}
	return true
}

// begin starts the agent and a session.
func (t *acpTask) begin(ctx context.Context) error {
	if _, err := t.start(ctx); err != nil {
		return err
	}
	var session acp.Session
	if err := t.conn.Call(ctx, "session/new", t.newSession(), &session); err != nil {
		return fmt.Errorf("session/new: %w", err)
	}
	t.session = session.ID
	return t.setMode(ctx)
}

// loadAgain ends the agent, and starts another one with the session.
func (t *acpTask) loadAgain(ctx context.Context) error {
	t.stop(endingTime)
	if _, err := t.start(ctx); err != nil {
		return err
	}
	if !t.can.Load {
		return errors.New("it cannot load a session: loadSession is not among its capabilities")
	}
	if err := t.conn.Call(ctx, "session/load", t.newSession(), nil); err != nil {
		return fmt.Errorf("session/load: %w", err)
	}
	return t.setMode(ctx)
}

// start starts the agent, and asks it who it is.
func (t *acpTask) start(ctx context.Context) (said acp.Initialized, err error) {
	command, _ := t.launch.CommandFor("", true)
	t.process, err = program{command: command[0], args: command[1:], dir: t.launch.Work, env: t.launch.Env, ownEnv: true, keeper: t.keeper}.start()
	if err != nil {
		return said, err
	}
	t.conn = acp.Connect(t.process.stdout, t.process.stdin, acp.Handler{Update: t.update, Permission: t.permit})
	err = t.conn.Call(ctx, "initialize", acp.Initialize{
		Version: acp.Version, Client: acp.Implementation{Name: "loopproof", Version: loopproof.Version},
		Can: acp.ClientCan{Files: map[string]bool{"readTextFile": false, "writeTextFile": false}},
	}, &said)
	switch {
	case err != nil:
		return said, fmt.Errorf("initialize: %w", err)
	case said.Version != acp.Version:
		return said, fmt.Errorf("it speaks version %d of the Agent Client Protocol, and Loopproof speaks version %d", said.Version, acp.Version)
	}
	t.can = said.Can
	if t.how.Auth != "" {
		if err := t.conn.Call(ctx, "authenticate", map[string]string{"methodId": t.how.Auth}, nil); err != nil {
			return said, fmt.Errorf("authenticate: %w", err)
		}
	}
	return said, nil
}

// newSession is what begins the session of the task, or loads it. The tools come from a URL where
// the agent takes one, else from a program.
func (t *acpTask) newSession() acp.NewSession {
	n := acp.NewSession{ID: t.session, Dir: t.launch.Work, Servers: []acp.MCPServer{}}
	switch self, err := os.Executable(); {
	case t.task.MCPURL == "":
	case t.can.MCP.HTTP || err != nil:
		n.Servers = append(n.Servers, acp.MCPServer{Name: "loopproof", URL: t.task.MCPURL})
	default:
		n.Servers = append(n.Servers, acp.MCPServer{Name: "loopproof", Command: self, Args: []string{"mcp", t.task.MCPURL}})
	}
	return n
}

func (t *acpTask) setMode(ctx context.Context) error {
	if t.how.Mode == "" {
		return nil
	}
	if err := t.conn.Call(ctx, "session/set_mode", map[string]string{"sessionId": t.session, "modeId": t.how.Mode}, nil); err != nil {
		return fmt.Errorf("session/set_mode: %w", err)
	}
	return nil
}

// ask asks the agent one prompt.
func (t *acpTask) ask(ctx context.Context, prompt string) Ending {
	t.mu.Lock()
	if t.over {
		t.mu.Unlock()
		return reported(protocol.Outcome{Status: protocol.Stopped, Reason: acp.Cancelled}, nil)
	}
	t.answer, t.cancelled, t.asking = acp.Answer{}, false, true
	t.mu.Unlock()
	var done acp.Prompted
	err := t.conn.Call(ctx, "session/prompt", acp.Text(t.session, prompt), &done)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asking = false
	var refused *acp.Error
	switch {
	case errors.As(err, &refused):
		return reported(protocol.Outcome{Status: protocol.Failed, Error: refused.Error(), Text: t.answer.String()}, nil)
	case err != nil:
		return t.lost(ctx, err)
	case done.StopReason != acp.EndTurn:
		return reported(protocol.Outcome{Status: protocol.Stopped, Reason: cmp.Or(done.StopReason, "no reason"), Text: t.answer.String()}, nil)
	}
	return reported(protocol.Outcome{Status: protocol.Completed, Text: t.answer.String()}, nil)
}

// goesOn reports whether the next prompt follows an outcome.
func (t *acpTask) goesOn(o *protocol.Outcome) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.over && (o.Status == protocol.Completed || t.cancelled || t.task.ResumeAfterFailure)
}

// cancel cancels the prompt that is being answered, and with it the whole task where that is meant.
func (t *acpTask) cancel(whole bool) {
	t.mu.Lock()
	t.over, t.cancelled = t.over || whole, true
	if t.asking {
		t.conn.Notify("session/cancel", map[string]string{"sessionId": t.session})
	}
	t.mu.Unlock()
	t.questions.drop() // they are answered as cancelled, after the agent was told
}

func (t *acpTask) update(u acp.Update) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answer.Add(u)
}

// permit answers a question of the agent. The user is asked about the tools that need an approval,
// and allows all else.
func (t *acpTask) permit(ctx context.Context, asked acp.PermissionRequest) (option string) {
	tool := t.toolOf(asked.Call)
	if t.task.Decide == nil || tool != nil && !tool.NeedsApproval {
		return asked.Option(true)
	}
	call := protocol.PendingCall{ID: asked.Call.ID, Arguments: asked.Call.Input} // the protocol demands neither the name nor the arguments
	if tool != nil {
		call.Name = tool.Name
	}
	question := t.questions.begin()
	stop := context.AfterFunc(ctx, t.questions.drop)
	defer stop()
	decisions, err := t.task.Decide(question, call)
	if err != nil {
		return ""
	}
	return asked.Option(decisions[0].Approve)
}

// toolOf returns the tool whose name the title of a call has, or nil.
func (t *acpTask) toolOf(c acp.ToolCall) *protocol.Tool {
	var longest *protocol.Tool
	for i, tool := range t.task.Tools {
		if strings.Contains(c.Title, tool.Name) && (longest == nil || len(tool.Name) > len(longest.Name)) {
			longest = &t.task.Tools[i]
		}
	}
	return longest
}

// lost says how a task ended whose agent did not do what the protocol wants.
func (t *acpTask) lost(ctx context.Context, err error) Ending {
	if ctx.Err() != nil {
		return Ending{How: trace.Hung, Note: t.failed("did not answer in time")}
	}
	return Ending{How: trace.Crashed, Note: t.failed(err.Error())}
}

// failed tells what is known of an agent that failed.
func (t *acpTask) failed(why string) string {
	note := "the agent, over the Agent Client Protocol: " + why
	if t.conn != nil && t.conn.Stray() != "" {
		note += fmt.Sprintf("\nit printed a line that is no message of the protocol: %.200s", t.conn.Stray())
	}
	if t.process == nil {
		return note
	}
	if t.process.exitsWithin(briefly) {
		note += "\nit " + t.process.ended()
	}
	return t.process.stderr.note(note)
}

// stop ends the agent: by the end of its input, then by force.
func (t *acpTask) stop(patience time.Duration) {
	if t.process == nil {
		return
	}
	t.process.stdin.Close()
	if !t.process.exitsWithin(patience) {
		t.process.kill()
		<-t.process.exited
	}
}
