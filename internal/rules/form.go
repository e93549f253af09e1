package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// FormVars are the names of the values that a finding about the form of a request offers to the
// words of a refusal: where it is, under which key, the keyword of the form that is broken, what
// was found in the terms of JSON (kind) and in those of the keyword (found: the text, the number,
// the length or the kind of value), the types that there may be, the words or keys that there may
// be (words "a, b, and c", one-of "a, b, or c", options "a, b or c"), the edge of a range with its
// limit, and the beginning of an id.
var FormVars = []string{"at", "key", "breaks", "found", "kind", "types", "words", "options", "one-of", "edge", "limit", "prefix"}

// FromForm returns the rules about the form of a dialect's requests. takes says of a breach whether
// the provider of a profile is known to take it nevertheless, such as a key that it writes itself;
// it may be nil.
func FromForm(f *form.Form, takes func(*profiles.Profile, *wire.Breach) bool) []Rule {
	all := make([]Rule, len(f.Rules))
	for i, r := range f.Rules {
		all[i] = Rule{
			ID: r.ID, Level: trace.Level(r.LevelOr("must")), Text: r.Text, Why: r.Why, Invariant: true, Returned: r.Returned,
			Evidence: r.EvidenceOr("a request that carries a tool result"), BrokenIn: r.BrokenIn, Breaks: f.Breaks(r.ID), Vars: FormVars,
			Request: func(p *profiles.Profile, req *wire.Request) CheckResult { return checkForm(&f.Rules[i], takes, p, req) },
		}
		for _, s := range r.Sources {
			all[i].Sources = append(all[i].Sources, Source{URL: f.URL(s.Name), Says: s.Says})
		}
	}
	return all
}

func checkForm(rule *form.Rule, takes func(*profiles.Profile, *wire.Breach) bool, p *profiles.Profile, req *wire.Request) (j CheckResult) {
	result := req.Form()
	ofKind := result.Kinds[rule.ID] || !slices.Contains(rule.When, "kind")
	withResult := len(rule.When) > 0 && !slices.Contains(rule.When, "result") || CarriesResult(req)
	j.HasEvidence = ofKind && withResult
	result.Of(rule.ID, func(b *wire.Breach) {
		if takes != nil && takes(p, b) {
			return
		}
		f := FindBreach(b)
		if b.Weak && !p.RefusesViolation(rule.ID, f.Vars) {
			f.Level = trace.Should
		}
		j.Find(f)
	})
	return j
}

// FindBreach returns the finding about a breach.
func FindBreach(b *wire.Breach) trace.Finding {
	f := trace.Finding{Pointer: b.Pointer(), Expected: b.Want, Actual: Show(b.Value)}
	f.Vars = map[string]string{
		"at": wire.InBrackets(f.Pointer), "key": b.Key, "breaks": b.Keyword, "found": KindOf(b.Value), "kind": SchemaKindOf(b.Value), "edge": b.Side, "limit": b.Limit, "prefix": b.Limit,
		"types": typesOf(b), "words": QuotedList(b.Wants, "and", true), "one-of": QuotedList(b.Wants, "or", true), "options": QuotedList(b.Wants, "or", false),
	}
	name := b.Key
	if name == "" {
		name = "an entry of " + b.In.Key()
	}
	switch b.Keyword {
	case "required":
		f.Message = fmt.Sprintf("the key %q is missing", b.Key)
	case "type", "minItems":
		f.Message = fmt.Sprintf("%s: there is %s", name, KindOf(b.Value))
	case "enum":
		f.Message, f.Vars["found"] = name+" has a word that the API does not know", b.Value.Text()
	case "minimum", "maximum", "exclusiveMinimum":
		f.Message, f.Vars["found"] = name+" is out of its range", string(b.Value.Raw)
	case "maxLength":
		f.Message, f.Vars["found"] = name+" is too long", strconv.Itoa(utf8.RuneCountInString(b.Value.Text()))
	case "pattern":
		f.Message, f.Vars["found"] = name+" has another form than the API takes", b.Value.Text()
	case "prefix":
		f.Message, f.Vars["found"] = fmt.Sprintf("%s does not begin with %q", name, b.Limit), b.Value.Text()
	case "keys":
		f.Message, f.Actual = fmt.Sprintf("%s has the key %q", ownerOf(b), b.Key), fmt.Sprintf("%q: %s", b.Key, Show(b.Value))
	case "anyOf":
		f.Message = "there is neither " + strings.ReplaceAll(strings.ReplaceAll(b.Want, ", ", " nor "), " or ", " nor ")
	case "onlyWith", "notWith":
		f.Message, f.Vars["found"] = name+" does not belong here", b.Value.Text()
	case "insteadOf":
		f.Message = fmt.Sprintf("%s has the key %q", ownerOf(b), b.Key)
		if b.Missed != "" {
			f.Vars["key"], f.Vars["at"] = b.Missed, wire.InBrackets(b.In.Pointer()+"/"+b.Missed)
		}
	case "by":
		f.Message, f.Actual = fmt.Sprintf("an object of the type %q, which the API does not know here", b.Word), Show(b.Whole)
		f.Vars["at"], f.Vars["found"] = wire.InBrackets(b.Whole.Pointer()), b.Word
		if b.Key != "" && b.Word == "" {
			f.Vars["found"] = "nothing"
		}
	}
	return f
}

// typesOf lists the types that a breach expects one of, in the terms of JSON.
func typesOf(b *wire.Breach) string {
	if b.Keyword != "type" {
		return ""
	}
	all := make([]string, len(b.Wants))
	for i, t := range b.Wants {
		all[i] = schemaKinds[t]
	}
	return strings.Join(all, " or ")
}

var schemaKinds = map[string]string{
	"string": "a string", "integer": "an integer", "number": "a decimal", "boolean": "a boolean", "array": "an array", "object": "an object",
}

// ownerOf names the object that a breach is in.
func ownerOf(b *wire.Breach) string {
	if b.Word != "" {
		return fmt.Sprintf("an object of the type %q", b.Word)
	}
	if key := b.In.Key(); key != "" {
		return key
	}
	return "the request"
}
