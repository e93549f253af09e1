package mockprovider

import (
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/profiles"
)

// Behaviour is the speed, the faults and the limits of a provider. Create one with [ParseBehaviour].
type Behaviour = scenarios.Behaviour

// ParseBehaviour reads a behaviour, in the format of the key behaviour of a script. Errors name the file.
func ParseBehaviour(file, text string) (*Behaviour, error) {
	return scenarios.ParseBehaviour(file, text)
}

// The request headers that name a run, and that set the behaviour for a single request.
const (
	RunHeader       = engine.RunHeader
	BehaviourHeader = engine.BehaviourHeader
)

// RunConfig configures a [Run]. The zero value plays the scripts of the server.
type RunConfig struct {
	// ID names the run: at most 64 letters, digits, dots, _ and -. "" means a random id.
	ID string

	// Scenarios are the scripts of the run. nil means those of the server at the time of the request.
	Scenarios []*scenarios.Scenario

	// Profile is the profile of the run. nil means that of the server.
	Profile *profiles.Profile

	// Behaviour is the behaviour of the run. Keys that it does not set are those of the server.
	Behaviour *Behaviour

	// Lenient reports violations, but answers the requests anyway. All runs of a lenient server are lenient.
	Lenient bool
}

// Run is a part of a server for one test. It has its own attempts and journal, and its own scripts or those of the server. A
// request belongs to a run by its path, its API key, or the header [RunHeader].
type Run struct {
	ID string // names the run in paths, API keys and [RunHeader]

	run *engine.TestRun
}

// BaseURL returns the base URL for the official SDK of the provider, given the URL of the server.
func (r *Run) BaseURL(server string) string { return r.run.BaseURL(server) }

// APIKey returns an API key that assigns requests to the run, whatever their path.
func (r *Run) APIKey() string { return r.run.APIKey() }

// Journal returns the journal of the run.
func (r *Run) Journal() *Journal { return r.run.Journal() }
