package testadapters

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	acp "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// ACPAgent is the reference loop as an agent of the Agent Client Protocol, by its official SDK, which
// refuses what does not fit the schema. It takes its tools from the servers of a session, asks before
// each call, and stores its sessions in its home. OPENAI_BASE_URL, OPENAI_MODEL, MAX_TURNS and
// STREAM say how it asks the model. With --stdio, it takes no URL of a server. With WANTS_LOGIN, it wants to be
// authenticated first. With FAULT, it has one.
func ACPAgent() {
	a := &acpAgent{sessions: map[acp.SessionId]*acpConversation{}}
	a.conn = acp.NewAgentSideConnection(a, os.Stdout, os.Stdin)
	<-a.conn.Done()
}

type acpAgent struct {
	conn *acp.AgentSideConnection

	mu       sync.Mutex
	loggedIn bool
	sessions map[acp.SessionId]*acpConversation
}

// acpConversation is a session. Its prompts are stored, and the reference loop stores the rest.
type acpConversation struct {
	id      acp.SessionId
	tools   []protocol.Tool
	server  *mcp.ClientSession
	Prompts []string
	cancel  context.CancelFunc
}

func (a *acpAgent) Initialize(context.Context, acp.InitializeRequest) (acp.InitializeResponse, error) {
	if os.Getenv("FAULT") == "another-version" {
		return acp.InitializeResponse{ProtocolVersion: 7}, nil
	}
	return acp.InitializeResponse{
		ProtocolVersion: acp.ProtocolVersionNumber, AgentInfo: &acp.Implementation{Name: "acp-agent", Title: new("ACP agent"), Version: "1.4"},
		AgentCapabilities: acp.AgentCapabilities{
			LoadSession: os.Getenv("FAULT") != "cannot-load", McpCapabilities: acp.McpCapabilities{Http: !slices.Contains(os.Args, "--stdio")},
		},
	}, nil
}

func (a *acpAgent) Authenticate(_ context.Context, asked acp.AuthenticateRequest) (acp.AuthenticateResponse, error) {
	a.loggedIn = asked.MethodId == "key"
	return acp.AuthenticateResponse{}, nil
}

func (a *acpAgent) NewSession(ctx context.Context, asked acp.NewSessionRequest) (acp.NewSessionResponse, error) {
	if os.Getenv("WANTS_LOGIN") != "" && !a.loggedIn {
		return acp.NewSessionResponse{}, acp.NewAuthRequired(nil)
	}
	s := &acpConversation{id: "first"}
	a.open(ctx, s, asked.McpServers)
	return acp.NewSessionResponse{SessionId: s.id}, nil
}

func (a *acpAgent) LoadSession(ctx context.Context, asked acp.LoadSessionRequest) (acp.LoadSessionResponse, error) {
	s := &acpConversation{id: asked.SessionId}
	stored, err := os.ReadFile(s.file())
	if err == nil {
		err = json.Unmarshal(stored, s)
	}
	if err != nil {
		return acp.LoadSessionResponse{}, acp.NewInvalidParams(err.Error())
	}
	a.open(ctx, s, asked.McpServers)
	return acp.LoadSessionResponse{}, nil
}

// open connects a session to its server of MCP, and lists the tools.
func (a *acpAgent) open(ctx context.Context, s *acpConversation, servers []acp.McpServer) {
	for _, server := range servers {
		var err error
		s.server, err = mcp.NewClient(&mcp.Implementation{Name: "acp-agent"}, nil).Connect(context.WithoutCancel(ctx), acpTransport(server), nil)
		must(err)
		offered, err := s.server.ListTools(ctx, nil)
		must(err)
		for _, tool := range offered.Tools {
			schema, err := json.Marshal(tool.InputSchema)
			must(err)
			s.tools = append(s.tools, protocol.Tool{Name: tool.Name, Description: tool.Description, Parameters: schema, URL: "http://mcp/" + tool.Name, NeedsApproval: true})
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sessions[s.id] = s
}

func acpTransport(server acp.McpServer) mcp.Transport {
	if server.Http != nil {
		return &mcp.StreamableClientTransport{Endpoint: server.Http.Url}
	}
	return &mcp.CommandTransport{Command: exec.Command(server.Stdio.Command, server.Stdio.Args...)}
}

func (s *acpConversation) dir() string  { return os.Getenv("HOME") }
func (s *acpConversation) file() string { return filepath.Join(s.dir(), string(s.id)+".json") }

func (a *acpAgent) Prompt(ctx context.Context, asked acp.PromptRequest) (acp.PromptResponse, error) {
	a.mu.Lock()
	s := a.sessions[asked.SessionId]
	s.Prompts = append(s.Prompts, asked.Prompt[0].Text.Text)
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	a.mu.Unlock()
	defer s.cancel()
	stored, err := json.Marshal(s)
	must(err)
	must(os.WriteFile(s.file(), stored, 0o666))
	loop := refloop.Loop{Client: &http.Client{Transport: mcpTools{s.server}}, Hooks: refloop.Hooks{Turn: func(t *neutral.Turn) { a.tell(s, t) }}}
	outcome := loop.Run(ctx, s.task(a))
	switch outcome.Status {
	case protocol.Failed:
		return acp.PromptResponse{}, acp.NewInternalError(map[string]string{"details": outcome.Error})
	case protocol.Completed:
		a.say(s, outcome.Text)
		return acp.PromptResponse{StopReason: acp.StopReasonEndTurn}, nil
	}
	a.say(s, outcome.Text)
	return acp.PromptResponse{StopReason: stopReason(outcome.Reason)}, nil
}

func stopReason(reason string) acp.StopReason {
	switch {
	case reason == "cancelled":
		return acp.StopReasonCancelled
	case strings.Contains(reason, "turns"):
		return acp.StopReasonMaxTurnRequests
	case strings.Contains(strings.ToLower(reason), "length"), strings.Contains(strings.ToLower(reason), "max_"):
		return acp.StopReasonMaxTokens
	default:
		return acp.StopReasonRefusal
	}
}

// task is that of the last prompt, which goes on after those before.
func (s *acpConversation) task(a *acpAgent) protocol.Task {
	turns, err := strconv.Atoi(cmp.Or(os.Getenv("MAX_TURNS"), "20"))
	must(err)
	return protocol.Task{
		Dialect: (refloop.Loop{}).Dialects()[0], BaseURL: os.Getenv("OPENAI_BASE_URL"), APIKey: "none", Model: os.Getenv("OPENAI_MODEL"), Stream: os.Getenv("STREAM") != "", MaxTurns: turns,
		Prompts: s.Prompts, Tools: s.tools, ResumeAfterFailure: true,
		Session: &protocol.Session{ID: string(s.id), Dir: s.dir(), Resumed: len(s.Prompts) > 1},
		Decide: func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
			return a.ask(ctx, s, calls)
		},
	}
}

// ask asks the user about calls, one after the other.
func (a *acpAgent) ask(ctx context.Context, s *acpConversation, calls []protocol.PendingCall) (decisions []protocol.Decision, err error) {
	for _, call := range calls {
		answer, err := a.conn.RequestPermission(ctx, acp.RequestPermissionRequest{
			SessionId: s.id, ToolCall: acp.ToolCallUpdate{ToolCallId: acp.ToolCallId(call.ID), Title: new("Run " + call.Name), RawInput: call.Arguments},
			Options: []acp.PermissionOption{
				{Kind: acp.PermissionOptionKindAllowAlways, Name: "Always", OptionId: "always"},
				{Kind: acp.PermissionOptionKindAllowOnce, Name: "Yes", OptionId: "yes"},
				{Kind: acp.PermissionOptionKindRejectOnce, Name: "No", OptionId: "no"},
			},
		})
		if err == nil && answer.Outcome.Selected == nil {
			err = context.Canceled
		}
		if err != nil {
			return nil, err
		}
		decisions = append(decisions, protocol.Decision{CallID: call.ID, Approve: answer.Outcome.Selected.OptionId == "yes" || os.Getenv("FAULT") == "runs-what-was-denied"})
	}
	return decisions, nil
}

// tell tells the client of a turn with calls.
func (a *acpAgent) tell(s *acpConversation, t *neutral.Turn) {
	if len(t.Calls()) == 0 {
		return
	}
	a.say(s, t.Text())
	for _, call := range t.Calls() {
		a.update(s, acp.StartToolCall(acp.ToolCallId(call.ID), "Run "+call.Name, acp.WithStartKind(acp.ToolKindOther)))
	}
}

func (a *acpAgent) say(s *acpConversation, text string) {
	for _, part := range strings.SplitAfter(text, " ") {
		a.update(s, acp.UpdateAgentMessageText(part))
	}
}

func (a *acpAgent) update(s *acpConversation, u acp.SessionUpdate) {
	must(a.conn.SessionUpdate(context.Background(), acp.SessionNotification{SessionId: s.id, Update: u}))
}

func (a *acpAgent) Cancel(_ context.Context, told acp.CancelNotification) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := a.sessions[told.SessionId]; s != nil && s.cancel != nil && os.Getenv("FAULT") != "deaf" {
		s.cancel()
	}
	return nil
}

// What this agent does not have.
var errNone = errors.New("this agent has none")

func (a *acpAgent) CloseSession(context.Context, acp.CloseSessionRequest) (acp.CloseSessionResponse, error) {
	return acp.CloseSessionResponse{}, errNone
}

func (a *acpAgent) ListSessions(context.Context, acp.ListSessionsRequest) (acp.ListSessionsResponse, error) {
	return acp.ListSessionsResponse{}, errNone
}

func (a *acpAgent) ResumeSession(context.Context, acp.ResumeSessionRequest) (acp.ResumeSessionResponse, error) {
	return acp.ResumeSessionResponse{}, errNone
}

func (a *acpAgent) SetSessionConfigOption(context.Context, acp.SetSessionConfigOptionRequest) (acp.SetSessionConfigOptionResponse, error) {
	return acp.SetSessionConfigOptionResponse{}, errNone
}

// SetSessionMode knows one mode.
func (a *acpAgent) SetSessionMode(_ context.Context, asked acp.SetSessionModeRequest) (acp.SetSessionModeResponse, error) {
	if asked.ModeId != "quick" {
		return acp.SetSessionModeResponse{}, acp.NewInvalidParams("there is no such mode")
	}
	return acp.SetSessionModeResponse{}, nil
}
