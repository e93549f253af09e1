package geminirules

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const configDocs = "https://ai.google.dev/api/generate-content#v1beta.GenerationConfig"

// geminiConfig are the rules of the area egress about what goes together, and about the values of
// generationConfig.
var geminiConfig = []rules.Rule{
	{
		ID:        "egress/own-tools-apart",
		Level:     trace.Should,
		Text:      "Google's own tools are not sent together with functions, unless toolConfig asks for their invocations.",
		Why:       "Models before the generation 3 refuse the two together; newer ones want includeServerSideToolInvocations.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/googleapis/go-genai/issues/323", Says: "the 400: Tool use with function calling is unsupported"},
			{URL: "https://github.com/lobehub/lobehub/pull/7463", Says: "also where only the history has calls"},
			{URL: "https://github.com/owndev/Open-WebUI-Functions/pull/159", Says: "the 400 of Gemini 3: enable include_server_side_tool_invocations"},
		},
		Vars:    []string{"at", "found"},
		Request: rules.InBody(ownToolsBesideFunctions),
	},
	{
		ID:        "egress/json-apart-from-functions",
		Level:     trace.Info,
		Text:      "An answer in JSON is not requested together with functions.",
		Why:       "Models before the generation 3 refuse the two together.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/googleapis/python-genai/issues/867", Says: "the 400: Function calling with a response mime type: 'application/json' is unsupported"},
			{URL: "https://github.com/symfony/ai/issues/1777", Says: "the same of gemini-2.5-flash"},
		},
		Vars: []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			config := under(body, "generationConfig")
			if !declaresFunctions(body) || under(config, "responseMimeType").Text() != "application/json" {
				return nil
			}
			said := under(config, "responseMimeType")
			return []trace.Finding{at(said, "", "an answer in JSON is asked for beside functions", "text/plain, or no functions", placed(said, said.Text()))}
		}),
	},
	{
		ID:        "egress/thinking-said-once",
		Level:     trace.Must,
		Text:      "thinkingConfig has a thinkingLevel or a thinkingBudget, and not both.",
		Why:       "Gemini 3 refuses a request with both.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/gemini-api/docs/gemini-3#thinking_level", Says: "both in one request: a 400"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			config := under(under(body, "generationConfig"), "thinkingConfig")
			if !isGiven(under(config, "thinkingLevel")) || !isGiven(under(config, "thinkingBudget")) {
				return nil
			}
			return []trace.Finding{at(config, "", "how much to think is said twice", "thinkingLevel or thinkingBudget", placed(config, "both"))}
		}),
	},
	{
		ID:        "egress/stop-sequences-few",
		Level:     trace.Should,
		Text:      "A request has at most five stopSequences.",
		Why:       "The API takes no more.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: configDocs, Says: "stopSequences[]: up to 5"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			said := under(under(body, "generationConfig"), "stopSequences")
			if count := len(gemini.Items(said)); count > 5 {
				return []trace.Finding{at(said, "", "more stop sequences than the API takes", "at most 5", placed(said, strconv.Itoa(count)))}
			}
			return nil
		}),
	},
	{
		ID:        "egress/response-schema-with-json",
		Level:     trace.Should,
		Text:      "A schema for the answer is sent once, as responseSchema or responseJsonSchema, and with a responseMimeType that allows a schema.",
		Why:       "Without the type the schema is refused; of two schemas it is not clear which one counts.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: configDocs, Says: "responseSchema: if set, a compatible responseMimeType must also be set; responseJsonSchema: responseSchema must be omitted"}},
		Vars:      []string{"at", "found"},
		Request:   rules.InBody(responseSchemaWithoutJSON),
	},
	{
		ID:        "egress/config-types",
		Level:     trace.Must,
		Text:      "The values of generationConfig have their types: temperature is a number, maxOutputTokens an integer, stopSequences a list of strings.",
		Why:       "A value of another type is refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: configDocs, Says: "the types of the fields"},
			{URL: "https://protobuf.dev/programming-guides/json/", Says: "numbers may be written as texts"},
		},
		Vars:    misreadVars,
		Request: rules.InBody(func(body *wire.Node) []trace.Finding { return wrongTypes(under(body, "generationConfig")) }),
	},
	{
		ID:        "egress/config-ranges",
		Level:     trace.Should,
		Text:      "temperature is between 0 and 2, topP between 0 and 1, topK at least 1, candidateCount from 1 to 8, maxOutputTokens from 1 to 65536, thinkingBudget from -1 to 32768, and responseMimeType one that the API has.",
		Why:       "Values beyond that are refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: configDocs, Says: "temperature: values can range from [0.0, 2.0]"},
			{URL: "https://github.com/stackblitz-labs/bolt.diy/issues/955", Says: "the 400 for maxOutputTokens above the limit of the model"},
			{URL: "https://ai.google.dev/gemini-api/docs/models", Says: "65536 output tokens of each model since 2.5"},
			{URL: "https://github.com/genkit-ai/genkit/issues/1397", Says: "the 400 for topK, in the same words"},
			{URL: "https://github.com/RooCodeInc/Roo-Code/issues/4399", Says: "the 400 for a thinkingBudget of 52428"},
			{URL: "https://ai.google.dev/gemini-api/docs/thinking", Says: "thinkingBudget: up to 32768; -1 leaves it to the model"},
		},
		Vars:    []string{"at", "found", "key"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding { return outOfRange(under(body, "generationConfig")) }),
	},
}

func declaresFunctions(body *wire.Node) bool {
	return slices.ContainsFunc(gemini.Items(body.Get("tools")), func(t *wire.Node) bool {
		return len(gemini.Items(under(t, "functionDeclarations"))) > 0
	})
}

func ownToolsBesideFunctions(body *wire.Node) (all []trace.Finding) {
	if !declaresFunctions(body) || under(under(body, "toolConfig"), "includeServerSideToolInvocations").True() {
		return nil
	}
	for _, tool := range gemini.Items(body.Get("tools")) {
		for _, m := range membersOf(tool) {
			if key := gemini.Camel(m.Key); key != "functionDeclarations" && slices.Contains(keysOf["Tool"], key) && isGiven(m.Value) {
				all = append(all, at(tool, m.Key, "a tool of Google's beside functions", "functions alone", placed(tool, key)))
			}
		}
	}
	return all
}

// typesWithSchema are the types of answers that may have a schema.
var typesWithSchema = []string{"application/json", "text/x.enum"}

func responseSchemaWithoutJSON(body *wire.Node) (all []trace.Finding) {
	config := under(body, "generationConfig")
	var said []*wire.Node
	for _, key := range []string{"responseSchema", "responseJsonSchema"} {
		if schema := under(config, key); isGiven(schema) {
			said = append(said, schema)
		}
	}
	if len(said) > 0 && !slices.Contains(typesWithSchema, under(config, "responseMimeType").Text()) {
		all = append(all, at(said[0], "", "a schema of the answer without a type that has one", "responseMimeType application/json", placed(said[0], under(config, "responseMimeType").Text())))
	}
	if len(said) > 1 {
		all = append(all, at(said[1], "", "the schema of the answer is given twice", "responseSchema or responseJsonSchema", placed(said[1], "both")))
	}
	return all
}

// configTypes are the types of the numbers and lists of generationConfig, in the terms of Google's
// errors.
var configTypes = map[string]string{
	"temperature": "TYPE_FLOAT", "topP": "TYPE_FLOAT", "topK": "TYPE_INT32", "candidateCount": "TYPE_INT32", "maxOutputTokens": "TYPE_INT32",
	"seed": "TYPE_INT32", "presencePenalty": "TYPE_FLOAT", "frequencyPenalty": "TYPE_FLOAT", "logprobs": "TYPE_INT32",
	"responseLogprobs": "TYPE_BOOL", "responseMimeType": "TYPE_STRING", "stopSequences": "TYPE_STRING",
}

func wrongTypes(config *wire.Node) (all []trace.Finding) {
	for _, m := range membersOf(config) {
		want := configTypes[gemini.Camel(m.Key)]
		if want == "" || !isGiven(m.Value) {
			continue
		}
		values := []*wire.Node{m.Value}
		if gemini.Camel(m.Key) == "stopSequences" {
			values = gemini.Items(m.Value)
		}
		for _, value := range values {
			if !hasType(value, want) {
				all = append(all, at(value, "", fmt.Sprintf("%s is %s", m.Key, rules.KindOf(value)), want, misread(value, want)))
			}
		}
	}
	return all
}

func hasType(n *wire.Node, want string) bool {
	number, isNumber := numberOf(n)
	switch want {
	case "TYPE_FLOAT":
		return isNumber
	case "TYPE_INT32":
		return isNumber && number == float64(int32(number))
	case "TYPE_INT64":
		return isNumber && number == math.Trunc(number)
	case "TYPE_BOOL":
		return isFlag(n)
	default:
		return n.Is(wire.String)
	}
}

// flagWords are the texts that stand for a flag, in small letters or not: safe_strtob of protobuf.
var flagWords = []string{"true", "t", "yes", "y", "1", "false", "f", "no", "n", "0"}

// isFlag reports whether a value stands for a flag: google/protobuf/util/internal/datapiece.cc
// (ToBool).
func isFlag(n *wire.Node) bool {
	return n.Is(wire.Bool) || n.Is(wire.String) && slices.Contains(flagWords, strings.ToLower(n.Text()))
}

// numberOf reads a number, which may be written as a text.
func numberOf(n *wire.Node) (float64, bool) {
	text := string(n.Raw)
	if n.Is(wire.String) {
		text = n.Text()
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}

// configRanges are where the numbers of generationConfig may be. Of topK the upper end is the
// model's.
var configRanges = []struct {
	key         string
	least, most float64
	words       string
}{
	{"temperature", 0, 2, "between 0 and 2"}, {"topP", 0, 1, "between 0 and 1"}, {"topK", 1, math.Inf(1), "1 or more"},
	{"candidateCount", 1, 8, "from 1 to 8"}, {"maxOutputTokens", 1, 65536, "from 1 to 65536"}, {"thinkingBudget", -1, 32768, "from -1 to 32768"},
}

// mimeTypes are those of answers: the words of the API where it refuses another. Models that draw
// or speak take none.
var mimeTypes = []string{"text/plain", "application/json", "application/xml", "application/yaml", "text/x.enum"}

func outOfRange(config *wire.Node) (all []trace.Finding) {
	find := func(said *wire.Node, key, message, expected, found string) {
		f := at(said, "", message, expected, placed(said, found))
		f.Vars["key"] = key
		all = append(all, f)
	}
	for _, r := range configRanges {
		said := under(config, r.key)
		if r.key == "thinkingBudget" {
			said = under(under(config, "thinkingConfig"), r.key)
		}
		if !isGiven(said) {
			continue
		}
		if number, ok := numberOf(said); ok && (number < r.least || number > r.most) {
			find(said, r.key, r.key+" is out of its range", r.words, said.TextOrJSON())
		}
	}
	if said := under(config, "responseMimeType"); said.Text() != "" && !slices.Contains(mimeTypes, said.Text()) {
		find(said, "responseMimeType", "a type of answers that the API does not have", "one of "+rules.List(mimeTypes), said.Text())
	}
	return all
}
