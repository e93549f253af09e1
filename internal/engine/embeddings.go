package engine

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/vectors"
	"github.com/loopproof/loopproof/internal/wire"
)

// embeddings answers requests for embeddings in a dialect: in its own form or, where it has none, in
// that of OpenAI. A script may say which vectors texts have, and how the provider behaves.
func (p *Provider) embeddings(d *wire.Dialect) besideAPI {
	read := func(r *http.Request, body []byte) (*vectors.Request, *vectors.BadRequest, error) {
		root, err := document(body)
		if err != nil {
			return nil, nil, err
		}
		asked, bad := vectors.Read(d.Embeddings, root)
		if bad == nil && asked.Model == "" {
			asked.Model = mux.Vars(r)["model"]
		}
		return asked, bad, nil
	}
	return besideAPI{
		name: "embeddings", forwards: true,
		scripted: func(t target, r *http.Request) bool {
			said := embeddingsOf(t, d)
			if len(said) == 0 {
				return false
			}
			body, whole := p.peek(r)
			if !whole {
				return false
			}
			asked, bad, err := read(r, body)
			return err == nil && bad == nil && said.all(asked)
		},
		behaviour: func(t target, r *http.Request, body []byte) *scenarios.Behaviour {
			asked, _, err := read(r, body)
			if err != nil || asked == nil {
				return nil
			}
			return embeddingsOf(t, d).behaviour(asked)
		},
		answer: func(t target, r *http.Request, body []byte) (response, error) {
			asked, bad, err := read(r, body)
			if err != nil {
				return response{}, err
			}
			if bad != nil {
				return badRequest(t, bad), nil
			}
			vectors, err := embeddingsOf(t, d).vectors(asked)
			if err != nil {
				kind := "invalid_request_error"
				return errorResponse(t.settings().profile, http.StatusNotFound, profiles.Words{Message: sentence(err), Type: &kind}), nil
			}
			return jsonResponse(asked.Write(vectors)), nil
		},
	}
}

// document reads a body that has to be a JSON object.
func document(body []byte) (*wire.Node, error) {
	root, err := wire.ParseNode(body)
	if err == nil && !root.Is(wire.Object) {
		err = errors.New("the body of the request has to be a JSON object")
	}
	return root, err
}

// badRequest answers a request that the provider cannot read.
func badRequest(t target, bad *vectors.BadRequest) response {
	kind := "invalid_request_error"
	return errorResponse(t.settings().profile, http.StatusBadRequest, profiles.Words{Message: bad.Message, Type: &kind, Param: &bad.Param, Code: bad.Code})
}

// scriptedEmbeddings are what the scripts of a run say of embeddings, in their order.
type scriptedEmbeddings []scriptedEmbedding

// scriptedEmbedding is an entry of a script.
type scriptedEmbedding struct {
	*scenarios.Embedding
	of *scenarios.Scenario
}

// embeddingsOf returns what the scripts of a run say of embeddings in a dialect. That of a loop has
// none.
func embeddingsOf(t target, d *wire.Dialect) (all scriptedEmbeddings) {
	o, is := t.(*dialectRun)
	if !is {
		return nil
	}
	if o.route.Profile == nil { // else it is of the profile that is played there
		o = o.run.in(d).(*dialectRun)
	}
	for _, script := range o.played().Scripts {
		for i := range script.Scenario.Embeddings {
			all = append(all, scriptedEmbedding{&script.Scenario.Embeddings[i], script.Scenario})
		}
	}
	return all
}

// behaviour returns how the provider behaves for a request, or nil.
func (s scriptedEmbeddings) behaviour(asked *vectors.Request) *scenarios.Behaviour {
	for _, e := range s {
		for _, text := range asked.Texts {
			if e.Behaviour != nil && e.Says(asked.Model, text) {
				return e.Behaviour.Over(e.of.Behaviour)
			}
		}
	}
	return nil
}

// vectors returns the vectors of the texts of a request: those that a script says, and for other
// texts some that depend on the text, of the same size. The error says that no vector of a text has
// the size that is asked.
func (s scriptedEmbeddings) vectors(asked *vectors.Request) (all []scenarios.Vector, err error) {
	size := asked.Size
	for i := 0; size == 0 && i < len(s); i++ {
		size = s[i].SizeFor(asked.Model)
	}
	for _, text := range asked.Texts {
		vector, other := s.vector(asked, text)
		if vector == nil && other != nil {
			return nil, fmt.Errorf("the vector that %s has for %q has %d numbers, and the request wants %d", other.of.ID, text, len(other.VectorOf(asked.Model, text, 0)), asked.Size)
		}
		if vector == nil {
			vector = vectors.Embed(text, cmp.Or(size, asked.Usual))
		}
		all = append(all, vector)
	}
	return all, nil
}

// all reports whether scripts say all vectors of a request, or how the provider behaves for it.
func (s scriptedEmbeddings) all(asked *vectors.Request) bool {
	return s.behaviour(asked) != nil || !slices.ContainsFunc(asked.Texts, func(text string) bool {
		vector, _ := s.vector(asked, text)
		return vector == nil
	})
}

// vector returns the vector of a text, or nil and the first entry that has one of another size, or
// nil.
func (s scriptedEmbeddings) vector(asked *vectors.Request, text string) (vector scenarios.Vector, other *scriptedEmbedding) {
	for i, e := range s {
		if !e.Says(asked.Model, text) {
			continue
		}
		if vector = e.VectorOf(asked.Model, text, asked.Size); vector != nil {
			return vector, nil
		}
		if other == nil && e.VectorOf(asked.Model, text, 0) != nil {
			other = &s[i]
		}
	}
	return nil, other
}
