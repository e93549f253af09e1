package mockprovider

import (
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/profiles"
)

// Behaviour is how a provider behaves besides what its model says: how fast it is, what goes wrong and how often, and how
// much it takes. Make one with [ParseBehaviour].
type Behaviour = scenarios.Behaviour

// ParseBehaviour reads a behaviour as it stands behind `behaviour:` in a script. The file is named in errors.
func ParseBehaviour(file, text string) (*Behaviour, error) {
	return scenarios.ParseBehaviour(file, text)
}

// The headers by which a request says to which run it belongs, and how the provider behaves for it alone.
const (
	RunHeader       = engine.RunHeader
	BehaviourHeader = engine.BehaviourHeader
)

// RunConfig says what a [Run] plays. The zero value plays what the server plays.
type RunConfig struct {
	// ID names the run: at most 64 letters, digits, dots, _ and -. "" draws one.
	ID string

	// Scenarios are those of the run; nil: those of the server, whichever it plays at the time.
	Scenarios []*scenarios.Scenario

	// Profile is that of the run; nil: that of the server.
	Profile *profiles.Profile

	// Behaviour is that of the run; what it does not say is as in the server.
	Behaviour *Behaviour

	// Lenient records a breach but answers the request all the same. A lenient server makes all its runs so.
	Lenient bool
}

// Run is a server within the server, for one test among many: scripts, attempts and journal of its own, or the scripts of
// the server. A request belongs to it by its path, its API key, or the header [RunHeader].
type Run struct {
	ID string

	run *engine.TestRun
}

// BaseURL returns what the official SDK of the provider takes as its base URL, given the URL of the server.
func (r *Run) BaseURL(server string) string { return r.run.BaseURL(server) }

// APIKey returns a key by which requests belong to the run, whatever their path.
func (r *Run) APIKey() string { return r.run.APIKey() }

// Journal returns what the run was asked and answered.
func (r *Run) Journal() *Journal { return r.run.Journal() }
