package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// maxProgress is how often a tool tells its progress at most.
const maxProgress = 1000

var serverName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$`) })

// pointer returns a place in a file, of keys that may be of any form.
func pointer(keys ...string) string {
	var b strings.Builder
	for _, key := range keys {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	return b.String()
}

// mcpServers checks the MCP servers of an application.
func (c *checker) mcpServers() {
	c.expect(len(c.s.MCPServers) == 0 || !c.prompted(), "/mcp-servers", "MCP servers are for applications; only a script without a prompt has them")
	for i := range c.s.MCPServers {
		m := &c.s.MCPServers[i]
		here := pointer("mcp-servers", m.Name)
		c.expect(serverName().MatchString(m.Name), here, "the name of an MCP server is a part of its path, of at most 64 letters, digits, dots, _ and -, not %q", m.Name)
		c.blanks(here)
		c.expect(len(m.Tools)+len(m.Resources)+len(m.Prompts) > 0, here, "an MCP server has `tools`, `resources` or `prompts`")
		c.expect(m.PageSize >= 0, here+"/page-size", "a page has a number of entries from 1, not %d", m.PageSize)
		c.behaviour(here+"/behaviour", m.Behaviour)
		c.expect(m.Behaviour == nil || m.Behaviour.RateLimit == nil, here+"/behaviour/rate-limit", "what is taken is not a matter of one server: say the rate-limit of the scenario")
		c.mcpTools(here, m)
		for j := range m.Resources {
			c.mcpResource(here+pointer("resources", m.Resources[j].URI), m, &m.Resources[j])
		}
		for _, p := range m.Prompts {
			c.mcpPrompt(here+pointer("prompts", p.Name), m, p)
		}
	}
}

func (c *checker) mcpTools(here string, m *MCPServer) {
	c.ofMCPServer = true
	c.toolsAt(here+"/tools/", m.Tools)
	c.ofMCPServer = false
	for _, t := range m.Tools {
		at := here + "/tools/" + t.Name
		c.listed(at, m, t.Listed)
		c.expect(!t.NeedsApproval && !t.FreeText, at, "needs-approval and free-text are for tools of a loop")
	}
}

// listed checks the tools with which something comes into a list, or goes.
func (c *checker) listed(here string, m *MCPServer, l Listed) {
	for key, tool := range map[string]string{"listed-after": l.ListedAfter, "listed-until": l.ListedUntil} {
		c.expect(tool == "" || m.of.Tool(tool) != nil, here+"/"+key, "the list changes when a tool of this server is run, and %q is none", tool)
	}
}

// mcpResult checks what only the result of a tool of an MCP server for applications has.
func (c *checker) mcpResult(here string, r Result) {
	more := r.Error != nil || r.Ask != nil || r.Progress != 0 || len(r.Updates) > 0
	if !c.ofMCPServer {
		c.expect(!more, here, "`error`, `ask`, `progress` and `updates` are for the tools of `mcp-servers`")
		return
	}
	c.mcpError(here, r.Error)
	c.expect(r.Error == nil || r.Text == "" && !r.Fails() && r.Image == "" && r.File == "" && !r.Several(), here+"/error", "an error of the protocol is instead of a result; the failure of a tool is `fail`")
	c.expect(r.Progress >= 0 && r.Progress <= maxProgress, here+"/progress", "a tool tells its progress 1 to %d times", maxProgress)
	c.expect(r.Progress == 0 || r.After > 0, here+"/progress", "a tool that tells its progress takes some time: `after: 2s`")
	if q := r.Ask; q != nil {
		c.expect(len(r.Then) == 0, here+"/then", "a tool that asks the user has one text")
		c.toolText(here+"/ask/message", q.Message)
		c.toolText(here+"/ask/otherwise", q.Otherwise)
		c.expect(q.Message != "", here+"/ask/message", "a question has a message")
		c.expect((q.URL != "") != (len(q.Schema) > 0), here+"/ask", "the user answers by a form, with a `schema`, or at a `url`")
		if len(q.Schema) > 0 {
			c.objectSchema(here+"/ask/schema", "a question", q.Schema)
		}
	}
	r.eachText(func(key string, text *string) { c.toolText(here+key, *text) })
	if len(r.Structured) > 0 {
		c.toolTexts(here+"/structured", wire.Parsed(r.Structured.JSON()))
	}
}

// toolTexts checks the texts in a value.
func (c *checker) toolTexts(here string, n *wire.Node) {
	if n.Is(wire.String) {
		c.toolText(here, n.Text())
	}
	for key, value := range n.Fields() {
		c.toolTexts(here+pointer(key), value)
	}
	for i, item := range n.All() {
		c.toolTexts(fmt.Sprintf("%s/%d", here, i), item)
	}
}

func (c *checker) mcpError(here string, e *MCPError) {
	c.expect(e == nil || e.Message != "", here+"/error", "an error has a message: `error: {code: -32603, message: …}`")
}

// toolText checks a text that may have values of a call.
func (c *checker) toolText(here, text string) {
	if _, err := newFillingOf(text, scope{words: callWords}); err != nil {
		c.fail(here, err.Error())
	}
}

var uriForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:\S+$`) })

func (c *checker) mcpResource(here string, m *MCPServer, r *MCPResource) {
	c.blanks(here)
	c.listed(here, m, r.Listed)
	c.mcpError(here, r.Error)
	c.expect(uriForm().MatchString(r.URI), here, "a resource has a URI, such as notes://1, not %q", r.URI)
	c.expect(r.File == "" || r.Text == "" && len(r.Then) == 0, here+"/file", "a resource has a text, or is in a file")
	c.expect(len(r.Then) == 0 || r.Text != "", here+"/then", "later texts come behind a `text`")
	c.expect(r.Text != "" || r.File != "" || r.Error != nil || c.s.doc.Has(here+"/text"), here, "a resource has a `text`, a `file` or an `error`")
	for i, text := range append([]string{r.Text}, r.Then...) {
		key := "/text"
		if i > 0 {
			key = at("then", i-1)
		}
		c.toolText(here+key, text)
	}
	if !r.IsTemplate() {
		return
	}
	form, err := uriPattern(r.URI)
	c.expect(err == nil, here, "a variable of a URI is {name}, each once: %q", r.URI)
	r.form = form
}

// uriPattern returns what matches the URIs of a template: a variable is one part of a path.
func uriPattern(template string) (*regexp.Regexp, error) {
	rest := variable().ReplaceAllString(template, "")
	if strings.ContainsAny(rest, "{}") {
		return nil, fmt.Errorf("braces without a name")
	}
	names := variable().FindAllString(template, -1)
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names) {
		return nil, fmt.Errorf("a name twice")
	}
	form := variable().ReplaceAllStringFunc(template, func(v string) string { return "\x00" + v[1:len(v)-1] + "\x01" })
	form = strings.NewReplacer("\x00", "(?P<", "\x01", ">[^/]+)").Replace(regexp.QuoteMeta(form))
	return regexp.Compile("^" + form + "$")
}

var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[A-Za-z_][A-Za-z0-9_]*\}`) })

func (c *checker) mcpPrompt(here string, m *MCPServer, p MCPPrompt) {
	c.blanks(here)
	c.listed(here, m, p.Listed)
	c.mcpError(here, p.Error)
	c.expect(len(p.Messages) > 0 || p.Error != nil, here, "a prompt has `messages`, such as [{user: …}], or an `error`")
	for i, message := range p.Messages {
		c.expect((message.User != "") != (message.Assistant != ""), fmt.Sprintf("%s/messages/%d", here, i), "a message is one of the `user` or of the `assistant`")
		c.toolText(fmt.Sprintf("%s/messages/%d", here, i)+"/user", message.User)
		c.toolText(fmt.Sprintf("%s/messages/%d", here, i)+"/assistant", message.Assistant)
	}
}

// eachText calls f with every text of a result that may have values of the call, and its place.
func (r *Result) eachText(f func(key string, text *string)) {
	f("/text", &r.Text)
	if r.Fail != nil {
		f("/fail", r.Fail)
	}
	for i := range r.Then {
		f(at("then", i), &r.Then[i])
	}
	for i := range r.More {
		f(at("more", i)+"/text", &r.More[i].Text)
		f(at("more", i)+"/resource", &r.More[i].Resource)
		f(at("more", i)+"/link", &r.More[i].Link)
	}
	if r.Error != nil {
		f("/error/message", &r.Error.Message)
	}
}
