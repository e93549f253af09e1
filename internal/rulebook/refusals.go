package rulebook

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
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

// Refuser refuses requests as the provider of a profile does. It is made once for many requests.
type Refuser struct {
	profile *profiles.Profile
	entries []refuserEntry
}

// refuserEntry is an entry of a profile under which a request can be refused.
type refuserEntry struct {
	refusal *profiles.Refusal
	rule    *numbered
	check   func(*profiles.Profile, *wire.Request) rules.CheckResult
}

// NewRefuser returns what refuses requests as the provider of a profile does.
func NewRefuser(p *profiles.Profile) *Refuser {
	r := &Refuser{profile: p, entries: make([]refuserEntry, 0, len(p.Refuses))}
	for i := range p.Refuses {
		if entry, ok := refuserEntryOf(&p.Refuses[i]); ok && entry.refusal.Until == "" {
			r.entries = append(r.entries, entry)
		}
	}
	return r
}

func refuserEntryOf(refusal *profiles.Refusal) (refuserEntry, bool) {
	rule := byID()[refusal.Rule]
	if rule == nil || rule.Refuser() == nil {
		return refuserEntry{}, false
	}
	return refuserEntry{refusal, rule, rule.Refuser()}, true
}

// Refuse returns the error with which the provider answers a request, and false when it takes it.
// If ctx ends, no further rule is asked, and what it returns says nothing.
func (r *Refuser) Refuse(ctx context.Context, req *wire.Request) (trace.Refusal, profiles.Words, bool) {
	for refused := range r.Refusals(ctx, req) {
		if reading := r.profile.Speaks.Errors.Reading; reading != nil && reading.Finds(refused.Message) {
			refused.list(r.unreadable(ctx, req), reading)
		}
		return refused.Refusal, refused.Words, true
	}
	return trace.Refusal{}, profiles.Words{}, false
}

// Refusals returns all reasons for which the provider refuses a request, in the order in which it
// looks for them. Its answer is the first. If ctx ends, no further rule is asked.
func (r *Refuser) Refusals(ctx context.Context, req *wire.Request) iter.Seq[Refused] {
	return func(yield func(Refused) bool) {
		asked := ask(r.profile, req)
		defer asked.note()
		for i := range r.entries {
			if ctx.Err() != nil || !r.entries[i].reasons(asked, yield) {
				return
			}
		}
	}
}

// unreadable returns what a provider finds wrong while it reads a request, in the order of the
// request.
func (r *Refuser) unreadable(ctx context.Context, req *wire.Request) (all []Refused) {
	for refused := range r.Refusals(ctx, req) {
		known := slices.ContainsFunc(all, func(other Refused) bool { return other.Finding.Pointer == refused.Finding.Pointer })
		if !known && r.profile.Speaks.Errors.Reading.Finds(refused.Message) {
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

// Refuse returns the error with which a profile's provider answers a request, and false when it
// takes it.
func Refuse(p *profiles.Profile, req *wire.Request) (trace.Refusal, profiles.Words, bool) {
	return NewRefuser(p).Refuse(context.Background(), req)
}

// Refusals returns all reasons for which a profile's provider refuses a request, as
// [Refuser.Refusals] does.
func Refusals(ctx context.Context, p *profiles.Profile, req *wire.Request) iter.Seq[Refused] {
	return NewRefuser(p).Refusals(ctx, req)
}

// reasons calls yield for each reason that the entry gives to refuse a request, until yield returns
// false. It returns what yield returned last, or true.
func (e *refuserEntry) reasons(asked *asked, yield func(Refused) bool) bool {
	for _, f := range e.findings(asked) {
		if !e.refusal.Refuses(f.Vars) {
			continue
		}
		words := e.refusal.WordsOf(f.Vars)
		said := trace.Refusal{Rule: e.rule.ID, Status: e.refusal.StatusOf(f.Vars), Message: words.Message}
		if !yield(Refused{said, words, f, e.refusal.Proof, e.refusal.OurWords}) {
			return false
		}
	}
	return true
}

// findings returns what the check finds, without asking it where that is known to be nothing.
func (e *refuserEntry) findings(asked *asked) []trace.Finding {
	asRule := e.rule.Provider == nil
	if asRule && asked.isClean(e.rule) {
		return nil
	}
	found := e.check(asked.profile, asked.request).Findings
	if asRule && len(found) == 0 {
		asked.clean.Add(e.rule.place)
	}
	return found
}
