package geminirules

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/suggest"
)

// keysOf returns the keys of objects of the API in the spelling of JSON, by the names of their nodes in
// the form.
var keysOf = sync.OnceValue(func() map[string][]string { return gemini.Form().KnownKeys() })

// jsonSchemaWords are those of JSON Schema that no Schema has.
const jsonSchemaWords = `$schema $id $ref $defs $anchor $comment definitions const oneOf allOf not if then else exclusiveMinimum exclusiveMaximum
	multipleOf patternProperties propertyNames uniqueItems contains minContains maxContains prefixItems examples deprecated readOnly writeOnly
	contentEncoding contentMediaType unevaluatedProperties unevaluatedItems additionalItems dependencies dependentRequired dependentSchemas`

// keysOfOthers are keys of requests of other APIs at any place, which Google was never seen to have
// there.
const keysOfOthers = `type content tool_calls tool_call_id tool_use_id call_id name index arguments input output result source url uri image_url
	input_schema function strict cache_control media_type is_error isError id status annotations reasoning reasoning_content refusal
	tool_choice disable_parallel_tool_use max_tokens stop n top_logprobs logit_bias reasoning_effort budget_tokens effort
	functions image audio file messages voice`

var foreignKeys = newForeignKeys()

func newForeignKeys() map[string]bool {
	all := map[string]bool{}
	for _, key := range strings.Fields(jsonSchemaWords + " " + keysOfOthers) {
		all[form.Camel(key)] = true
	}
	return all
}

// isMisspelt reports whether a key has capitals of its own: Text for text.
func isMisspelt(key string, known []string) bool {
	return slices.ContainsFunc(known, func(other string) bool { return strings.EqualFold(other, key) })
}

// whoseKey says of what else a key is than the object with the known ones: of another API, of
// another object of this one, or a slip of a key that the object has. A key of nobody may be newer
// than the form.
func whoseKey(key string, known []string) string {
	ofAnother := func(known []string) bool { return slices.Contains(known, key) }
	switch {
	case foreignKeys[key] || isMisspelt(key, known):
		return "another API"
	case slices.ContainsFunc(slices.Collect(maps.Values(keysOf())), ofAnother):
		return "another object"
	case suggest.IsSlip(key, known):
		return "a slip"
	default:
		return "nobody"
	}
}
