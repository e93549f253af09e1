package rulebook

import (
	"iter"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Refused is one reason for which a provider refuses a request.
type Refused struct {
	trace.Refusal
	Finding  trace.Finding
	Known    profiles.Proof
	OurWords bool // the words of the provider were not found out
}

// Refusals returns all reasons for which a profile's provider refuses a request, in the order in which it looks for them. Its
// answer is the first.
func Refusals(p *profiles.Profile, req *wire.Request) iter.Seq[Refused] {
	return func(yield func(Refused) bool) {
		for _, refusal := range p.Refuses {
			rule := Lookup(refusal.Rule)
			if refusal.Until != "" || rule == nil || rule.Refuser() == nil {
				continue
			}
			for _, f := range rule.Refuser()(p, req).Findings {
				if !refusal.Refuses(f.Vars) {
					continue
				}
				said := trace.Refusal{Rule: rule.ID, Status: refusal.StatusOf(f.Vars), Message: refusal.WordsOf(f.Vars).Message}
				if !yield(Refused{said, f, refusal.Proof, refusal.OurWords}) {
					return
				}
			}
		}
	}
}
