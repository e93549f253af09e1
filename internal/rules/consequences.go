package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/trace"
)

// Follows reports whether all findings of a rule are consequences of violations of other rules.
func (j *Judgement) Follows() bool {
	return len(j.Findings) > 0 && !slices.ContainsFunc(j.Findings, func(f trace.Finding) bool { return f.Because == "" })
}
