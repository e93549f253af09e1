package selfcheck

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/scenarios"
)

// odd reports whether a step is not meant to be standard.
func odd(s *scenarios.Step) bool {
	return s.Finish != "" && !slices.Contains(wire.Finishes(), wire.Finish(s.Finish))
}
