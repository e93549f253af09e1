package geminirules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// formRules returns the rules of the area egress about the form of a request, which request.yaml of
// package gemini describes.
func formRules() []rules.Rule {
	return rules.FromFormInWords(gemini.Form(), takes, inGooglesWords)
}

// underResponse is in the schema of what a function returns. Google reads it as one of parameters;
// what else of it is refused was not seen.
var underResponse = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^/tools/(\d+/)?function(D|_d)eclarations/(\d+/)?response/`)
})

func takes(_ *profiles.Profile, b *wire.Breach) bool {
	return strings.HasPrefix(b.Rule, "egress/schema-") && !isReading(b) && underResponse().MatchString(b.Pointer())
}

// isReading reports whether the parser of the API finds a breach, before anything is checked.
func isReading(b *wire.Breach) bool {
	return b.Keyword == "type" || b.Keyword == "keys" || b.Keyword == "oneOf" || b.Keyword == "anyOf" || b.Rule == "egress/value-types"
}

// inGooglesWords adds the values for the words of the API.
func inGooglesWords(b *wire.Breach, f *trace.Finding) {
	found := f.Vars["found"]
	if b.Value.Is(wire.String) || b.Value.Is(wire.Number) {
		found = b.Value.TextOrJSON()
	}
	said := map[string]string{"at": placeOf(b), "key": form.Camel(b.Key), "found": found, "type": googleType(b.Type), "what": "a value", "of": "nobody"}
	switch {
	case b.Keyword == "required" || b.Rule == "egress/schema-enum-of-texts":
		said["what"] = "nothing"
		if said["found"] = "null"; b.Value != nil {
			said["at"], said["found"] = gemini.Field(b.Value), string(b.Value.Raw)
		}
	case b.Keyword == "notWith" && b.Rule == "egress/instruction-form":
		said["at"], said["key"], said["type"] = "", b.Key, "oneof"
		said["found"] = "oneof field '_system_instruction' is already set. Cannot set 'system_instruction'"
	case b.Keyword == "keys":
		f.Message = fmt.Sprintf("%s has the key %q", b.Type, b.Key)
		said["at"], said["key"], said["of"] = gemini.Field(b.In), b.Key, whoseKey(form.Camel(b.Key), b.Wants)
	case b.Keyword == "oneOf":
		f.Message = fmt.Sprintf("%s has %q besides another kind of content", b.Type, b.Word)
		said["at"], said["found"] = gemini.Field(b.Value), gemini.FieldName(b.Value.Get(b.Word))
	case isReading(b):
		maps.Copy(said, misread(b.Value, said["type"]))
	case b.Rule == "egress/calling-mode":
		if slices.Contains(modesOfOthers, strings.ToLower(said["found"])) {
			said["of"] = "another API" // others may be newer than the form
		}
	case b.Keyword == "maxItems":
		said["found"] = strconv.Itoa(len(gemini.Items(b.Value)))
	}
	said["in"] = inPlace(said["at"])
	maps.Copy(f.Vars, said)
}

// modesOfOthers are words of other APIs for which tools may be called.
var modesOfOthers = []string{"required", "tool", "function", "allowed_tools", "custom"}

// placeOf returns where a breach is, also where nothing is there.
func placeOf(b *wire.Breach) string {
	if b.Value == nil {
		return gemini.Under(gemini.Place(b.In), b.Key)
	}
	return gemini.Place(b.Value)
}

// typeWords are the types of the form in the terms of Google's errors.
var typeWords = map[string]string{
	"string": "TYPE_STRING", "string/byte": "TYPE_BYTES", "TYPE_BYTES": "TYPE_BYTES", "boolean": "TYPE_BOOL", "integer/int32": "TYPE_INT32",
	"integer/int64": "TYPE_INT64", "number/float": "TYPE_FLOAT", "number/double": "TYPE_DOUBLE", "Struct": structType,
}

// googleType returns a type of the form in the terms of Google's errors: messages and enums have
// names.
func googleType(said string) string {
	if word, ok := typeWords[said]; ok {
		return word
	}
	return ownTypes + said
}
