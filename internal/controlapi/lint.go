package controlapi

import (
	"cmp"
	"net/http"

	"github.com/loopproof/loopproof/internal/lint"
	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/savedrequests"
	"github.com/loopproof/loopproof/internal/wire"
)

// maxLinted is the size of the largest form with a request, and maxResults how many requests of it are shown.
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

// allProfiles is the choice of all profiles.
const allProfiles = "all"

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
		if err := c.lint(&p); err != nil {
			p.Problem = "The text cannot be checked: " + err.Error() + "."
		}
	}
	show(w, "lint.tmpl", p)
}

func (c *api) lint(p *lintPage) error {
	dialects := c.provider.Profiles().Spoken()
	if p.Profile != "" && p.Profile != allProfiles {
		chosen, err := c.provider.Profiles().Find(p.Profile)
		if err != nil {
			return err
		}
		dialects = []*wire.Dialect{chosen.Speaks}
	}
	found, err := savedrequests.Find([]byte(p.Text), savedrequests.Options{Dialects: dialects})
	if err != nil {
		return err
	}
	for _, saved := range found[:min(len(found), maxResults)] {
		under, err := c.lintUnder(p.Profile, saved.Dialect)
		if err != nil {
			return err
		}
		p.Several = p.Several || len(under) > 1
		p.Results = append(p.Results, lint.Check(saved, under))
	}
	return nil
}

// lintUnder returns the profiles under which a request is judged.
func (c *api) lintUnder(profile string, d *wire.Dialect) ([]*profiles.Profile, error) {
	if profile == allProfiles {
		return profiles.Of(d.Name, c.provider.Profiles().All()), nil
	}
	p, err := c.provider.Profiles().Find(cmp.Or(profile, d.Standard))
	return []*profiles.Profile{p}, err
}
