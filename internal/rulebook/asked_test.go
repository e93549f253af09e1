package rulebook_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// TestAsked: a rule about something that a loop need not ask for is not claimed by one that does
// not. What there is to see is judged anyway.
func TestAsked(t *testing.T) {
	said := func(answer bool) func(*rules.Run) bool { return func(*rules.Run) bool { return answer } }
	nothing, seen := rules.CheckResult{}, rules.CheckResult{HasEvidence: true}
	broken := rules.CheckResult{HasEvidence: true, Findings: []trace.Finding{{Request: 1, Message: "wrong"}}}
	everything := claiming(protocol.Features()...)
	for _, test := range []struct {
		name   string
		asked  func(*rules.Run) bool
		found  rules.CheckResult
		claims rules.Claims
		want   trace.Verdict
	}{
		{"nobody has to ask, and there is nothing", nil, nothing, everything, trace.Untested},
		{"nobody has to ask, and it is kept", nil, seen, everything, trace.Passed},
		{"asked, and there is nothing", said(true), nothing, everything, trace.Untested},
		{"asked, and it is kept", said(true), seen, everything, trace.Passed},
		{"asked, and it is broken", said(true), broken, everything, trace.Failed},
		{"not asked, and there is nothing", said(false), nothing, everything, trace.Unclaimed},
		{"not asked, and it is kept", said(false), seen, everything, trace.Passed},
		{"not asked, and it is broken", said(false), broken, everything, trace.Failed},
		{"asked, of a loop that does not claim the feature", said(true), broken, claiming(), trace.Unclaimed},
	} {
		t.Run(test.name, func(t *testing.T) {
			rule := rules.Rule{
				ID: "egress/made-up", Level: trace.Must, Needs: []protocol.Feature{protocol.Retries}, Asked: test.asked,
				Run: func(*rules.Run) rules.CheckResult { return test.found },
			}
			if j := rule.Judge(OneCity.Play(t, OneCityDone), test.claims); j.Verdict != test.want {
				t.Errorf("the verdict is %q, want %q", j.Verdict, test.want)
			}
		})
	}
}

// TestRulesThatAreAskedFor holds every rule with Asked against runs that asked, and runs that did
// not.
func TestRulesThatAreAskedFor(t *testing.T) {
	city := OneCity.Under("openai-responses")
	thinking := Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning-details: [{type: summary, text: I look it up.}, {type: encrypted}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("openai-responses")
	pausing := Scene(`
prompt: Is 4 C normal in Oslo?
model:
  - text: I look it up.
    blocks: ['{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}']
    finish: pause
  - text: It is.
`).Under("anthropic")
	halfAndRest := Scene(Half.Scenario + "\n  - text: cold.\n")
	const storing = `with {"store":true,"include":[]}`
	const pausingAtSummary = `with {"context_management":{"edits":[{"type":"compact_20260112","pause_after_compaction":true}]}}`
	table := map[string][]struct {
		name     string
		in       Setting
		dialogue string
		want     trace.Verdict
	}{
		"compaction/ends": {
			{"a summary was asked for", SmallContext, AfterRound("asks without tools\n\tuser: Summarise it.\nasks\n\tuser: Summary: Oslo has been looked up.\n\tprompt 1\nfailed: later"), trace.Passed},
			{"none was asked for", SmallContext, AfterRound("failed: later"), trace.Unclaimed},
		},
		"egress/stored-items-are-referred-to": {
			{"nothing is stored", city, OneCityDone, trace.Passed},
			{"nothing is stored, and no result is sent", city, "asks\nfailed: later", trace.Untested},
			{"all is stored", city, "asks " + storing + "\nruns oslo\nasks on " + storing + "\n\tcalls oslo\n\tresult oslo\ncompleted", trace.Unclaimed},
			{"all is stored, and an item referred to", city, "asks " + storing + "\nruns oslo\nasks on " + storing + `
				{"type":"item_reference","id":"rs_1"}
				calls oslo
				result oslo
				completed`, trace.Unclaimed},
			{"nothing is stored, and an item referred to", city, `
				asks
				runs oslo
				asks on
					{"type":"item_reference","id":"rs_1"}
					calls oslo
					result oslo
				completed`, trace.Failed},
		},
		"egress/publisher-named": {
			{"the path of Vertex AI is asked", OneCity.Under("vertex-compat"), atOpenAPI("google/gemini-3-flash-preview"), trace.Passed},
			{"the same, for a model without a publisher", OneCity.Under("vertex-compat"), atOpenAPI("gemini-3-flash-preview"), trace.Failed},
			{"another path is asked", OneCity.Under("vertex-compat"), OneCityDone, trace.Unclaimed},
		},
		"egress/deployment-version": {
			{"a deployment of Azure is asked", OneCity.Under("azure"), "asks\nheader url: /openai/deployments/m/chat/completions?api-version=2024-10-21\nruns oslo\nasks on\nheader url: /openai/deployments/m/chat/completions?api-version=2024-10-21\n\tcalls oslo\n\tresult oslo\ncompleted", trace.Passed},
			{"the other path of Azure is asked", OneCity.Under("azure"), OneCityDone, trace.Unclaimed},
		},
		"finish/half-in-request-for-rest": {
			{"the rest was asked for", halfAndRest, AfterRound("asks on\n\tassistant: The weather in Oslo is not\n\tuser: Go on.\ncompleted: The weather in Oslo is not cold."), trace.Passed},
			{"the rest was asked for, without the half", halfAndRest, AfterRound("asks on\n\tuser: Go on.\ncompleted: cold."), trace.Failed},
			{"it ended", halfAndRest, AfterRound("stopped: length"), trace.Unclaimed},
		},
		"finish/half-in-answer": {
			{"the rest was asked for", halfAndRest, AfterRound("asks on\n\tassistant: The weather in Oslo is not\n\tuser: Go on.\ncompleted: The weather in Oslo is not cold."), trace.Passed},
			{"the rest was asked for, and it failed", halfAndRest, AfterRound("asks on\n\tassistant: The weather in Oslo is not\n\tuser: Go on.\nfailed: later"), trace.Untested},
			{"it ended", halfAndRest, AfterRound("stopped: length"), trace.Unclaimed},
		},
		"finish/compaction-is-continued": {
			{"a pause was asked for, and the request went on", CompactedBlocks, "asks " + pausingAtSummary + "\nruns oslo\nasks on " + pausingAtSummary + "\n\tcalls oslo\n\tresults oslo\nasks on " + pausingAtSummary + "\n\t" + `{"role":"assistant","content":[{"type":"compaction","content":"Oslo has 4 C."}]}` + "\nstopped: later", trace.Passed},
			{"a pause was asked for, and taken for the answer", CompactedBlocks, "asks " + pausingAtSummary + "\nruns oslo\nasks on " + pausingAtSummary + "\n\tcalls oslo\n\tresults oslo\ncompleted: Oslo has 4 C.", trace.Failed},
			{"no pause was asked for", CompactedBlocks, AfterRound("failed: later"), trace.Unclaimed},
		},
		"finish/pause-is-continued": {
			{"a turn paused", pausing, "asks\nasks on\n\t{{message 1}}\ncompleted", trace.Passed},
			{"a turn paused, and was taken for the answer", pausing, "asks\ncompleted: I look it up.", trace.Failed},
			{"no tool of the provider is offered", OneCity.Under("anthropic"), OneCityDone, trace.Unclaimed},
			{"a search is offered, and nothing paused", OneCity.Under("anthropic"), `asks with {"tools":[{"type":"web_search_20250305","name":"web_search"}]}` + "\nruns oslo\nasks on\n\tcalls oslo\n\tresult oslo\ncompleted", trace.Untested},
			{"a server of MCP is offered, and nothing paused", OneCity.Under("anthropic"), `asks with {"mcp_servers":[{"type":"url","name":"hotels","url":"https://example.com"}]}` + "\nruns oslo\nasks on\n\tcalls oslo\n\tresult oslo\ncompleted", trace.Untested},
		},
		"history/unknown-blocks-come-back": {
			{"a block came, and went back", pausing, "asks\nasks on\n\t{{message 1}}\ncompleted", trace.Passed},
			{"no tool of the provider is offered", OneCity.Under("anthropic"), OneCityDone, trace.Unclaimed},
			{"a search is offered, and no block came", OneCity.Under("anthropic"), `asks with {"tools":[{"type":"web_search_20250305","name":"web_search"}]}` + "\nruns oslo\nasks on\n\tcalls oslo\n\tresult oslo\ncompleted", trace.Untested},
		},
		"history/container-named": {
			{"no tool of the provider is offered", OneCity.Under("anthropic"), OneCityDone, trace.Unclaimed},
			{"a search is offered, and there is no container", OneCity.Under("anthropic"), `asks with {"tools":[{"type":"web_search_20250305","name":"web_search"}]}` + "\nruns oslo\nasks on\n\tcalls oslo\n\tresult oslo\ncompleted", trace.Untested},
		},
		"history/named-response-is-stored": {
			{"a response is named", OneCity.Under("openai-responses-stored"), secondKept(`{"previous_response_id":"resp_1"}`), trace.Passed},
			{"a conversation is named", OneCity.Under("openai-responses-stored"), secondKept(`{"conversation":"conv_1"}`), trace.Unclaimed},
		},
		"reasoning/encrypted-untouched": {
			{"asked for, and sent back", thinking, OneCityDone, trace.Passed},
			{"asked for, and nothing is sent back", thinking, "asks\nfailed: later", trace.Untested},
			{"not asked for", thinking, "asks without include\nruns oslo\nasks on without include\n\tcalls oslo\n\tresult oslo\ncompleted", trace.Unclaimed},
		},
	}
	for _, rule := range rulebook.Book() {
		if rule.Asked != nil && table[rule.ID] == nil {
			t.Errorf("no run shows what is judged of %s where nobody asked", rule.ID)
		}
	}
	everything := claiming(protocol.Features()...)
	for id, tests := range table {
		for _, test := range tests {
			t.Run(id+"/"+test.name, func(t *testing.T) {
				rule := rulebook.Lookup(id)
				if j := rule.Judge(test.in.Play(t, test.dialogue), everything); j.Verdict != test.want {
					t.Errorf("the verdict is %q, want %q: %v", j.Verdict, test.want, j.Findings)
				}
			})
		}
	}
}

// atOpenAPI asks for a model on the OpenAI-compatible path of Vertex AI.
func atOpenAPI(model string) string {
	there := ` with {"model":"` + model + `"}` + "\nheader url: /v1/projects/p/locations/global/endpoints/openapi/chat/completions"
	return "asks" + there + "\nruns oslo\nasks on" + there + "\n\tcalls oslo\n\tresult oslo\ncompleted"
}
