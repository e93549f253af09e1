package toolserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// idle is after how long without a request a session ends.
const idle = 30 * time.Minute

// question is the id under which a tool asks the user.
const question = "question"

// ForScript returns the handler of an MCP server of a script, for [engine.Config.MCPServers].
func ForScript(host *engine.MCPHost) http.Handler {
	subscribed := func(context.Context, *mcp.SubscribeRequest) error { return nil }
	unsubscribed := func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	o := &mcp.ServerOptions{Instructions: host.Server.Instructions, PageSize: host.Server.PageSize, Capabilities: capabilities(host.Server)}
	if len(host.Server.Resources) > 0 {
		o.SubscribeHandler, o.UnsubscribeHandler = subscribed, unsubscribed
	}
	s := &scripted{host: host, server: mcp.NewServer(&mcp.Implementation{Name: host.Server.Name, Version: loopproof.Version}, o), listed: map[string]bool{}}
	s.list()
	closing(s.server, host.AfterEnd)
	withSessions, without := served(s.server, mcp.StreamableHTTPOptions{SessionTimeout: idle}), served(s.server, mcp.StreamableHTTPOptions{Stateless: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Session-Id") == "" && r.Header.Get("Mcp-Protocol-Version") >= sessionless {
			without.ServeHTTP(w, r)
			return
		}
		withSessions.ServeHTTP(w, r)
	})
}

// sessionless is the first version of the protocol without sessions. What an older client sends first
// names no version, or an older one.
const sessionless = "2026-07-28"

// capabilities are those of a server, whether its lists are empty at first or not.
func capabilities(m *scenarios.MCPServer) *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{}
	if len(m.Tools) > 0 {
		c.Tools = &mcp.ToolCapabilities{ListChanged: true}
	}
	if len(m.Resources) > 0 {
		c.Resources = &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true}
	}
	if len(m.Prompts) > 0 {
		c.Prompts = &mcp.PromptCapabilities{ListChanged: true}
	}
	return c
}

// scripted is an MCP server of a script.
type scripted struct {
	host   *engine.MCPHost
	server *mcp.Server

	mu     sync.Mutex
	listed map[string]bool // what the server lists
}

// list lists what there is now, and of what has changed the SDK tells the clients.
func (s *scripted) list() {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ran := s.host.Server, s.host.Ran()
	for i := range m.Tools {
		t := &m.Tools[i]
		s.change("tool "+t.Name, t.Once(ran), func() {
			s.server.AddTool(&mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema()}, s.call)
		}, func() { s.server.RemoveTools(t.Name) })
	}
	for i := range m.Resources {
		r := &m.Resources[i]
		add, remove := s.resource(r)
		s.change("resource "+r.URI, r.Once(ran), add, remove)
	}
	for i := range m.Prompts {
		p := &m.Prompts[i]
		s.change("prompt "+p.Name, p.Once(ran), func() { s.server.AddPrompt(promptOf(p), s.getter(p)) }, func() { s.server.RemovePrompts(p.Name) })
	}
}

// change adds what is listed from now on, and removes what no longer is.
func (s *scripted) change(what string, listed bool, add, remove func()) {
	switch {
	case listed && !s.listed[what]:
		add()
	case !listed && s.listed[what]:
		remove()
	}
	s.listed[what] = listed
}

// resource returns what adds a resource, and what removes it.
func (s *scripted) resource(r *scenarios.MCPResource) (add, remove func()) {
	name := cmp.Or(r.Name, r.URI)
	if r.IsTemplate() {
		return func() {
			s.server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: r.URI, Name: name, Description: r.Description, MIMEType: mimeType(r)}, s.reader(r))
		}, func() { s.server.RemoveResourceTemplates(r.URI) }
	}
	return func() {
		s.server.AddResource(&mcp.Resource{URI: r.URI, Name: name, Description: r.Description, MIMEType: mimeType(r)}, s.reader(r))
	}, func() { s.server.RemoveResources(r.URI) }
}

// call runs a tool.
func (s *scripted) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer := s.host.Find(req.Params.Name, cmp.Or(string(req.Params.Arguments), "{}"))
	asks, err := answer.Asks()
	if err != nil {
		return nil, scriptError(err)
	}
	answered := (*wire.Node)(nil)
	if asks != nil {
		response, has := req.Params.InputResponses[question].(*mcp.ElicitResult)
		switch {
		case !has && !asksByForm(req.Session, asks):
			return failed("the client does not ask its user (elicitation)"), nil
		case !has:
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{question: elicitation(asks)}}, nil
		case response.Action != "accept":
			return failed(cmp.Or(asks.Otherwise, "the user did not answer: "+response.Action)), nil
		}
		content, err := json.Marshal(response.Content)
		if err != nil {
			return nil, err
		}
		answered = wire.Parsed(content)
	}
	result, e, err := answer.Give(ctx, answered, func(done, of int) {
		if token := req.Params.GetProgressToken(); token != nil {
			req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(done), Total: float64(of)})
		}
	})
	if err != nil {
		return nil, scriptError(err)
	}
	if s.host.Server.ChangesWith(req.Params.Name) {
		s.list()
	}
	for _, uri := range result.Updates {
		s.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri})
	}
	if result.Error != nil {
		return nil, protocolError(result.Error)
	}
	return resultOf(e), nil
}

// asksByForm reports whether a client can ask its user in this way.
func asksByForm(session *mcp.ServerSession, q *scenarios.MCPQuestion) bool {
	p := session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil {
		return false
	}
	can := p.Capabilities.Elicitation
	if q.URL != "" {
		return can.URL != nil
	}
	return can.Form != nil || can.URL == nil
}

func elicitation(q *scenarios.MCPQuestion) *mcp.ElicitParams {
	if q.URL != "" {
		return &mcp.ElicitParams{Mode: "url", Message: q.Message, URL: q.URL, ElicitationID: question}
	}
	return &mcp.ElicitParams{Mode: "form", Message: q.Message, RequestedSchema: json.RawMessage(q.Schema.JSON())}
}

func failed(message string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: message}}}
}

// scriptError is the error of a script, as clients get it.
func scriptError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the script has no answer: " + err.Error()}
}

func protocolError(e *scenarios.MCPError) error {
	code := int64(e.Code)
	if code == 0 {
		code = jsonrpc.CodeInternalError
	}
	wrong := &jsonrpc.Error{Code: code, Message: e.Message}
	if len(e.Data) > 0 {
		wrong.Data = e.Data.JSON()
	}
	return wrong
}

// reader returns what reads a resource.
func (s *scripted) reader(r *scenarios.MCPResource) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		if _, is := r.Variables(req.Params.URI); !is {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		text, data, err := s.host.Read(ctx, r, req.Params.URI)
		switch {
		case err != nil:
			return nil, scriptError(err)
		case r.Error != nil:
			return nil, protocolError(r.Error)
		}
		content := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: mimeType(r), Text: text}
		if data != nil {
			content.Text, content.Blob = "", data
			if isText(r) {
				content.Text, content.Blob = string(data), nil
			}
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{content}}, nil
	}
}

func mimeType(r *scenarios.MCPResource) string {
	switch {
	case r.MIMEType != "":
		return r.MIMEType
	case r.File != "" && !r.HasText():
		return "application/octet-stream"
	default:
		return "text/plain"
	}
}

// isText reports whether the content is sent as a text.
func isText(r *scenarios.MCPResource) bool {
	kind := mimeType(r)
	return r.HasText() && (strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "application/"))
}

func promptOf(p *scenarios.MCPPrompt) *mcp.Prompt {
	prompt := &mcp.Prompt{Name: p.Name, Description: p.Description}
	for _, a := range p.Arguments {
		name, optional := strings.CutSuffix(a.Name, "?")
		prompt.Arguments = append(prompt.Arguments, &mcp.PromptArgument{Name: name, Description: a.What, Required: !optional})
	}
	return prompt
}

// getter returns what fills in a prompt.
func (s *scripted) getter(p *scenarios.MCPPrompt) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		for _, a := range p.Arguments {
			if _, has := req.Params.Arguments[a.Name]; !has && !strings.HasSuffix(a.Name, "?") {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the prompt " + p.Name + " needs the argument " + a.Name}
			}
		}
		if !s.host.Sleep(ctx, p.After) {
			return nil, context.Canceled
		}
		if p.Error != nil {
			return nil, protocolError(p.Error)
		}
		arguments, err := json.Marshal(req.Params.Arguments)
		if err != nil {
			return nil, err
		}
		values := scenarios.CallValues{Arguments: wire.Parsed(arguments)}
		result := &mcp.GetPromptResult{Description: p.Description}
		for _, m := range p.Messages {
			text, err := values.Fill(m.User + m.Assistant)
			if err != nil {
				return nil, scriptError(err)
			}
			role := mcp.Role("user")
			if m.Assistant != "" {
				role = "assistant"
			}
			result.Messages = append(result.Messages, &mcp.PromptMessage{Role: role, Content: &mcp.TextContent{Text: text}})
		}
		return result, nil
	}
}
