package rules

import (
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Spoken returns the wire APIs that are spoken in the run.
func (r *Run) Spoken() []*wire.Dialect {
	if r.Second == nil {
		return []*wire.Dialect{r.Dialect()}
	}
	return []*wire.Dialect{r.Dialect(), r.Second.Speaks}
}

// ProfileOf returns the provider that a request asked. nil stands for no request.
func (r *Run) ProfileOf(x *trace.Exchange) *profiles.Profile {
	if r.AsksSecondAPI(x) {
		return r.Second
	}
	return r.Script.Profile
}

// AsksSecondAPI reports whether a request asked in the second of two wire APIs.
func (r *Run) AsksSecondAPI(x *trace.Exchange) bool {
	return r.Second != nil && x != nil && x.Request != nil && x.Request.Dialect == r.Second.Speaks
}

// profileAt returns the provider that the request of a number asked; 0 is none.
func (r *Run) profileAt(number int) *profiles.Profile {
	for _, x := range r.Exchanges {
		if x.Number == number {
			return r.ProfileOf(x)
		}
	}
	return r.Script.Profile
}
