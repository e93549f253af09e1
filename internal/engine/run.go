package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// RunConfig says what a [Run] plays.
type RunConfig struct {
	Scenario *scenarios.Scenario // one with a prompt
	Profile  *profiles.Profile
	Second   *profiles.Profile // of the second model, in another wire API; nil: both are asked alike
	Delivery wire.Delivery     // how streams are cut; "" is one event a write
	Lenient  bool              // a violation is recorded, but the request is answered from the script anyway

	Regular bool // the quirks for which the scenario asks are left out

	// Cut is the place at which a scenario that cuts a stream after each event does so, from 1; 0
	// is before the finish reason.
	Cut int

	// OnCancel is called when the user cancels, which a scenario may ask for. Nil: the user never
	// does, and the steps in which they would are played as if nothing were said of it.
	OnCancel func(scenarios.Cancel)

	// OnCrash kills the process of the loop, which a scenario may ask for, and returns when it is
	// dead. Nil: it cannot be killed, and the steps in which it would are played as if nothing were
	// said of it. [Run.Restarted] has to be called before the loop is given its session again.
	OnCrash func()
	// OnSteer is called with what the user says while tools run, which a scenario may ask for. Nil:
	// the user waits for the answer.
	OnSteer func(prompt string)

	// OnLate, if it is not nil, is called with the path of a request that comes after the end of
	// the run. The server stores the last few thousand runs.
	OnLate func(path string)

	// SideAnswer returns the answer to a request that is no part of the conversation, such as one
	// for a title, which some agents send. Such requests are answered with this text and not
	// judged. Nil: there are none.
	SideAnswer func(*wire.Request) (text string, is bool)

	// SummaryMark is the [protocol.Hello.SummaryMark] of a loop that makes its history shorter, or
	// "" where requests for a summary are known by their shape.
	SummaryMark string

	// NoReasons says that a denial reaches the loop without the reason: there is no way to tell it.
	NoReasons bool

	// ToolsNamed is the name under which the loop offers tools, with {tool} for that of the
	// scenario, or "" if it is looked for.
	ToolsNamed string

	// AnswerBy is the tool by whose call the model answers, for loops that end so, or nil if it
	// answers by a text.
	AnswerBy *protocol.AnswerTool

	// NoServerTools says that the loop does not claim to offer tools that the provider runs. Where a
	// request offers none, turns that pause for those are left out, and so are the blocks of others
	// that tell of their use: the provider has nothing to use.
	NoServerTools bool

	// Secret makes the ids and signatures of the run. The same secret gives the same ones; "" draws
	// one.
	Secret string
}

// Run is one playing of a scenario under a path of its own. It is exported for programs that play
// scenarios to a loop step by step and judges what was recorded; tests of an application want a
// [TestRun]. It is safe for use by many requests at a time.
type Run struct {
	ID string

	provider *Provider
	config   RunConfig
	weight   int64 // of its script, if that came over HTTP
	compiled *scenarios.Script
	second   *secondAPI // nil: there is none
	started  time.Time
	readings *atomic.Int64 // of the clock
	about    settings
	cancel   context.CancelFunc
	listener *runListener // of its own, where the scenario lets connections be refused

	toolServer  sync.Once
	toolHandler http.Handler // of Config.ToolServer, once it was asked

	cancelled *cancellation
	crashing  crashing
	steered   steering
	log       *Journal

	delegations []*delegation // to sub-agents

	mu         *sync.Mutex     // one for the run and its conversations with sub-agents
	asked      *int            // requests so far, likewise
	next       int             // turn of the script
	pausedAt   *scenarios.Step // that the provider has begun with what stands for the history alone
	down       *scenarios.Turn // what the first model answers from now on; nil: it is not down
	exchanges  []*trace.Exchange
	executions []*trace.Execution
	approvals  []*trace.Approval
	given      givenResults
	offered    map[string]string // the names under which the loop offers the tools, by those of the scenario

	onToolsChange func(gone []string, now []protocol.Tool) // called when the list of the tools changes
}

// StartRun makes a run and returns it. Its model is reached under "/run/{id}/v1", its tools under
// "/run/{id}/tools/{name}".
func (p *Provider) StartRun(c RunConfig) *Run {
	if c.Secret == "" {
		c.Secret = token(16)
	}
	if c.Delivery == "" {
		c.Delivery = wire.DeliverSSE
	}
	compile := scenarios.Compile
	if c.Regular {
		compile = scenarios.CompileRegular
	}
	r := &Run{
		ID:       token(6),
		provider: p,
		config:   c,
		compiled: compile(c.Scenario, c.Profile, c.Secret).CutAt(c.Cut),
		started:  p.config.Clock.Now(),
		readings: new(atomic.Int64),
		mu:       new(sync.Mutex),
		asked:    new(int),

		cancelled: newCancellation(c.OnCancel),
		crashing:  crashing{kill: c.OnCrash},
		steered:   steering{tell: c.OnSteer},
		log:       p.newJournal(true),
	}
	r.about = settings{
		id: r.ID, profile: c.Profile, delivery: c.Delivery, lenient: c.Lenient, secret: c.Secret,
		refuser: rulebook.NewRefuser(c.Profile), journal: r.log, histories: histories.New(true, p.kept), altered: scenarios.Altered(c.Secret),
		loop: true,
	}
	r.about.ofAnotherModel = r.ofAnotherModel
	r.about.ctx, r.cancel = context.WithCancel(context.Background())
	if c.Second != nil {
		r.second = newSecondAPI(r)
	}
	p.runs.Store(r.ID, r)
	p.changes.Tell()
	return r
}

// EndRun forgets a run. Requests to its paths are answered with 404 from then on, and what is still
// being answered ends.
func (p *Provider) EndRun(r *Run) {
	p.ended.add(r.ID, r.config.OnLate)
	p.runs.Delete(r.ID)
	p.changes.Tell()
	r.cancel()
	r.log.Release()
	p.latest.forget(r.ID)
	r.about.histories.Close()
	if r.second != nil {
		r.second.about.histories.Close()
	}
	if r.listener != nil {
		r.listener.close()
	}
}

func token(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Task returns the task for the loop. base is the URL of the server.
func (r *Run) Task(base string) protocol.Task {
	s := r.config.Scenario
	task := protocol.Task{
		Type:     protocol.TypeTask,
		Dialect:  r.config.Profile.Dialect,
		BaseURL:  r.modelURL(base) + "/run/" + r.ID + r.config.Profile.Speaks.Endpoint.BasePath,
		APIKey:   "loopproof-" + r.ID,
		Model:    scenarios.FirstModel,
		Profile:  r.config.Profile.Name,
		Stream:   r.config.Delivery.Streams(),
		Socket:   r.config.Delivery == wire.DeliverSocket,
		System:   s.System,
		Prompts:  s.Prompts,
		Tools:    []protocol.Tool{},
		MaxTurns: s.MaxTurns,

		ContextLimit:       s.ContextLimit,
		CompactThreshold:   s.CompactThreshold,
		TokenBudget:        s.TokenBudget,
		AnswerSchema:       s.AnswerForm(),
		PromptModels:       s.PromptModels(),
		ResumeAfterFailure: s.Facts().Resumes,
		TranscriptFormat:   s.Transcript,
	}
	if task.MaxTurns == 0 {
		task.MaxTurns = len(r.compiled.Turns) + 8
	}
	if s.Facts().FallsBack {
		task.FallbackModel = scenarios.SecondModel
	}
	if r.second != nil {
		task.SecondAPI = r.second.told(r.modelURL(base))
	}
	task.Approve = s.Approved()
	if s.Facts().Approvals {
		task.Decide = r.Decide
	}
	if s.Facts().Crashes && r.config.OnCrash != nil {
		task.Session = &protocol.Session{ID: "s-" + r.ID}
	}
	if r.provider.config.ToolServer != nil {
		task.MCPURL = base + "/run/" + r.ID + "/mcp"
	}
	task.Tools = append(task.Tools, r.toolsAt(base)...)
	task.Tools = append(task.Tools, r.subAgents(base)...)
	return task
}

// toolsAt returns the tools of the scenario with their URLs.
func (r *Run) toolsAt(base string) []protocol.Tool {
	tools := r.Tools()
	for i := range tools {
		tools[i].URL = base + "/run/" + r.ID + "/tools/" + tools[i].Name
	}
	return tools
}

// Tools returns the tools that are there by now, without their URLs and without those that are
// sub-agents.
func (r *Run) Tools() []protocol.Tool { return offered(r.config.Scenario.ListedOnce(r.hasRun)) }

func offered(scripted []scenarios.Tool) []protocol.Tool {
	var tools []protocol.Tool
	for _, t := range scripted {
		tool := protocol.Tool{Name: t.Name, Description: t.Description, FreeText: t.FreeText, NeedsApproval: t.NeedsApproval, Programmatic: t.Programmatic}
		if !t.FreeText {
			tool.Parameters = t.Schema()
		}
		tools = append(tools, tool)
	}
	return tools
}

// Script returns what the run plays.
func (r *Run) Script() *scenarios.Script {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.compiled
}

// Record returns copies of the exchanges and executions so far.
func (r *Run) Record() ([]*trace.Exchange, []*trace.Execution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return copies(r.exchanges), copies(r.executions)
}

// Approvals returns copies of the questions so far whether calls may be run.
func (r *Run) Approvals() []*trace.Approval {
	r.mu.Lock()
	defer r.mu.Unlock()
	return copies(r.approvals)
}

func copies[T any](of []*T) []*T {
	out := make([]*T, len(of))
	for i, p := range of {
		c := *p
		out[i] = &c
	}
	return out
}

// Journal returns what the run was asked and answered, with what is wrong with each request alone.
func (r *Run) Journal() *Journal { return r.log }

// Since returns how long ago the run began.
func (r *Run) Since() time.Duration { return r.since() }

// since returns how long ago the run began. Each call adds a nanosecond, so that later events have
// later times even if the clock is coarse, and no event has the time 0, which means never.
func (r *Run) since() time.Duration {
	return r.provider.config.Clock.Now().Sub(r.started) + time.Duration(r.readings.Add(1))
}

func (r *Run) in(d *wire.Dialect) target {
	if r.second != nil && r.second.speaks(d) {
		return r.second
	}
	return r
}

func (r *Run) settings() *settings { return &r.about }

func (r *Run) script(scenario string) *scenarios.Script {
	if scenario != r.config.Scenario.ID {
		return nil
	}
	return r.compiled
}

// noteLost notes a request whose method was lost on a redirect. Others with that method are
// unrouted requests.
func (r *Run) noteLost(req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.exchanges)
	if n == 0 || r.exchanges[n-1].Turn == nil || !r.exchanges[n-1].Turn.Redirects() {
		return
	}
	now := r.since()
	x := &trace.Exchange{Number: r.number(), Method: req.Method, Problem: "the method of the request is " + req.Method, Start: now, End: now}
	r.exchanges = append(r.exchanges, x)
}

func (r *Run) finish(x *trace.Exchange, heldOpen bool) trace.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	x.End, x.HeldOpenUntilTimeout = r.since(), heldOpen
	r.cancelled.leave()
	return *x
}

// last returns the exchange that was answered last, or nil.
func (r *Run) last() *trace.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range slices.Backward(r.exchanges) {
		if x.Turn != nil {
			return x
		}
	}
	return nil
}
