package egress

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const valueFormsID = "egress/value-forms"

// valueFormRules is the rule of the area egress about the forms that a dialect lists as data.
var valueFormRules = []rules.Rule{
	{
		ID:        valueFormsID,
		Level:     trace.Should,
		Text:      "Tools of the provider, parts with media and nested options have the form that the provider's reference gives them: the keys that they need, their types, words and lengths.",
		Why:       "The provider refuses another one: a file_search without vector_store_ids, a web search of an unknown size, five stop sequences.",
		Where:     hasValueForms,
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-openapi", Says: "the schemas of tools, parts and options of OpenAI"},
			{URL: rules.MessagesTypes, Says: "the types of blocks, tools and options of Anthropic"},
			{URL: "https://github.com/continuedev/continue/issues/1572", Says: "the 400 of OpenAI for more than four stop sequences"},
			{URL: "https://github.com/mcp-use/mcp-use/issues/90", Says: "the 400 of OpenAI for the name of a function in the history"},
			{URL: "https://github.com/ProjectTech4DevAI/kaapi-backend/issues/317", Says: "the 400 of OpenAI for a previous_response_id that is none"},
		},
		Vars:    append(slices.Clone(rules.FormVars), "problem", "wants", "valid"),
		Request: valueForms,
	},
}

func hasValueForms(d *wire.Dialect) bool {
	return len(d.Request.Values) > 0 || d.Form != nil && d.Form.Judges(valueFormsID)
}

// valueForms finds what a provider refuses. A provider that is not known to refuse such values has
// forms of its own, and takes them all.
func valueForms(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	if _, refuses := p.Refusal(valueFormsID); !refuses {
		return j
	}
	if result := req.Form(p); result != nil {
		result.Of(valueFormsID, func(b *wire.Breach) {
			f := rules.FindBreach(b)
			f.Vars["problem"], f.Vars["wants"], f.Vars["valid"] = "", "", ""
			if p.RefusesViolation(valueFormsID, f.Vars) {
				j.Find(f)
			}
		})
	}
	for _, form := range req.Dialect.Request.Values {
		for _, b := range form.Breaches(req.Body) {
			f := breachFinding(req.Dialect, b)
			if p.RefusesViolation(valueFormsID, f.Vars) {
				j.Find(f)
			}
		}
	}
	return j
}

func breachFinding(d *wire.Dialect, b wire.FormBreach) trace.Finding {
	pointer := b.At.Pointer()
	if b.At == nil {
		pointer = b.In.Pointer() + "/" + b.Key
	}
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	message, expected := breachWords(b, name)
	return trace.Finding{
		Pointer: pointer, Message: message, Expected: expected, Actual: rules.Show(b.At),
		Vars: map[string]string{
			"at": placeOfValue(d, pointer, b.Tags), "problem": b.Problem, "found": b.At.TextOrJSON(), "kind": rules.SchemaKindOf(b.At), "key": b.Key,
			"wants": wantedTypes(b, typesOfOpenAI, " or "), "valid": wantedTypes(b, typesOfAnthropic, " or "),
			"words": rules.QuotedList(b.Wants, "and", true), "options": rules.QuotedList(b.Wants, "or", false),
			"limit": b.Limit, "edge": b.Edge, "size": strconv.Itoa(b.Size),
			"short": b.Key, "index": "", "call": "", "breaks": "", "prefix": "", "types": "", "one-of": "",
			"in": placeOfValue(d, b.In.Pointer(), b.Tags), "other": strings.Join(b.Wants[:min(1, len(b.Wants))], ""),
		},
	}
}

func breachWords(b wire.FormBreach, name string) (message, expected string) {
	switch b.Problem {
	case "missing":
		return name + " is missing", "the key " + b.Key
	case "type":
		return name + " is of another type", strings.Join(b.Wants, " or ")
	case "word":
		return name + " has a word that the API does not know", "one of " + rules.List(b.Wants)
	case "key":
		return fmt.Sprintf("an object has the key %q", b.Key), "one of " + rules.List(b.Wants)
	case "needs":
		return name + " has none of the keys that it needs", "one of " + rules.List(b.Wants)
	case "name":
		return fmt.Sprintf("an object has the key %q", b.Key), "one that matches " + b.Limit
	case "alone":
		return name + " is sent alone", "the key " + b.Wants[0] + " beside it"
	case "beside":
		return name + " is sent beside " + b.Wants[0], "one of them"
	case "range":
		return name + " is out of its range", map[string]string{"above": "at most ", "below": "at least "}[b.Edge] + b.Limit
	case "long":
		return name + " is too long", "at most " + b.Limit
	case "short":
		return name + " is too short", "at least " + b.Limit
	case "begins":
		return name + " is of another kind", "one that begins with " + b.Limit
	default:
		return name + " has another form", "one that matches " + b.Limit
	}
}

// placeOfValue writes a place as the provider of a dialect does: tools[0].name, or
// tools.0.custom.name.
func placeOfValue(d *wire.Dialect, pointer string, tags map[string]string) string {
	if !d.Request.TaggedPlaces {
		return wire.InBrackets(pointer)
	}
	var steps []string
	at := ""
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		steps, at = append(steps, step), at+"/"+step
		if tag := tags[at]; tag != "" && at != pointer {
			steps = append(steps, tag)
		}
	}
	return strings.Join(steps, ".")
}

// typesOfOpenAI and typesOfAnthropic are the types in the words of their errors.
var (
	typesOfOpenAI = map[string]string{
		"text": "a string", "integer": "an integer", "number": "a decimal", "flag": "a boolean", "list": "an array", "object": "an object",
	}
	typesOfAnthropic = map[string]string{
		"text": "a valid string", "integer": "a valid integer", "number": "a valid number", "flag": "a valid boolean", "list": "a valid array", "object": "an object",
	}
)

func wantedTypes(b wire.FormBreach, words map[string]string, between string) string {
	if b.Problem != "type" {
		return ""
	}
	said := make([]string, len(b.Wants))
	for i, want := range b.Wants {
		said[i] = words[want]
	}
	return strings.Join(said, between)
}
