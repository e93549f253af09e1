package mockprovider

import (
	"github.com/loopproof/loopproof/internal/engine"
	internalscenarios "github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// Behaviour is the speed, the faults and the limits of a provider. Create one with
// [ParseBehaviour].
type Behaviour struct{ behaviour *internalscenarios.Behaviour }

// ParseBehaviour reads a behaviour, in the format of the key behaviour of a script. Errors name the
// file.
func ParseBehaviour(file, text string) (*Behaviour, error) {
	b, err := internalscenarios.ParseBehaviour(file, text)
	if err != nil {
		return nil, err
	}
	return &Behaviour{b}, nil
}

func (b *Behaviour) inner() *internalscenarios.Behaviour {
	if b == nil {
		return nil
	}
	return b.behaviour
}

// The headers of a request that Loopproof adds to those of the provider.
const (
	// RunHeader is X-Loopproof-Run: the id of the run to which the request belongs.
	RunHeader = engine.RunHeader

	// BehaviourHeader is X-Loopproof-Behaviour: a behaviour for this request alone, in the format
	// of [ParseBehaviour], as in "first-token: 2s".
	BehaviourHeader = engine.BehaviourHeader
)

// RunConfig configures a [Run]. The zero value plays the scripts of the server.
type RunConfig struct {
	// ID names the run: at most 64 letters, digits, dots, _ and -, but not "." or "..". ""
	// means a random id.
	ID string

	// Scenarios are the scripts of the run. nil means those of the server at the time of the
	// request.
	Scenarios []*scenarios.Scenario

	// Profile is the profile of the run. nil means that of the server.
	Profile *profiles.Profile

	// Behaviour is the behaviour of the run. Keys that it does not set are those of the server.
	Behaviour *Behaviour

	// Lenient reports violations, but answers the requests anyway. All runs of a lenient server are
	// lenient.
	Lenient bool
}

func (c RunConfig) engine() engine.TestRunConfig {
	return engine.TestRunConfig{
		ID: c.ID, Scenarios: scripts(c.Scenarios), Profile: playedProfile(c.Profile), Behaviour: c.Behaviour.inner(), Lenient: c.Lenient,
	}
}

// Run is a part of a server for one test. It has its own attempts and journal, and its own scripts
// or those of the server. A request belongs to a run by its path, its API key, or the header
// [RunHeader].
type Run struct {
	ID      string // names the run in paths, API keys and [RunHeader]
	BaseURL string // for the official SDK; without scheme and host if a [Provider] started the run
	APIKey  string // assigns requests to the run, whatever their path

	run      *engine.TestRun
	provider *engine.Provider
}

// AddAnswers adds answers to the run while it is used. Each is a step of a script in YAML, such as
// "text: It is 4 C." or "{status: 429, retry-after: 1s}". They come before the scripts, in this
// order; each answers one request, the first that it matches, unless it has `requests` or `times`.
// Either all are added, or none and the error names the answer and the line.
func (r *Run) AddAnswers(steps ...string) error { return r.provider.AddAnswers(r.run, steps...) }

// Release lets the answers go that are held until a name: those with `hold: {until: NAME}`. Answers
// that come later are not held until it, either. The error says that no answer of the run is held
// until this name.
func (r *Run) Release(name string) error { return r.provider.Release(r.run, name) }

// Journal returns the journal of the run.
func (r *Run) Journal() *Journal { return &Journal{r.run.Journal()} }
