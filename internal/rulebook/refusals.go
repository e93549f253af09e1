package rulebook

import (
	"cmp"
	"iter"
	"slices"

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

// Refuse returns the error with which a profile's provider answers a request, and false when it takes it.
func Refuse(p *profiles.Profile, req *wire.Request) (trace.Refusal, profiles.Words, bool) {
	for refused := range Refusals(p, req) {
		if reading := p.Speaks.Errors.Reading; reading != nil && reading.Finds(refused.Message) {
			refused.list(unreadable(p, req), reading)
		}
		return refused.Refusal, refused.Words, true
	}
	return trace.Refusal{}, profiles.Words{}, false
}

// unreadable returns what a provider finds wrong while it reads a request, in the order of the request.
func unreadable(p *profiles.Profile, req *wire.Request) (all []Refused) {
	for refused := range Refusals(p, req) {
		known := slices.ContainsFunc(all, func(r Refused) bool { return r.Finding.Pointer == refused.Finding.Pointer })
		if !known && p.Speaks.Errors.Reading.Finds(refused.Message) {
			all = append(all, refused)
		}
	}
	slices.SortStableFunc(all, func(a, b Refused) int {
		return cmp.Compare(req.Body.At(a.Finding.Pointer).Offset(), req.Body.At(b.Finding.Pointer).Offset())
	})
	return all
}

// list makes the error one about several problems.
func (r *Refused) list(all []Refused, reading *wire.ReadingForm) {
	problems := make([]wire.Problem, len(all))
	for i, one := range all {
		problems[i] = wire.Problem{Message: one.Message, Place: one.Finding.Vars["at"]}
	}
	r.Message, r.Words.Details = reading.Words(problems)
	r.Words.Message = r.Message
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
