package egress

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const parameterTypesID = "egress/parameter-types"

// parameterTypeRules are the rules of the area egress about the values of parameters.
var parameterTypeRules = []rules.Rule{
	{
		ID:        parameterTypesID,
		Level:     trace.Should,
		Text:      "The parameters of a request have their types: stream is true or false, temperature a number, max_tokens a whole number above zero, and so on.",
		Why:       "Settings from a file or the environment are strings unless they are converted, and many providers refuse them.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the types of the parameters"},
			{URL: rules.MessagesDocs, Says: "the same for the Messages API"},
			{URL: "https://github.com/diffbot/code-gpt-docs/issues/273", Says: "the 400 of OpenAI for max_tokens as a string"},
			{URL: "https://github.com/instructlab/instructlab/issues/3511", Says: "temperature as a string, and the 400 of Ollama"},
			{URL: "https://github.com/cline/cline/pull/7397", Says: "the same with llama.cpp"},
			{URL: "https://github.com/openai/openai-openapi", Says: "seed is of 64 bits"},
			{URL: rules.MeasuredChat, Says: "the 400 of OpenAI for most parameters"},
			{URL: rules.MeasuredResponses, Says: "the same for the Responses API"},
			{URL: rules.MeasuredMessages, Says: "the 400 of Anthropic"},
		},
		Vars:    []string{"key", "found", "wants", "types", "kind", "value", "item", "sign"},
		Request: parameterTypes,
	},
	{
		ID:        "egress/chosen-tool-offered",
		Level:     trace.Should,
		Text:      "The tool that tool_choice names is one that the request offers.",
		Why:       "No other tool can be called; some servers refuse the request.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "tool_choice: specifies a tool the model should use"},
			{URL: "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/entrypoints/openai/chat_completion/protocol.py", Says: "the check of vLLM"},
		},
		Vars:    []string{"name"},
		Request: chosenToolOffered,
	},
}

// parameterTypes takes null for nothing, where the provider is not known to refuse it. An
// unreadable value of a required parameter is for the rule about that one.
func parameterTypes(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	types := req.Dialect.Parameters(parameterTypesID).Types
	for _, m := range req.Body.Members {
		n, wants := m.Value, types[m.Key]
		if wants == "" || m.Key == req.Dialect.Request.Limit && !n.Is(wire.Number) {
			continue
		}
		found := TypeMistake(wants, n)
		if found == "" {
			continue
		}
		vars := map[string]string{
			"key": m.Key, "found": found, "wants": string(wants), "types": rules.TypeWords(req.Dialect, typesOfParameters[wants]...), "kind": rules.SchemaKindOf(n), "value": rules.Show(n), "item": firstNoText(n), "sign": signOf(n),
		}
		if found == beyond64Bits {
			vars["kind"] = "a number" // it is an integer, and that is wanted: the words about kinds are not for it
		}
		if refusal, refuses := p.Refusal(parameterTypesID); n.Is(wire.Null) && !(refuses && refusal.Refuses(vars)) {
			continue
		}
		j.Find(trace.Finding{
			Pointer:  n.Pointer(),
			Message:  fmt.Sprintf("%s is %s", m.Key, found),
			Expected: string(wants),
			Actual:   rules.Show(n),
			Vars:     vars,
		})
	}
	return j
}

// typesOfParameters are the types of parameters in the words of JSON Schema.
var typesOfParameters = map[wire.ParameterType][]string{
	wire.ANumber: {"number"}, wire.AWholeNumber: {"integer"}, wire.APositive: {"integer"}, wire.AFlag: {"boolean"}, wire.AText: {"string"}, wire.Texts: {"string", "array"},
	wire.AList: {"array"}, wire.AnyList: {"array"}, wire.AnObject: {"object"}, wire.TextOrObject: {"string", "object"},
}

// signOf says whether a number is below zero.
func signOf(n *wire.Node) string {
	if n.Is(wire.Number) && strings.HasPrefix(string(n.Raw), "-") {
		return "below zero"
	}
	return "zero or more"
}

// firstNoText returns the index of the first item of a list that is no string, "" where there is
// none.
func firstNoText(n *wire.Node) string {
	i := slices.IndexFunc(n.All(), func(item *wire.Node) bool { return !item.Is(wire.String) })
	if i < 0 {
		return ""
	}
	return strconv.Itoa(i)
}

// kindsOfTypes are the kinds of values of the types that have no other condition.
var kindsOfTypes = map[wire.ParameterType]wire.Kind{wire.AText: wire.String, wire.AnyList: wire.Array, wire.AnObject: wire.Object}

// TypeMistake says what is there instead of a value of the type, "" where the value is right.
func TypeMistake(t wire.ParameterType, n *wire.Node) string {
	switch t {
	case wire.AFlag:
		return misflag(n)
	case wire.Texts, wire.AList:
		list := n.Is(wire.Array) && firstNoText(n) == ""
		if list || t == wire.Texts && n.Is(wire.String) {
			return ""
		}
	case wire.TextOrObject:
		if n.Is(wire.String) || n.Is(wire.Object) {
			return ""
		}
	case wire.AText, wire.AnyList, wire.AnObject:
		if n.Is(kindsOfTypes[t]) {
			return ""
		}
	default:
		return misnumber(t, n)
	}
	return rules.KindOf(n)
}

// flagWords are texts that some readers take for true or false.
var flagWords = []string{"true", "false", "yes", "no", "on", "off", "t", "f", "y", "n", "1", "0"}

// misflag is TypeMistake for true and false.
func misflag(n *wire.Node) string {
	switch {
	case n.Is(wire.Bool):
		return ""
	case n.Is(wire.String) && slices.Contains(flagWords, strings.ToLower(n.Text())):
		return "a flag in a string"
	case string(n.Raw) == "0" || string(n.Raw) == "1":
		return "0 or 1"
	default:
		return rules.KindOf(n)
	}
}

// misnumber is TypeMistake for numbers.
func misnumber(t wire.ParameterType, n *wire.Node) string {
	switch {
	case n.Is(wire.String):
		return numeral(n)
	case !n.Is(wire.Number):
		return rules.KindOf(n)
	}
	value, is := n.Float()
	switch {
	case !is:
		return "out of range"
	case t != wire.ANumber && value != math.Trunc(value):
		return "a fraction"
	case t == wire.APositive && value < 1:
		return "zero or less"
	case t != wire.ANumber && !in64Bits(n, value):
		return beyond64Bits
	default:
		return ""
	}
}

// beyond64Bits is what is found instead of a whole number that providers can read.
const beyond64Bits = "beyond 64 bits"

// in64Bits reports whether a whole number fits into 64 bits. A float holds the largest ones as one
// that does not.
func in64Bits(n *wire.Node, value float64) bool {
	_, err := strconv.ParseInt(string(n.Raw), 10, 64)
	return err == nil || math.Abs(value) < 1<<63
}

// numeral tells a string that could be read as a number from others: some providers read it.
func numeral(n *wire.Node) string {
	if _, err := strconv.ParseFloat(n.Text(), 64); err == nil {
		return "a number in a string"
	}
	return rules.KindOf(n)
}

func chosenToolOffered(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	if req.Dialect.Request.ChosenTool == nil {
		return j
	}
	named := req.Dialect.Request.ChosenTool(req)
	name := named.Text()
	if name == "" || !req.ToolList().Is(wire.Array) { // tool-options-need-tools looks at choices without tools
		return j
	}
	if slices.ContainsFunc(req.Tools, func(t wire.ToolDefinition) bool { return t.Name == name }) {
		return j
	}
	names := make([]string, len(req.Tools))
	for i, t := range req.Tools {
		names[i] = t.Name
	}
	j.Find(trace.Finding{
		Pointer:  named.Pointer(),
		Message:  "tool_choice names a tool that the request does not offer",
		Expected: "one of " + rules.List(names),
		Actual:   rules.Quote(name),
		Vars:     map[string]string{"name": name},
	})
	return j
}
