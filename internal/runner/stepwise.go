package runner

import (
	"context"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// Stepwise is the judging of a loop case by case, for callers such as a test framework.
type Stepwise struct {
	job    *job
	ctx    context.Context
	cancel context.CancelFunc
}

// Begin starts a loop and plans its cases.
func Begin(ctx context.Context, c Config) (*Stepwise, error) {
	ctx, cancel := context.WithCancel(ctx)
	j, err := newJob(ctx, c)
	if err != nil {
		cancel()
		return nil, err
	}
	return &Stepwise{job: j, ctx: ctx, cancel: cancel}, nil
}

// Unplayed returns the report of a loop of which no case was played: it only says why. It is nil
// for errors that are not about the loop, such as a selection that matches nothing. s is nil if the
// judging did not begin.
func Unplayed(c Config, s *Stepwise, err error) *report.Report {
	if s == nil {
		return unplayed(c, nil, err)
	}
	return unplayed(c, s.job, err)
}

// Config returns the config with its defaults.
func (s *Stepwise) Config() Config { return s.job.config }

// Cases returns the cases of the plan.
func (s *Stepwise) Cases() []trace.Case { return s.job.plan.Cases }

// Title returns the title of the scenario of a case.
func (s *Stepwise) Title(c trace.Case) string { return s.job.plan.scenarios[c.Scenario].Title }

// Listed returns the rules that the scenario of a case lists and that can be judged there.
func (s *Stepwise) Listed(c trace.Case) []string { return s.job.plan.listed(c) }

// Judges reports whether a rule is judged in a case: it is selected, and the loop claims what it
// needs.
func (s *Stepwise) Judges(rule *rules.Rule, c trace.Case) bool {
	return s.job.plan.judges(rule, c) && rule.Claimed(s.job.plan.claimsIn(c))
}

// Level returns the level of a rule in a case.
func (s *Stepwise) Level(rule *rules.Rule, c trace.Case) trace.Level {
	return rule.LevelUnder(s.job.plan.profiles[c.Profile])
}

// Expects reports whether the cases have to give evidence for a rule.
func (s *Stepwise) Expects(rule string) bool { return slices.Contains(s.job.plan.Expected, rule) }

// Chosen says by which rules a case is judged.
type Chosen struct {
	Listed     map[string]bool // rules that its scenario lists
	Invariants bool            // all others
}

func (c *Chosen) none() bool { return len(c.Listed) == 0 && !c.Invariants }

// Narrow limits the cases and the rules to those that were chosen, by the numbers of the cases in
// the plan. partly says that this is less than all.
func (s *Stepwise) Narrow(chosen map[int]*Chosen, partly bool) {
	j := s.job
	j.order = slices.DeleteFunc(j.order, func(i int) bool { return chosen[i].none() })
	if !partly {
		return
	}
	j.plan.Filtered = true
	of := map[string]*selectedRules{}
	expected := map[string]bool{}
	for i, c := range j.plan.Cases {
		of[c.ID()] = &selectedRules{listed: j.plan.listed(c), chosen: chosen[i]}
		for id := range chosen[i].Listed {
			expected[id] = true
		}
	}
	j.plan.Expected = slices.DeleteFunc(j.plan.Expected, func(id string) bool { return !expected[id] })
	j.builder.selects = func(caseID, rule string) bool { return of[caseID].has(rule) }
}

// selectedRules are the rules by which one case is judged.
type selectedRules struct {
	listed []string // by its scenario
	chosen *Chosen
}

func (s *selectedRules) has(rule string) bool {
	if slices.Contains(s.listed, rule) {
		return s.chosen.Listed[rule]
	}
	return s.chosen.Invariants
}

// Preflight gives the loop a first task, and returns what is wrong.
func (s *Stepwise) Preflight() error { return s.job.player.preflight(s.ctx) }

// Judge plays a case, by its number in the plan, and judges it. Those after it are played ahead.
func (s *Stepwise) Judge(i int) (report.Case, error) { return s.job.judge(s.ctx, i) }

// StopReason returns why no further cases should be played, or "".
func (s *Stepwise) StopReason() string { return s.job.stopReason() }

// Finish returns the report of all cases that were judged, and how it compares with a known-failing
// list.
func (s *Stepwise) Finish(e *knownfailing.List) (*report.Report, knownfailing.Judged, error) {
	r, err := s.job.finish()
	if r == nil {
		return nil, knownfailing.Judged{}, err
	}
	return r, e.Judge(r, s.job.plan.Selection()), err
}

// Close ends what is still being played, and the loop.
func (s *Stepwise) Close() { s.job.close(s.cancel) }
