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
// words of a refusal: where it is (at as the provider writes it, path as it is on the wire), under
// which key (of which short shows the ends, if it is long), in which object (in and object, which
// may have a name), at which index of a list and of a list within that (index, call), the keyword
// of the form that is broken, what was found in the terms of JSON (kind) and in those of the
// keyword (found: the text, the number, the length or the kind of value), the value, whether it is
// a numeral in a text, its size, the types that there may be, the words or keys that there may be
// (words "a, b, and c", one-of "a, b, or c", options "a, b or c"), the other key that it is about,
// the side of a range that is broken (edge), and the limit: of a range or a length, the beginning
// of an id, or a pattern.
var FormVars = []string{
	"at", "path", "key", "short", "in", "object", "name", "index", "call", "breaks", "found", "value", "numeral", "kind", "size", "types", "words", "options",
	"one-of", "other", "edge", "limit",
}

// WordVars are the values that a dialect may offer besides: the place as it continues a sentence
// (in), what the API calls the type that is wanted (type), what is there instead (what), and whose
// key or word it is (of).
var WordVars = []string{"in", "type", "what", "of"}

// FromForm returns the rules about the form of a dialect's requests. takes says of a breach whether
// the provider of a profile is known to take it nevertheless, such as a key that it writes itself;
// it may be nil.
func FromForm(f *form.Form, takes func(*profiles.Profile, *wire.Breach) bool) []Rule {
	return FromFormInWords(f, takes, nil)
}

// FromFormInWords is FromForm for a dialect with words of its own: say changes the finding about a
// breach, and adds the values of [WordVars]. Both functions may be nil.
func FromFormInWords(f *form.Form, takes func(*profiles.Profile, *wire.Breach) bool, say func(*wire.Breach, *trace.Finding)) []Rule {
	all := make([]Rule, len(f.Rules))
	for i, r := range f.Rules {
		rule := formRule{id: r.ID, takes: takes, say: say, always: r.About == "" && !slices.Contains(r.When, "kind") && !slices.Contains(r.When, "value"), withResult: len(r.When) == 0 || slices.Contains(r.When, "result")}
		all[i] = Rule{
			ID: r.ID, Level: trace.Level(r.LevelOr("must")), Text: r.Text, Why: r.Why, Invariant: true, Returned: r.Returned, ShowsTurn: r.Turn,
			Evidence: r.EvidenceOr("a request that carries a tool result"), BrokenIn: r.BrokenIn, Vars: FormVars,
			Request: rule.check,
		}
		if say != nil {
			all[i].Vars = slices.Concat(FormVars, WordVars)
		}
		for _, s := range r.Sources {
			all[i].Sources = append(all[i].Sources, Source{URL: f.URL(s.Name), Says: s.Says})
		}
	}
	return all
}

// formRule is a rule about form as it is checked.
type formRule struct {
	id    string
	takes func(*profiles.Profile, *wire.Breach) bool
	say   func(*wire.Breach, *trace.Finding)

	always, withResult bool // each request is evidence; only one that carries a result is
}

func (r *formRule) check(p *profiles.Profile, req *wire.Request) CheckResult {
	result := req.Form(p)
	hasEvidence := (r.always || result.Kinds[r.id]) && (!r.withResult || CarriesResult(req))
	if len(result.Breaches) == 0 {
		return CheckResult{HasEvidence: hasEvidence}
	}
	j := CheckResult{HasEvidence: hasEvidence} // which has to be allocated
	j.FindBreaches(r.id, p, req, r.takes, r.say)
	return j
}

// FindBreaches finds where a request breaks a rule about its form. takes and say are those of
// [FromFormInWords].
func (j *CheckResult) FindBreaches(rule string, p *profiles.Profile, req *wire.Request, takes func(*profiles.Profile, *wire.Breach) bool, say func(*wire.Breach, *trace.Finding)) {
	if !req.Form(p).Breaks(rule) {
		return
	}
	req.Form(p).Of(rule, func(b *wire.Breach) {
		if takes != nil && takes(p, b) {
			return
		}
		f := FindBreach(req.Dialect, b)
		if say != nil {
			say(b, &f)
		}
		if b.IfRefused && !p.RefusesViolation(rule, f.Vars) {
			return
		}
		if b.Weak && !p.RefusesViolation(rule, f.Vars) {
			f.Level = trace.Should
		}
		j.Find(f)
	})
}

// FindBreach returns the finding about a breach of a dialect's form.
func FindBreach(d *wire.Dialect, b *wire.Breach) trace.Finding {
	f := trace.Finding{Pointer: b.Pointer(), Expected: b.Want, Actual: Show(b.Value)}
	f.Vars = map[string]string{
		"at": placeOf(b, b.Place()), "path": placeOnWire(b.Place()), "in": placeOf(b, b.In.Pointer()), "object": placeOnWire(b.In.Pointer()),
		"key": b.Key, "short": shortKey(b.Key), "name": nameOf(b.In), "value": b.Value.TextOrJSON(), "numeral": numeral(b.Value), "breaks": b.Keyword,
		"found": KindOf(b.Value), "kind": SchemaKindOf(b.Value), "size": sizeOf(b), "edge": b.Side, "limit": b.Limit,
		"types": typesOf(d, b), "words": QuotedList(b.Wants, "and", true), "one-of": QuotedList(b.Wants, "or", true), "options": QuotedList(b.Wants, "or", false),
		"other": strings.Join(b.Wants[:min(1, len(b.Wants))], ""),
	}
	if b.In.Is(wire.Object) && b.In.Parent() != nil && !b.Tagged {
		f.Vars["at"] = f.Vars["in"] + "." + b.Key // which is no index, whatever it is
	}
	if b.AtObject {
		f.Actual = Show(b.In)
	}
	f.Vars["index"], f.Vars["call"] = indexesIn(f.Pointer)
	name := b.Key
	if name == "" {
		name = "an entry of " + b.In.Key()
	}
	switch b.Keyword {
	case "required":
		f.Message = fmt.Sprintf("the key %q is missing", b.Key)
	case "type", "minItems", "minLength", "minProperties", "itemsBy":
		f.Message = fmt.Sprintf("%s: there is %s", name, KindOf(b.Value))
	case "enum":
		f.Message, f.Vars["found"] = name+" has a word that the API does not know", b.Value.Text()
	case "minimum", "maximum", "exclusiveMinimum":
		f.Message, f.Vars["found"] = name+" is out of its range", string(b.Value.Raw)
	case "maxLength":
		f.Message, f.Vars["found"] = name+" is too long", f.Vars["size"]
	case "maxItems", "maxProperties":
		f.Message, f.Vars["found"] = name+" has too many entries", f.Vars["size"]
	case "propertyNames":
		f.Message, f.Vars["found"] = fmt.Sprintf("%s has the key %q", ownerOf(b), f.Vars["short"]), f.Vars["size"]
	case "pattern", "format":
		f.Message, f.Vars["found"] = name+" has another form than the API takes", b.Value.Text()
	case "prefix":
		f.Message, f.Vars["found"] = fmt.Sprintf("%s does not begin with %q", name, b.Limit), b.Value.Text()
	case "keys", "forbidden", "deprecated":
		f.Message, f.Actual = fmt.Sprintf("%s has the key %q", ownerOf(b), b.Key), fmt.Sprintf("%q: %s", b.Key, Show(b.Value))
	case "anyOf":
		f.Message = "there is neither " + strings.ReplaceAll(strings.ReplaceAll(b.Want, ", ", " nor "), " or ", " nor ")
	case "with":
		f.Message = fmt.Sprintf("%s is sent without %s", name, b.Wants[0])
	case "oneOf":
		f.Message, f.Vars["found"] = name+" has several of the keys of which there is one", b.Word
	case "onlyWith", "notWith":
		f.Message = name + " does not belong here"
		if b.Value.Is(wire.String) {
			f.Vars["found"] = b.Value.Text()
		}
	case "insteadOf":
		f.Message = fmt.Sprintf("%s has the key %q", ownerOf(b), b.Key)
		if b.Missed != "" {
			f.Vars["key"], f.Vars["at"] = b.Missed, wire.InBrackets(b.In.Pointer()+"/"+b.Missed)
		}
	case "by":
		f.Message, f.Actual = fmt.Sprintf("an object of the type %q, which the API does not know here", b.Word), Show(b.Whole)
		f.Vars["at"], f.Vars["path"], f.Vars["found"] = placeOf(b, b.Whole.Pointer()), placeOnWire(b.Whole.Pointer()), b.Word
		if b.Key != "" && b.Word == "" {
			f.Vars["found"] = "nothing"
		}
	}
	return f
}

// typesOf lists the types that a breach expects one of.
func typesOf(d *wire.Dialect, b *wire.Breach) string {
	if b.Keyword != "type" {
		return ""
	}
	return TypeWords(d, b.Wants...)
}

// TypeWords lists types of JSON Schema, of which one is expected, as errors of a dialect name them.
func TypeWords(d *wire.Dialect, types ...string) string {
	words := d.Errors.Types
	if words == nil {
		words = typesOfOpenAI
	}
	all := make([]string, len(types))
	for i, t := range types {
		all[i] = words[t]
	}
	return strings.Join(all, " or ")
}

var typesOfOpenAI = map[string]string{
	"string": "a string", "integer": "an integer", "number": "a decimal", "boolean": "a boolean", "array": "an array", "object": "an object",
}

// numeral says whether a value is a text that could be read as a number: some providers read it.
func numeral(n *wire.Node) string {
	if _, err := strconv.ParseFloat(n.Text(), 64); err == nil && n.Is(wire.String) {
		return "yes"
	}
	return "no"
}

// nameOf returns the name that an object says for itself among its first keys: one of a hundred
// thousand keys is not searched for each of them.
func nameOf(in *wire.Node) string {
	if !in.Is(wire.Object) {
		return ""
	}
	for _, m := range in.Members[:min(len(in.Members), 32)] {
		if m.Key == "name" {
			return m.Value.Text()
		}
	}
	return ""
}

// placeOf returns a place as the provider of the form writes it: tools[0].name, or
// tools.0.custom.name.
func placeOf(b *wire.Breach, pointer string) string {
	if !b.Tagged {
		return wire.InBrackets(pointer)
	}
	tags := map[string]string{}
	for _, tag := range b.Tags {
		tags[tag.Node.Pointer()] = tag.Word
	}
	var steps []string
	at := ""
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		steps, at = append(steps, wire.StepKey(step)), at+"/"+step
		if tag := tags[at]; tag != "" && at != pointer {
			steps = append(steps, tag)
		}
	}
	return strings.Join(steps, ".")
}

// placeOnWire returns a place with dots between its steps, and no words of objects.
func placeOnWire(pointer string) string {
	return dotted.Replace(strings.TrimPrefix(pointer, "/"))
}

// shortKey returns a key, or the ends of a long one, as OpenAI writes it.
func shortKey(key string) string {
	if r := []rune(key); len(r) > 64 {
		return string(r[:3]) + "..." + string(r[len(r)-3:])
	}
	return key
}

// sizeOf says how long what is too long or too short is.
func sizeOf(b *wire.Breach) string {
	switch {
	case b.Keyword == "propertyNames":
		return strconv.Itoa(utf8.RuneCountInString(b.Key))
	case b.Value.Is(wire.String):
		return strconv.Itoa(utf8.RuneCountInString(b.Value.Text()))
	case b.Value.Is(wire.Object):
		return strconv.Itoa(len(b.Value.Members))
	default:
		return strconv.Itoa(len(b.Value.All()))
	}
}

// indexesIn returns the indexes of a pointer to something in a list, and in a list within that: of a
// message, and of a call or a part of it.
func indexesIn(pointer string) (first, second string) {
	for step := range strings.SplitSeq(pointer, "/") {
		switch {
		case step == "" || strings.Trim(step, "0123456789") != "":
		case first == "":
			first = step
		default:
			return first, step
		}
	}
	return first, ""
}

// ownerOf names the object that a breach is in.
func ownerOf(b *wire.Breach) string {
	if b.Word != "" {
		return fmt.Sprintf("an object of the type %q", b.Word)
	}
	if list := b.In.Parent(); list.Is(wire.Array) {
		return "an entry of " + list.Key()
	}
	if key := b.In.Key(); key != "" {
		return key
	}
	return "the request"
}
