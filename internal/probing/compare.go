package probing

import (
	"cmp"
	"context"
	"net/http"
	"path"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// Comparison is how a profile and the server differ.
type Comparison struct {
	Profile *profiles.Profile `json:"-"`
	Name    string            `json:"profile"`

	// Known counts the requests of which somebody knows what the provider answers, and Alike those of
	// them that the server takes or refuses like it.
	Known int `json:"known"`
	Alike int `json:"alike"`

	// Differences are the requests that are answered otherwise, those among them of which nobody knows
	// that the provider takes them.
	Differences []Difference `json:"differences"`
}

// Difference is a request that the server takes and the provider refuses, or the other way round.
type Difference struct {
	Request string           `json:"request"`
	Status  int              `json:"status"`            // that of the server
	Message string           `json:"message,omitempty"` // that of the server
	Wanted  int              `json:"wanted"`            // the status of the provider
	Rule    string           `json:"rule,omitempty"`    // for which the provider refuses the request
	KnownBy profiles.KnownBy `json:"known_by"`          // how it is known; assumed: nothing is known against the request
	Sources []string         `json:"sources,omitempty"`
}

// Assumed says that nothing is known against a request.
const Assumed profiles.KnownBy = "assumed"

func compare(ctx context.Context, p *profiles.Profile, answers []Answer) Comparison {
	c := Comparison{Profile: p, Name: p.Name, Differences: []Difference{}}
	refuser := rulebook.NewRefuser(p)
	for i := range answers {
		a := &answers[i]
		d := Difference{Request: a.Request, Status: a.Status, Message: a.Message, Wanted: http.StatusOK, KnownBy: Assumed}
		for refused := range refuser.Refusals(ctx, a.read) {
			d.Wanted, d.Rule, d.KnownBy, d.Sources = refused.Status, refused.Rule, refused.Known.KnownBy, refused.Known.Sources
			break
		}
		alike := a.Refused() == (d.Wanted >= http.StatusBadRequest)
		if path.Dir(a.Request) == good || d.KnownBy != Assumed && d.KnownBy.Strong() {
			c.Known++
			if alike {
				c.Alike++
			}
		}
		if !alike {
			c.Differences = append(c.Differences, d)
		}
	}
	return c
}

// byLikeness sorts the profile first that differs in the fewest requests, and of two of these the one
// of which more is known.
func byLikeness(a, b Comparison) int {
	return cmp.Or(cmp.Compare(len(a.Differences), len(b.Differences)), cmp.Compare(b.Known, a.Known))
}
