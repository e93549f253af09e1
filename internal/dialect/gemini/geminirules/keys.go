package geminirules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// keysOf are the keys of objects of the API in the spelling of JSON, by the names of their types in
// Google's SDKs: those of the published protos of the Gemini API and of Vertex AI, and of
// google.golang.org/genai 1.77.0 and google-genai 3.6.1 of November 2026. selfcheck holds them
// against that SDK. A key that came later is none of them, so that an unknown one is no more than a
// should.
var keysOf = map[string][]string{
	"Content": {"role", "parts"},
	"Part": slices.Concat(dataKeys, []string{
		"videoMetadata", "thought", "thoughtSignature", "partMetadata", "mediaResolution", "audioTranscription", "mediaProcessing", "speechMetadata",
		"audioMetadata", "documentMetadata", "spreadsheetMetadata",
	}),
	"FunctionCall":         {"id", "name", "args", "partialArgs", "willContinue"},
	"FunctionResponse":     {"id", "name", "response", "parts", "willContinue", "scheduling"},
	"FunctionResponsePart": {"inlineData", "fileData", "mediaProcessing", "mediaResolution", "videoMetadata", "audioMetadata", "documentMetadata", "spreadsheetMetadata"},
	"FunctionDeclaration":  {"name", "description", "behavior", "parameters", "parametersJsonSchema", "response", "responseJsonSchema"},
	"Schema": {
		"type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required", "minProperties",
		"maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering", "default", "items", "minimum", "maximum",
		"ref", "defs", "additionalProperties",
	},
	"Tool": {
		"functionDeclarations", "googleSearch", "googleSearchRetrieval", "codeExecution", "urlContext", "computerUse", "fileSearch", "googleMaps",
		"mcpServers", "retrieval", "enterpriseWebSearch", "parallelAiSearch", "exaAiSearch",
	},
	"ToolConfig":            {"functionCallingConfig", "retrievalConfig", "includeServerSideToolInvocations"},
	"FunctionCallingConfig": {"mode", "allowedFunctionNames", "streamFunctionCallArguments"},
	"GenerationConfig": {
		"stopSequences", "responseMimeType", "responseSchema", "_responseJsonSchema", "responseJsonSchema", "responseModalities", "candidateCount",
		"maxOutputTokens", "temperature", "topP", "topK", "seed", "presencePenalty", "frequencyPenalty", "responseLogprobs", "logprobs",
		"enableEnhancedCivicAnswers", "speechConfig", "thinkingConfig", "imageConfig", "mediaResolution", "audioTimestamp", "routingConfig",
		"modelConfig", "modelSelectionConfig", "enableAffectiveDialog", "responseFormat", "translationConfig", "audioTranscriptionConfig",
	},
	"ThinkingConfig": {"includeThoughts", "thinkingBudget", "thinkingLevel"},
	"Blob":           {"mimeType", "data", "displayName"},
	"FileData":       {"mimeType", "fileUri", "displayName"},
	"SafetySetting":  {"category", "threshold", "method"},
}

// Keys returns the keys that rules know of each type of object.
func Keys() map[string][]string { return maps.Clone(keysOf) }

// dataKeys are those of a part of which it has one.
var dataKeys = []string{
	"text", "inlineData", "functionCall", "functionResponse", "fileData", "executableCode", "codeExecutionResult", "toolCall", "toolResponse",
	gemini.UnknownKind,
}

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
		all[gemini.Camel(key)] = true
	}
	return all
}

// isMisspelt reports whether a key has capitals of its own: Text for text.
func isMisspelt(key, kind string) bool {
	return slices.ContainsFunc(keysOf[kind], func(known string) bool { return strings.EqualFold(known, key) })
}

// whoseKey says of what else a key is: of another API, of another object of this one, or a slip of
// a key that the object has. A key of nobody may be newer than the lists.
func whoseKey(key, kind string) string {
	ofAnother := func(known []string) bool { return slices.Contains(known, key) }
	switch {
	case foreignKeys[key] || isMisspelt(key, kind):
		return "another API"
	case slices.ContainsFunc(slices.Collect(maps.Values(keysOf)), ofAnother):
		return "another object"
	case suggest.IsSlip(key, keysOf[kind]):
		return "a slip"
	default:
		return "nobody"
	}
}

// unknownKeys finds the keys of an object that are none of its type, in either spelling. Those of
// other APIs are told from unknown ones, which the API may have by now.
func unknownKeys(what, kind string) func(*wire.Node) []trace.Finding {
	return func(n *wire.Node) (all []trace.Finding) {
		for _, m := range membersOf(n) {
			key := gemini.Camel(m.Key)
			if slices.Contains(keysOf[kind], key) {
				continue
			}
			of := whoseKey(key, kind)
			all = append(all, at(n, m.Key, fmt.Sprintf("%s has the key %q", what, m.Key), "only keys that the reference has", map[string]string{"at": gemini.Field(n), "key": m.Key, "of": of}))
		}
		return all
	}
}
