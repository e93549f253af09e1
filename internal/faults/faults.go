// Package faults lists loops with exactly one thing wrong, and loops that are right in another way.
// They prove that the rules can fail: every rule is broken by a fault that breaks no other, every
// fault breaks exactly the rules it declares, and a variation breaks none.
//
//	for _, f := range faults.All() {
//		report, err := runner.Play(ctx, runner.Config{Loop: loops.Func(f.Run), Claims: loops.Claims{Features: hooks.Claims}})
//	}
//
// The faults of an area of rules are in the package of its name, those about the bytes of one
// dialect in the package of that dialect, and the variations in variations. All are made of [hooks].
package faults

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/approvals"
	"github.com/loopproof/loopproof/internal/faults/arguments"
	"github.com/loopproof/loopproof/internal/faults/cancel"
	"github.com/loopproof/loopproof/internal/faults/compaction"
	"github.com/loopproof/loopproof/internal/faults/egress"
	"github.com/loopproof/loopproof/internal/faults/execution"
	"github.com/loopproof/loopproof/internal/faults/failure"
	"github.com/loopproof/loopproof/internal/faults/finish"
	"github.com/loopproof/loopproof/internal/faults/history"
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/images"
	"github.com/loopproof/loopproof/internal/faults/limits"
	"github.com/loopproof/loopproof/internal/faults/mcp"
	"github.com/loopproof/loopproof/internal/faults/models"
	"github.com/loopproof/loopproof/internal/faults/outcome"
	"github.com/loopproof/loopproof/internal/faults/pairing"
	"github.com/loopproof/loopproof/internal/faults/programs"
	"github.com/loopproof/loopproof/internal/faults/reasoning"
	"github.com/loopproof/loopproof/internal/faults/record"
	"github.com/loopproof/loopproof/internal/faults/retry"
	"github.com/loopproof/loopproof/internal/faults/sessions"
	"github.com/loopproof/loopproof/internal/faults/sockets"
	"github.com/loopproof/loopproof/internal/faults/steering"
	"github.com/loopproof/loopproof/internal/faults/stream"
	"github.com/loopproof/loopproof/internal/faults/sub-agents"
)

// All returns all faults, area by area.
func All() []hooks.Fault {
	return slices.Concat(
		pairing.Faults(),
		history.Faults(),
		egress.Faults(),
		arguments.Faults(),
		execution.Faults(),
		approvals.Faults(),
		steering.Faults(),
		programs.Faults(),
		models.Faults(),
		mcp.Faults(),
		subagents.Faults(),
		sockets.Faults(),
		reasoning.Faults(),
		stream.Faults(),
		finish.Faults(),
		failure.Faults(),
		retry.Faults(),
		limits.Faults(),
		compaction.Faults(),
		cancel.Faults(),
		sessions.Faults(),
		outcome.Faults(),
		images.Faults(),
		record.Faults(),
		faultsOfDialects(),
	)
}
