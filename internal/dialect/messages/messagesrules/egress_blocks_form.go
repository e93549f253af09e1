package messagesrules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const publishedSchema = "https://github.com/api-evangelist/claude"

// egressBlocksFormRules are the rules of the area egress about the form of what the dialect
// messages sends.
var egressBlocksFormRules = []rules.Rule{
	{
		ID:       "egress/ends-with-the-user",
		Level:    trace.Info,
		Text:     "A request ends with a message of the user, unless it sends back a turn that paused.",
		Why:      "Newer models do not continue an answer that begins in the request.",
		Evidence: "a request that carries a tool result",
		Sources:  []rules.Source{{URL: "https://platform.claude.com/docs/en/api/errors", Says: "this model does not support assistant message prefill"}, {URL: "https://github.com/tailcallhq/forgecode/issues/1872", Says: "the 400 of models that do for a beginning that ends with white space"}},
		Vars:     []string{"end", "tail"},
		Provider: endsWithUser,
		Run:      rules.OnServed(endsWithText),
	},
	{
		ID:        "egress/tool-choice-form",
		Level:     trace.Must,
		Text:      "tool_choice, where it is sent, is an object whose type is auto, any, tool with a name, or none.",
		Why:       "The words of other APIs are refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: rules.MessagesDocs, Says: "tool_choice: an object of the type auto, any, tool or none"}, {URL: rules.MessagesTypes, Says: "the same as a type; the type tool has a name"}},
		Vars:      []string{"found", "type"},
		Request:   toolChoiceForm,
	},
	{
		ID:        inputSchemaGivenID,
		Level:     trace.Must,
		Text:      "A tool of the loop has an input_schema of the type object.",
		Why:       "The provider refuses a request with a tool that has none.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources:   []rules.Source{{URL: rules.MessagesDocs, Says: "input_schema: a JSON Schema, required"}, {URL: rules.MessagesTypes, Says: `input_schema, with the type "object"`}},
		Vars:      []string{"index", "key", "name", "found"},
		Request:   inputSchemaGiven,
	},
	{
		ID:        "egress/result-block-form",
		Level:     trace.Must,
		Text:      "The content of a tool_result is a text, a list of blocks with a type, or left out; its is_error is true, false, or left out.",
		Why:       "Anything else is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.MessagesTypes, Says: "ToolResultBlockParam: content is a string or a list of blocks, is_error a boolean"},
			{URL: publishedSchema, Says: "the same as a JSON Schema"},
		},
		Vars:    []string{"at", "key", "found"},
		Request: resultBlockForm,
	},
	{
		ID:        "egress/error-result-says-something",
		Level:     trace.Should,
		Text:      "A tool_result with is_error has content that is not empty.",
		Why:       "Anthropic refuses it, and the conversation cannot be continued.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/bytedance/trae-agent/issues/230", Says: "the 400 for a tool that failed without a word"},
			{URL: "https://github.com/jlevy/markform/issues/153", Says: "the same for an empty text and an empty list"},
		},
		Vars:    []string{"at"},
		Request: errorResultSaysSomething,
	},
	{
		ID:        "egress/result-block-types",
		Level:     trace.Should,
		Text:      "The blocks of a tool_result have one of these types: text, image, document, search_result.",
		Why:       "The API accepts no other types there.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: rules.ToolCallDocs, Says: "text, image, document and search_result blocks"}, {URL: rules.MessagesTypes, Says: "tool_reference and browser_state besides"}},
		Vars:      []string{"at", "found", "place", "expected"},
		Request:   resultBlockTypes,
	},
	{
		ID:        "egress/result-block-keys",
		Level:     trace.Should,
		Text:      "A tool_result has no keys but type, tool_use_id, content, is_error, cache_control and toolset_name.",
		Why:       "Some providers refuse keys that they do not know.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: rules.MessagesTypes, Says: "the keys of ToolResultBlockParam"}, {URL: publishedSchema, Says: "the same as a JSON Schema"}},
		Vars:      []string{"at", "key"},
		Request:   resultBlockKeys,
	},
}

func endsWithUser(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	last := len(req.Messages) - 1
	if last < 0 {
		return j
	}
	j.HasEvidence = true
	m := req.Messages[last]
	// Of results, of reasoning at the end and of messages without content other rules have to say
	// something.
	if m.Role != wire.Assistant || len(m.Results) > 0 || len(m.Calls) == 0 && m.Content.Blank() || paused(m) {
		return j
	}
	j.Find(trace.Finding{
		Pointer: m.Node.Pointer(), Message: "the last message is one of the assistant",
		Expected: "a message of the user", Actual: rules.Show(m.Node), Vars: map[string]string{"end": rules.EndOfHistory(req), "tail": tailOf(m)},
	})
	return j
}

// tailOf says whether a message ends with white space.
func tailOf(m wire.Message) string {
	content := m.Node.Get("content")
	if n := len(content.All()); n > 0 {
		content = content.Items[n-1].Get("text")
	}
	if said := content.Text(); said != strings.TrimRightFunc(said, unicode.IsSpace) {
		return "white space"
	}
	return "a word"
}

// endsWithText is endsWithUser without turns that called tools, of which every-call-answered has to
// say something.
func endsWithText(p *profiles.Profile, req *wire.Request) rules.CheckResult {
	j := endsWithUser(p, req)
	j.Findings = slices.DeleteFunc(j.Findings, func(f trace.Finding) bool { return f.Vars["end"] == "a call" })
	return j
}

// paused reports whether a turn of the assistant may be one that the provider broke off in the
// middle of its own work.
func paused(m wire.Message) bool {
	return slices.ContainsFunc(m.Content.Parts, func(p wire.Part) bool { return p.Type == "server_tool_use" || rules.IsReasoningPart(p) })
}

// choiceTypes are the types of tool_choice, of which the newest models take some.
var choiceTypes = []string{"auto", "any", "tool", "none"}

func toolChoiceForm(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	choice, taken := req.Body.Get("tool_choice"), egress.OneOf(p.Accepts.ToolChoices, choiceTypes)
	kind, found := choice.Get("type").Text(), "another type"
	switch {
	case choice.Is(wire.Absent), slices.Contains(taken, kind) && (kind != "tool" || choice.Get("name").Text() != ""):
		return j
	case !choice.Is(wire.Object):
		found = choice.Type().String()
	case kind == "":
		found = "no type"
	case kind == "tool" && slices.Contains(taken, kind):
		found = "no name"
	}
	last := len(taken) - 1
	j.Find(trace.Finding{
		Pointer: "/tool_choice", Message: "tool_choice has a form that the provider does not know",
		Expected: fmt.Sprintf("an object of the type %s or %s", strings.Join(taken[:last], ", "), taken[last]), Actual: rules.Show(choice),
		Vars: map[string]string{"found": found, "type": kind},
	})
	return j
}

const inputSchemaGivenID = "egress/input-schema-given"

// inputSchemaGiven takes null for no tools, where the provider is not known to refuse it.
func inputSchemaGiven(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if tools := req.Body.Get("tools"); !tools.Is(wire.Absent) && !tools.Is(wire.Array) {
		vars := map[string]string{"index": "0", "key": "tools", "name": "", "found": rules.KindOf(tools)}
		if tools.Is(wire.Null) {
			vars["key"] = "tools of null"
		}
		if !tools.Is(wire.Null) || p.RefusesViolation(inputSchemaGivenID, vars) {
			j.Find(trace.Finding{Pointer: "/tools", Message: "tools is not a list", Expected: "a list of tools", Actual: rules.Show(tools), Vars: vars})
		}
	}
	for i, t := range req.Tools {
		if kind := t.Node.Get("type").Text(); kind != "" && kind != "custom" {
			continue // a tool of the provider
		}
		j.HasEvidence = true
		key, schema := "input_schema", t.Node.Get("input_schema")
		if schema.Is(wire.Object) {
			key, schema = "input_schema/type", schema.Get("type")
		}
		if schema.Is(wire.String) && schema.Text() == "object" {
			continue
		}
		j.Find(trace.Finding{
			Pointer:  fmt.Sprintf("/tools/%d/%s", i, key),
			Message:  fmt.Sprintf("the tool %s has no schema of its input", rules.Quote(t.Name)),
			Expected: `a JSON Schema with "type":"object"`,
			Actual:   rules.Show(schema),
			Vars:     map[string]string{"index": strconv.Itoa(i), "key": key, "name": t.Name, "found": rules.KindOf(schema)},
		})
	}
	return j
}

// eachResult calls f for every tool_result of a request.
func eachResult(req *wire.Request, f func(n *wire.Node)) {
	for _, m := range req.Messages {
		for _, r := range m.Results {
			f(r.Node)
		}
	}
}

func resultBlockForm(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	eachResult(req, func(n *wire.Node) {
		j.HasEvidence = true
		wrong := func(key, expected string) {
			j.Find(trace.Finding{
				Pointer: n.Pointer() + "/" + key, Message: "the " + key + " of a tool_result has a wrong form",
				Expected: expected, Actual: rules.Show(n.Get(key)), Vars: map[string]string{"at": rules.Dotted(n), "key": key, "found": rules.KindOf(n.Get(key))},
			})
		}
		content := n.Get("content")
		blocks := content.Is(wire.Array) && !slices.ContainsFunc(content.All(), func(b *wire.Node) bool { return b.Get("type").Text() == "" })
		if !content.Is(wire.Absent) && !content.Is(wire.String) && !blocks {
			wrong("content", "a text, a list of blocks with a type, or no such key")
		}
		if flag := n.Get("is_error"); !flag.Is(wire.Absent) && !flag.Is(wire.Bool) {
			wrong("is_error", "true, false, or no such key")
		}
	})
	return j
}

func errorResultSaysSomething(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	eachResult(req, func(n *wire.Node) {
		j.HasEvidence = true
		content := n.Get("content")
		empty := content.Is(wire.Absent) || content.Is(wire.String) && content.Text() == "" || content.Is(wire.Array) && len(content.Items) == 0
		if n.Get("is_error").True() && empty {
			j.Find(trace.Finding{
				Pointer: n.Pointer() + "/content", Message: "a tool_result with is_error says nothing",
				Expected: "an error that the model can read", Actual: rules.Show(content), Vars: map[string]string{"at": rules.Dotted(n)},
			})
		}
	})
	return j
}

// resultTypes are the types of blocks that a tool_result may hold where a profile names no others.
var resultTypes = []string{"text", "image", "document", "search_result", "tool_reference", "browser_state"}

func resultBlockTypes(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	taken := egress.OneOf(p.Accepts.Parts, resultTypes)
	eachResult(req, func(n *wire.Node) {
		j.HasEvidence = true
		for _, b := range n.Get("content").All() {
			if kind := b.Get("type").Text(); kind != "" && !slices.Contains(taken, kind) {
				j.Find(trace.Finding{
					Pointer: b.Pointer(), Message: "a tool_result holds a block of another type",
					Expected: "one of " + strings.Join(taken, ", "), Actual: rules.Show(b),
					Vars: map[string]string{
						"at": rules.Dotted(b), "found": kind, "place": messages.PlaceOfBlock(b), "expected": "'" + strings.Join(taken, "', '") + "'",
					},
				})
			}
		}
	})
	return j
}

// resultKeys are the keys of a tool_result.
var resultKeys = []string{"type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"}

func resultBlockKeys(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	eachResult(req, func(n *wire.Node) {
		j.HasEvidence = true
		for _, key := range n.Keys() {
			if !slices.Contains(resultKeys, key) {
				j.Find(trace.Finding{
					Pointer: n.Pointer() + "/" + key, Message: "a tool_result has a key of its own",
					Expected: "no such key", Actual: rules.Show(n.Get(key)), Vars: map[string]string{"at": rules.Dotted(n), "key": key},
				})
			}
		}
	})
	return j
}
