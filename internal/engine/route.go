package engine

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// Route is a profile that is played for some requests in its dialect: those whose path begins with a
// prefix such as /deepseek, or those for models of a pattern such as deepseek-*.
type Route struct {
	Profile        *profiles.Profile
	Prefix, Models string // one of the two
}

// fits reports whether a request may go this way. The model is asked for only where it matters.
func (r Route) fits(askedPath string, model func() string) bool {
	if r.Prefix != "" {
		return strings.HasPrefix(askedPath, r.Prefix+"/")
	}
	whole := strings.NewReplacer("/", ":") // so that * stands for any text
	fits, _ := path.Match(whole.Replace(r.Models), whole.Replace(model()))
	return fits
}

// routed returns the run as a request sees it that goes one of the routes, or nil if it goes none. A
// prefix wins over a pattern, and of several prefixes or patterns the longest.
func (r *TestRun) routed(askedPath string, model func() string, d *wire.Dialect) (found *dialectRun) {
	for _, o := range r.dialects {
		way := o.route
		if way.Profile == nil || d != nil && way.Profile.Speaks != d || !way.fits(askedPath, model) {
			continue
		}
		if found == nil || cmp.Or(len(way.Prefix)-len(found.route.Prefix), len(way.Models)-len(found.route.Models)) > 0 {
			found = o
		}
	}
	return found
}

// at returns a run as a request in a dialect sees it; nil: in any.
func (p *Provider) at(run anyRun, r *http.Request, d *wire.Dialect) target {
	if one, is := run.(*TestRun); is {
		askedPath := strings.TrimPrefix(askedURL(r).Path, "/run/"+one.ID)
		if routed := one.routed(askedPath, func() string { return p.askedModel(r) }, d); routed != nil {
			return routed
		}
	}
	return run.in(d)
}

// askedModel returns the model for which a request asks in its path or in its body, which can be
// read again then, or "".
func (p *Provider) askedModel(r *http.Request) string {
	if vars := mux.Vars(r); vars["model"] != "" || vars["deployment"] != "" {
		return cmp.Or(vars["model"], vars["deployment"])
	}
	body, _ := p.peek(r)
	return wire.Parsed(body).Get("model").Text()
}

// peek reads the body of a request, which can be read again then. It is not whole where it cannot be
// read, or is too large.
func (p *Provider) peek(r *http.Request) (body []byte, whole bool) {
	body, err := io.ReadAll(io.LimitReader(r.Body, p.config.Limits.Body+1))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	return body, err == nil && int64(len(body)) <= p.config.Limits.Body
}
