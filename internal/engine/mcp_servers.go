package engine

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// mcpServers are the MCP servers of the scripts of a run, by name, that were asked so far.
type mcpServers struct {
	mu     sync.Mutex
	served map[string]*servedMCP
}

type servedMCP struct {
	*MCPHost
	handler http.Handler
	end     context.CancelFunc
}

// forget ends all sessions, and forgets what was asked in them.
func (m *mcpServers) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.served {
		s.end()
	}
	m.served = nil
}

// mcpServer returns the server of a name with its handler, or nil where the scripts have none. One
// whose script was replaced begins anew.
func (r *TestRun) mcpServer(name string) *servedMCP {
	server := r.scriptedMCP(name)
	r.mcp.mu.Lock()
	defer r.mcp.mu.Unlock()
	served := r.mcp.served[name]
	if served != nil && served.Server != server {
		served.end()
		delete(r.mcp.served, name)
		served = nil
	}
	if server == nil || served != nil {
		return served
	}
	ctx, end := context.WithCancel(r.ctx)
	host := &MCPHost{Server: server, run: r, ctx: ctx, script: server.Script(r.config.Secret), ran: map[string]bool{}}
	served = &servedMCP{host, r.config.MCPServers(host), end}
	if r.mcp.served == nil {
		r.mcp.served = map[string]*servedMCP{}
	}
	r.mcp.served[name] = served
	return served
}

// scriptedMCP returns the server of a name in the scripts that are played, or nil.
func (r *TestRun) scriptedMCP(name string) *scenarios.MCPServer {
	for s := range r.played() {
		if m := s.MCPServer(name); m != nil {
			return m
		}
	}
	return nil
}

// played returns the scripts that are played under any profile, each once.
func (r *TestRun) played() iter.Seq[*scenarios.Scenario] {
	return func(yield func(*scenarios.Scenario) bool) {
		seen := map[*scenarios.Scenario]bool{}
		for _, o := range r.dialects {
			for _, s := range o.played().Scripts {
				if again := seen[s.Scenario]; !again && !yield(s.Scenario) {
					return
				}
				seen[s.Scenario] = true
			}
		}
	}
}

// MCPHost is an MCP server of a script, as a run plays it. It says what the server has and answers;
// the protocol is the business of [Config.MCPServers].
type MCPHost struct {
	Server *scenarios.MCPServer

	run    *TestRun
	ctx    context.Context // ends with the server
	script *scenarios.Script
	given  givenResults

	mu    sync.Mutex
	ran   map[string]bool // tools
	reads map[string]int  // of resources, by their URIs
}

// AfterEnd has a function called when the server has ended, with its run.
func (h *MCPHost) AfterEnd(f func()) { context.AfterFunc(h.ctx, f) }

// Ran returns a function that reports whether a tool has been run.
func (h *MCPHost) Ran() func(tool string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	ran := maps.Clone(h.ran)
	return func(tool string) bool { return ran[tool] }
}

// Find returns what answers a call of a tool, before anything is filled into it. Where the result
// asks the user, that comes first.
func (h *MCPHost) Find(tool, arguments string) *MCPAnswer {
	a := &MCPAnswer{host: h, execution: trace.Execution{Tool: tool, Arguments: arguments}}
	found, status := h.given.answer(h.Server.Hosted(), h.script, &a.execution)
	a.found, a.scripted = found, status == http.StatusOK || status == http.StatusInternalServerError
	return a
}

// MCPAnswer is what a tool answers.
type MCPAnswer struct {
	host      *MCPHost
	execution trace.Execution
	found     *scenarios.Result
	scripted  bool // false: there is no such tool, or it does not take the arguments
}

// Asks returns what the user is asked before the tool answers, or nil.
func (a *MCPAnswer) Asks() (*scenarios.MCPQuestion, error) {
	if a.found.Ask == nil {
		return nil, nil
	}
	return a.found.Ask.Filled(scenarios.CallValues{Arguments: wire.Parsed([]byte(a.execution.Arguments))})
}

// Give takes the time that the tool takes, and returns its result, with what the user answered, or
// nil. It tells the progress: how many steps of how many are done. The error says that the script has
// no answer, or that the client has given up.
func (a *MCPAnswer) Give(ctx context.Context, answered *wire.Node, told func(done, of int)) (*scenarios.Result, trace.Execution, error) {
	r, e := a.found, a.execution
	if a.scripted {
		filled, err := r.Filled(scenarios.CallValues{Arguments: wire.Parsed([]byte(e.Arguments)), Answer: answered})
		if err != nil {
			return nil, e, err
		}
		r, e.Result = filled, filled.Output()
	}
	e.Blocks = blocksOf(a.host.script, &e, r)
	steps := max(1, r.Progress)
	for i := range steps {
		if !a.host.Sleep(ctx, r.After/time.Duration(steps)) {
			return nil, e, context.Canceled
		}
		if r.Progress > 0 {
			told(i+1, steps)
		}
	}
	if a.scripted {
		a.host.mu.Lock()
		a.host.ran[e.Tool] = true
		a.host.mu.Unlock()
	}
	return r, e, nil
}

// Sleep waits, and returns false if the context or the server ended before.
func (h *MCPHost) Sleep(ctx context.Context, d time.Duration) bool {
	ctx, stop := eitherOf(ctx, h.ctx)
	defer stop()
	return h.run.config.Clock.Sleep(ctx, d)
}

// Read returns the content of a resource, which is a text or bytes, and takes the time that it takes.
func (h *MCPHost) Read(ctx context.Context, r *scenarios.MCPResource, uri string) (text string, data []byte, err error) {
	vars, _ := r.Variables(uri)
	h.mu.Lock()
	reads := h.reads[uri]
	if h.reads == nil {
		h.reads = map[string]int{}
	}
	h.reads[uri]++
	h.mu.Unlock()
	if !h.Sleep(ctx, r.After) {
		return "", nil, context.Canceled
	}
	text, data = r.Content(reads)
	text, err = scenarios.CallValues{Arguments: wire.NewNode(vars)}.Fill(text)
	return text, data, err
}

// mcpAPI is what serves the MCP servers of scripts.
func (p *Provider) mcpAPI() besideAPI {
	return besideAPI{
		name: journal.MCP,
		asked: func(body []byte) ([]byte, bool) { // a repetition has another id; a connection is made, and streams are opened, at once
			message := wire.Parsed(body)
			method := message.Get("method").Text()
			of, _, _ := strings.Cut(method, "/")
			return append([]byte(method), paramsOf(message)...), slices.Contains([]string{"tools", "resources", "prompts"}, of)
		},
		behaviour: func(t target, r *http.Request, _ []byte) *scenarios.Behaviour {
			if one, is := t.(*dialectRun); is {
				if m := one.run.scriptedMCP(mux.Vars(r)["server"]); m != nil {
					return m.Behaviour
				}
			}
			return nil
		},
		answer: func(t target, r *http.Request, body []byte) (response, error) {
			name, served := mux.Vars(r)["server"], (*servedMCP)(nil)
			if one, is := t.(*dialectRun); is && p.config.MCPServers != nil {
				served = one.run.mcpServer(name)
			}
			if served == nil {
				return failure(t.settings().profile, http.StatusNotFound, fmt.Sprintf("No script has an MCP server %q: `mcp-servers: {%s: {tools: …}}` describes one.", name, name)), nil
			}
			listens := r.Method == http.MethodGet || wire.Parsed(body).Get("method").Text() == "subscriptions/listen"
			return response{status: http.StatusOK, handler: served.handler, listens: listens}, nil
		},
	}
}

// paramsOf returns the parameters of a message of JSON-RPC, without what differs when it is repeated.
func paramsOf(message *wire.Node) []byte {
	params := message.Get("params")
	if params == nil {
		return nil
	}
	params = params.Clone()
	params.Remove("_meta")
	return params.JSON()
}
