package rulebook

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// numbered is a rule with its place in the book.
type numbered struct {
	*rules.Rule
	place int
}

// asked is a request while rules look at it, one after the other. It knows which of them find nothing
// in it without being asked: those that were asked already, and of a conversation that goes on those
// that found nothing in the request before, and find nothing in what is new.
type asked struct {
	profile *profiles.Profile
	request *wire.Request
	clean   wire.Clean

	tail   *wire.Request // nil: nothing is known of the request before
	before wire.Clean
}

func ask(p *profiles.Profile, req *wire.Request) *asked {
	a := &asked{profile: p, request: req, clean: slices.Clone(req.Clean(p))}
	a.tail, a.before = req.Tail(p)
	return a
}

// isClean reports whether [rules.Rule.Request] is known to find nothing.
func (a *asked) isClean(r *numbered) bool {
	if a.clean.Has(r.place) {
		return true
	}
	if a.tail == nil || !r.ByTurn || !a.before.Has(r.place) || len(r.Request(a.profile, a.tail).Findings) > 0 {
		return false
	}
	a.clean.Add(r.place)
	return true
}

// alone returns what a rule finds in a run of the request alone.
func (a *asked) alone(r *numbered, run *rules.Run) []trace.Finding {
	found := r.CheckAlone(run, r.Request != nil && a.isClean(r))
	if len(found) == 0 && r.Request != nil && !r.Returned { // else it may not have been asked
		a.clean.Add(r.place)
	}
	return found
}

// note notes what is known now, for whoever asks about the request next, or the one behind it.
func (a *asked) note() { a.request.NoteClean(a.profile, a.clean) }
