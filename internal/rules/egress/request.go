package egress

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// requestRules are the rules of the area egress about a request as a whole.
var requestRules = []rules.Rule{
	{
		ID:        "egress/model-named",
		Level:     trace.Should,
		Where:     rules.ModelInBody,
		Text:      "A request names its model, in its body or as the deployment in its address.",
		Why:       "Most providers refuse it otherwise; servers of a single model take it.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "model: string, required"},
			{URL: rules.MessagesDocs, Says: "model: string, required"},
			{URL: "https://github.com/openai/openai-python/blob/main/src/openai/lib/azure.py", Says: "the deployment is in the address"},
		},
		Vars:    []string{"found"},
		Request: modelNamed,
	},
	{
		ID:        "egress/model-as-given",
		Level:     trace.Should, // a loop may have a model of its own for some turns
		Text:      "The model that is asked is that of the task, in later turns and for later prompts, too. After an attempt that failed it may be another. A loop that claims own-model chooses it for the first turn.",
		Why:       "Another model has other prices, limits and abilities, and the caller is not told.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/anthropics/claude-code/issues/45228", Says: "an agent that goes on with the default model instead of its own"},
			{URL: "https://github.com/danny-avila/LibreChat/issues/13827", Says: "an agent that asks the default model from the start"},
			{URL: "https://github.com/assafelovic/gpt-researcher/issues/642", Says: "most requests to another model than the one of the task"},
		},
		Run: modelAsGiven,
	},
	{
		ID:        messagesGivenID,
		Level:     trace.Must,
		Text:      "A request has a list of messages that is not empty, each an object with a role.",
		Why:       "No provider answers without it.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "messages: array, required"},
			{URL: rules.MessagesDocs, Says: "messages: array, required"},
			{URL: rules.ResponsesDocs, Says: "input: a text, or a list of items"},
			{URL: rules.GeminiRequestDocs, Says: "contents: required"},
			{URL: rules.ConverseDocs, Says: "messages: the messages that are sent to the model"},
			{URL: rules.CohereDocs, Says: "messages: required"},
			{URL: rules.OllamaDocs, Says: "messages: required, a list of messages"},
		},
		Vars:    []string{"at", "what", "found", "kind", "index"},
		Request: messagesGiven,
	},
	{
		ID:        "egress/known-roles",
		Level:     trace.Must,
		Text:      "A message has a role that the dialect knows.",
		Why:       "A message of another role is refused.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the roles of messages"},
			{URL: "https://github.com/decolua/9router/issues/773", Says: "the 400 of DeepSeek for developer"},
			{URL: rules.MessagesTypes, Says: "the roles user, assistant and system; there is no tool"},
		},
		Vars:    []string{"index", "role"},
		Request: knownRoles,
	},
	{
		ID:        "egress/content-is-text-or-parts",
		Level:     trace.Must,
		Text:      "The content of a system, user or assistant message is a string or a list of parts with a type.",
		Why:       "Anything else is refused.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "content: string or array of content parts"},
			{URL: rules.MessagesDocs, Says: "content: string or array of content blocks"},
			{URL: rules.ResponsesDocs, Says: "content: text, or a list of content items"},
			{URL: rules.GeminiContentDocs, Says: "parts: the parts of a message, each with one type of data"},
			{URL: rules.ConverseDocs, Says: "content: a list of blocks"},
			{URL: rules.CohereDocs, Says: "content: a string, or a list of parts with a type"},
			{URL: rules.OllamaDocs, Says: "content: a text"},
		},
		Vars:    []string{"index", "part", "of", "found", "kind", "role", "calls", "at"},
		Request: contentIsTextOrParts,
	},
	{
		ID:        "egress/no-blank-user-message",
		Level:     trace.Should,
		Text:      "No user message is blank.",
		Why:       "The model answers an empty question; Anthropic refuses the request.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/NousResearch/hermes-agent/pull/3322", Says: "the 400 of Anthropic, until the session was begun again"},
			{URL: "https://github.com/router-for-me/CLIProxyAPI/issues/2178", Says: "the same for spaces"},
			{URL: "https://github.com/crewAIInc/crewAI/issues/4427", Says: "the 400 of Anthropic in older words"},
			{URL: rules.MeasuredMessages, Says: "Anthropic takes it beside another message of the user that says something"},
		},
		Vars:    []string{"index", "alone"},
		Request: noBlankUserMessage,
	},
	{
		ID:        "egress/no-empty-tool-list",
		Level:     trace.Should,
		Where:     rules.NoEmptyToolList,
		Text:      "A request without tools has no key tools at all, not an empty list.",
		Why:       "Several providers refuse the empty list.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		BrokenIn:  []string{"egress/no-tools"},
		Sources: []rules.Source{
			{URL: "https://github.com/svilupp/PromptingTools.jl/pull/221", Says: "an empty tools array, and the 400"},
			{URL: "https://github.com/partITech/php-mistral/issues/76", Says: "the 422 of Mistral"},
		},
		Request: noEmptyToolList,
	},
	{
		ID:        "egress/tool-options-need-tools",
		Level:     trace.Should,
		Text:      "tool_choice and parallel_tool_calls are sent only with tools.",
		Why:       "OpenAI refuses them alone: a loop that drops its tools for a last answer has to drop these too.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		BrokenIn:  []string{"egress/no-tools"},
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-agents-python/pull/4359", Says: "the 400 of api.openai.com for parallel_tool_calls, tried in August 2026"},
			{URL: "https://github.com/dapr/dapr-agents/issues/248", Says: "the 400 for tool_choice"},
			{URL: "https://github.com/openai/openai-agents-js/pull/1637", Says: "parallel_tool_calls: false was sent without tools"},
			{URL: "https://github.com/aakshintala/fiber/blob/b06675c402a3286e528740b4b807d846ecf3cd86/research/anthropic-messages-probe/README.md", Says: "what Anthropic answered in September 2026: it takes auto and none, and refuses any and tool"},
		},
		Vars:    []string{"key", "choice", "type", "name"},
		Request: toolOptionsNeedTools,
	},
}

// fromTemplate reports whether a request names a template that the provider keeps: that may have a
// model and messages.
func fromTemplate(req *wire.Request) bool {
	key := req.Dialect.Request.Template
	return key != "" && req.Body.Get(key).Is(wire.Object)
}

// modelNamed is no node of the forms of requests: a deployment in the address names the model, too.
func modelNamed(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	if req.Model == "" && !fromTemplate(req) {
		n := req.Body.Get("model")
		j.Find(trace.Finding{Pointer: "/model", Message: "the request names no model", Expected: "a string", Actual: rules.Show(n), Vars: map[string]string{"found": rules.KindOf(n)}})
	}
	return j
}

// modelAsGiven takes the name with whatever is around it, such as the name of a provider, and no
// name at all, which is for model-named.
func modelAsGiven(r *rules.Run) (j rules.CheckResult) {
	given, message := r.Task.Model, "another model is asked than that of the task"
	if slices.Contains(r.Designs, protocol.OwnModel) {
		given, message = "", "another model is asked than before"
	}
	for _, x := range r.Conversation() {
		if x.Request.Model == "" || len(r.Task.PromptModels) > 0 { // models/switch-as-chosen looks at those
			continue
		}
		if x.Repeats > 0 && r.Task.FallbackModel != "" { // the answer before was lost on its way
			break
		}
		given = cmp.Or(given, x.Request.Model)
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request)
		if !strings.Contains(x.Request.Model, given) {
			j.FindAt(x, x.Request.ModelPointer(), message, rules.Quote(given), rules.Quote(x.Request.Model))
		}
		if x.Turn == nil || !x.Turn.Whole() {
			break
		}
	}
	return j
}

const (
	messagesGivenID = "egress/messages-given"
	emptyText       = "empty text" // in place of messages, which only some providers refuse
)

// messagesGiven is no node of the forms of requests: what there has to be depends on what the
// provider keeps, such as an earlier response that goes on.
func messagesGiven(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	wrong := func(what, pointer, at, found string, n *wire.Node, expected string) {
		f := trace.Finding{
			Pointer:  pointer,
			Message:  fmt.Sprintf("%s is %s", at, found),
			Expected: expected,
			Actual:   rules.Show(n),
			Vars:     map[string]string{"at": at, "what": what, "found": found, "kind": rules.SchemaKindOf(n), "index": indexIn(pointer)},
		}
		if what != emptyText || p.RefusesViolation(messagesGivenID, f.Vars) {
			j.Find(f)
		}
	}
	messages, key, roleKey := req.MessageList(), req.Dialect.Request.Messages, req.Dialect.Request.Role
	form := req.Dialect.Request
	switch {
	case form.Typed && messages.Is(wire.String) && messages.Text() == "" && !goesOn(req):
		wrong(emptyText, messages.Pointer(), key, "an empty string", messages, "a text, or a list with at least one message")
	case form.Typed && messages.Is(wire.String):
	case messages == nil && (fromTemplate(req) || req.Door != nil && slices.Contains(req.Door.Without, key)):
	case messages == nil:
		wrong("missing", messages.Pointer(), key, "nothing", messages, "a list with at least one message")
	case !messages.Is(wire.Array):
		wrong(key, messages.Pointer(), key, messages.Type().String(), messages, "a list with at least one message")
	case len(messages.Items) == 0 && !goesOn(req):
		wrong("empty", messages.Pointer(), key, "an empty array", messages, "a list with at least one message")
	}
	for i, m := range messages.All() {
		if role := m.Get(roleKey); !m.Is(wire.Object) {
			wrong("message", m.Pointer(), fmt.Sprintf("%s[%d]", key, i), m.Type().String(), m, "an object")
		} else if form.Typed && (m.Get("type").Is(wire.String) && m.Get("type").Text() != "message" || refersByID(m)) {
			continue
		} else if (role == nil || role.Is(wire.Null)) && form.DefaultRole != "" {
			continue
		} else if !role.Is(wire.String) {
			what := "role"
			if role != nil && !role.Is(wire.Null) {
				what = "type of role"
			}
			wrong(what, m.Pointer()+"/"+roleKey, fmt.Sprintf("%s[%d].%s", key, i, roleKey), role.Type().String(), role, "a string")
		}
	}
	return j
}

// goesOn reports whether a request names a history or a template that the provider keeps.
func goesOn(req *wire.Request) bool {
	return fromTemplate(req) || slices.ContainsFunc(req.Dialect.Request.Histories, func(key string) bool {
		n := req.Body.Get(key)
		return n != nil && !n.Is(wire.Null)
	})
}

// refersByID reports whether an entry of a list of items has an id, and nothing that a message has:
// it is a reference to an item that the provider keeps, which need not say its type.
func refersByID(item *wire.Node) bool {
	return item.Get("id").Is(wire.String) && item.Get("role") == nil && item.Get("content") == nil
}

// indexIn returns the index of the message in a pointer to something in it, "" where the pointer is
// to the list.
func indexIn(pointer string) string {
	steps := strings.Split(pointer, "/")
	if len(steps) < 3 {
		return ""
	}
	return steps[2]
}

func knownRoles(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, m := range req.Messages {
		j.HasEvidence = true
		known := OneOf(p.Accepts.Roles, req.Dialect.Request.Roles)
		if m.RoleWord == "" || slices.Contains(known, m.RoleWord) {
			continue // a missing role is for messages-given
		}
		j.Find(trace.Finding{
			Pointer:  m.Node.Pointer() + "/" + req.Dialect.Request.Role,
			Message:  fmt.Sprintf("the provider does not know the role %q", m.RoleWord),
			Expected: "one of " + strings.Join(known, ", "),
			Actual:   m.RoleWord,
			Vars:     map[string]string{"index": rules.IndexOf(m), "role": m.RoleWord},
		})
	}
	return j
}

func contentIsTextOrParts(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, m := range req.Messages {
		if m.Role == wire.Tool {
			continue
		}
		j.HasEvidence = true
		untyped := slices.IndexFunc(m.Content.Parts, func(part wire.Part) bool { return part.Type == "" })
		switch m.Content.Node.Type() {
		case wire.Absent, wire.Null, wire.String:
			continue
		case wire.Array:
			if untyped < 0 {
				continue
			}
		}
		j.Find(trace.Finding{
			Pointer:  m.Content.Node.Pointer(),
			Message:  "the content of a message is neither text nor parts",
			Expected: "a string, or a list of objects with a type",
			Actual:   rules.Show(m.Content.Node),
			Vars:     map[string]string{"index": rules.IndexOf(m), "found": m.Content.Node.Type().String(), "kind": rules.SchemaKindOf(m.Content.Node), "role": m.RoleWord, "calls": someOrNone(m), "part": strconv.Itoa(max(untyped, 0)), "of": kindOfPart(m, untyped), "at": rules.Dotted(m.Content.Node)},
		})
	}
	return j
}

// kindOfPart says what a part of a message is, "" where there is none.
func kindOfPart(m wire.Message, part int) string {
	if part < 0 {
		return ""
	}
	return m.Content.Parts[part].Node.Type().String()
}

// noBlankUserMessage looks at texts and empty lists; what is wrong with the parts of a list is for
// other rules to say.
func noBlankUserMessage(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	turn := silentTurn{messages: req.Messages}
	for i, m := range req.Messages {
		if m.Role != wire.User {
			continue
		}
		j.HasEvidence = true
		if !saysNothing(m) {
			continue
		}
		f := InMessage(m, "/content", "a message of the user that says nothing", "a text, or no such message", m.Content.Node)
		f.Vars["alone"] = turn.alone(i)
		if i > 0 && len(m.Content.Parts) == 0 && m.Content.Node.Is(wire.Array) {
			f.Calls = rules.CallIDs(req.Messages[i-1]) // whose results were to be in it
		}
		j.Find(f)
	}
	return j
}

func saysNothing(m wire.Message) bool {
	c := m.Content
	return len(c.Parts) == 0 && (c.Node.Is(wire.String) && strings.TrimSpace(c.Text) == "" || c.Node.Is(wire.Array))
}

// silentTurn says of messages, which it is asked about in their order, whether all others in a row
// of one role say nothing, too: a provider that makes one message of them sees only then that
// something is missing.
type silentTurn struct {
	messages []wire.Message
	end      int // of the turn that was looked at last
	silent   bool
}

func (t *silentTurn) alone(i int) string {
	if i >= t.end {
		first, role := i, t.messages[i].RoleWord
		for first > t.end && t.messages[first-1].RoleWord == role {
			first--
		}
		for t.end = i; t.end < len(t.messages) && t.messages[t.end].RoleWord == role; t.end++ {
		}
		t.silent = !slices.ContainsFunc(t.messages[first:t.end], func(m wire.Message) bool { return !saysNothing(m) })
	}
	if t.silent {
		return "yes"
	}
	return "no"
}

// someOrNone says whether a message has calls.
func someOrNone(m wire.Message) string {
	if len(m.Calls) > 0 {
		return "some"
	}
	return "none"
}

func noEmptyToolList(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	if tools := req.ToolList(); tools.Is(wire.Array) && len(tools.Items) == 0 {
		j.Find(trace.Finding{Pointer: req.ToolsPointer(), Message: "an empty list of tools", Expected: "tools, or no such key", Actual: "[]"})
	}
	return j
}

// toolOptionsNeedTools looks at requests without the key tools. That an empty list of them is wrong
// is for noEmptyToolList to say.
func toolOptionsNeedTools(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	if tools := req.Body.Get("tools"); tools.Is(wire.Array) {
		return j
	}
	for _, key := range []string{"tool_choice", "parallel_tool_calls"} {
		if v := req.Body.Get(key); v != nil && !v.Is(wire.Null) {
			j.Find(trace.Finding{
				Pointer:  "/" + key,
				Message:  key + " without tools",
				Expected: "no such key",
				Actual:   rules.Show(v),
				Vars:     map[string]string{"key": key, "choice": ChoiceWord(v), "type": v.Get("type").Text(), "name": v.Get("name").Text()},
			})
		}
	}
	return j
}
