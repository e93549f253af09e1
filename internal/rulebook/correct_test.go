package rulebook_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// everyday has most of what happens to a loop: instructions, text alongside calls, spaces in arguments, a tool that fails,
// a result with quotes and letters beyond ASCII, and a user who goes on.
var everyday = Scene(`
system: You are terse.
prompts: [What do I wear in Bonn and in Lima?, Thank you.]
tools:
  get_weather:
    description: The weather in a city.
    parameters: {city: string, unit: string?}
    results:
      - {when: {city: Bonn}, fail: "the service for \"Bonn\" is down"}
      - {when: {city: Lima}, text: "19 °C,\n\"mild\""}
model:
  - text: I look up both.
    calls:
      - {as: bonn, tool: get_weather, arguments: '{"city": "Bonn"}'}
      - {as: lima, tool: get_weather, arguments: '{"city": "Lima"}'}
  - text: A shirt in Lima.
  - text: You are welcome.
`)

// TestCorrectLoops writes down how public loops hold this conversation, or others that are not everyday. None of them
// breaks a must; the shoulds that each breaks are listed.
func TestCorrectLoops(t *testing.T) {
	for _, test := range []struct {
		name     string
		in       Setting
		dialogue string
		shoulds  []string
	}{
		{"messages go back as the SDK gave them", everyday, `
			asks
			runs bonn
			runs lima
			asks on
				{{message 1}}
				{"role":"tool","tool_call_id":"{{bonn}}","content":"Error: the service for \"Bonn\" is down"}
				{"role":"tool","tool_call_id":"{{lima}}","content":"19 °C,\n\"mild\""}
			asks on
				{{message 2}}
				prompt 2
			completed`, nil},
		{"streamed, with an accumulated message and options for streams", everyday.By(wire.DeliverSSE), `
			asks with {"stream_options":{"include_usage":true}}
			runs bonn
			runs lima
			asks on with {"stream_options":{"include_usage":true}}
				{"role":"assistant","content":"I look up both.","refusal":null,"tool_calls":[{{bonn call}},{{lima call}}]}
				{"role":"tool","tool_call_id":"{{bonn}}","content":"Error: the service for \"Bonn\" is down"}
				{"role":"tool","tool_call_id":"{{lima}}","content":"19 °C,\n\"mild\""}
			asks on with {"stream_options":{"include_usage":true}}
				{"role":"assistant","content":"A shirt in Lima.","refusal":null}
				prompt 2
			completed`, nil},
		{"arguments are parsed and written again, failures are JSON, results are quoted", everyday, `
			asks with {"tool_choice":"auto"}
			runs bonn with {"city":"Bonn"}
			runs lima with {"city":"Lima"}
			asks on with {"tool_choice":"auto"}
				{"role":"assistant","content":"I look up both.","tool_calls":[{"id":"{{bonn}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Bonn\"}"}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"{{bonn}}","content":"{\"error\":\"the service for \\\"Bonn\\\" is down\"}"}
				{"role":"tool","tool_call_id":"{{lima}}","content":"\"19 °C,\\n\\\"mild\\\"\""}
			asks on with {"tool_choice":"auto"}
				assistant: A shirt in Lima.
				prompt 2
			completed`, []string{"arguments/echoed-verbatim", "execution/result-not-encoded-again"}},
		{"a Python loop: names on tool messages, a schema of its own, all escapes", everyday, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather","description":"The weather in a city.","strict":false,"parameters":{"properties":{"city":{"title":"City","type":"string"},"unit":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"Unit"}},"required":["city"],"title":"get_weather","type":"object"}}}]}
			runs lima with {"city": "Lima"}
			runs bonn with {"city": "Bonn"}
			asks on with {"tools":[{"type":"function","function":{"name":"get_weather","description":"The weather in a city.","strict":false,"parameters":{"properties":{"city":{"title":"City","type":"string"},"unit":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"Unit"}},"required":["city"],"title":"get_weather","type":"object"}}}]}
				{"content":"I look up both.","role":"assistant","tool_calls":[{"type":"function","id":"{{bonn}}","function":{"name":"get_weather","arguments":"{\"city\": \"Bonn\"}"}},{"type":"function","id":"{{lima}}","function":{"name":"get_weather","arguments":"{\"city\": \"Lima\"}"}}]}
				{"content":"Error executing tool get_weather: the service for \"Bonn\" is down\n Please fix your mistakes.","role":"tool","name":"get_weather","tool_call_id":"{{bonn}}"}
				{"content":"{\"result\": \"19 \\u00b0C,\\n\\\"mild\\\"\"}","role":"tool","name":"get_weather","tool_call_id":"{{lima}}"}
			asks on with {"tools":[{"type":"function","function":{"name":"get_weather","description":"The weather in a city.","strict":false,"parameters":{"properties":{"city":{"title":"City","type":"string"},"unit":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"Unit"}},"required":["city"],"title":"get_weather","type":"object"}}}]}
				{"content":"A shirt in Lima.","role":"assistant"}
				prompt 2
			completed`, []string{"execution/result-not-encoded-again", "execution/in-call-order"}},
		{"content in parts everywhere, developer for system, more user messages", everyday, `
			asks
				{"role":"developer","content":[{"type":"text","text":"You are terse."}]}
				{"role":"user","content":[{"type":"text","text":"<environment>\nlinux\n</environment>"}]}
				{"role":"user","content":[{"type":"text","text":"What do I wear in Bonn and in Lima?"},{"type":"text","text":"<time>12:00</time>"}]}
			runs bonn
			runs lima
			asks on
				{"role":"assistant","content":[{"type":"text","text":"I look up both."}],"tool_calls":[{{bonn call}},{{lima call}}]}
				{"role":"tool","tool_call_id":"{{bonn}}","content":[{"type":"text","text":"the service for \"Bonn\" is down"}]}
				{"role":"tool","tool_call_id":"{{lima}}","content":[{"type":"text","text":"19 °C,\n\"mild\""}]}
			asks on
				{"role":"assistant","content":[{"type":"text","text":"A shirt in Lima."}]}
				{"role":"user","content":[{"type":"text","text":"Thank you."},{"type":"text","text":"<time>12:01</time>"}]}
			completed`, []string{"egress/tool-content-is-one-text", "egress/assistant-content-is-one-text"}},
		{"ids of its own, results as they come, a second system prompt", everyday, `
			asks
				system: You are terse.
				system: Today is Monday.
				prompt 1
			runs lima as 2
			runs bonn as 1
			asks on
				{"role":"assistant","content":"I look up both.","tool_calls":[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Bonn\"}"}},{"id":"2","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"2","content":"19 °C,\n\"mild\""}
				{"role":"tool","tool_call_id":"1","content":"tool failed: the service for \"Bonn\" is down"}
			asks on
				assistant: A shirt in Lima.
				prompt 2
			completed`, []string{"pairing/results-in-call-order", "pairing/ids-echoed", "execution/in-call-order"}},
		{"one message for each call, ids of the tool runs unknown", everyday, `
			asks
			runs get_weather {"city":"Bonn"}
			runs get_weather {"city":"Lima"}
			asks on
				{"role":"assistant","content":"I look up both.","tool_calls":[{{bonn call}}]}
				{"role":"tool","tool_call_id":"{{bonn}}","content":"the service for \"Bonn\" is down"}
				{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}
				{"role":"tool","tool_call_id":"{{lima}}","content":"19 °C,\n\"mild\""}
			asks on
				assistant: A shirt in Lima.
				prompt 2
			completed`, []string{"history/turn-in-one-message"}},
		{"a loop that tries a failing tool again, and whose tools nobody can tell apart", everyday, `
			asks
			runs bonn as -
			runs lima as -
			runs bonn as -
			runs bonn as -
			asks on
				calls bonn, lima
				{"role":"tool","tool_call_id":"{{bonn}}","content":"gave up after 3 attempts: the service for \"Bonn\" is down"}
				{"role":"tool","tool_call_id":"{{lima}}","content":"19 °C,\n\"mild\""}
			asks on
				assistant: A shirt in Lima.
				prompt 2
			completed`, nil},
		{"a reminder at the end of each request", everyday, `
			asks
				system: You are terse.
				prompt 1
				system: 2 turns left.
			runs bonn
			runs lima
			asks
				system: You are terse.
				prompt 1
				calls bonn, lima
				{"role":"tool","tool_call_id":"{{bonn}}","content":"the service for \"Bonn\" is down"}
				{"role":"tool","tool_call_id":"{{lima}}","content":"19 °C,\n\"mild\""}
				system: 1 turn left.
			asks
				system: You are terse.
				prompt 1
				calls bonn, lima
				{"role":"tool","tool_call_id":"{{bonn}}","content":"the service for \"Bonn\" is down"}
				{"role":"tool","tool_call_id":"{{lima}}","content":"19 °C,\n\"mild\""}
				assistant: A shirt in Lima.
				prompt 2
				system: 0 turns left.
			completed`, []string{"history/earlier-messages-unchanged", "egress/system-messages-first"}},
		{"DeepSeek: the message as it came", Thinking, Round(AsReceived), nil},
		{"DeepSeek R1: without its reasoning", Thinking.Under("deepseek-r1"), OneCityDone, nil},
		{"OpenRouter: the message as it came", Thinking.Under("openrouter"), Round(AsReceived), nil},
		{"OpenRouter: raw reasoning as text", Thinking.Under("openrouter"), Round(`
			{"role":"assistant","content":null,"reasoning_content":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`), nil},
		{"Mistral: the message as it came, the tool by name", OneCity.Under("mistral"), Round(AsReceived), nil},
		{"vLLM: reasoning dropped", Thinking.Under("vllm"), OneCityDone, nil},
		{"{} for blank arguments", BlankTime, `
			asks
			runs time with {}
			asks on
				{"role":"assistant","content":null,"tool_calls":[{"id":"{{time}}","type":"function","function":{"name":"get_time","arguments":"{}"}}]}
				result time
			completed`, nil},
		{"broken arguments: told so, and repaired in the history", Mangled, `
			asks
			asks on
				{"role":"assistant","content":"","tool_calls":[{"id":"{{broken}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				result broken: Invalid JSON: {"city"
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`, nil},
		{"a broken input: its text in an object", BlockMangled, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{"INVALID_JSON":"{\"city\""}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`, nil},
		{"a broken input: an empty one", BlockMangled, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`, nil},
		{"a broken input: as far as a lenient parser reads it", BlockMangled, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{"city":null}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`, nil},
		{"broken arguments: the tool is run and complains", Wrong, `
			asks
			runs number
			asks on
				calls number
				result number: Error: validation failed
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`, nil},
		{"an unknown tool, with an error in JSON", Unknown, `
			asks
			asks on
				calls python
				result python: {"isError":true,"message":"Tool python not found. Available: get_weather"}
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`, nil},
		{"an empty result becomes a word", Silent, Answering("delete", "result delete: [no output]"), nil},
		{"half an answer is reported as such", Half, AfterRound("completed (length): The weather in Oslo is not"), nil},
		{"half an answer is asked on", Half, AfterRound(`asks on
			assistant: The weather in Oslo is not
			user: Continue.
		completed: The weather in Oslo is not bad.`), nil},
		{"half a call is answered with an error", CutInCall, AfterList(`asks on
			calls delete
			result delete: Error: the arguments were cut off
		completed`), nil},
		{"a rate limit, twice, by the SDK", Busy, AfterRound(`asks on after 1s
		asks on after 2s
		completed`), nil},
		{"a stream that broke off is asked for again", BrokenThenGoodAnswer, AfterRound(`asks on
		completed`), nil},
		{"a stream that broke off is a failure", BrokenAnswer.By(wire.DeliverSSE), AfterRound("failed: stream ended without a finish reason"), nil},
		{"the limit is reached before the last tool is run", Limited, LimitReached, nil},
		{"the limit is reached after the last tool was run", Limited, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			runs lima
			failed: Max turns (2) exceeded`, nil},
		{"the history is made shorter once it was too long", Overflowing, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			runs lima
			asks on
				calls lima
				result lima
			asks
				prompt 1
				calls lima
				result lima
			completed`, nil},
		{"an id comes again and is made new", RepeatedIDs, `
			asks
			runs author
			asks on
				calls author
				result author
			runs year as my_2
			asks on
				{"role":"assistant","content":null,"tool_calls":[{"id":"my_2","type":"function","function":{"name":"search","arguments":"{\"query\":\"Faust year\"}"}}]}
				{"role":"tool","tool_call_id":"my_2","content":"1808"}
			completed`, nil},
		{"a prompt that is cancelled in a tool is forgotten with all that came of it", CancelledThenTool, BeforePrompt(`
			runs lima
			cancels
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				prompt 3
			runs rome
			asks on
				calls rome
				result rome
			completed`), nil},
		{"a prompt that is cancelled in a tool is kept, with a result that says so", CancelledThenTool, BeforePrompt(`
			runs lima
			cancels
			asks on
				calls lima
				result lima: The user cancelled this.
				prompt 3
			runs rome
			asks on
				calls rome
				result rome
			completed`), nil},
		{"a tool that cannot be aborted runs on, while its call is answered", CancelledThenTool, BeforePrompt(`
			runs lima
			cancels
			asks on
				calls lima
				result lima: [Request interrupted by user]
				assistant: Interrupted.
				prompt 3
			runs rome
			asks on
				calls rome
				result rome
			completed`), nil},
		{"images are shown by the user", Seeing, Looked(`
				{"role":"tool","tool_call_id":"{{harbour}}","content":"See file 241a70."}
				result oslo
				{"role":"user","content":[{"type":"text","text":"This is file 241a70:"},` + HarbourURL + `]}`), nil},
		{"images are in results where OpenRouter takes them", Seeing.Under("openrouter"), Looked(`
				{"role":"tool","tool_call_id":"{{harbour}}","content":[{"type":"text","text":"The harbour."},` + HarbourURL + `]}
				result oslo`), nil},
		{"a cancel is an error like any other", CancelledAnswer.By(wire.DeliverSSE), BeforeCancel(`
			cancels
			waits 1s
			failed: AbortError: This operation was aborted`), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := test.in.Play(t, test.dialogue)
			run.ClaimsProfile = true
			var shoulds []string
			for _, rule := range rulebook.Book() {
				found := rule.Check(run).Findings
				if len(found) == 0 || rule.Area() == "record" || slices.Contains(rule.Needs, protocol.UsageCounts) { // none shows a record or counts tokens
					continue
				}
				shoulds = append(shoulds, rule.ID)
				if level := rule.LevelIn(run, rule.LevelUnder(run.Script.Profile)); level == trace.Must {
					t.Errorf("it breaks the must %s: %+v", rule.ID, found[0])
				}
			}
			if diff := cmp.Diff(test.shoulds, shoulds); diff != "" {
				t.Errorf("broken (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCorrectLoopsAreSeen: the loops above are no less evidence than the reference loop.
func TestCorrectLoopsAreSeen(t *testing.T) {
	run := everyday.Play(t, `
		asks
		runs bonn
		runs lima
		asks on
			{{message 1}}
			{"role":"tool","tool_call_id":"{{bonn}}","content":"Error: the service for \"Bonn\" is down"}
			{"role":"tool","tool_call_id":"{{lima}}","content":"19 °C,\n\"mild\""}
		asks on
			{{message 2}}
			prompt 2
		completed`)
	var unseen []string
	for _, rule := range rulebook.Book() {
		elsewhere := slices.Contains([]string{"reasoning", "record", "stream", "cancel", "images"}, rule.Area()) ||
			rule.ID == "outcome/as-expected" || slices.Contains(rule.Needs, protocol.TurnLimit) // everyday expects and limits nothing, and shows nothing
		if rule.In(chat.API) && rule.Invariant && !elsewhere && !rule.Check(run).HasEvidence {
			unseen = append(unseen, rule.ID)
		}
	}
	if len(unseen) > 0 {
		t.Errorf("not seen: %s", rules.List(unseen))
	}
}
