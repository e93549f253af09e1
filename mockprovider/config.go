package mockprovider

import (
	"net"
	"net/http"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// Config says what a provider plays, and how. The zero value is useful: it plays nothing yet, under the profile openai.
type Config struct {
	// Profile answers the requests; nil is the profile openai.
	Profile *profiles.Profile

	// ExtraProfiles are profiles of other dialects, at most one of each, that answer on the paths of those.
	ExtraProfiles []*profiles.Profile

	// Scenarios are the scripts. The first whose first prompt, or whose `when`, fits the request answers it. When there is
	// only one, it answers every request, unless it is a recording: that answers what was asked of it.
	Scenarios []*scenarios.Scenario

	// Schema returns what is wrong with a JSON document by a JSON Schema, for requests that demand answers of a strict one:
	// [github.com/loopproof/loopproof/mockprovider/schemas.Check] does. nil: such an answer only has to be JSON.
	Schema func(schema, document []byte) error

	// AllowImpossible answers as the script says even where no provider could answer so, such as a text to a request whose
	// tool_choice demands a call. Otherwise that is an error of the script.
	AllowImpossible bool

	// Lenient records a breach but answers the request all the same.
	Lenient bool

	// Behaviour is how fast the provider is, what goes wrong and how much it takes; nil: it is fast, and nothing goes wrong.
	Behaviour *Behaviour

	// Fallback answers what no script does: a request to which no scenario belongs, and one for a path that is not known.
	// nil: such requests are told why there is no answer.
	Fallback http.Handler

	// OnExchangeDone is called with every exchange when its answer has ended, also with requests that reached no run: for
	// logs and metrics. It is called for several at a time.
	OnExchangeDone func(Entry)

	// Secret makes the ids and signatures. Servers with the same secret are interchangeable.
	Secret string

	// Listen opens the port of a [Server]; nil: a free port of the loopback address.
	Listen func() (net.Listener, error)

	// Models are the names that the list of models has; none: it has one, and any name is a model.
	Models []string

	// Access says who may ask besides programs and pages of this machine.
	Access Access

	// Limits bound what is read and remembered.
	Limits Limits
}

// Access says who may ask a server besides programs and pages of its machine.
type Access struct {
	Hosts   []string // names, besides addresses and names that nobody else can have, under which the control paths answer
	Origins []string // whose pages may read the answers of the models, such as https://app.example.com; "*" is any
}

// Limits bound what a server reads and remembers. Zero values are defaults.
type Limits struct {
	Body           int64 // of a request, in bytes; 0 is 32 MB
	JournalEntries int   // exchanges outside of runs that are remembered; 0 is 1000

	// JournalBytes is how many bytes of requests and answers are remembered in all journals together; 0 is 256 MB. The
	// bodies of older ones are forgotten, not that they were.
	JournalBytes int64
}

// Journal remembers what was asked and answered, up to a limit.
type Journal = journal.Journal

// Entry is one request in a [Journal], what it was answered, and what is wrong with it.
type Entry = journal.Entry

func (c Config) engine() engine.Config {
	return engine.Config{
		Profile: c.Profile, ExtraProfiles: c.ExtraProfiles, Scenarios: c.Scenarios,
		Schema: c.Schema, AllowImpossible: c.AllowImpossible, Lenient: c.Lenient, Behaviour: c.Behaviour,
		Fallback: c.Fallback, OnExchangeDone: c.OnExchangeDone, Secret: c.Secret, Listen: c.Listen, Models: c.Models,
		Access: engine.Access(c.Access), Limits: engine.Limits(c.Limits),
	}
}
