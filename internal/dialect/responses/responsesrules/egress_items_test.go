package responsesrules_test

import (
	"fmt"
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

var (
	itemCity = OneCity.Under("openai-responses")

	// thoughtfulItems is a turn that thinks before it calls.
	thoughtfulItems = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("openai-responses")
)

// openCity and openlyThoughtful are the same of a provider that shows reasoning as content.
var (
	openCity         = OneCity.Under("llamacpp-responses")
	openlyThoughtful = thoughtfulItems.Under("llamacpp-responses")
)

const partsWithText = "a list of parts, of which the first has a text"

// backWith is a round of itemCity whose second request has more items before its end.
func backWith(items string) string {
	return SecondRequest(`calls oslo
		result oslo
		` + items)
}

// inPlaceOfCall is one whose call goes back as it is given here.
func inPlaceOfCall(item string) string {
	return SecondRequest(`` + item + `
		result oslo`)
}

// inPlaceOfResult is one whose result is as it is given here.
func inPlaceOfResult(item string) string {
	return SecondRequest(`calls oslo
		` + item)
}

// itemRule are cases of a rule about items: what is right, and one item that is wrong, with what is found in it.
func itemRule(right []string, wrong string, pointer, message, expected, actual string, more ...Case) []Case {
	cases := []Case{
		Holds("as the reference has it", itemCity, OneCityDone),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("one that is wrong", itemCity, backWith(wrong), Found(2, pointer, message, expected, actual)),
	}
	for n, item := range right {
		cases = append(cases, Holds(fmt.Sprint("right too ", n+1), itemCity, backWith(item)))
	}
	return append(cases, more...)
}

// keyRule are cases of a rule about a key of the request.
func keyRule(right []string, wrong string, pointer, message, expected, actual string, more ...Case) []Case {
	cases := []Case{
		Holds("not said", itemCity, OneCityDone),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("wrong", itemCity, AskingWith(wrong), Found(2, pointer, message, expected, actual)),
	}
	for n, keys := range right {
		cases = append(cases, Holds(fmt.Sprint("right ", n+1), itemCity, AskingWith(keys)))
	}
	return append(cases, more...)
}

// pairOf is a call with an id of some characters.
func pairOf(length int) string {
	return `{"type":"function_call","call_id":"` + strings.Repeat("c", length) + `","name":"get_weather","arguments":"{}"}`
}

const typesTaken = "a type that the API takes, such as message or function_call_output"

var responsesItemsCases = Cases{
	"egress/item-types": itemRule(
		[]string{
			`{"type":"message","role":"developer","content":"Be brief."}`, `{"type":"web_search_call","id":"ws_1","status":"completed"}`,
			`{"type":"acme:note","id":"n_1"}`, `{"type":"compaction","encrypted_content":"x"}`, `{"type":"item_reference","id":"msg_1"}`,
			`{"type":"compaction_trigger"}`, `{"type":"configuration_update","reasoning":{"effort":"low"}}`, `{"type":"program_output","id":"p_1"}`,
		},
		`{"type":"output_text","text":"So."}`, "/input/3/type", `the input has an item of the type "output_text"`, typesTaken, `{"type":"output_text","text":"So."}`,
		Breaks("no type", itemCity, backWith(`{"text":"So."}`), Found(2, "/input/3/type", "the input has an item without a type", typesTaken, `{"text":"So."}`)),
	),
	"egress/item-keys": itemRule(
		[]string{`{"type":"reasoning","id":"rs_1","summary":[],"content":[],"encrypted_content":"x"}`, `{"type":"message","role":"assistant","id":"msg_1","status":"completed","phase":"final_answer","content":"So."}`, `{"type":"web_search_call","id":"ws_1","action":{}}`, `{"type":"function_call","call_id":"c1","name":"get_weather","arguments":"{}","async":true}`},
		`{"type":"reasoning","summary":[],"status":null}`, "/input/3/status", `an item of the type "reasoning" has the key "status"`, "only type, id, summary, content, encrypted_content", `"status": null`,
	),
	"egress/arguments-given": {
		Holds("with them", itemCity, OneCityDone),
		Holds("empty", itemCity, inPlaceOfCall(`{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":""}`)),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("without", itemCity, inPlaceOfCall(`{"type":"function_call","call_id":"{{oslo}}","name":"get_weather"}`),
			Found(2, "/input/1/arguments", "a call without arguments", "a string, which may be {}", "nothing")),
		Breaks("an object", itemCity, inPlaceOfCall(`{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":{"city":"Oslo"}}`),
			Found(2, "/input/1/arguments", "the arguments of a call are no string", "a string, which may be {}", `{"city":"Oslo"}`)),
	},
	"egress/output-form": {
		Holds("a text", itemCity, OneCityDone),
		Holds("a list of parts", itemCity, inPlaceOfResult(`{"type":"function_call_output","call_id":"{{oslo}}","output":[{"type":"input_text","text":"4 C"}]}`)),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("an object", itemCity, inPlaceOfResult(`{"type":"function_call_output","call_id":"{{oslo}}","output":{"text":"4 C"}}`),
			Found(2, "/input/2/output", "the output of a call is not a text and no list of parts", "a string or a list of parts", `{"text":"4 C"}`)),
		Breaks("nothing", itemCity, inPlaceOfResult(`{"type":"function_call_output","call_id":"{{oslo}}"}`),
			Found(2, "/input/2/output", "the output of a call is not a text and no list of parts", "a string or a list of parts", "nothing")),
	},
	"egress/output-part-types": {
		Holds("a text", itemCity, OneCityDone),
		Holds("parts", itemCity, inPlaceOfResult(`{"type":"function_call_output","call_id":"{{oslo}}","output":[{"type":"input_text","text":"4 C"},{"type":"input_image","image_url":"data:image/png;base64,eA=="},{"type":"input_file","file_id":"f"}]}`)),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("a part of Chat Completions", itemCity, inPlaceOfResult(`{"type":"function_call_output","call_id":"{{oslo}}","output":[{"type":"text","text":"4 C"}]}`),
			Found(2, "/input/2/output/0", `an output has a part of the type "text"`, "input_text or input_image or input_file", `{"type":"text","text":"4 C"}`)),
	},
	"egress/input-part-types": itemRule(
		[]string{`{"role":"user","content":[{"type":"input_text","text":"So?"},{"type":"input_image","file_id":"f"},{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}]}`, `{"role":"assistant","content":[{"type":"output_text","text":"So."}]}`},
		`{"role":"user","content":[{"type":"text","text":"So?"}]}`, "/input/3/content/0", `a message of the user has a part of the type "text"`, "input_text or input_image or input_file or input_audio or scoped_content", `{"type":"text","text":"So?"}`,
	),
	"egress/answer-part-types": itemRule(
		[]string{`{"role":"assistant","content":[{"type":"output_text","text":"So."},{"type":"refusal","refusal":"No."}]}`, `{"role":"assistant","content":"So."}`},
		`{"role":"assistant","content":[{"type":"input_text","text":"So."}]}`, "/input/3/content/0", `a message of the assistant has a part of the type "input_text"`, "output_text or refusal", `{"type":"input_text","text":"So."}`,
	),
	"egress/content-part-form": itemRule(
		[]string{`{"role":"user","content":[{"type":"input_text","text":""},{"type":"input_image","file_id":"f"},{"type":"input_image","image_url":"https://example.com/x.png"}]}`},
		`{"role":"user","content":[{"type":"input_image","image_url":{"url":"https://example.com/x.png"}}]}`, "/input/3/content/0/image_url", "an image has no URL as a string", "a URL or a data URL, as a string", `{"url":"https://example.com/x.png"}`,
		Breaks("a text of null", itemCity, backWith(`{"role":"assistant","content":[{"type":"refusal","refusal":null}]}`),
			Found(2, "/input/3/content/0/refusal", `a part of the type "refusal" has no refusal as a string`, "a string", "null")),
	),
	"egress/item-id-prefix": itemRule(
		[]string{`{"type":"reasoning","id":"rs_1","summary":[]}`, `{"type":"message","role":"assistant","id":"msg_1","content":"So."}`, `{"role":"user","id":"u1","content":"So?"}`, `{"type":"web_search_call","id":"ws_1"}`},
		`{"type":"reasoning","id":"item_1","summary":[]}`, "/input/3/id", `the id of an item of the type "reasoning" does not begin with "rs"`, "an id that begins with rs_", `"item_1"`,
		Breaks("a call_id", itemCity, inPlaceOfCall(`{"type":"function_call","id":"{{oslo}}","call_id":"{{oslo}}","name":"get_weather","arguments":"{}"}`),
			Found(2, "/input/1/id", `the id of an item of the type "function_call" does not begin with "fc"`, "an id that begins with fc_", `"{{oslo}}"`)),
	),
	"egress/item-id-form": itemRule(
		[]string{`{"role":"user","id":"u-1_A","content":"So?"}`, `{"role":"user","id":null,"content":"So?"}`},
		`{"role":"user","id":"","content":"So?"}`, "/input/3/id", "the id of an item is none", "1 to 64 letters, digits, underscores and dashes, or no id", `""`,
		Breaks("a bar in it", itemCity, backWith(`{"role":"user","id":"call_1|fc_1","content":"So?"}`),
			Found(2, "/input/3/id", "the id of an item is none", "1 to 64 letters, digits, underscores and dashes, or no id", `"call_1|fc_1"`)),
	),
	"egress/call-id-length": itemRule(
		[]string{pairOf(64)},
		pairOf(65), "/input/3/call_id", "a call_id is too long", "at most 64 characters", `"`+strings.Repeat("c", 65)+`"`,
	),
	"egress/tool-choice-word": keyRule(
		[]string{`{"tool_choice":"required"}`, `{"tool_choice":{"type":"function","name":"get_weather"}}`, `{"tool_choice":null}`},
		`{"tool_choice":"any"}`, "/tool_choice", "tool_choice has a word that the API does not know", "one of none, auto, required, or an object", `"any"`,
	),
	"egress/item-ids-distinct": itemRule(
		[]string{`{"role":"user","id":"a","content":"So?"},{"role":"user","id":"b","content":"So?"}`, `{"type":"message","role":"assistant","id":"msg_1","content":"So."},{"type":"item_reference","id":"msg_1"}`},
		`{"role":"user","id":"a","content":"So?"},{"role":"user","id":"a","content":"And?"}`, "/input/4/id", "two items have the same id", "an id that no other item has", `"a"`,
	),
	"egress/item-status": itemRule(
		[]string{`{"role":"assistant","status":"incomplete","content":"So."}`, `{"role":"assistant","status":null,"content":"So."}`, `{"type":"web_search_call","status":"searching"}`},
		`{"role":"assistant","status":"done","content":"So."}`, "/input/3/status", "an item has a status that there is not", "in_progress, completed or incomplete", `"done"`,
	),
	"egress/summary-given": {
		Holds("as it came", thoughtfulItems, OneCityDone),
		SeesNothing("no reasoning", itemCity, OneCityDone),
		Breaks("none", itemCity, backWith(`{"type":"reasoning","id":"rs_1","encrypted_content":"x"}`),
			Found(2, "/input/3/summary", "reasoning without a summary", "a list, which may be empty", "nothing")),
		Breaks("a text", itemCity, backWith(`{"type":"reasoning","summary":["I look."]}`),
			Found(2, "/input/3/summary/0", "a part of a summary is not a text", `an object of the type "summary_text" with a text`, `"I look."`)),
	},
	"egress/reasoning-content-given": {
		Holds("as it came", openlyThoughtful, OneCityDone),
		Holds("more than one part", openCity, backWith(`{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":""},{"type":"reasoning_text"}]}`)),
		SeesNothing("no reasoning", openCity, OneCityDone),
		SeesNothing("under a profile that shows a summary", itemCity, backWith(`{"type":"reasoning","id":"rs_1","summary":[]}`)),
		Breaks("none", openCity, backWith(`{"type":"reasoning","summary":[]}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, "nothing")),
		Breaks("null", openCity, backWith(`{"type":"reasoning","summary":[],"content":null}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, "null")),
		Breaks("an empty list", openCity, backWith(`{"type":"reasoning","summary":[],"content":[]}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, "[]")),
		Breaks("a part without a text", openCity, backWith(`{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text"}]}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, `[{"type":"reasoning_text"}]`)),
		Breaks("where it is taken", OneCity.Under("vllm-responses"), backWith(`{"type":"reasoning","id":"rs_1","summary":[]}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, "nothing")),
	},
	"egress/phase-form": itemRule(
		[]string{`{"role":"assistant","phase":"commentary","content":"So."}`, `{"role":"assistant","phase":null,"content":"So."}`},
		`{"role":"user","phase":"commentary","content":"So?"}`, "/input/3/phase", "a phase that there is not", "commentary or final_answer, of the assistant", `"commentary"`,
		Breaks("another word", itemCity, backWith(`{"role":"assistant","phase":"final","content":"So."}`),
			Found(2, "/input/3/phase", "a phase that there is not", "commentary or final_answer, of the assistant", `"final"`)),
	),
}

var responsesRequestCases = Cases{
	"egress/flat-tools": keyRule(
		[]string{`{"tools":[{"type":"function","name":"get_weather","parameters":{},"strict":true}]}`},
		`{"tools":[{"type":"function","function":{"name":"get_weather"}}]}`, "/tools/0/function", "a function is offered in the form of Chat Completions", "name, description and parameters alongside the type", `{"name":"get_weather"}`,
		Breaks("without a type", itemCity, AskingWith(`{"tools":[{"name":"get_weather","input_schema":{}}]}`),
			Found(2, "/tools/0/type", "a tool is offered without a type", `"function", or the type of a tool of the provider`, "nothing")),
		Breaks("without a type, of a server", OneCity.Under("lmstudio-responses"), AskingWith(`{"tools":[{"name":"get_weather","input_schema":{}}]}`),
			Found(2, "/tools/0/type", "a tool is offered without a type", `"function", or the type of a tool of the provider`, "nothing").Only(trace.Should)),
	),
	"egress/function-keys": keyRule(
		[]string{`{"tools":[{"type":"function","name":"get_weather","description":"x","parameters":{},"strict":true,"async":true},{"type":"web_search","filters":{}}]}`},
		`{"tools":[{"type":"function","name":"get_weather","input_schema":{}}]}`, "/tools/0/input_schema", `a function has the key "input_schema"`, "only type, name, description, parameters, strict", `{}`,
	),
	"egress/flat-tool-choice": keyRule(
		[]string{`{"tool_choice":"auto"}`, `{"tool_choice":{"type":"function","name":"get_weather"}}`},
		`{"tool_choice":{"type":"function","function":{"name":"get_weather"}}}`, "/tool_choice/name", "tool_choice names no function", `{"type":"function","name":"..."}`, "nothing",
	),
	"egress/enough-output-tokens": keyRule(
		[]string{`{"max_output_tokens":16}`, `{"max_output_tokens":null}`},
		`{"max_output_tokens":1}`, "/max_output_tokens", "an answer may be too short", "16 or more", "1",
	),
	"egress/one-history": keyRule(
		[]string{`{"conversation":"conv_1"}`, `{"conversation":"conv_1","previous_response_id":null}`},
		`{"conversation":"conv_1","previous_response_id":"resp_1"}`, "/conversation", "the request goes on from two histories", "one of previous_response_id and conversation", `"conv_1"`,
	),
	"egress/include-words": keyRule(
		[]string{`{"include":[]}`, `{"include":["message.output_text.logprobs"]}`},
		`{"include":["reasoning"]}`, "/include/0", "include has a word that the API does not know", "one of its words, such as reasoning.encrypted_content", `"reasoning"`,
	),
	"egress/instructions-are-text": keyRule(
		[]string{`{"instructions":"Be brief."}`, `{"instructions":null}`},
		`{"instructions":[{"type":"input_text","text":"Be brief."}]}`, "/instructions", "the instructions are no text", "a string", `[{"type":"input_text","text":"Be brief."}]`,
	),
	"egress/format-in-text": keyRule(
		[]string{`{"text":{"format":{"type":"json_schema","name":"x","schema":{}}}}`, `{"text":{"verbosity":"low"}}`},
		`{"text":{"format":{"type":"json_schema","json_schema":{"name":"x"}}}}`, "/text/format/name", "the format of the answer has no name", "type, name and schema", "nothing",
	),
	"egress/reasoning-options": keyRule(
		[]string{`{"reasoning":{"effort":"low","summary":"auto"}}`, `{"reasoning":null}`},
		`{"reasoning":"low"}`, "/reasoning", "reasoning is not an object", "an object", `"low"`,
		Breaks("another word", itemCity, `
			asks
			runs oslo
			asks on with {"reasoning":{"summary":true}}
				calls oslo
				result oslo
			completed`, Found(2, "/reasoning/summary", "summary has a word that the API does not know", "one of auto, concise, detailed", "true")),
	),
	"egress/truncation-word": keyRule(
		[]string{`{"truncation":"auto"}`, `{"truncation":null}`},
		`{"truncation":"oldest"}`, "/truncation", "truncation has a word that the API does not know", "one of auto, disabled", `"oldest"`,
	),
	"egress/metadata-form": keyRule(
		[]string{`{"metadata":{"run":"1"}}`, `{"metadata":null}`},
		`{"metadata":{"run":1}}`, "/metadata/run", "an entry of metadata is no short text", "a text of at most 512 characters", "1",
		Breaks("a text", itemCity, `
			asks
			runs oslo
			asks on with {"metadata":"run 1"}
				calls oslo
				result oslo
			completed`, Found(2, "/metadata", "metadata are no object of at most 16 texts", "at most 16 texts by their keys", `"run 1"`)),
	),
	"egress/background-is-stored": keyRule(
		[]string{`{"background":true,"store":true}`, `{"background":false,"store":false}`},
		`{"background":true,"store":false}`, "/store", "a response is made in the background and not stored", "true, or no such key", "false",
	),
	"egress/cache-key-length": keyRule(
		[]string{`{"prompt_cache_key":"x"}`},
		`{"safety_identifier":"0123456789012345678901234567890123456789012345678901234567890123456789"}`, "/safety_identifier", "safety_identifier is too long", "at most 64 characters", `"0123456789012345678901234567890123456789012345678901234567890123456789"`,
	),
	"egress/stored-items-are-referred-to": itemRule(
		nil, `{"type":"item_reference","id":"msg_1"}`, "/input/3/id", "the request refers to an item by its id, and nothing is stored", "the item in full", `"msg_1"`,
		SeesNothing("stored", itemCity, `
			asks with {"store":true}
			runs oslo
			asks on with {"store":true}
				calls oslo
				result oslo
				{"type":"item_reference","id":"msg_1"}
			completed`),
	),
	"egress/reasoning-followed": {
		Holds("by the call", thoughtfulItems, OneCityDone),
		Holds("by a message", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`+"\n"+`{"role":"assistant","content":"It is cold."}`)),
		Holds("by what is referred to", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`+"\n"+`{"type":"item_reference","id":"msg_1"}`)),
		Holds("by more reasoning", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`+"\n"+`{"type":"reasoning","id":"rs_3","summary":[]}`+"\n"+`{"role":"assistant","content":"It is cold."}`)),
		Holds("without an id", thoughtfulItems, backWith(`{"type":"reasoning","summary":[]}`+"\n"+`{"role":"user","content":"Go on."}`)),
		Holds("at the end, which is for ends-with-input", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`)),
		SeesNothing("no reasoning", itemCity, OneCityDone),
		Breaks("by the user", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`+"\n"+`{"role":"user","content":"Go on."}`),
			Found(2, "/input/4", "reasoning is followed by an item that is not of the model", "the item that followed it", `{"type":"reasoning","id":"rs_2","summary":[]}`)),
		Breaks("by an output", thoughtfulItems, backAs(`{"type":"reasoning","id":"rs_2","summary":[]}`),
			Found(2, "/input/1", "reasoning is followed by an item that is not of the model", "the item that followed it", `{"type":"reasoning","id":"rs_2","summary":[]}`)),
	},
	"egress/ends-with-input": {
		Holds("after the results nothing", thoughtfulItems, OneCityDone),
		SeesNothing("no reasoning", itemCity, OneCityDone),
		Breaks("reasoning after the results", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`),
			Found(2, "/input/4", "the request ends with reasoning", "the item that followed it", `{"type":"reasoning","id":"rs_2","summary":[]}`)),
	},
}
