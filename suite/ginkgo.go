package suite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"

	"github.com/loopproof/loopproof/report"
	"github.com/loopproof/loopproof/rules"
)

// Run judges a loop inside go test: it builds the specs of [Register] and runs them. It may be called more than once
// in a test binary. In a package that has Ginkgo specs of its own, use [Register] instead.
//
// The flags of Ginkgo work as ever, for example -ginkgo.label-filter='area:pairing && delivery:sse'.
func Run(t ginkgo.GinkgoTestingT, c Config) {
	if c.Reproduce == nil {
		c.Reproduce = reproduceTest(t)
	}
	Register(c)
	suiteConfig, reporterConfig := ginkgo.GinkgoConfiguration()
	suiteConfig.FailOnEmpty = true
	ginkgo.RunSpecs(t, "Loopproof", suiteConfig, reporterConfig)
	globals.Reset() // Ginkgo keeps its specs in the package; the next Run starts with none
}

// Register adds the specs that judge a loop to a Ginkgo suite: one for each rule in each case that gives evidence for
// it, and one for each case that holds the invariants against it. It is called where other containers are, at the top
// of a file or in a container.
//
// Each spec is labelled with its rule, level, area, dialect, profile and delivery. Since / has a meaning in label
// filters, a rule's label is written with a dot: rule:pairing.every-call-answered.
func Register(c Config) bool {
	return ginkgo.Describe("Loopproof", ginkgo.Ordered, ginkgo.ContinueOnFailure, ginkgo.Label("loopproof"), func() {
		ctx, cancel := context.WithCancel(context.Background())
		g, err := newGame(ctx, c)
		if err != nil {
			cancel()
			ginkgo.It("starts", func() { ginkgo.Fail(err.Error()) })
			return
		}
		s := &shell{game: g, ctx: ctx, unselected: map[int]bool{}, results: map[int]report.Case{}}
		ginkgo.BeforeAll(s.begin)
		ginkgo.AfterAll(func() { g.close(cancel) })
		for i := range g.plan.Cases {
			s.addCase(i)
		}
		ginkgo.It("has evidence for all that the loop claims", s.end)
	})
}

// shell shows a game as Ginkgo specs. Cases are played when their first spec runs, and ahead of that by the workers.
type shell struct {
	game    *game
	ctx     context.Context
	expects *Expectations
	results map[int]report.Case
	broken  error // why nothing can be judged

	unselected map[int]bool // cases of which the flags of Ginkgo select no spec
}

func (s *shell) begin() {
	s.game.order = slices.DeleteFunc(s.game.order, func(i int) bool { return s.unselected[i] })
	s.expects = &Expectations{}
	if file := s.game.config.KnownFailing; file != "" {
		list, err := LoadExpectations(file)
		if err != nil {
			s.broken = err
			return
		}
		s.expects = list
	}
	s.broken = s.game.player.preflight(s.ctx)
}

func (s *shell) addCase(i int) {
	c := s.game.plan.Cases[i]
	title := s.game.plan.scenarios[c.Scenario].Title + " [" + c.ID() + "]"
	common := ginkgo.Labels{"loopproof", "dialect:" + c.Dialect, "profile:" + c.Profile, "delivery:" + string(c.Delivery)}
	var specs []spec
	add := func(text string, labels ginkgo.Labels, body func()) {
		specs = append(specs, spec{"Loopproof " + title + " " + text, slices.Concat(common, labels)})
		ginkgo.It(text, labels, body)
	}
	ginkgo.Context(title, common, func() {
		for _, id := range s.game.plan.listed(c) {
			rule := rules.Lookup(id)
			if s.game.plan.judges(rule) && rule.Claimed(s.game.plan.claimsIn(c)) {
				level := rule.LevelUnder(s.game.plan.profiles[c.Profile])
				add(rule.Text, ginkgo.Labels{"rule:" + label(id), "level:" + string(level), "area:" + rule.Area()}, func() { s.judge(i, id) })
			}
		}
		add("The invariants hold.", ginkgo.Labels{"invariants"}, func() { s.judgeInvariants(i) })
	})
	if !selected(specs) {
		s.unselected[i] = true
	}
}

// label writes an id so that Ginkgo takes it as a label.
func label(id string) string { return strings.ReplaceAll(id, "/", ".") }

func (s *shell) result(i int) report.Case {
	if s.broken != nil {
		ginkgo.Fail(s.broken.Error(), 2)
	}
	if known, ok := s.results[i]; ok {
		return known
	}
	c, err := s.game.judge(s.ctx, i)
	if err != nil {
		s.broken = err
		ginkgo.Fail(err.Error(), 2)
	}
	if why := s.game.hopeless(); why != "" {
		s.broken = fmt.Errorf("%s; the rest is not played", why)
	}
	s.results[i] = c
	return c
}

// judge ends a spec with the verdict of one rule on one case.
func (s *shell) judge(i int, id string) {
	c := s.result(i)
	switch c.Verdicts[id] {
	case rules.Failed:
		s.fail(&c, id)
	case rules.Passed:
	default:
		ginkgo.Skip("untested: there was no evidence: " + rules.Lookup(id).Evidence)
	}
}

// fail ends a spec about a broken rule: as a failure when that makes the loop not conformant, else with a word.
func (s *shell) fail(c *report.Case, id string) {
	text := report.Describe(c, id)
	level := c.LevelOf(id)
	switch reason, known := s.expects.reason(c, id); {
	case known:
		ginkgo.Skip("known to fail: " + reason)
	case level == rules.Must || level == rules.Should && s.game.config.Strict:
		ginkgo.Fail(text, 2)
	default:
		ginkgo.Skip("broken, but only a " + string(level) + ":\n" + text)
	}
}

// judgeInvariants ends a spec with what the rules said that the scenario does not list.
func (s *shell) judgeInvariants(i int) {
	c := s.result(i)
	listed := s.game.plan.listed(s.game.plan.Cases[i])
	var fatal []string
	for _, rule := range rules.Book() {
		if c.Verdicts[rule.ID] != rules.Failed || slices.Contains(listed, rule.ID) {
			continue
		}
		_, known := s.expects.reason(&c, rule.ID)
		level := c.LevelOf(rule.ID)
		if !known && (level == rules.Must || level == rules.Should && s.game.config.Strict) {
			fatal = append(fatal, report.Describe(&c, rule.ID))
		} else {
			ginkgo.AddReportEntry("broken, but no failure: "+rule.ID, report.Describe(&c, rule.ID), ginkgo.ReportEntryVisibilityFailureOrVerbose)
		}
	}
	if len(fatal) > 0 {
		ginkgo.Fail(strings.Join(fatal, "\n"))
	}
}
