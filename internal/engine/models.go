package engine

import (
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// spokenOn returns the dialect that a client speaks which asks for models.
type spokenOn func(*http.Request, *profiles.Profile) *wire.Dialect

// always is the one of a path that one dialect has for itself.
func always(d *wire.Dialect) func(*Provider) spokenOn {
	return func(*Provider) spokenOn {
		return func(*http.Request, *profiles.Profile) *wire.Dialect { return d }
	}
}

// models adds the paths on which models are listed and described, whose names have a form.
func models(r *mux.Router, path, name string, spoken func(*Provider) spokenOn) {
	r.Path(path).Methods(http.MethodGet).Handler(beside(func(p *Provider) besideAPI {
		return besideAPI{name: modelsAPI, answer: p.listModels(spoken(p))}
	}))
	r.Path(path + "/{model:" + name + "}").Methods(http.MethodGet).Handler(beside(func(p *Provider) besideAPI {
		return besideAPI{name: modelsAPI, answer: p.oneModel(spoken(p))}
	}))
}

// modelsAPI is the name of these paths in the journal.
const modelsAPI = journal.Models

// listModels lists the models, in the form of the dialect that the client speaks.
func (p *Provider) listModels(spoken spokenOn) func(target, *http.Request, []byte) (response, error) {
	return func(t target, r *http.Request, _ []byte) (response, error) {
		profile := t.settings().profile
		return jsonResponse(spoken(r, profile).Models.List(p.modelsOf(profile))), nil
	}
}

// modelsOf returns the models that are configured, or one that may have any name.
func (p *Provider) modelsOf(profile *profiles.Profile) (models []wire.Model) {
	for _, name := range p.config.Models {
		models = append(models, modelOf(profile, name))
	}
	if len(models) == 0 {
		models = append(models, modelOf(profile, "loopproof"))
	}
	return models
}

// ownModels tells of models on a path that a dialect has for itself.
func (p *Provider) ownModels(d *wire.Dialect, at wire.ModelsPath) besideAPI {
	return besideAPI{name: modelsAPI, dialect: d, answer: func(t target, _ *http.Request, body []byte) (response, error) {
		profile := t.settings().profile
		if at.List != nil {
			return jsonResponse(at.List(p.modelsOf(profile))), nil
		}
		asked, err := wire.ParseNode(body)
		if err != nil {
			return response{}, err
		}
		name := at.Named(asked)
		if name == "" {
			message, _, _ := d.Models.Unknown("")
			return failure(profile, http.StatusBadRequest, message), nil
		}
		if len(p.config.Models) > 0 && !slices.Contains(p.config.Models, name) {
			return unknownModel(profile, d.Models, name), nil
		}
		return jsonResponse(at.One(modelOf(profile, name))), nil
	}}
}

// oneModel describes a model. Where no models are configured, every name is one: any model may be
// asked.
func (p *Provider) oneModel(spoken spokenOn) func(target, *http.Request, []byte) (response, error) {
	return func(t target, r *http.Request, _ []byte) (response, error) {
		profile, name := t.settings().profile, mux.Vars(r)["model"]
		form := spoken(r, profile).Models
		if len(p.config.Models) == 0 || slices.Contains(p.config.Models, name) {
			return jsonResponse(form.One(modelOf(profile, name))), nil
		}
		return unknownModel(profile, form, name), nil
	}
}

// unknownModel answers a request that names a model which there is not.
func unknownModel(profile *profiles.Profile, form wire.ModelsForm, name string) response {
	message, kind, code := form.Unknown(name)
	words := profiles.Words{Message: message, Type: &kind}
	if code != "" {
		words.Code = &code
	}
	return errorResponse(profile, http.StatusNotFound, words)
}

// unknownModel reports whether a request for a turn names a model in its URL which is none of those
// that are configured. A model in the body may be any.
func (p *Provider) unknownModel(profile *profiles.Profile, d *wire.Dialect, name string) (response, bool) {
	if !d.Request.ModelInURL || len(p.config.Models) == 0 || slices.Contains(p.config.Models, name) {
		return response{}, false
	}
	return unknownModel(profile, d.Models, name), true
}

// spokenByClient returns the dialect that a client speaks on a path that several share: that of the
// profile, unless a header shows that it is another one which is played here. Where models have no
// form in that, it is the first dialect, which providers of others serve besides.
func (p *Provider) spokenByClient(r *http.Request, profile *profiles.Profile) *wire.Dialect {
	if d := p.toldByHeader(r); d != nil {
		return d
	}
	if d := profile.Speaks; d.Models.List != nil {
		return d
	}
	return p.spoken()[0]
}

// toldByHeader returns the dialect whose clients alone send what a request has, of those that are
// played here, or nil.
func (p *Provider) toldByHeader(r *http.Request) *wire.Dialect {
	for _, d := range p.spoken() {
		if d.Endpoint.Tells(r) && p.profileOf(d) != "" {
			return d
		}
	}
	return nil
}

func modelOf(p *profiles.Profile, name string) wire.Model {
	return wire.Model{Name: name, Owner: p.Name, Created: time.Unix(created, 0)}
}
