package runner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript/transcriptschema"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// player plays cases to a session. It is safe for use by many workers.
type player struct {
	plan    *Plan
	session loops.Session
	server  *engine.Server
	seed    uint64
	timeout time.Duration // of a case
	start   time.Duration // of the preflight
	waitFor func(what string)
	onTask  func(trace.Case, protocol.Task)
	told    string // where the task has the address of the mock provider
	gate    *gate

	late   *late
	unread *unreadCancels

	mu        sync.Mutex
	played    map[string]*played
	replayed  []string       // ids of the cases in which the loop was too late, and that were played again alone
	confirmed map[string]int // cases of a scenario in which it was too late alone, too
	inARow    int            // cases that were too late alone, too, since the last one in time
}

// played is a case that is being played or was.
type played struct {
	scenario string

	claimed bool // it is being played, or was

	done chan struct{} // closed when the rest is there
	run  *rules.Run
	took time.Duration
	log  []journal.Entry // what was asked and answered

	judging    sync.Once
	judgements []rules.Judgement
}

// judge returns what the rules say of a case that was played, for a loop with these claims. They
// are asked once.
func (one *played) judge(claims rules.Claims) []rules.Judgement {
	one.judging.Do(func() { one.judgements = rulebook.Judge(one.run, claims) })
	return one.judgements
}

// of returns the one playing of a case that there is.
func (p *player) of(c trace.Case) *played {
	p.mu.Lock()
	defer p.mu.Unlock()
	one, known := p.played[c.ID()]
	if !known {
		one = &played{scenario: c.Scenario, done: make(chan struct{})}
		p.played[c.ID()] = one
	}
	return one
}

// play plays a case, and before it the plainer one with which it is compared, unless that was done
// already.
func (p *player) play(ctx context.Context, c trace.Case) *rules.Run {
	one := p.of(c)
	if !p.claim(one) {
		<-one.done
		return one.run
	}
	defer close(one.done)
	last := p.playWithRepeats(ctx, c)
	one.run, one.took, one.log = last.run, last.took, last.log
	if plain, ok := p.plainer(c); ok && last.ending.How != loops.Lost && one.run.NeedsBaseline() {
		one.run.Baseline = comparable(p.play(ctx, plain))
	}
	return one.run
}

// claim claims a case, and reports whether no other worker had.
func (p *player) claim(one *played) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := !one.claimed
	one.claimed = true
	return first
}

// plainer returns the case with which one is compared: JSON for the ordinary stream, the ordinary
// stream for the odd ones; the same without quirks for one with quirks, at OpenAI's where the
// provider cannot do without. There is none when the loop does not claim that delivery or that
// provider, or only streams can say what the scenario does.
func (p *player) plainer(c trace.Case) (trace.Case, bool) {
	scenario := p.plan.scenarios[c.Scenario]
	quirks := scenario.Facts().Quirks
	switch {
	case c.Regular || c.Cut > 0:
		return c, false
	case len(quirks) > 0:
		c.Regular = true
		if p.plan.profiles[c.Profile].AlwaysShows(quirks) {
			c.Profile = p.plan.profiles[c.Profile].Speaks.Standard
		}
		return c, p.plan.profiles[c.Profile] != nil
	}
	switch c.Delivery.Like() {
	case wire.DeliverJSON:
		return c, false
	case wire.DeliverSSE:
		if scenario.Facts().StreamsAlone(p.plan.profiles[c.Profile]) {
			return c, false
		}
		c.Delivery = wire.DeliverJSON
	default:
		c.Delivery = wire.DeliverSSE.In(p.plan.profiles[c.Profile].Frames())
	}
	return c, p.plan.takes(c.Dialect, c.Delivery)
}

// comparable returns a run with which others can be compared, or nil: of one that ran out of time
// or was lost nothing is known.
func comparable(run *rules.Run) *rules.Run {
	if run == nil || run.Ending.How == trace.Hung || run.Ending.How == loops.Lost {
		return nil
	}
	return run
}

// attempt is one playing of a case.
type attempt struct {
	run          *rules.Run
	ending       loops.Ending
	log          []journal.Entry
	took         time.Duration
	besideOthers bool // other cases were played at the same time

	skipped bool // it was not made: when its turn came, it was known that the loop is too late
}

// asHung is an attempt that was lost with an adapter which had no outcome in time, nor for the
// others that it had.
func (a attempt) asHung() attempt {
	a.ending.How, a.run.Ending.How = trace.Hung, trace.Hung
	return a
}

// playWithRepeats plays a case. It plays it again, alone, when the loop lost it through no fault
// that is known to be of this case, or was too late, which on a busy machine says nothing of the
// loop: other cases, or other programs, may have had the processor.
func (p *player) playWithRepeats(ctx context.Context, c trace.Case) attempt {
	how, late, hung := p.plan.concurrency(c), false, false
	var losses []loops.Ending
	var first attempt // the one that was too late
	for {
		a := p.playOnce(ctx, c, losses, how, first.run != nil)
		switch {
		case a.skipped:
			return first
		case ctx.Err() != nil:
			return a
		case a.ending.How == loops.Lost && len(losses) < loops.MaxLosses-1:
			losses, late, hung = append(losses, a.ending), late || a.ending.TimedOut, hung || a.ending.TimedOut
			if a.ending.Itself {
				first = a.asHung()
			}
		case p.tooLate(c, a) && !late && !a.run.SleepsAsTold() && p.doubts(c):
			first, late, hung = a, true, a.ending.How == trace.Hung
		default:
			p.learn(c, a, late, p.tooLate(c, a))
			if hung && a.ending.How == trace.Hung {
				a.run.Ending.Note += "\nit was played again alone, and hung both times"
			}
			return a
		}
		how = alone
	}
}

// tooLate reports whether the loop may have been too slow for a case, and nothing else: it ran out
// of time, or did not react to a cancel in time.
func (p *player) tooLate(c trace.Case, a attempt) bool {
	return p.ranOutOfTime(c, a) || a.ending.How == trace.Reported && a.run.MissedCancel()
}

// ranOutOfTime reports whether a case ended for want of time: the loop hung, or gave up by itself.
// Where a scenario lets the time run out, that is what is to be seen, unless it was over before.
func (p *player) ranOutOfTime(c trace.Case, a attempt) bool {
	unexpected := p.plan.scenarios[c.Scenario].Timeout == 0
	return a.ending.How == trace.Hung || a.ending.How == trace.Reported && (unexpected && a.run.TimeWasOver() || a.run.MissedSilence())
}

// doubts reports whether it may be due to a busy machine that the loop was too late. If it was so
// twice in some cases of the same scenario, or in some cases in a row with none in time between
// them, it is not.
func (p *player) doubts(c trace.Case) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.confirmed[c.Scenario] < loops.MaxHangs && p.inARow < loops.MaxHangs
}

// learn notes whether the loop was too late for a case, and what came of it if it was played again
// alone.
func (p *player) learn(c trace.Case, a attempt, again, late bool) {
	inTime := a.ending.How == trace.Reported && !late
	if again && inTime {
		p.gate.narrow()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if again {
		p.replayed = append(p.replayed, c.ID())
	}
	switch {
	case inTime:
		p.inARow = 0
	case again && late:
		p.inARow++
		p.confirmed[c.Scenario]++
	}
}

// replays returns the ids of the cases that were played again alone.
func (p *player) replays() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(slices.Values(p.replayed))
}

// playOnce plays a case once, beside others or alone. One that was too late is played again only
// while there is doubt.
func (p *player) playOnce(ctx context.Context, c trace.Case, losses []loops.Ending, how concurrency, late bool) attempt {
	stay := p.gate.enter(how)
	defer p.gate.leave(stay)
	if late && !p.doubts(c) {
		return attempt{skipped: true}
	}
	if ctx.Err() != nil {
		return attempt{run: &rules.Run{Run: trace.Run{Case: c, Ending: trace.Ending{How: loops.Lost}}}, ending: loops.Ending{How: loops.Lost, Note: ctx.Err().Error()}}
	}
	start := time.Now()
	run, ending, log := p.record(ctx, c, losses)
	return attempt{run: run, ending: ending, log: log, took: time.Since(start), besideOthers: p.gate.had(stay)}
}

// record plays a case once and collects all that happened.
func (p *player) record(ctx context.Context, c trace.Case, losses []loops.Ending) (_ *rules.Run, ending loops.Ending, log []journal.Entry) {
	if session, ok := p.session.(loops.Fallible); ok {
		settle := session.Prepare(ctx, losses)
		defer func() { settle(ending) }()
	}
	id, later := make(chan string, 1), p.late.of(c)
	config := engine.RunConfig{
		Scenario: p.plan.scenarios[c.Scenario],
		Profile:  p.plan.profiles[c.Profile],
		Second:   p.plan.second(c),
		Delivery: c.Delivery,
		Regular:  c.Regular,
		Cut:      c.Cut,
		Lenient:  true, // one violation must not hide the next
		Secret:   p.secret(c),
		OnCancel: p.canceller(c, id),
		OnSteer:  p.steerer(id),
		AnswerBy: claims.AnswerTool(p.plan.Hello),
		OnLate:   later.note,

		SummaryMark: p.plan.Hello.SummaryMark,

		NoServerTools: !p.plan.claimsIn(c)(protocol.ServerTools),
	}
	p.tellAsItIs(&config)
	restarts := p.restarts(c)
	config.OnCrash = restarts.onCrash()
	run := p.server.StartRun(config)
	defer p.server.EndRun(run)

	task := run.Task(p.server.URL)
	task.ID = "t-" + run.ID
	id <- task.ID
	task.TimeoutMS = int(cmp.Or(p.plan.scenarios[c.Scenario].Timeout, p.timeout).Milliseconds())
	if p.onTask != nil {
		p.onTask(c, task)
	}
	ending, ended := restarts.play(ctx, p, run, p.asTold(task, config.Scenario))

	exchanges, executions := run.Record()
	examined := rules.Examine(trace.Run{
		Case:          c,
		Script:        run.Script(),
		Second:        config.Second,
		Task:          task,
		ClaimsProfile: p.plan.names(c.Profile),
		Designs:       p.plan.Hello.Designs,
		ToolsNamed:    config.ToolsNamed,
		Exchanges:     exchanges,
		Executions:    executions,
		Outcome:       ending.Outcome,
		Cancel:        run.Cancel(),
		Crash:         run.Crash(),
		Steering:      run.Steering(),
		Approvals:     run.Approvals(),
		Delegations:   run.Delegations(task),
		Ending:        trace.Ending{How: ending.How, At: ended, Note: ending.Note},
	}, transcriptschema.Check)
	later.reported = ending.How == trace.Reported && !examined.TimeWasOver()
	return examined, ending, slices.Concat(run.Journal().Snapshot(), p.unrouted(run))
}

// tellAsItIs tells what is known of a loop of which nothing is changed.
func (p *player) tellAsItIs(config *engine.RunConfig) {
	if session, is := p.session.(loops.AsIs); is {
		config.SideAnswer, config.ToolsNamed, config.NoReasons = session.SideAnswer, session.ToolsNamed(), true
	}
}

// unrouted returns the requests that went to a path of a run that there is not.
func (p *player) unrouted(run *engine.Run) []journal.Entry {
	return slices.DeleteFunc(p.server.Journal().Snapshot(), func(e journal.Entry) bool {
		return !strings.HasPrefix(e.Target, "/run/"+run.ID+"/")
	})
}

// canceller returns the function that cancels the task of an id, or nil if the loop cannot be
// cancelled.
func (p *player) canceller(played trace.Case, id chan string) func(scenarios.Cancel) {
	session, ok := p.session.(loops.Cancellable)
	if !ok {
		return nil
	}
	return func(c scenarios.Cancel) {
		if !session.Cancel(protocol.CancelLine{Type: protocol.TypeCancel, ID: <-id, Scope: c.Scope}) {
			p.unread.note(played)
		}
	}
}

// steerer returns the function that hands the task of an id what the user says while tools run, or
// nil if the loop cannot be told.
func (p *player) steerer(id <-chan string) func(prompt string) {
	session, ok := p.session.(loops.Steerable)
	if !ok {
		return nil
	}
	return func(prompt string) {
		session.Steer(protocol.PromptLine{Type: protocol.TypePrompt, ID: <-id, Text: prompt})
	}
}

// asTold returns a task as the loop is given it: without the prompt that the user says while tools
// run, and without the tools that it takes from a server of MCP.
func (p *player) asTold(task protocol.Task, s *scenarios.Scenario) protocol.Task {
	if slices.Contains(s.Needs, protocol.MCPTools) {
		task.MCPTools, task.Tools = true, []protocol.Tool{}
	}
	if _, can := p.session.(loops.Steerable); !can {
		return task
	}
	if n := s.SteeredPrompt(); n >= 0 {
		task.Steering, task.Prompts = true, slices.Delete(slices.Clone(task.Prompts), n, n+1)
	}
	return task
}

// faults returns what the loop did wrong that is about no single case.
func (p *player) faults() error {
	if session, ok := p.session.(loops.Fallible); ok {
		return session.Faults()
	}
	return nil
}

// secret makes the ids of a case. All deliveries of it share them, so that their runs can be
// compared.
func (p *player) secret(c trace.Case) string {
	return fmt.Sprintf("%s %s %s", strconv.FormatUint(p.seed, 10), c.Scenario, c.Profile)
}

// forget drops the runs of a scenario, once all its cases are judged.
func (p *player) forget(scenario string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, one := range p.played {
		if one.scenario == scenario {
			delete(p.played, id)
		}
	}
}
