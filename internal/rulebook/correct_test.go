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

// everyday has most of what happens to a loop: instructions, text alongside calls, spaces in
// arguments, a tool that fails, a result with quotes and letters beyond ASCII, and a user who
// continues.
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

// asGiven is this conversation of a loop that sends messages back as the SDK gave them.
const asGiven = `
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
	completed`

// correctLoop is how a loop that breaks no must holds a conversation.
type correctLoop struct {
	name     string
	in       Setting
	dialogue string
	shoulds  []string // that it breaks
}

// correctEveryday writes down how public loops hold this conversation.
var correctEveryday = []correctLoop{
	{"messages go back as the SDK gave them", everyday, asGiven, nil},
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
		completed`, []string{"execution/result-not-encoded-again"}},
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
		completed`, []string{"pairing/results-in-call-order", "pairing/ids-echoed"}},
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
}

// TestCorrectLoops: none of these loops breaks a must, and each breaks the shoulds that are listed.
func TestCorrectLoops(t *testing.T) {
	for _, test := range slices.Concat(correctEveryday, correctElsewhere, correctUnusual, recordedLoops) {
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
				level := rule.LevelIn(run, rule.LevelUnder(run.Script.Profile))
				for _, f := range found {
					if level == trace.Must && (f.Level == "" || f.Level == trace.Must) {
						t.Errorf("it breaks the must %s: %+v", rule.ID, f)
						break
					}
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
	run := everyday.Play(t, asGiven)
	var unseen []string
	for _, rule := range rulebook.Book() {
		elsewhere := slices.Contains([]string{"reasoning", "record", "stream", "cancel", "images", "approvals", "steering", "models", "sub-agents", "programs", "sockets", "compaction", "sessions", "mcp"}, rule.Area()) ||
			slices.Contains([]string{"egress/key-sent", "egress/deployment-version", "egress/publisher-named", "outcome/as-expected", "execution/every-block-reaches-the-model"}, rule.ID) || slices.Contains(rule.Needs, protocol.TurnLimit) || slices.Contains(rule.Needs, protocol.TokenBudget) || slices.Contains(rule.Needs, protocol.AnswerSchema) // everyday expects and limits nothing, shows nothing, has no headers and no results of several blocks
		if rule.In(chat.API) && rule.Invariant && !elsewhere && !rule.Check(run).HasEvidence {
			unseen = append(unseen, rule.ID)
		}
	}
	if len(unseen) > 0 {
		t.Errorf("not seen: %s", rules.List(unseen))
	}
}
