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
		Vars:    append(slices.Clone(rules.FormVars), "problem", "wants"),
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
			f.Vars["problem"], f.Vars["wants"] = "", ""
			if p.RefusesViolation(valueFormsID, f.Vars) {
				j.Find(f)
			}
		})
	}
	for _, form := range req.Dialect.Request.Values {
		for _, b := range form.Breaches(req.Body) {
			f := breachFinding(b)
			if p.RefusesViolation(valueFormsID, f.Vars) {
				j.Find(f)
			}
		}
	}
	return j
}

func breachFinding(b wire.FormBreach) trace.Finding {
	pointer := b.At.Pointer()
	if b.At == nil {
		pointer = b.In.Pointer() + "/" + b.Key
	}
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	message, expected := breachWords(b, name)
	return trace.Finding{
		Pointer: pointer, Message: message, Expected: expected, Actual: rules.Show(b.At),
		Vars: map[string]string{
			"at": wire.InBrackets(pointer), "problem": b.Problem, "found": b.At.TextOrJSON(), "kind": rules.SchemaKindOf(b.At), "key": b.Key,
			"wants": wantedTypes(b), "path": "", "object": "", "name": "", "value": "",
			"words": rules.QuotedList(b.Wants, "and", true), "options": rules.QuotedList(b.Wants, "or", false),
			"limit": b.Limit, "edge": b.Edge, "size": strconv.Itoa(b.Size),
			"short": b.Key, "index": "", "call": "", "breaks": "", "prefix": "", "types": "", "one-of": "",
			"in": wire.InBrackets(b.In.Pointer()), "other": strings.Join(b.Wants[:min(1, len(b.Wants))], ""),
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

// typesOfOpenAI are the types in the words of its errors.
var typesOfOpenAI = map[string]string{
	"text": "a string", "integer": "an integer", "number": "a decimal", "flag": "a boolean", "list": "an array", "object": "an object",
}

func wantedTypes(b wire.FormBreach) string {
	if b.Problem != "type" {
		return ""
	}
	said := make([]string, len(b.Wants))
	for i, want := range b.Wants {
		said[i] = typesOfOpenAI[want]
	}
	return strings.Join(said, " or ")
}
