package runner

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Session is a loop that was started once, and the mock provider that it calls. Scenarios can be
// played to it in any number of batches.
type Session struct {
	config Config
	known  profiles.Known
	loop   loops.Session
	server *engine.Server

	passedPreflight bool
}

// Open starts a loop for scenarios that are not in the library. The context has to last as long as
// the session. The config selects by everything except scenarios and cases.
func Open(ctx context.Context, c Config) (*Session, error) {
	s, err := openSession(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := s.checkSelection(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func openSession(ctx context.Context, c Config) (*Session, error) {
	if c.Loop == nil {
		return nil, errors.New("there is no loop to judge: set Config.Loop")
	}
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	known, err := c.profiles()
	if err != nil {
		return nil, err
	}
	c.known = &known // the folder is read once
	loop, err := c.Loop.Open(ctx, c.options(known))
	if err != nil {
		return nil, unstarted{err}
	}
	if problems := loops.CheckHello(loop.Hello(), known); len(problems) > 0 {
		loop.Close()
		return nil, unstarted{errors.New("the claims of the loop are not right: " + strings.Join(problems, "; "))}
	}
	if c.ToolServer == nil && claims.Has(loop.Hello(), protocol.MCPTools, "", "") {
		loop.Close()
		return nil, unstarted{errors.New("the loop claims mcp-tools, and there is no server of MCP: Config.ToolServer is not set")}
	}
	return &Session{config: c, known: known, loop: loop, server: engine.NewServer(engine.Config{Listen: c.Listen, Profiles: known.Own, ToolServer: c.ToolServer})}, nil
}

// options says how the loop is started.
func (c Config) options(known profiles.Known) loops.Options {
	return loops.Options{
		Name: c.Name, Version: c.Version, Claims: c.Claims, Profiles: known,
		StartTimeout: c.StartTimeout, Workers: c.Workers, Places: c.workers() + maxWaiting, ToolServer: c.ToolServer != nil,
		OnWait: c.Hooks.OnWait, OnRemark: c.Hooks.OnRemark,
	}
}

// Close ends the loop.
func (s *Session) Close() {
	s.loop.Close()
	s.server.Close()
}

// Hello returns what the loop claims.
func (s *Session) Hello() protocol.Hello { return s.loop.Hello() }

// Profiles returns the profiles that the loop claims and the config selects.
func (s *Session) Profiles() []*profiles.Profile {
	dialects, names := selecting(s.config.Select.Dialects), selecting(s.config.Select.Profiles)
	return slices.DeleteFunc(claimedOf(s.known.All(), s.Hello(), s.config.Select.Profiles), func(p *profiles.Profile) bool {
		return !dialects.takes(p.Dialect) || !names.takes(p.Name)
	})
}

// JudgedRules returns the patterns of the rules that the config selects, none for all.
func (s *Session) JudgedRules() []string { return s.config.Select.Rules }

// Deliveries returns the deliveries that the loop supports in some dialect, and that the config
// selects.
func (s *Session) Deliveries() []wire.Delivery {
	p, offered, selected := emptyPlan(s.Hello(), s.known), s.Profiles(), selecting(s.config.Select.Deliveries)
	return slices.DeleteFunc(wire.Deliveries(), func(d wire.Delivery) bool {
		return !slices.ContainsFunc(offered, func(profile *profiles.Profile) bool {
			in := d.In(profile.Frames())
			return p.takes(profile.Dialect, in) && slices.ContainsFunc(trace.DeliveryNames(in), selected.takes)
		})
	})
}

// checkSelection checks that each pattern of the config matches something.
func (s *Session) checkSelection() error {
	p, of := emptyPlan(s.Hello(), s.known), s.config.Select
	var errs []error
	for kind, patterns := range map[string][]string{"dialect": of.Dialects, "profile": of.Profiles, "delivery": of.Deliveries, "rule": of.Rules} {
		known, _ := p.vocabulary(kind)
		words := [][]string{known}
		errs = append(errs, p.checkPatterns(kind, patterns, words))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if len(s.Profiles()) == 0 || len(s.Deliveries()) == 0 {
		return errors.New("nothing is selected: this loop claims no profile and delivery that all patterns match")
	}
	return nil
}

// job returns what judges the cases of a plan.
func (s *Session) job(plan *Plan) *job {
	c := s.config
	j := &job{config: c, plan: plan, started: time.Now()}
	j.player = &player{
		plan: plan, session: s.loop, seed: c.Seed, timeout: c.Timeout, start: c.StartTimeout, waitFor: c.waitFor, onTask: c.Hooks.OnTask, told: told(c.Loop, s.known.Spoken()),
		server: s.server, late: &late{}, unread: &unreadCancels{},
		played: map[string]*played{}, confirmed: map[string]int{},
	}
	j.player.gate = newGate(j.places())
	j.waiters = make(chan struct{}, j.places().waiters())
	j.order, j.playsOn = plan.playingOrder(), map[int]bool{}
	j.builder = newBuilder(c, plan)
	return j
}

// Played is a case that was played in a session.
type Played struct {
	Case report.Case
	Run  *rules.Run
}

// Play plays scenarios in all cases that the loop claims and the config selects, judges them by the
// rules that they list, and calls a function with each case. The session keeps nothing of a run,
// since runs are large. Scenarios without a case are left out. The first batch begins with the
// preflight. The error says why not all cases were played.
func (s *Session) Play(ctx context.Context, batch []*scenarios.Scenario, each func(Played)) error {
	plan := s.plan(batch)
	if len(plan.Cases) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	j := s.job(plan)
	defer func() {
		cancel()
		j.playing.Wait()
	}()
	if !s.passedPreflight {
		if err := j.player.preflight(ctx); err != nil {
			return err
		}
		s.passedPreflight = true
	}
	for i, c := range plan.Cases {
		result, err := j.judge(ctx, i)
		if err != nil {
			return errors.Join(err, j.player.faults())
		}
		each(Played{result, j.player.of(c).run})
		if reason := j.stopReason(); reason != "" {
			return errors.New(reason)
		}
	}
	return j.player.faults()
}

// plan plans all cases of some scenarios.
func (s *Session) plan(batch []*scenarios.Scenario) *Plan {
	p := emptyPlan(s.Hello(), s.known)
	p.add(s.config, batch)
	p.selectRules(s.config.Select.Rules)
	deliveries, names := selecting(s.config.Select.Deliveries), map[string]bool{}
	for _, profile := range s.Profiles() {
		names[profile.Name] = true
	}
	for _, profile := range p.claimedProfiles { // also those under which a case is only compared with another
		p.profiles[profile.Name] = profile
	}
	p.Cases = slices.DeleteFunc(p.Cases, func(c trace.Case) bool {
		return !names[c.Profile] || !slices.ContainsFunc(trace.DeliveryNames(c.Delivery), deliveries.takes)
	})
	p.Filtered = true // there are more scenarios than these
	return p
}
