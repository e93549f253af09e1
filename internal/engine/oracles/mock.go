package oracles

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Mock is the mock provider under one profile, with a script that answers every request.
type Mock struct {
	provider *engine.Provider
	profile  *profiles.Profile
	path     string
}

const answersAll = "loopproof: 1\ntitle: Answers everything\nmodel:\n  - when: {}\n    text: fine\n"

// NewMock returns the mock provider under a profile.
func NewMock(p *profiles.Profile) (*Mock, error) {
	script, err := scenarios.Parse("any.yaml", []byte(answersAll), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		return nil, err
	}
	provider := engine.New(engine.Config{Profile: p, Scenarios: []*scenarios.Scenario{script}, AllowImpossible: true})
	return &Mock{provider, p, strings.ReplaceAll(p.Speaks.Endpoint.Path(), "{model}", "m")}, nil
}

// Ask returns the answer to the body of a request for a turn. Its body has the example of the profile
// instead of the id of the request, so that the same request always has the same answer.
func (m *Mock) Ask(body []byte) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodPost, m.path, bytes.NewReader(body))
	for name, value := range Headers() {
		request.Header.Set(name, value)
	}
	answer := httptest.NewRecorder()
	m.provider.ServeHTTP(answer, request)
	for name, example := range m.profile.Headers {
		if given := answer.Header().Get(name); given != "" && given != example {
			answer.Body = bytes.NewBuffer(bytes.ReplaceAll(answer.Body.Bytes(), []byte(given), []byte(example)))
		}
	}
	return answer
}

// Headers returns the headers of every request, to the real code and to the mock.
func Headers() map[string]string {
	return map[string]string{
		"Content-Type": "application/json", "Authorization": "Bearer any", "X-Api-Key": "any", "Anthropic-Version": "2023-06-01",
	}
}
