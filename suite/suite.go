package suite

import (
	"context"

	"github.com/onsi/ginkgo/v2"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/report"
)

// Play judges a loop and returns the report. The error says what Loopproof, the adapter or the configuration are at
// fault for; a loop that breaks rules is no error. When there are both, the report is of what could be judged: of a loop
// that does not start, or does not answer the first question, it has no cases, and says why.
func Play(ctx context.Context, c Config) (*report.Report, error) { return runner.Play(ctx, c.runner()) }

// Run judges a loop inside go test: it builds the specs of [Register] and runs them. At the end it prints what
// loopproof run prints: a block for each broken rule, the table of rules, and in the last line the result. It may be
// called more than once in a test binary. In a package that has Ginkgo specs of its own, use [Register] instead.
//
// The flags of Ginkgo work as ever, for example -ginkgo.label-filter='area:pairing && delivery:sse'. With go test -v
// each spec that fails or is skipped takes a line of its own, with the reason; with -ginkgo.v Ginkgo tells each spec
// itself.
func Run(t ginkgo.GinkgoTestingT, c Config) { runner.Run(t, c.runner()) }

// Register adds the specs that judge a loop to a Ginkgo suite: one for each rule in each case that gives evidence for
// it, and one for each case that holds the invariants against it. It is called where other containers are, at the top
// of a file or in a container.
//
// A rule that is broken in many cases fails the spec of the first one; its other specs are skipped, and say so in a
// line: one bug breaks hundreds of cases, and is one failure. What [Run] prints at its end is an entry in the report of
// the last spec.
//
// Each spec is labelled with its rule, level, area, dialect, profile and delivery. Since / has a meaning in label
// filters, a rule's label is written with a dot: rule:pairing.every-call-answered.
func Register(c Config) bool { return runner.Register(c.runner()) }
