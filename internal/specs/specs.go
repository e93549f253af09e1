// Package specs judges a loop inside go test: it shows the judging of a loop as Ginkgo specs. It is
// separate from package runner, so that the command does not link a test framework.
package specs

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// Run judges a loop inside go test: it builds the specs of [Register] and runs them. At the end it
// prints the same as loopproof run: the first failure in full and the others in a line each, the
// table of rules, and the result in the last line. It may be called more than once in a test
// binary. In a package that has its own Ginkgo specs, use [Register] instead.
//
// The flags of Ginkgo work as usual, for example -ginkgo.label-filter='area:pairing &&
// delivery:sse'. With go test -v each spec that fails or is skipped is printed on one line, with
// the reason; with -ginkgo.v Ginkgo prints every spec.
func Run(t ginkgo.GinkgoTestingT, c runner.Config) {
	if named, ok := t.(interface{ Name() string }); ok {
		c.Name = cmp.Or(c.Name, named.Name())
		if c.Hooks.Reproduce == nil {
			c.Hooks.Reproduce = runner.ReproduceInTest(named.Name())
		}
	}
	s := &shell{}
	s.register(c)
	suiteConfig, reporterConfig := ginkgo.GinkgoConfiguration()
	suiteConfig.FailOnEmpty = true
	out := newOutput(os.Stdout, &reporterConfig)
	s.verbose = out.verbose
	others := &strangers{}
	ginkgo.ReportAfterEach(others.count)
	silenced := out.silence()
	passed := ginkgo.RunSpecs(t, "Loopproof", suiteConfig, reporterConfig)
	silenced.end(passed || others.n == 0)
	s.print(out, passed)
	globals.Reset() // Ginkgo keeps its specs in the package; the next Run starts with none
}

// Register adds the specs that judge a loop to a Ginkgo suite: one for each rule in each case that
// gives evidence for it, and one for each case that checks the invariants. Call it where containers
// are allowed, at the top level of a file or in a container.
//
// A rule that is broken in many cases fails the spec of the first one. Its other specs are skipped
// with a message, so that one bug that affects hundreds of cases is one failure. The summary that
// [Run] prints is an entry in the report of the last spec.
//
// Each spec is labelled with its rule, level, area, dialect, profile and delivery. Since / has a
// meaning in label filters, a rule's label is written with a dot: rule:pairing.every-call-answered.
func Register(c runner.Config) bool {
	s := &shell{entry: true}
	return s.register(c)
}

func (s *shell) register(c runner.Config) bool {
	return ginkgo.Describe("Loopproof", ginkgo.Ordered, ginkgo.ContinueOnFailure, ginkgo.Label("loopproof"), func() {
		run, err := s.start(c)
		if err != nil {
			s.giveUp(c, err)
			ginkgo.It("starts", func() { ginkgo.Fail(err.Error()) })
			return
		}
		s.run = run
		s.chosen, s.results, s.failedBefore = map[int]*runner.Chosen{}, map[int]report.Case{}, map[string]bool{}
		ginkgo.BeforeAll(s.begin)
		ginkgo.AfterAll(func() {
			s.end()
			run.Close()
		})
		for i := range run.Cases() {
			s.addCase(i)
		}
		ginkgo.It("the verdict", s.verdict)
	})
}

// start reads the known-failing list, then starts the loop: a list that is not there is told also
// if the loop cannot be judged.
func (s *shell) start(c runner.Config) (*runner.Stepwise, error) {
	list, err := knownfailing.Load(c.KnownFailing)
	if err != nil {
		return nil, err
	}
	s.expects = list
	return runner.Begin(context.Background(), c)
}

// shell shows a job as Ginkgo specs. Cases are played when their first spec runs, and ahead of that
// by the workers.
type shell struct {
	run     *runner.Stepwise
	expects *knownfailing.List
	results map[int]report.Case
	broken  error // why nothing can be judged, or nothing more

	failedBefore map[string]bool // rules of which a spec failed

	chosen map[int]*runner.Chosen // which specs of each case the flags of Ginkgo select
	partly bool                   // the flags of Ginkgo select only some specs

	report *report.Report // once all is over
	judged knownfailing.Judged
	failed error // why the report is not whole

	entry   bool            // the report is shown as an entry of the last spec
	verbose func(...string) // prints a line about a spec where that is wanted; nil: never
}

func (s *shell) begin() {
	s.run.Narrow(s.chosen, s.partly)
	if err := s.run.Preflight(); err != nil {
		s.giveUp(s.run.Config(), err)
		ginkgo.Fail(err.Error())
	}
}

func (s *shell) addCase(i int) {
	c := s.run.Cases()[i]
	title := s.run.Title(c) + " [" + c.ID() + "]"
	common := ginkgo.Labels{"loopproof", "dialect:" + c.Dialect, "profile:" + c.Profile, "delivery:" + string(c.Delivery)}
	these := &runner.Chosen{Listed: map[string]bool{}}
	s.chosen[i] = these
	add := func(text string, labels ginkgo.Labels, body func()) bool {
		ginkgo.It(text, labels, body)
		is := selected(spec{"Loopproof " + title + " " + text, slices.Concat(common, labels)})
		s.partly = s.partly || !is
		return is
	}
	ginkgo.Context(title, common, func() {
		for _, id := range s.run.Listed(c) {
			rule := rulebook.Lookup(id)
			if s.run.Judges(rule, c) {
				level := s.run.Level(rule, c)
				labels := ginkgo.Labels{"rule:" + label(id), "level:" + string(level), "area:" + rule.Area()}
				if add(rule.Text, labels, func() { s.judge(i, id) }) {
					these.Listed[id] = true
				}
			}
		}
		these.Invariants = add("The invariants hold.", ginkgo.Labels{"invariants"}, func() { s.judgeInvariants(i) })
	})
}

// label writes an id so that Ginkgo takes it as a label.
func label(id string) string { return strings.ReplaceAll(id, "/", ".") }

func (s *shell) result(i int) report.Case {
	if known, ok := s.results[i]; ok {
		return known
	}
	if s.broken != nil {
		ginkgo.Skip("not played: "+s.broken.Error(), 2)
	}
	c, err := s.run.Judge(i)
	if err != nil {
		s.broken = err
		ginkgo.Fail(err.Error(), 2)
	}
	if why := s.run.StopReason(); why != "" {
		s.broken = errors.New(why)
	}
	s.results[i] = c
	return c
}

// judge ends a spec with the verdict of one rule on one case.
func (s *shell) judge(i int, id string) {
	c := s.result(i)
	switch c.Verdicts[id] {
	case trace.Failed:
		s.fail(&c, id)
	case trace.Passed:
	default:
		s.skip("skip", &c, id+": untested, needs "+rulebook.Lookup(id).Evidence)
	}
}

// fail ends a spec about a broken rule: as a failure when that makes the loop not conformant, else
// with a word.
func (s *shell) fail(c *report.Case, id string) {
	text := c.Brief(id)
	switch reason, known := s.expects.Reason(c, id); {
	case known:
		s.skip("known", c, text+"; "+reason)
	case c.Because(id) != "":
		s.skip("also", c, text)
	case s.fatal(c, id):
		s.say("FAIL", c.ID, text)
		s.failOnce(text, id)
	default:
		s.skip(mild[c.LevelOf(id)], c, text)
	}
}

// mild are the words for a violation that is not a failure.
var mild = map[trace.Level]string{trace.Must: "warn", trace.Should: "warn", trace.Info: "info"}

// failOnce ends a spec about broken rules: as a failure for the first case in which one of them is
// broken, else as skipped.
func (s *shell) failOnce(text string, ids ...string) {
	first := false
	for _, id := range ids {
		first = first || !s.failedBefore[id]
		s.failedBefore[id] = true
	}
	if !first {
		ginkgo.Skip("also broken here: " + text)
	}
	ginkgo.Fail(text)
}

func (s *shell) fatal(c *report.Case, id string) bool {
	level := c.LevelOf(id)
	return level == trace.Must || level == trace.Should && s.run.Config().Strict
}

func (s *shell) skip(word string, c *report.Case, why string) {
	s.say(word, c.ID, why)
	ginkgo.Skip(why, 2)
}

func (s *shell) say(words ...string) {
	if s.verbose != nil {
		s.verbose(words...)
	}
}

// judgeInvariants ends a spec with what the rules said that the scenario does not list.
func (s *shell) judgeInvariants(i int) {
	c := s.result(i)
	listed := s.run.Listed(s.run.Cases()[i])
	var fatal, ids []string
	for _, rule := range rulebook.Book() {
		if c.Verdicts[rule.ID] != trace.Failed || slices.Contains(listed, rule.ID) {
			continue
		}
		text, word := c.Brief(rule.ID), mild[c.LevelOf(rule.ID)]
		switch reason, known := s.expects.Reason(&c, rule.ID); {
		case known:
			text, word = text+"; "+reason, "known"
		case c.Because(rule.ID) != "":
			word = "also"
		case s.fatal(&c, rule.ID):
			word = "FAIL"
			fatal, ids = append(fatal, text), append(ids, rule.ID)
		}
		s.say(word, c.ID, text)
		if word != "FAIL" {
			ginkgo.AddReportEntry("broken, but no failure", text, ginkgo.ReportEntryVisibilityFailureOrVerbose)
		}
	}
	if len(fatal) > 0 {
		s.failOnce(strings.Join(fatal, "\n"), ids...)
	}
}
