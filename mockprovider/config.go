package mockprovider

import (
	"net"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/opaque"
	internalprofiles "github.com/loopproof/loopproof/internal/profiles"
	internalscenarios "github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// Config configures a provider. The zero value is valid: it plays no scripts, under the usual
// profiles.
type Config struct {
	// Profile is the provider that is played, for which the base URL of a [Run] is. nil means the
	// profile openai; where there are no ExtraProfiles either, the usual ones of the other dialects
	// are played, too: anthropic, openai-responses and gemini-3.
	Profile *profiles.Profile

	// ExtraProfiles are profiles of other dialects, at most one for each. They answer on the paths
	// of their dialects, whatever stands before them.
	ExtraProfiles []*profiles.Profile

	// Routes are profiles that are played for some requests, besides those: several of one dialect,
	// for a gateway or a router. A [Run] plays them, too, unless it has a profile of its own.
	Routes []Route

	// Scenarios are the scripts. The first one whose first prompt or `when` matches the request
	// answers it. If there is only one, it answers every request, except for a recording, which
	// answers only the recorded requests. Two that nothing tells apart are an error of
	// [Provider.Play], and not of [New].
	Scenarios []*scenarios.Scenario

	// Schema validates the answers to requests with a strict JSON Schema, as
	// [github.com/loopproof/loopproof/mockprovider/schemas.Check] does. nil means that such an
	// answer only has to be JSON.
	Schema func(schema, document []byte) error

	// AllowImpossible allows answers that no provider would give, such as a text when the
	// tool_choice of the request requires a call. By default this is an error in the script.
	AllowImpossible bool

	// Lenient reports violations, but answers the requests anyway.
	Lenient bool

	// Behaviour is the speed, the faults and the limits of the provider. nil means that it is fast,
	// and has neither faults nor limits.
	Behaviour *Behaviour

	// Fallback answers requests that no script matches, and requests for unknown paths. nil means
	// that these get an error that says why.
	Fallback http.Handler

	// Endpoints are answers to what is asked besides turns of a model, such as images and files. They
	// win over those that are built in.
	Endpoints []Endpoint

	// MCPServers plays the MCP servers of scripts below /mcp/, as
	// [github.com/loopproof/loopproof/mockprovider/mcpservers.Play] does. nil means that there are
	// none.
	MCPServers func(MCPServer) http.Handler

	// OnExchangeDone is called after each exchange, also for requests that belong to no run. It is
	// for logs and metrics, and may be called concurrently.
	OnExchangeDone func(Entry)

	// Secret determines the generated ids and signatures. Servers with the same secret are
	// interchangeable.
	Secret string

	// Listen opens the port of a [Server]. nil means a free port of the loopback address.
	Listen func() (net.Listener, error)

	// Models are the names in the list of models. If there are none, the list has one model, and
	// requests may name any model.
	Models []string

	// Access allows requests under other host names, and from pages of other origins. Refused, if
	// it is not nil, is called once for each host and origin whose request was refused, with the
	// reason: a browser does not show it to the page.
	Access  Access
	Refused func(reason string)

	// Limits limit how much is read and stored.
	Limits Limits
}

// Route is a profile that is played for some requests in its dialect. A prefix wins over models, and
// of several prefixes or patterns the longest.
type Route struct {
	Profile *profiles.Profile

	// Prefix is what the path begins with, such as /deepseek.
	Prefix string

	// Models, where there is no prefix, is the model for which is asked, or a pattern of such, as in
	// deepseek-*.
	Models string
}

// Access allows requests that a page of another site could have made a browser send. Programs may
// always send requests to an IP address or a local name, and so may pages of this machine.
type Access struct {
	// Hosts are names of the server besides IP addresses, localhost, names without a dot and names
	// that are never public, such as host.docker.internal. *.example.com means each name below, and
	// "*" any name.
	Hosts []string

	// Origins are origins of pages that may call the models, such as https://app.example.com.
	// "null" means pages of files, and "*" any page.
	Origins []string
}

// Limits limit how much a server reads and stores. Zero values mean the defaults.
type Limits struct {
	Body           int64 // size of a request in bytes; 0 means 32 MB
	JournalEntries int   // number of stored exchanges outside of runs; 0 means 1000

	// BodyTime is how long a client may take to send a request to a [Server]; 0 means any time.
	BodyTime time.Duration

	// JournalBytes is the total size of the requests and responses in all journals, in bytes; 0
	// means 256 MB. If there are more, the oldest entries lose their bodies.
	JournalBytes int64

	// ScriptBytes is about how much memory the scripts of runs that are created over HTTP take
	// together, in bytes; 0 means 256 MB. If they take more, the runs with scripts that were idle
	// for the longest time end.
	ScriptBytes int64
}

// MCPServer is an MCP server of a script, as a run plays it.
type MCPServer struct{ mcpBox }

type mcpBox = opaque.Box[*engine.MCPHost]

// Endpoint is what is asked for at some paths, and the answer to it.
type Endpoint struct{ endpointBox }

type endpointBox = opaque.Box[endpoints.Endpoint]

// ParseEndpoints reads a file with endpoints, as loopproof serve does for --endpoints. The name of
// the file is for errors.
func ParseEndpoints(file, text string) ([]Endpoint, error) {
	read, err := endpoints.Parse(file, []byte(text))
	if err != nil {
		return nil, err
	}
	all := make([]Endpoint, len(read))
	for i, e := range read {
		all[i] = Endpoint{opaque.Of(e)}
	}
	return all, nil
}

func (c Config) engine() engine.Config {
	out := engine.Config{
		Profile: playedProfile(c.Profile), Scenarios: scripts(c.Scenarios),
		Schema: c.Schema, AllowImpossible: c.AllowImpossible, Lenient: c.Lenient, Behaviour: c.Behaviour.inner(),
		Fallback: c.Fallback, Secret: c.Secret, Listen: c.Listen, Models: c.Models,
		Access: engine.Access(c.Access), Refused: c.Refused, Limits: engine.Limits(c.Limits),
	}
	if c.Profile == nil && c.ExtraProfiles == nil {
		for _, d := range dialect.All()[1:] {
			usual, _ := internalprofiles.Get(d.Standard)
			out.ExtraProfiles = append(out.ExtraProfiles, usual)
		}
	}
	for _, p := range c.ExtraProfiles {
		out.ExtraProfiles = append(out.ExtraProfiles, playedProfile(p))
	}
	for _, r := range c.Routes {
		out.Routes = append(out.Routes, engine.Route{Profile: playedProfile(r.Profile), Prefix: r.Prefix, Models: r.Models})
	}
	for _, e := range c.Endpoints {
		out.Endpoints = append(out.Endpoints, opaque.Open(e))
	}
	if c.MCPServers != nil {
		out.MCPServers = func(h *engine.MCPHost) http.Handler { return c.MCPServers(MCPServer{opaque.Of(h)}) }
	}
	if c.OnExchangeDone != nil {
		out.OnExchangeDone = func(e journal.Entry) { c.OnExchangeDone(newEntry(e)) }
	}
	return out
}

func playedProfile(p *profiles.Profile) *internalprofiles.Profile {
	if p == nil {
		return nil
	}
	return opaque.Open(p)
}

// scripts returns nil for nil, which means other scripts than an empty list does.
func scripts(all []*scenarios.Scenario) []*internalscenarios.Scenario {
	if all == nil {
		return nil
	}
	out := make([]*internalscenarios.Scenario, len(all))
	for i, s := range all {
		out[i] = opaque.Open(s)
	}
	return out
}
