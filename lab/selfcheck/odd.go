package selfcheck

import (
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// odd reports whether a step is not meant to be standard.
func odd(s *scenarios.Step) bool {
	return s.Finish != "" && !slices.Contains(wire.Finishes(), wire.Finish(s.Finish))
}
