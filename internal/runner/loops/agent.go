package loops

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Agent is an unchanged coding agent. Its description says how it is started. It gets the tools of
// a task from an MCP server, for which Config.ToolServer is needed, and is started once for each
// task, with its own home folder.
type Agent struct {
	Description *agents.Description
	ACP         bool // it is talked to over the Agent Client Protocol, as [agents.Description.OverACP] says
}

// Open asks the agent for its version.
func (a Agent) Open(ctx context.Context, o Options) (Session, error) {
	d := a.Description
	if d.Tools.None == "" && !o.ToolServer {
		return nil, errors.New("an agent gets its tools from Config.ToolServer, which is not set")
	}
	if err := (program{command: d.Command[0]}).check(); err != nil {
		if d.Install != "" {
			err = fmt.Errorf("%w; it is installed by: %s", err, d.Install)
		}
		return nil, fmt.Errorf("the agent did not start: %w", err)
	}
	o.Claims = Claims{
		Features: d.Claims, Designs: d.Designs, AnswerTool: (*protocol.AnswerTool)(d.AnswerTool), Dialects: []string{d.Dialect},
		Profiles: d.Profiles, Deliveries: d.Deliveries, SummaryMark: d.SummaryMark, NoExecutions: d.Tools.None != "",
	}
	keeper := newKeeper()
	session := &agentSession{description: d, keeper: keeper}
	if !a.ACP {
		o.Version = cmp.Or(o.Version, a.version(ctx, keeper))
		session.claim(o, d.Name)
		return session, nil
	}
	said, err := a.askACP(ctx, keeper, cmp.Or(o.StartTimeout, time.Minute))
	if err != nil {
		keeper.close()
		return nil, err
	}
	o.Version = cmp.Or(o.Version, said.Agent.Version)
	session.claim(o, cmp.Or(d.Name, said.Agent.Title, said.Agent.Name, "the agent"))
	return &acpSession{agentSession: session, tasks: map[string]*acpTask{}}, nil
}

// claim notes what the agent claims.
func (s *agentSession) claim(o Options, name string) {
	s.hello = o.Hello(cmp.Or(o.Name, name), s.description.Language)
	s.hello.Concurrency = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
}

// versionNumber is what a version looks like.
var versionNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+(\.\d+)+\S*`) })

// version asks the agent for its version, which some print on standard error.
func (a Agent) version(ctx context.Context, k *keeper) string {
	words := a.Description.AsksVersion
	if len(words) == 0 {
		return ""
	}
	launch, err := a.Description.Prepare(protocol.Task{})
	if err != nil {
		return ""
	}
	defer launch.Remove()
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	ask := exec.CommandContext(ctx, words[0], words[1:]...)
	ask.Env, ask.Dir = append(launch.Env, k.env()...), launch.Work
	ask.WaitDelay = time.Second // a child that it leaves may hold its output open
	var complaints bytes.Buffer
	ask.Stderr = &complaints
	said, _ := ask.Output()
	return cmp.Or(versionNumber().FindString(string(said)), versionNumber().FindString(complaints.String()))
}

type agentSession struct {
	description *agents.Description
	hello       protocol.Hello
	keeper      *keeper
}

func (s *agentSession) Hello() protocol.Hello { return s.hello }
func (s *agentSession) Remarks() []string     { return nil }

// Close ends what the agent has left running.
func (s *agentSession) Close() error {
	s.keeper.close()
	return nil
}

func (s *agentSession) SideAnswer(req *wire.Request) (string, bool) {
	return s.description.SideAnswer(req)
}
func (s *agentSession) ToolsNamed() string { return s.description.Tools.Named }

// RunTask starts the agent for each prompt of a task.
func (s *agentSession) RunTask(ctx context.Context, task protocol.Task) Ending {
	launch, err := s.description.Prepare(task)
	if err != nil {
		return Ending{How: trace.Crashed, Note: err.Error()}
	}
	defer launch.Remove()
	var ending Ending
	for i, prompt := range task.Prompts {
		ending = s.ask(ctx, launch, prompt, i == 0)
		if ending.How != trace.Reported || ending.Outcome.Status != protocol.Completed && !task.ResumeAfterFailure {
			break
		}
	}
	return ending
}

// ask asks the agent one prompt.
func (s *agentSession) ask(ctx context.Context, launch *agents.Launch, prompt string, first bool) Ending {
	p, err := s.start(launch, prompt, first)
	if err != nil {
		return Ending{How: trace.Crashed, Note: err.Error()}
	}
	output := make(chan string, 1)
	go func() { output <- readAnswer(p) }()
	select {
	case <-p.exited:
		return s.finished(p, <-output)
	case <-ctx.Done():
		p.kill()
		<-p.exited
		return Ending{How: trace.Hung, Note: p.stderr.note("the agent did not end in time; it printed: " + tailOf(<-output))}
	}
}

// start starts the agent for one prompt.
func (s *agentSession) start(launch *agents.Launch, prompt string, first bool) (*process, error) {
	command, inArgs := launch.CommandFor(prompt, first)
	p, err := program{command: command[0], args: command[1:], dir: launch.Work, env: launch.Env, ownEnv: true, keeper: s.keeper}.start()
	if err != nil {
		return nil, err
	}
	go func() {
		if !inArgs {
			io.WriteString(p.stdin, prompt)
		}
		p.stdin.Close()
	}()
	return p, nil
}

// finished says what the end of the agent means.
func (s *agentSession) finished(p *process, output string) Ending {
	ending := finished(p, output)
	if ending.How != trace.Reported {
		return ending
	}
	outcome, err := s.description.Answer.Read(output)
	switch {
	case err == nil && ending.Outcome.Status == protocol.Failed && outcome.Status == protocol.Completed:
		ending.Outcome.Error = strings.TrimSpace(ending.Outcome.Error + "\n" + outcome.Text)
	case err == nil:
		ending.Outcome = &outcome
	case ending.Outcome.Status == protocol.Completed:
		ending = Ending{How: trace.Crashed, Note: p.stderr.note("the agent ended with the exit code 0, but " + err.Error())}
	}
	return ending
}

// tailOf returns the end of a long output.
func tailOf(output string) string {
	const enough = 2000
	if len(output) > enough {
		return "... " + output[len(output)-enough:]
	}
	return output
}
