package controlapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/lint"
	"github.com/loopproof/loopproof/internal/lint/savedrequests"
	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/wire"
)

// maxLinted is the size of the largest form with a request, and maxResults how many requests of it
// are shown.
const (
	maxLinted  = 8 << 20
	maxResults = 50
)

// lintPage is the page that judges a pasted request.
type lintPage struct {
	page.Live
	Text     string
	Profile  string   // that is chosen: a name, "all", or "" for the standard ones
	Profiles []string // that can be chosen
	Several  bool     // the results are judged under several
	Problem  string   // why nothing could be judged
	Results  []lint.Result
}

// pageOfLint judges a request that is pasted into a form.
func (c *api) pageOfLint(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxLinted)
	if err := r.ParseForm(); err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "the form cannot be read: %v", err)
		return
	}
	p := lintPage{
		Live: c.live("Check a request", ""), Text: r.PostForm.Get("text"), Profile: r.PostForm.Get("profile"),
		Profiles: c.provider.Profiles().Names(),
	}
	if r.Method == http.MethodPost {
		if err := c.lint(r.Context(), &p); err != nil {
			p.Problem = "The text cannot be checked: " + err.Error() + "."
		}
	}
	show(w, "lint.tmpl", p)
}

func (c *api) lint(ctx context.Context, p *lintPage) error {
	known := c.provider.Profiles()
	dialects, names, asked := known.Spoken(), []string(nil), []*wire.Dialect(nil)
	if p.Profile != "" {
		names = []string{p.Profile}
	}
	if p.Profile != "" && p.Profile != lint.AllProfiles {
		chosen, err := known.Find(p.Profile)
		if err != nil {
			return err
		}
		dialects = []*wire.Dialect{chosen.Speaks}
		asked = dialects
	}
	if mayHaveMoreValues(p.Text, wire.MostValues) {
		return wire.ErrTooManyValues
	}
	found, err := savedrequests.Find([]byte(p.Text), savedrequests.Options{Dialects: dialects, Asked: asked})
	if err != nil {
		return err
	}
	for _, saved := range found[:min(len(found), maxResults)] {
		if err := ctx.Err(); err != nil {
			return err // nobody reads the page
		}
		under := lint.Chosen(saved.Dialect, names, known)
		p.Several = p.Several || len(under) > 1
		p.Results = append(p.Results, lint.Check(ctx, saved, under))
	}
	return nil
}

// mayHaveMoreValues reports whether a text has more JSON values than a number, were none of it
// inside of a string, before any of them takes memory. What stands in strings counts, since it is
// searched as well.
func mayHaveMoreValues(text string, most int) bool {
	n := 1
	for _, before := range []string{",", "[", "{"} {
		n += strings.Count(text, before)
	}
	return n > most
}
