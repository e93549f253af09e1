package suite

import (
	"context"

	"github.com/onsi/ginkgo/v2"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/specs"
	"github.com/loopproof/loopproof/report"
)

// Play judges a loop and returns the report. The error reports a problem of Loopproof, the adapter
// or the configuration; a loop that breaks rules is not an error. If there are both, the report
// covers what could be judged. If the loop does not start or does not answer the preflight, the
// report has no cases, and says why.
func Play(ctx context.Context, c Config) (*report.Report, error) { return runner.Play(ctx, c.runner()) }

// Run judges a loop inside go test: it builds the specs of [Register] and runs them. At the end it
// prints the same as loopproof run: the first failure in full, the others in a line each (with go
// test -v all in full), the table of rules, and the result in the last line. It may be called more
// than once in a test binary. In a package that has its own Ginkgo specs, use [Register] instead.
//
// The flags of Ginkgo work as usual, for example -ginkgo.label-filter='area:pairing &&
// delivery:sse'. With go test -v each spec that fails or is skipped is printed on one line, with
// the reason; with -ginkgo.v Ginkgo prints every spec.
func Run(t ginkgo.GinkgoTestingT, c Config) { specs.Run(t, c.runner()) }

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
func Register(c Config) bool { return specs.Register(c.runner()) }
