package faults

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine/virtualtime"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// play plays the cases of a config to a loop, with simulated time.
func play(t *testing.T, config runner.Config, run func(ctx context.Context, task protocol.Task, world http.RoundTripper) protocol.Outcome) (r *report.Report, err error) {
	t.Helper()
	virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
		config.Listen = n.Listen
		config.Loop = loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			return run(ctx, task, n), nil
		})
		r, err = runner.Play(t.Context(), config)
	})
	return r, err
}

// play plays some cases to a fault, and looks at the places that the findings name and at their
// words.
func (p performance) play(t *testing.T, cases []string) (*report.Report, error) {
	t.Helper()
	config := p.config()
	config.Select.Quick, config.Select.Cases = false, cases
	witness := newWitness()
	config.Hooks.OnTask = witness.begins
	r, err := play(t, config, func(ctx context.Context, task protocol.Task, world http.RoundTripper) protocol.Outcome {
		return p.Told(p.Make().CarryOut(ctx, task, refloop.Loop{Backoff: time.Millisecond}, witness.beside(world)))
	})
	if err == nil {
		for _, problem := range slices.Concat(witness.misplaced(r), foreignWords(r)) {
			t.Error(problem)
		}
	}
	return r, err
}
