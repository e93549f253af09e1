package report_test

import (
	"time"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// broken is the report of a loop that breaks a must and a should, leaves a must untested, and does
// not claim all features.
func broken() *report.Report {
	r := &report.Report{
		Schema: report.Schema, Version: "0.1.0", Seed: 41, Started: time.Date(2026, 8, 20, 9, 30, 0, 0, time.UTC), DurationMS: 4123,
		Loop:   report.Loop{Name: "openai-node runTools", Version: "7.55.0", Language: "javascript"},
		Result: report.NotConformant,
		Claims: report.Claims{
			Dialects:  []string{"chat"},
			Features:  []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.Executions},
			Unclaimed: []protocol.Feature{protocol.Cancel, protocol.Images, protocol.Retries},
		},
		Rules: []report.Rule{
			{ID: "pairing/every-call-answered", Level: report.Must, Verdict: report.Failed, Cases: 4, Failed: 3, Description: everyCallAnswered},
			{ID: "pairing/ids-distinct", Level: report.Must, Verdict: report.Passed, Cases: 4, Description: about("Two calls of one turn do not share an id.")},
			{ID: "egress/no-private-fields", Level: report.Should, Verdict: report.Failed, Cases: 4, Failed: 1, Description: noPrivateFields},
			{ID: "reasoning/empty-resent", Level: report.Must, Verdict: report.Untested, Description: emptyResent},
			{ID: "retry/bounded", Level: report.Must, Verdict: report.Unclaimed, Description: about("The number of retries is limited; after the last one the error is reported.", protocol.Retries)},
			{ID: "history/lost-thread-sent-again", Level: report.Must, Verdict: report.Unclaimed, Description: about("A conversation that the provider no longer keeps is sent again in full.")},
		},
	}
	r.Cases = []report.Case{
		one("pairing/eight-calls", "openai", "json", dropped("call_with_an_id_that_is_long")),
		one("pairing/two-tools", "openai", "sse", dropped("call_b")),
		one("pairing/two-tools", "openai", "json", dropped("call_b"), private()),
		one("pairing/single-call", "mistral", "json"),
	}
	for i := range r.Cases[:3] {
		r.Cases[i].ProviderAnswer = &report.Answer{
			Provider: "OpenAI", Status: 400, Rule: "pairing/every-call-answered", Request: 2,
			Message: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
		}
	}
	r.Cases[2].Trace = droppedTrace()
	return r
}

// droppedTrace is the exchange in which the result of call_b does not come back.
func droppedTrace() *report.Trace {
	const (
		asked  = `{"role":"user","content":"What time is it in Lima, and is it warm?"}`
		called = `{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"get_time","arguments":"{\"city\":\"Lima\"}"}},{"id":"call_b","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}`
		result = `{"role":"tool","tool_call_id":"call_a","content":"08:15","isError":false}`
	)
	request := func(number int, at float64, messages string, status int, answer string) report.TracedRequest {
		return report.TracedRequest{
			Number: number, AtMS: at, Method: "POST", Target: "/v1/chat/completions", Headers: map[string]string{},
			Body:   report.TracedBody{Text: `{"model":"m","messages":[` + messages + `]}`},
			Answer: report.TracedAnswer{Status: status, Body: report.TracedBody{Text: answer, Bytes: len(answer)}, EndMS: at + 2},
		}
	}
	return &report.Trace{
		Requests: []report.TracedRequest{
			request(1, 1, asked, 200, `{"choices":[{"index":0,"message":`+called+`,"finish_reason":"tool_calls"}]}`),
			request(2, 640, asked+","+called+","+result, 400, `{"error":{"message":"'tool_call_id's did not have response messages: call_b"}}`),
		},
		Tools: []report.TracedTool{
			{Tool: "get_time", CallID: "call_a", Arguments: `{"city":"Lima"}`, Result: "08:15", AtMS: 4, EndMS: 6},
			{Tool: "get_weather", CallID: "call_b", Arguments: `{"city":"Lima"}`, Result: "19 C", AtMS: 5, EndMS: 630},
		},
		Outcome: &protocol.Outcome{Status: protocol.Failed, Error: "400 Bad Request"}, Ending: "reported",
	}
}

// everyCallAnswered, noPrivateFields and emptyResent describe rules of the report.
var (
	everyCallAnswered = report.Description{
		Text:     "Every tool call of an assistant message is answered by a tool result before the next request.",
		Why:      "Providers refuse the request, and every later one of the conversation with it.",
		Evidence: "a request with a tool call in its history",
		Sources:  []report.Source{{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "every call needs a function call output"}},
	}
	noPrivateFields = report.Description{
		Text:     "Internal fields of the loop, such as isError, timestamp and finishReason, are not sent.",
		Why:      "Strict providers refuse requests with such fields.",
		Evidence: "a request with an assistant message",
		Sources:  []report.Source{{URL: "https://github.com/openai/openai-node/pull/1990", Says: "parsed_arguments sent back"}},
	}
	emptyResent = report.Description{
		Text:     "If the provider requires reasoning to be sent back, an empty reasoning is sent back as an empty string.",
		Why:      "DeepSeek refuses a turn without the field.",
		Evidence: "a request that returns a turn with empty reasoning and tool calls, under a profile that wants it back even so",
		Sources:  []report.Source{{URL: "https://github.com/deepseek-ai/deepseek-harness/discussions/739"}},
	}
)

// about describes a rule in short.
func about(text string, needs ...protocol.Feature) report.Description {
	return report.Description{Text: text, Why: "providers refuse it", Evidence: "a request", Needs: needs, Sources: []report.Source{{URL: "https://example.com", Says: "a report"}}}
}

// fine is the report of a conformant loop.
func fine() *report.Report {
	r := broken()
	r.Result = report.Conformant
	r.Rules = []report.Rule{
		{ID: "pairing/every-call-answered", Level: report.Must, Verdict: report.Passed, Cases: 4, Description: everyCallAnswered},
		{ID: "egress/no-private-fields", Level: report.Should, Verdict: report.Passed, Cases: 4, Description: noPrivateFields},
	}
	r.Cases = []report.Case{one("pairing/single-call", "mistral", "json")}
	return r
}

func one(scenario, profile, delivery string, findings ...report.Finding) report.Case {
	id := scenario + "@chat/" + profile + "/" + delivery
	c := report.Case{
		ID: id, Scenario: scenario, Dialect: "chat", Profile: profile, Delivery: delivery, DurationMS: 12,
		Verdicts: map[string]report.Verdict{
			"pairing/every-call-answered": report.Passed, "pairing/ids-distinct": report.Passed, "egress/no-private-fields": report.Passed,
		},
		Findings:  findings,
		Reproduce: "loopproof run --case " + id + " --seed 41 -- node my-adapter.js",
	}
	for _, f := range findings {
		c.Verdicts[f.Rule] = report.Failed
	}
	return c
}

func dropped(id string) report.Finding {
	return report.Finding{
		Rule: "pairing/every-call-answered", Level: report.Must, Request: 2, Pointer: "/messages/1/tool_calls",
		Message: "1 tool call without an answer: " + id, Expected: "tool messages for call_a, " + id, Actual: "tool messages for call_a",
		Answered: `The mock provider answered with 2 tool calls (get_time {"city":"Lima"} as call_a, get_weather {"city":"Lima"} as ` + id + ").",
		Exhibit: `1  {"role":"assistant","tool_calls":[{"id":"call_a","type":"function","function":{"name":"get_time","arguments":"{\"city\":\"Lima\"}"}},{"id":"` + id + `","typ…` +
			"\n" + `2  {"role":"tool","tool_call_id":"call_a","content":"08:15"}`,
	}
}

func private() report.Finding {
	return report.Finding{
		Rule: "egress/no-private-fields", Level: report.Should, Request: 2, Pointer: "/messages/2/isError",
		Message: `the private field "isError" crosses the wire`, Expected: "no such key", Actual: `"isError": false`,
		Answered: "The mock provider answered with a tool call.",
		Exhibit:  `{"role":"tool","tool_call_id":"call_a","content":"08:15","isError":false}`,
	}
}
