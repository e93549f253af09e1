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
	Words    profiles.Words
	Finding  trace.Finding
	Known    profiles.Proof
	OurWords bool // the words of the provider were not found out
}

// Refusals returns all reasons for which a profile's provider refuses a request, in the order in which it looks for them. Its
// answer is the first.
func Refusals(p *profiles.Profile, req *wire.Request) iter.Seq[Refused] {
	return func(yield func(Refused) bool) {
		for i := range p.Refuses {
			if p.Refuses[i].Until == "" && !reasons(p, req, &p.Refuses[i], yield) {
				return
			}
		}
	}
}

// reasons calls yield for each reason that one entry of a profile gives to refuse a request, until yield returns false. It
// returns what yield returned last, or true.
func reasons(p *profiles.Profile, req *wire.Request, refusal *profiles.Refusal, yield func(Refused) bool) bool {
	rule := Lookup(refusal.Rule)
	if rule == nil || rule.Refuser() == nil {
		return true
	}
	for _, f := range rule.Refuser()(p, req).Findings {
		if !refusal.Refuses(f.Vars) {
			continue
		}
		words := refusal.WordsOf(f.Vars)
		said := trace.Refusal{Rule: rule.ID, Status: refusal.StatusOf(f.Vars), Message: words.Message}
		if !yield(Refused{said, words, f, refusal.Proof, refusal.OurWords}) {
			return false
		}
	}
	return true
}
