package egress

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// toolRules are the rules of the area egress about the tools that a request offers.
var toolRules = []rules.Rule{
	{
		ID:        "egress/tool-name",
		Level:     trace.Should,
		Text:      "A tool has a name of at most 64 letters, digits, underscores and dashes; in messages at most 128, in gemini also dots and colons.",
		Why:       "One name with a space, or elsewhere with a dot, makes providers refuse all tools.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "name: a-z, A-Z, 0-9, underscores and dashes, at most 64"},
			{URL: "https://github.com/run-llama/llama_index/issues/16093", Says: "the 400 of OpenAI"},
			{URL: "https://github.com/nikkigallery/Whimbox/issues/61", Says: "the 400 of DeepSeek"},
			{URL: rules.MessagesTypes, Says: "the name of a tool in the Messages API; newer models of Anthropic take 128 characters"},
			{URL: "https://github.com/google-gemini/gemini-cli/issues/9535", Says: "the 400 of Gemini, which takes dots and colons"},
		},
		Vars:    []string{"index", "name", "pattern", "found", "what", "length"},
		Request: toolName,
	},
	{
		ID:        "egress/tool-names-distinct",
		Level:     trace.Should,
		Text:      "No two tools of a request have the same name.",
		Why:       "A call has only the name, so it is not clear which tool it means.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-agents-python/issues/464", Says: "tools of two servers with one name are refused before they are sent"},
			{URL: rules.ChatDocs, Says: "tool_choice names a function by its name alone"},
			{URL: "https://github.com/anthropics/claude-code/issues/10687", Says: "the 400 of Anthropic: Tool names must be unique"},
		},
		Vars:    []string{"index", "name"},
		Request: toolNamesDistinct,
	},
}

// EachTool calls f for every tool of a request but the provider's own, which have forms and names
// of their own, such as $web_search of Moonshot.
func EachTool(req *wire.Request, f func(i int, t wire.ToolDefinition)) {
	for i, t := range req.Tools {
		if !t.Own {
			f(i, t)
		}
	}
}

// nameLetters are those that all providers take in a name.
const nameLetters = "a-zA-Z0-9_-"

var wholeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[" + nameLetters + "]+$") })

// wrongIn says what is wrong with the name of a tool: its length, a letter, or nothing.
func wrongIn(name string, form wire.RequestForm) string {
	usual := strings.Map(func(c rune) rune {
		if strings.ContainsRune(form.ToolNameMore, c) {
			return '_'
		}
		return c
	}, name)
	switch {
	case !wholeName().MatchString(usual):
		return "letters"
	case len(name) > form.ToolName:
		return "length"
	default:
		return ""
	}
}

// toolName is no node of the forms of requests: it judges a name without the namespace in which the
// tool is, and with the length and the letters that its dialect declares.
func toolName(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	form := req.Dialect.Request
	wrong := func(i int, t wire.ToolDefinition, message, pointer, actual, found, what string) {
		expected := fmt.Sprintf("at most %d of a-z, A-Z, 0-9, _ and -", form.ToolName)
		if form.ToolNameMore != "" {
			expected = fmt.Sprintf("at most %d of a-z, A-Z, 0-9, _, - and %s", form.ToolName, form.ToolNameMore)
		}
		j.Find(trace.Finding{
			Pointer:  pointer,
			Message:  message,
			Expected: expected,
			Actual:   actual,
			Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name, "pattern": fmt.Sprintf("^[%s]{1,%d}$", form.ToolNameMore+nameLetters, form.ToolName), "found": found, "what": what, "length": strconv.Itoa(len(t.Name))},
		})
	}
	EachTool(req, func(i int, t wire.ToolDefinition) {
		j.HasEvidence = true
		name := t.Node.Get("name")
		switch {
		case form.ToolNamedDirectly && !t.Node.Is(wire.Object):
			wrong(i, t, "a tool that is no object", t.Node.Pointer(), rules.Show(t.Node), "nothing", "no object")
		case t.Name == "" && form.ToolNamedDirectly: // that of a function is for tool-form
			wrong(i, t, "a tool without a name", t.Node.Pointer()+"/name", rules.Show(name), rules.KindOf(name), "missing")
		case t.Name == "":
		case wrongIn(ownName(t), form) != "":
			wrong(i, t, "a tool has a name that providers refuse", namePointer(i, t), rules.Quote(t.Name), "another name", wrongIn(ownName(t), form))
		}
	})
	return j
}

// ownName returns the name of a tool without the namespace that it is in.
func ownName(t wire.ToolDefinition) string {
	if t.NameNode.Is(wire.String) {
		return t.NameNode.Text()
	}
	return t.Name
}

// namePointer returns where the name of a tool is.
func namePointer(i int, t wire.ToolDefinition) string {
	if name := t.Node.Get("name"); name.Is(wire.String) {
		return name.Pointer()
	}
	return fmt.Sprintf("/tools/%d/function/name", i)
}

func toolNamesDistinct(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	first := map[string]int{}
	EachTool(req, func(i int, t wire.ToolDefinition) {
		j.HasEvidence = true
		if before, known := first[t.Name]; known && t.Name != "" {
			j.Find(trace.Finding{
				Pointer:  namePointer(i, t),
				Message:  fmt.Sprintf("the tools %d and %d have one name", before, i),
				Expected: "a name of its own",
				Actual:   rules.Quote(t.Name),
				Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name},
			})
			return
		}
		first[t.Name] = i
	})
	return j
}

// ChoiceWord returns the word of a tool_choice, "an object" for one that names tools, and "another
// object" for one that does not.
func ChoiceWord(choice *wire.Node) string {
	if !choice.Is(wire.Object) {
		return strings.Trim(rules.Show(choice), `"`)
	}
	switch {
	case choice.Get("custom") != nil, choice.Get("allowed_tools") != nil, choice.Get("function").Get("name").Text() != "":
		return "an object"
	case choice.Get("function") != nil:
		return "a function without a name"
	default:
		return "another object"
	}
}
