package scenarios

import (
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/wire"
)

// MCPServer is an MCP server that an application uses beside the model.
type MCPServer struct {
	Name string `yaml:"~key"` // the last part of its path: /mcp/NAME

	// Instructions are what the server says about its use.
	Instructions string `yaml:"instructions"`

	// Behaviour is how the server behaves: its speed, and what goes wrong.
	Behaviour *Behaviour `yaml:"behaviour"`

	// PageSize is how many entries a page of a list has; 0 means many.
	PageSize int `yaml:"page-size"`

	Tools     []Tool        `yaml:"tools"`
	Resources []MCPResource `yaml:"resources"`
	Prompts   []MCPPrompt   `yaml:"prompts"`

	of *Scenario // which has the tools alone
}

// Listed says when something is in a list of an MCP server.
type Listed struct {
	// ListedAfter is the tool with whose first run the server begins to list this, and ListedUntil
	// the one with which it ceases to; "" for none.
	ListedAfter string `yaml:"listed-after"`
	ListedUntil string `yaml:"listed-until"`
}

// Once reports whether it is listed once some tools have been run.
func (l Listed) Once(ran func(tool string) bool) bool {
	return (l.ListedAfter == "" || ran(l.ListedAfter)) && (l.ListedUntil == "" || !ran(l.ListedUntil))
}

// changesWith reports whether a tool changes whether it is listed.
func (l Listed) changesWith(tool string) bool { return l.ListedAfter == tool || l.ListedUntil == tool }

// MCPResource is a resource, or a template of resources, whose URI has variables such as {id}.
type MCPResource struct {
	URI         string `yaml:"~key"`
	Name        string `yaml:"name"` // "" is the URI
	Description string `yaml:"description"`
	MIMEType    string `yaml:"mime-type"` // "" is text/plain, or application/octet-stream for a file that is no text

	// Text is the content; Then holds it when it is read again, one after the other; the last one
	// stays. File is the name of a file alongside the script that has the content.
	Text string   `yaml:"text"`
	Then []string `yaml:"then"`
	File string   `yaml:"file"`

	// After is how long reading takes, and Error what comes of it.
	After time.Duration `yaml:"after"`
	Error *MCPError     `yaml:"error"`

	Listed `yaml:",inline"`

	data []byte         // of File
	form *regexp.Regexp // of a template
}

// MCPPrompt is a prompt of an MCP server.
type MCPPrompt struct {
	Name        string        `yaml:"~key"`
	Description string        `yaml:"description"`
	Arguments   []MCPArgument `yaml:"arguments"`
	Messages    []MCPMessage  `yaml:"messages"`

	// After is how long it takes to get it, and Error what comes of it.
	After time.Duration `yaml:"after"`
	Error *MCPError     `yaml:"error"`

	Listed `yaml:",inline"`
}

// MCPArgument is an argument of a prompt: its name, and what it is; a question mark after the name
// makes it optional.
type MCPArgument struct {
	Name string `yaml:"~key"`
	What string `yaml:"~value"`
}

// MCPMessage is a message of a prompt: what the user says in it, or the assistant.
type MCPMessage struct {
	User      string `yaml:"user"`
	Assistant string `yaml:"assistant"`
}

// MCPError is an error of the protocol, JSON-RPC, instead of a result.
type MCPError struct {
	Code    int         `yaml:"code"` // 0 is -32603, an internal error
	Message string      `yaml:"message"`
	Data    wire.Fields `yaml:"data"`
}

// MCPResult is what the result of a tool of an MCP server for applications may be besides.
type MCPResult struct {
	// Error is an error of the protocol instead of a result.
	Error *MCPError `yaml:"error"`

	// Ask is what the tool asks the user before it answers.
	Ask *MCPQuestion `yaml:"ask"`

	// Progress is how often the tool tells its progress while it runs, evenly.
	Progress int `yaml:"progress"`

	// Updates are the URIs of resources that change: those who have subscribed to them are told.
	Updates []string `yaml:"updates"`
}

// MCPQuestion is a question to the user: an elicitation by a form or, with a URL, on a page.
type MCPQuestion struct {
	Message string      `yaml:"message"`
	Schema  wire.Fields `yaml:"schema"`
	URL     string      `yaml:"url"`

	// Otherwise is the failure of the tool when the user does not answer.
	Otherwise string `yaml:"otherwise"`
}

// IsTemplate reports whether the URI has variables.
func (r *MCPResource) IsTemplate() bool { return strings.Contains(r.URI, "{") }

// Variables returns the variables of a URI that the template matches, and false if it does not.
func (r *MCPResource) Variables(uri string) (vars wire.Fields, matches bool) {
	if !r.IsTemplate() {
		return nil, uri == r.URI
	}
	found := r.form.FindStringSubmatch(uri)
	if found == nil {
		return nil, false
	}
	for i, name := range r.form.SubexpNames()[1:] {
		value, err := url.PathUnescape(found[i+1])
		if err != nil {
			value = found[i+1]
		}
		vars = vars.With(name, value)
	}
	return vars, true
}

// Content returns the content of the resource when it was read so often before: a text or, of a
// file that is no text, bytes.
func (r *MCPResource) Content(reads int) (text string, data []byte) {
	if r.data != nil {
		return "", r.data
	}
	if reads > 0 && len(r.Then) > 0 {
		return r.Then[min(reads, len(r.Then))-1], nil
	}
	return r.Text, nil
}

// Hosted returns a scenario that has the tools of the server, and nothing else.
func (m *MCPServer) Hosted() *Scenario { return m.of }

// Script returns what draws the images and the files that its tools return.
func (m *MCPServer) Script(secret string) *Script { return &Script{Scenario: m.of, secret: secret} }

// ChangesWith reports whether a list of the server changes when a tool is run.
func (m *MCPServer) ChangesWith(tool string) bool {
	return m.of.ChangesToolsWhen(tool) ||
		slices.ContainsFunc(m.Resources, func(r MCPResource) bool { return r.changesWith(tool) }) ||
		slices.ContainsFunc(m.Prompts, func(p MCPPrompt) bool { return p.changesWith(tool) })
}

// MCPServer returns the server of a name, or nil.
func (s *Scenario) MCPServer(name string) *MCPServer {
	for i := range s.MCPServers {
		if s.MCPServers[i].Name == name {
			return &s.MCPServers[i]
		}
	}
	return nil
}

// hostTools gives each server a scenario of its tools.
func (s *Scenario) hostTools() {
	for i := range s.MCPServers {
		m := &s.MCPServers[i]
		m.of = &Scenario{ID: s.ID + " " + m.Name, Tools: m.Tools, doc: s.doc}
	}
}

// readFiles reads the files that resources name.
func (m *MCPServer) readFiles(folder fs.FS, fail func(at string, err error)) {
	for i := range m.Resources {
		r := &m.Resources[i]
		if r.File == "" {
			continue
		}
		data, err := readBeside(folder, r.File)
		if err != nil {
			fail(pointer("resources", r.URI, "file"), err)
		}
		r.data = data
	}
}

// HasText reports whether the content of the resource is a text.
func (r *MCPResource) HasText() bool { return r.data == nil || utf8.Valid(r.data) }
