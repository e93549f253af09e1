package mockprovider

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/profiles"
)

// serveModels lists the models, in the form of the dialect that the client speaks.
func (p *Provider) serveModels(w http.ResponseWriter, r *http.Request) {
	run, err := p.findRun(r)
	if err != nil {
		p.serveUnrouted(w, r, http.StatusNotFound, sentence(err))
		return
	}
	names := p.config.Models
	if len(names) == 0 {
		names = []string{"loopproof"}
	}
	profile := run.in(nil).settings().profile
	asMessages := p.speaksMessages(r, profile)
	models := []wire.Fields{}
	for _, name := range names {
		models = append(models, modelFields(name, asMessages, profile))
	}
	body := wire.Fields{{Key: "object", Value: "list"}, {Key: "data", Value: models}}
	if asMessages {
		body = wire.Fields{{Key: "data", Value: models}, {Key: "has_more", Value: false}, {Key: "first_id", Value: names[0]}, {Key: "last_id", Value: names[len(names)-1]}}
	}
	p.send(w, r, response{status: http.StatusOK, contentType: jsonType, body: body.JSON()})
}

// serveOneModel describes a model. Where no models are configured, every name is one: any model may be asked.
func (p *Provider) serveOneModel(w http.ResponseWriter, r *http.Request) {
	run, err := p.findRun(r)
	if err != nil {
		p.serveUnrouted(w, r, http.StatusNotFound, sentence(err))
		return
	}
	profile, name := run.in(nil).settings().profile, mux.Vars(r)["model"]
	if len(p.config.Models) > 0 && !slices.Contains(p.config.Models, name) {
		kind, code := "invalid_request_error", "model_not_found"
		words := profiles.Words{Message: fmt.Sprintf("The model '%s' does not exist", name), Type: &kind, Code: &code}
		if p.speaksMessages(r, profile) {
			kind = "not_found_error"
			words = profiles.Words{Message: "model: " + name, Type: &kind}
		}
		p.send(w, r, errorResponse(profile, http.StatusNotFound, words))
		return
	}
	p.send(w, r, response{status: http.StatusOK, contentType: jsonType, body: modelFields(name, p.speaksMessages(r, profile), profile).JSON()})
}

// speaksMessages reports whether a client wants models in the form of Anthropic, whose path is the same: its provider is
// played, and alone, or the client sends the header that it demands.
func (p *Provider) speaksMessages(r *http.Request, profile *profiles.Profile) bool {
	return profile.Speaks == messages.API || p.profileOf(messages.API) != "" && r.Header.Get("Anthropic-Version") != ""
}

func modelFields(name string, asMessages bool, p *profiles.Profile) wire.Fields {
	if asMessages {
		at := time.Unix(created, 0).UTC().Format(time.RFC3339)
		return wire.Fields{{Key: "type", Value: "model"}, {Key: "id", Value: name}, {Key: "display_name", Value: name}, {Key: "created_at", Value: at}}
	}
	return wire.Fields{{Key: "id", Value: name}, {Key: "object", Value: "model"}, {Key: "created", Value: created}, {Key: "owned_by", Value: p.Name}}
}
