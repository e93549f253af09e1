package transcript

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
)

//go:embed schemas/*.json
var schemas embed.FS

// Format is a form in which loops keep a conversation or tell of it.
type Format struct {
	Name   string // as in transcript_format and events_format
	Title  string // whose form it is
	Events bool   // a list of events; otherwise a transcript

	// Marks says that a result tells by a flag whether its call failed.
	Marks bool

	// Told says that the record tells of a run while it goes on: results come as their tools end, and
	// the user, who reads it, need not be told what he said.
	Told bool

	read func(*Record)
}

// The names of the formats.
const (
	OpenAgentLoops = "open-agent-loops"
	Anthropic      = "anthropic"
	ART            = "art-messages"
	OpenAI         = "openai"
	AGUI           = "ag-ui"
	OTel           = "otel-genai"
	ADK            = "adk-turn-events"
)

// Formats returns all formats, those of transcripts first.
func Formats() []*Format {
	return []*Format{
		{Name: OpenAgentLoops, Title: "the messages of Open Agent Loops", Marks: true, read: readOpenAgentLoops},
		{Name: Anthropic, Title: "the messages of Anthropic's Messages API", Marks: true, read: readAnthropic},
		{Name: ART, Title: "the standard messages of the ART framework", read: readART},
		{Name: OpenAI, Title: "the messages of OpenAI's Chat Completions", read: readOpenAI},
		{Name: AGUI, Title: "the events of AG-UI 1.0", Told: true, read: readAGUI},
		{Name: OTel, Title: "spans by OpenTelemetry's conventions for generative AI", read: readOTel},
		{Name: ADK, Title: "the turn events of @nhtio/adk", Events: true, read: readADK},
	}
}

// Names returns the names of the formats of transcripts, or of events.
func Names(events bool) []string {
	var names []string
	for _, f := range Formats() {
		if f.Events == events {
			names = append(names, f.Name)
		}
	}
	return names
}

// Lookup returns the transcript format of a name, and [LookupEvents] that of events. The error
// tells the nearest one.
func Lookup(name string) (*Format, error) { return lookup(name, false, "transcript") }

// LookupEvents returns the format of events of a name.
func LookupEvents(name string) (*Format, error) { return lookup(name, true, "events") }

func lookup(name string, events bool, what string) (*Format, error) {
	all := Formats()
	if i := slices.IndexFunc(all, func(f *Format) bool { return f.Name == name && f.Events == events }); i >= 0 {
		return all[i], nil
	}
	known := Names(events)
	if name == "" {
		return nil, fmt.Errorf("%s_format is missing; it is one of %s", what, strings.Join(known, ", "))
	}
	return nil, fmt.Errorf("unknown %s_format %q%s; it is one of %s", what, name, suggest.Hint(name, known), strings.Join(known, ", "))
}

// Schema returns the JSON Schema of the format.
func (f *Format) Schema() []byte {
	data, err := schemas.ReadFile("schemas/" + f.Name + ".json")
	if err != nil {
		panic(err) // a format has a schema: TestSchemas
	}
	return data
}

// Read reads a record and validates it by the schema of its format. The error says that it is not
// JSON, or not a list. Problems has the violations of the schema; the rest is read as far as
// possible.
func (f *Format) Read(data []byte, check Checker) (*Record, error) {
	doc, err := wire.ParseNode(data)
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	if !doc.Is(wire.Array) {
		return nil, fmt.Errorf("it is %s, and not a list", doc.Type())
	}
	r := &Record{Format: f, Doc: doc, Conversation: &wire.Request{Body: doc}, marks: map[*wire.Node]Mark{}}
	if r.Problems, err = check(f, doc); err != nil {
		return nil, err
	}
	f.read(r)
	return r, nil
}
