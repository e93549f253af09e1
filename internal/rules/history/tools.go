package history

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var toolRules = []rules.Rule{
	{
		ID:          "history/tools-as-given",
		Level:       trace.Must,
		Text:        "Every tool is offered to the model under its name, or in a namespace, with all its parameters and their types. An integer that is offered as a number breaks a should.",
		Why:         "The model cannot call a tool that it does not know, or calls it with the wrong arguments.",
		Invariant:   true,
		AnyDelivery: true,
		Needs:       rules.SeesTools,
		Evidence:    "a request of a task that has tools",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "tools go with the request"},
			{URL: "https://github.com/dotnet/extensions/issues/7207", Says: "a tool list that was not kept up"},
			{URL: "https://ai.google.dev/api/caching#Schema", Says: "type is one word, required, and nullable is a key beside it: lists of types, and schemas without one, are rewritten"},
			{URL: "https://json-schema.org/understanding-json-schema/reference/numeric", Says: "number: any numeric type, either integers or floating point numbers"},
		},
		Run: toolsAsGiven,
	},
	{
		ID:          "history/tools-stay",
		Level:       trace.Should,
		Text:        "The tools are the same in every request of a conversation, but for those that are deferred.",
		Why:         "Providers cache the tools before the history, and some need them to read the calls in it.",
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a second request of a task that has tools",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/features/tool-calling", Says: "tools must be included in every request"},
			{URL: "https://platform.openai.com/docs/guides/prompt-caching", Says: "tools are part of the cached prefix"},
			{URL: "https://github.com/continuedev/continue/issues/13254", Says: "tools that were offered behind prompts alone: the model stopped after one call"},
			{URL: rules.PrefixCheckDocs, Says: "the newest models of Anthropic refuse reasoning, or leave it out, after tools that have changed"},
			{URL: "https://github.com/pydantic/pydantic-ai/issues/7984", Says: "measured: a tool more is refused, a deferred one more is accepted"},
			{URL: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool", Says: "deferred tools are not in the prefix that is cached"},
		},
		Vars: []string{"reasoning"},
		Run:  toolsStay,
	},
}

// toolsAsGiven looks at the first request; tools-stay looks at the others. A loop may add to a
// schema (additionalProperties, a title, strict mode), but not lose anything of it. Where the limit
// allows one turn alone, it may leave the tools out, so that the model has to answer.
func toolsAsGiven(r *rules.Run) (j rules.CheckResult) {
	j.HasEvidence = eachGiven(r, func(first *trace.Exchange, given protocol.Tool, offered *wire.ToolDefinition) {
		if offered == nil {
			j.FindAt(first, first.Request.ToolsPointer(),
				fmt.Sprintf("the tool %s is not offered", given.Name),
				given.Name,
				rules.List(rules.ToolNames(first.Request.Tools)))
			return
		}
		j.Add(parametersAsGiven(first, *offered, given))
	})
	return j
}

// eachGiven calls do for each tool of the task with what the first request offers for it, or nil,
// and reports whether that is evidence. Where the limit allows one turn alone, the request may
// offer none.
func eachGiven(r *rules.Run, do func(first *trace.Exchange, given protocol.Tool, offered *wire.ToolDefinition)) bool {
	taken := r.Conversation()
	if len(r.Task.Tools) == 0 || len(taken) == 0 || taken[0].Request.ToolList() == nil && r.IsLastWord(taken[0]) {
		return false
	}
	tools := taken[0].Request.Tools
	names := r.Script.Scenario.OfferedAs(tools, r.ToolsNamed)
	for _, given := range r.Task.Tools {
		if given.Agent != nil { // how it is asked is up to the loop
			given.Parameters = nil
		}
		at := slices.IndexFunc(tools, func(t wire.ToolDefinition) bool { return t.Name != "" && t.Name == names[given.Name] })
		if at < 0 {
			do(taken[0], given, nil)
			continue
		}
		do(taken[0], given, &tools[at])
	}
	return r.UsedTools()
}

func parametersAsGiven(x *trace.Exchange, offered wire.ToolDefinition, given protocol.Tool) (j rules.CheckResult) {
	schema, err := wire.ParseNode(given.Parameters)
	if err != nil {
		return j
	}
	properties := schema.Get("properties")
	for _, key := range properties.Keys() {
		want := properties.Get(key)
		now := offered.Parameters.Get("properties").Get(key)
		types := schemaPart{root: schema, schema: want}.types()
		allowed := func(typ string) bool { return allows(offered.Parameters, now, typ) }
		if now != nil && (len(types) == 0 || slices.ContainsFunc(types, allowed)) || offered.NamesProperties && isTextForObject(now, want) {
			continue
		}
		f := trace.Finding{
			Pointer:  cmp.Or(offered.Parameters.Pointer(), offered.Node.Pointer()),
			Message:  fmt.Sprintf("the parameter %s of %s is not offered as it was given", key, given.Name),
			Expected: rules.Show(want),
			Actual:   rules.Show(now),
			Request:  x.Number,
		}
		if slices.Contains(types, "integer") && allowed("number") { // which every integer is
			f.Level = trace.Should
		}
		j.Find(f)
	}
	return j
}

// isTextForObject reports whether a text is offered for an object that names no properties, as
// loops do where such an object may be refused.
func isTextForObject(now, want *wire.Node) bool {
	return want.Get("type").Text() == "object" && want.Get("properties") == nil && now.Get("type").Text() == "string"
}

// allows reports whether a schema allows a type, alone or among others, as
// {"type":["string","null"]} does, also where it is after a reference into the root.
func allows(root, schema *wire.Node, typ string) bool {
	return slices.Contains(schemaPart{root: root, schema: schema}.types(), typ)
}

// types returns the types that a part of a schema says it allows, but for null: which is for one
// that may be left out.
func (s schemaPart) types() (types []string) {
	for _, n := range s.variants() {
		for _, typ := range append(slices.Clip(n.Get("type").All()), n.Get("type")) {
			if typ.Is(wire.String) && typ.Text() != "null" {
				types = append(types, typ.Text())
			}
		}
	}
	return types
}

// toolsStay lets a loop drop its tools for the last turn that its limit allows, so that the model
// has to answer.
func toolsStay(r *rules.Run) (j rules.CheckResult) {
	if len(r.Task.Tools) == 0 || r.Script.Scenario.ChangesTools() { // mcp has rules of its own
		return j
	}
	pairsInFull(r, func(before, after *trace.Exchange) {
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(after.Request)
		was, now := before.Request.ToolList(), after.Request.ToolList()
		if len(j.Findings) == 0 && !wire.SameExactly(was, now) && !sameAtOnce(before.Request, after.Request) && !(now == nil && r.IsLastWord(after)) {
			f := trace.Finding{
				Request:  after.Number,
				Pointer:  after.Request.ToolsPointer(),
				Message:  fmt.Sprintf("the tools are not those of request %d", before.Number),
				Expected: rules.Show(was),
				Actual:   rules.Show(now),
				Vars:     reasoningBehind(after.Request, -1),
			}
			describeChange(&f, before.Request, after.Request)
			j.Find(f)
		}
	})
	return j
}

// sameAtOnce reports whether two requests, of which one defers tools, offer the same tools besides
// those. Deferred tools are not before the conversation but where a search finds them, so that
// loops add them later.
func sameAtOnce(before, after *wire.Request) bool {
	deferred := func(t wire.ToolDefinition) bool { return t.Deferred }
	if !slices.ContainsFunc(before.Tools, deferred) && !slices.ContainsFunc(after.Tools, deferred) {
		return false
	}
	was, now := slices.DeleteFunc(slices.Clone(before.Tools), deferred), slices.DeleteFunc(slices.Clone(after.Tools), deferred)
	return slices.EqualFunc(was, now, func(a, b wire.ToolDefinition) bool { return wire.SameExactly(a.Node, b.Node) })
}
