package scenarios_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/loopproof/loopproof/internal/scenarios"
)

var vocabulary = scenarios.Vocabulary{
	Rules:    []string{"pairing/every-call-answered", "pairing/one-result-per-call"},
	Profiles: []string{"openai", "deepseek", "deepseek-r1"},
	Quirks: func() map[string][]string {
		return map[string][]string{"call-index-missing": {"deepseek"}, "nulls": {"openai"}, "slow": {"openai", "deepseek"}}
	},
	Seeing: func() []string { return []string{"openai"} },
}

// small is a scenario that says most of what can be said. Line numbers in the tests below count
// from its first line.
const small = `# Why this one exists.
loopproof: 1
title: Two calls
rules: [pairing/every-call-answered]
needs: [parallel-calls]
profiles: ["deepseek*"]
deliveries: [json, "sse*"]
prompt: Compare the weather in Oslo and Lima.
tools:
  get_weather:
    description: The weather in a city.
    parameters: {city: string, days: integer?}
    results:
      - {when: {city: Oslo}, after: 50ms, text: 4 C}
      - {text: 19 C}
model:
  - reasoning: Both.
    calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - status: 429
    retry-after: 20ms
    times: 2
  - text: Lima is warmer.
    cut: {after: 3 events}
expect:
  status: not-completed
`

func TestSmallScenarioIsRead(t *testing.T) {
	s, err := scenarios.Parse("mine/two-calls.yaml", []byte(small), vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	if s.ID != "mine/two-calls" || s.Why != "Why this one exists." || len(s.Prompts) != 1 || s.Tool("get_weather") == nil || s.Tool("x") != nil {
		t.Errorf("read %+v", s)
	}
}

func TestBadScenarios(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"unknown key", "title: Two", "titel: Two", `x.yaml:3:1: unknown key "titel" (did you mean "title"?); the keys here are agents, alone, answer-schema, behaviour, big, compact-threshold, context-limit, deliveries, embeddings, endpoints, expect, loopproof, max-turns, mcp-servers, model, models, needs, profiles, prompt, prompts, rules, summary, system, threads, timeout, title, token-budget, tools`},
		{"unknown key of a step", "retry-after", "retry_after", `x.yaml:22:5: unknown key "retry_after" (did you mean "retry-after"?)`},
		{"unknown key of a call", "as: lima", "az: lima", `x.yaml:20:10: unknown key "az" (did you mean "as"?)`},
		{"unknown key of a result", "after: 50ms", "delay: 50ms", `x.yaml:14:30: unknown key "delay"`},
		{"wrong type", "times: 2", "times: two", `x.yaml:23:12: expected a whole number, found the text "two"`},
		{"time without a unit", "after: 50ms", "after: 50", "x.yaml:14:37: expected a time such as 50ms or 2s, found 50"},
		{"two documents", "expect:", "---\nexpect:", "x.yaml:27:1: a second document begins here; a file holds one"},
		{"anchor", "prompt: Compare", "prompt: &p Compare", "x.yaml:8:9: anchors and aliases are not read here; write the value out"},
		{"not UTF-8", "Lima is", "Lim\xe1 is", "x.yaml:24:14: the file is not UTF-8: the byte 0xe1 is here"},
		{"no YAML", `"sse*"]`, `"sse*"`, "x.yaml:8:1: not YAML: did not find expected ',' or ']' (while parsing a flow sequence that begins in line 7)"},

		{"other format", "loopproof: 1", "loopproof: 2", "x.yaml:2:12: this is not a file of format 1: it needs the line `loopproof: 1`"},
		{"no format", "loopproof: 1\n", "", "x.yaml:2:1: this is not a file of format 1: it needs the line `loopproof: 1`"},
		{"no title", "title: Two calls\n", "", "x.yaml:2:1: a scenario needs a title"},
		{"no prompt", "prompt: Compare the weather in Oslo and Lima.\n", "", "x.yaml:2:1: a scenario needs a prompt"},
		{"prompt and prompts", "tools:", "prompts: [a, b]\ntools:", "x.yaml:9:10: a scenario has a prompt or prompts, not both"},
		{"blank prompt", "prompt: Compare the weather in Oslo and Lima.", `prompts: [a, " "]`, "x.yaml:8:14: a prompt says something"},
		{"unknown rule", "pairing/every-call-answered", "pairing/every-call-answerd", `x.yaml:4:9: unknown rule "pairing/every-call-answerd" (did you mean "pairing/every-call-answered"?); it is one of pairing/every-call-answered, pairing/one-result-per-call`},
		{"unknown feature", "parallel-calls", "parallel", `x.yaml:5:9: unknown feature "parallel" (did you mean "parallel-calls"?); ` + "`loopproof list` shows all"},
		{"unknown profile", `"deepseek*"`, "opnai", `x.yaml:6:12: unknown profile "opnai" (did you mean "openai"?); it is one of openai, deepseek, deepseek-r1, standard`},
		{"pattern that matches no profile", `"deepseek*"`, `"gemini*"`, `x.yaml:6:12: unknown profile "gemini*"; it is one of openai, deepseek, deepseek-r1, standard`},
		{"pattern that is none", `"deepseek*"`, `"[deepseek"`, `x.yaml:6:12: unknown profile "[deepseek" (did you mean "deepseek"?); it is one of`},
		{"unknown delivery", "[json,", "[jsonl,", `x.yaml:7:14: unknown delivery "jsonl" (did you mean "json"?); it is one of json, sse, sse-merged, sse-bytes, sse-split, sse-comments`},
		{"unknown status", "not-completed", "not-complete", `x.yaml:27:11: unknown status "not-complete" (did you mean "not-completed"?); it is one of completed, failed, stopped, not-completed`},
		{"no turns", "expect:", "max-turns: 0\nexpect:", "x.yaml:26:12: the turn limit is a whole number from 1, not 0"},
		{"no time", "expect:", "timeout: 0s\nexpect:", "x.yaml:26:10: the time limit is a time above zero, such as 2s"},
		{"negative turn limit", "expect:", "max-turns: -1\nexpect:", "x.yaml:26:12: the turn limit is a whole number from 1, not -1"},

		{"repeated text that is not there", "as: lima,", "as: lima, repeat: {text: x, times: 3},", `x.yaml:20:35: the text "x" is not in the arguments`},
		{"repeated without end", "as: lima,", "as: lima, repeat: {text: Lima, times: 3000000},", "x.yaml:20:48: arguments have at most 8 MB, and a text is written at least once"},
		{"cancel without the feature", "    cut: {after: 3 events}", "    cancel: {during: answer}", "x.yaml:5:8: a scenario in which the user cancels needs the feature cancel"},
		{"cancel at no point", "    cut: {after: 3 events}", "    cancel: {during: answers}", `x.yaml:25:22: unknown point "answers" (did you mean "answer"?); it is one of answer, stream, tool, wait, approval`},
		{"cancel in a stream", "    cut: {after: 3 events}", "    cancel: {during: stream}", "x.yaml:25:13: after says how much of a stream has come, and goes with `during: stream` alone"},
		{"cancel of a cut answer", "    cut: {after", "    cancel: {during: answer}\n    cut: {after", "x.yaml:25:13: a step that is interrupted is played once, and does not break off besides"},
		{"cancel in a wait for nothing", "    cut: {after: 3 events}", "    cancel: {during: wait}", "x.yaml:25:22: the loop waits, `during: wait`, where a step has a status, and only there"},
		{"cancel in no tool", "    cut: {after: 3 events}", "    cancel: {during: tool}", "x.yaml:25:22: the step calls no tool that could be running then"},
		{"cancel in no approval", "    cut: {after: 3 events}", "    cancel: {during: approval}", "x.yaml:25:22: the step calls no tool about which the user would be asked: `needs-approval: true`"},
		{"approval without the feature", "    parameters: {city", "    needs-approval: true\n    parameters: {city", "x.yaml:5:8: a scenario with a tool that needs an approval needs loops that ask for it: `needs: [tool-approvals]`"},
		{"denied without an approval", `"Oslo"}'}`, `"Oslo"}', denied: No.}`, "x.yaml:19:9: the user is not asked about this call; add `needs-approval: true` to the tool get_weather"},
		{"approved with no arguments", `"Oslo"}'}`, `"Oslo"}', approved-with: Lima}`, "x.yaml:19:9: the user is not asked about this call"},
		{"crash without the feature", "    cut: {after: 3 events}", "    crash: {during: answer}", "x.yaml:5:8: a scenario in which the process is killed needs loops that store their sessions: `needs: [durable-sessions]`"},
		{"crash at no point", "    cut: {after: 3 events}", "    crash: {during: wait}", `x.yaml:25:21: unknown point "wait"; it is one of answer, stream, tool, approval`},
		{"crash in a stream", "    cut: {after: 3 events}", "    crash: {during: stream}", "x.yaml:25:12: after says how much of a stream has come, and goes with `during: stream` alone"},
		{"crash of a cut answer", "    cut: {after", "    crash: {during: answer}\n    cut: {after", "x.yaml:25:12: a step that is interrupted is played once, and does not break off besides"},
		{"crash in no tool", "    cut: {after: 3 events}", "    crash: {during: tool}", "x.yaml:25:21: the step calls no tool that could be running then"},
		{"crash in no call", "    cut: {after: 3 events}", "    crash: {during: answer, call: lima}", "x.yaml:25:35: call says which call is being run, and goes with `during: tool` alone"},
		{"crash twice", "    cut: {after: 3 events}", "    crash: {during: answer}\n  - text: a\n    crash: {during: answer}", "x.yaml:27:12: the process of the loop is killed once"},
		{"model down without the feature", "    retry-after: 20ms\n", "    model-down: true\n", "x.yaml:5:8: a scenario whose first model goes down needs loops that ask a second one: `needs: [model-fallback]`"},
		{"model down without an error", "  - reasoning: Both.", "  - model-down: true\n    reasoning: Both.", "x.yaml:17:17: a model that is down answers with an error: add a `status` such as 503"},
		{"model down at the end", "  - text: Lima is warmer.\n    cut: {after: 3 events}", "  - status: 503\n    model-down: true", "x.yaml:25:17: the second model has nothing to say: add a step behind it"},
		{"models and one prompt", "prompt: Compare", "models: [first, second]\nprompt: Compare", "x.yaml:8:9: the user chooses a model for each of the `prompts`, of which there are 0, and 2 models"},
		{"models without the feature", "prompt: Compare", "models: [third]\nprompts: [a]\n#", "x.yaml:5:8: a scenario in which the user chooses models needs loops that take them: `needs: [model-switch]`"},
		{"steering without the feature", "    calls:\n      - {as: oslo", "    steers: true\n    calls:\n      - {as: oslo", "x.yaml:18:13: the next step is for loops that keep the prompt until they have the answer to the one before: `if-queued: true`"},
		{"an answer by a call without a schema", "    calls:\n      - {as: oslo", "    answer-calls: ['{}']\n    calls:\n      - {as: oslo", "x.yaml:18:19: the model answers by a call where the scenario has an `answer-schema`, beside the `calls` of the step"},
		{"asked again behind nothing", "    cut: {after: 3 events}", "    if-asked-again: true", "x.yaml:25:21: a step with `if-asked-again` is a text right behind one with `answer-calls`, and a prompt follows"},
		{"queued behind nothing", "    cut: {after: 3 events}", "    if-queued: true", "x.yaml:25:16: a step with `if-queued` comes right after the one with `steers`"},
		{"steering without calls", "    cut: {after: 3 events}", "    steers: true", "x.yaml:25:13: the step calls no tool during which the user could say something"},
		{"cancel twice", "    cut: {after: 3 events}", "    cancel: {during: answer}\n  - text: a\n    cancel: {during: answer}", "x.yaml:27:13: the user cancels once"},
		{"cancel of an unknown scope", "    cut: {after: 3 events}", "    cancel: {during: answer, scope: turn}", `x.yaml:25:37: unknown scope "turn"; it is one of prompt`},
		{"cancel of the only prompt", "    cut: {after: 3 events}", "    cancel: {during: answer, scope: prompt}", "x.yaml:25:37: only a scenario with several prompts, that needs multi-prompt, goes on after one is cancelled"},
		{"resuming with one prompt", "needs: [parallel-calls]", "needs: [parallel-calls, resume-after-failure]", "x.yaml:5:8: only a scenario with several prompts, that needs multi-prompt, goes on after a failure"},
		{"schema of the answer without the feature", "title: Two", "answer-schema: {type: object, properties: {a: {type: string}}}\ntitle: Two", "x.yaml:3:16: a scenario with a schema of the answer needs loops that are told of it: `needs: [answer-schema]`"},
		{"answer that does not fit its schema", "needs: [parallel-calls]", "needs: [parallel-calls, answer-schema]\nanswer-schema: {type: object, properties: {a: {type: string}}, required: [a]}", "x.yaml:25:5: the last step is an answer that fits the schema"},
		{"budget without the feature", "title: Two", "token-budget: 900\ntitle: Two", "x.yaml:3:15: a scenario that limits what an answer costs needs loops that keep to it: `needs: [token-budget]`"},
		{"budget of nothing", "title: Two", "token-budget: 0\ntitle: Two", "x.yaml:3:15: the budget of an answer is a number of tokens from 1, not 0"},
		{"usage of half", "- text: Lima is warmer.", "- text: Lima is warmer.\n    usage: {input: 900}", "x.yaml:25:12: an answer costs tokens of input and of output: `usage: {input: 900, output: 40}`"},
		{"usage of a failure", "- status: 429", "- status: 429\n    usage: {input: 900, output: 40}", "x.yaml:22:12: only an answer counts its tokens, and a recorded one does so itself"},
		{"no answer to the last results", "  - status: 429\n    retry-after: 20ms\n    times: 2\n  - text: Lima is warmer.\n    cut: {after: 3 events}\n", "", "x.yaml:17:5: the last step has calls, and the model says nothing to their results; add a step with a text, or max-turns"},
		{"resuming with a prompt that is part of another", "needs: [parallel-calls]\nprofiles: [\"deepseek*\"]\ndeliveries: [json, \"sse*\"]\nprompt: Compare the weather in Oslo and Lima.", "needs: [parallel-calls, multi-prompt, resume-after-failure]\nprofiles: [\"deepseek*\"]\ndeliveries: [json, \"sse*\"]\nprompts: [Compare the weather., Compare]", "x.yaml:8:33: the prompt is part of prompt 1, which may have no answer, so that nobody can tell them apart; word it otherwise"},

		{"tool name", "  get_weather:", "  get weather:", `x.yaml:11:5: a tool has a name of at most 64 letters, digits, _ and -, not "get weather"`},
		{"result for all before others", "- {when: {city: Oslo}, after: 50ms, text: 4 C}", "- {text: 4 C}\n      - {when: {city: Oslo}, text: 5 C}", "x.yaml:15:9: this result is never given: the one at /tools/get_weather/results/0 comes first, and is for the same arguments; put that one after it, or write what comes later into its `then`"},
		{"result for the same arguments", "- {text: 19 C}", "- {when: {days: 2, city: Oslo}, text: 5 C}\n      - {text: 19 C}", "x.yaml:15:9: this result is never given: the one at /tools/get_weather/results/0 comes first, and is for the same arguments; put that one after it, or write what comes later into its `then`"},
		{"unknown type", "city: string", "city: text", `x.yaml:12:24: unknown type "text"; it is one of string, integer, number, boolean, object, array`},
		{"schema and parameters", "parameters: {city: string, days: integer?}", "parameters: {city: string}\n    schema: {type: object, properties: {city: {type: string}}}", "x.yaml:13:13: a tool has parameters or a schema, not both"},
		{"schema of a list", "parameters: {city: string, days: integer?}", "schema: {type: array, properties: {city: {type: string}}}", "x.yaml:12:13: the schema of a tool is one of an object: `type: object`"},
		{"schema without properties", "parameters: {city: string, days: integer?}", "schema: {type: object}", "x.yaml:12:13: the schema of a tool has `properties`; those of one without parameters are {}"},
		{"schema of a word", "parameters: {city: string, days: integer?}", "schema: {type: object, properties: {city: string}}", "x.yaml:12:47: a property is a schema, such as {type: string}"},
		{"schema that requires what it has not", "parameters: {city: string, days: integer?}", "schema: {type: object, properties: {city: {type: string}}, required: [city, town]}", "x.yaml:12:81: the property \"town\" is required and is not among the properties"},
		{"schema that requires no list", "parameters: {city: string, days: integer?}", "schema: {type: object, properties: {city: {type: string}}, required: city}", "x.yaml:12:74: `required` is a list of names"},
		{"result of an argument that is in no schema", "parameters: {city: string, days: integer?}", "schema: {type: object, properties: {town: {type: string}}}", "x.yaml:14:23: the tool get_weather has no parameter \"city\""},
		{"tool without results", "    results:\n      - {when: {city: Oslo}, after: 50ms, text: 4 C}\n      - {text: 19 C}\n", "", "x.yaml:11:5: the tool get_weather needs results"},
		{"result that fails and succeeds", "{text: 19 C}", "{text: 19 C, fail: no}", "x.yaml:15:9: a result has a text or fails, not both"},
		{"result of an unknown argument", "{when: {city: Oslo}", "{when: {town: Oslo}", `x.yaml:14:23: the tool get_weather has no parameter "town"`},
		{"result of many bytes", "{text: 19 C}", "{text: 19 C, repeat: 9223372036854775807}", "x.yaml:15:9: a result has at most 8 MB"},
		{"later texts behind a repeated one", "{text: 19 C}", "{text: 19 C, repeat: 2, then: [20 C]}", "x.yaml:15:39: later texts come behind a `text`, which is not repeated"},
		{"result of less than nothing", "{text: 19 C}", "{text: 19 C, repeat: -1}", "x.yaml:15:9: a result has at most 8 MB"},
		{"image of an unknown kind", "{text: 19 C}", "{image: pgn}", `x.yaml:15:17: unknown kind of image "pgn" (did you mean "png"?); it is one of png, jpeg, gif`},
		{"image alongside a text", "{text: 19 C}", "{text: 19 C, image: png}", "x.yaml:15:29: a result is an image, or a text, or fails"},
		{"image without the feature", "{text: 19 C}", "{image: png}", "x.yaml:15:17: a scenario whose tools return images needs loops that take them: `needs: [images]`"},
		{"doubled tool", "model:", "  get_weather: {results: [{text: a}]}\nmodel:", `x.yaml:16:3: the key "get_weather" is here twice, first in line 10`},

		{"no model", small[strings.Index(small, "model:"):strings.Index(small, "expect:")], "", "x.yaml:2:1: a scenario needs at least one step of the model"},
		{"step that says nothing", "- text: Lima is warmer.\n    cut", "- finish: stop\n    cut", "x.yaml:24:5: the step says nothing: it needs text, calls or a status (a blank answer is `text: \"\"`)"},
		{"step that answers and fails", "- status: 429", "- status: 429\n    text: a", "x.yaml:21:5: a step answers or has a status, not both; a redirect, a refused connection and a break before the headers stand alone"},
		{"status of success", "status: 429", "status: 200", "x.yaml:21:13: the status 200 needs a body that is not an answer; an answer needs no status"},
		{"status below all others", "status: 429", "status: 99", "x.yaml:21:13: a step fails with a status from 300 to 599, not 99"},
		{"wait of a life", "retry-after: 20ms", "retry-after: 900000h", "x.yaml:22:18: the longest time is a month, 744h0m0s, not 900000h0m0s"},
		{"wait of an answer", "cut: {after: 3 events}", "retry-after: 1s", "x.yaml:24:5: retry-after and error go with a status"},
		{"error without words", "retry-after: 20ms", "error: {type: a}", "x.yaml:22:12: an error needs a message"},
		{"no times", "times: 2", "times: 0", "x.yaml:23:12: times is a whole number from 1 to 1000, not 0"},
		{"less than no times", "times: 2", "times: -2", "x.yaml:23:12: times is a whole number from 1 to 1000, not -2"},
		{"too many times", "times: 2", "times: 1000000", "x.yaml:23:12: times is a whole number from 1 to 1000, not 1000000"},
		{"unknown block", "reasoning: Both.", "reasoning-details: [{type: txt}]", `x.yaml:17:32: unknown type of a block "txt" (did you mean "text"?); it is one of text, summary, encrypted`},

		{"break after nothing", "{after: 3 events}", "{}", "x.yaml:25:10: an answer breaks after an amount or before a place: `after: 3 events` or `before: finish`"},
		{"break at two places", "{after: 3 events}", "{after: 3 events, before: finish}", "x.yaml:25:10: an answer breaks after an amount or before a place: `after: 3 events` or `before: finish`"},
		{"cut after each event of a document", "{after: 3 events}", "{after: each event}", "x.yaml:25:10: only a stream is cut after each event: the scenario needs streaming, and deliveries such as [sse]"},
		{"reset after each event", "cut: {after: 3 events}", "reset: {after: each event}", "x.yaml:24:5: only a cut comes after each event"},
		{"cancel after each event", "    cut: {after: 3 events}", "    cancel: {during: stream, after: each event}", "x.yaml:25:13: after says how much of a stream has come, and goes with `during: stream` alone"},
		{"break after bytes", "3 events", "3 bytes", `x.yaml:25:18: expected a number of events, such as "3 events"`},
		{"break after a bare number", "3 events", "3", `x.yaml:25:18: expected a number of events, such as "3 events"`},
		{"break before the beginning", "3 events", "-3 events", `x.yaml:25:18: expected a number of events, such as "3 events"`},
		{"break before an unknown place", "{after: 3 events}", "{before: end}", `x.yaml:25:10: before is finish, done or headers, not "end"`},
		{"two breaks", "cut: {after: 3 events}", "cut: {after: 3 events}\n    reset: {before: done}", "x.yaml:24:5: an answer breaks once: it has a cut, a reset, a stall or an in-band-error"},
		{"break of a failure", "times: 2", "cut: {before: done}", "x.yaml:21:5: only an answer breaks; the step has a status"},
		{"error in the stream before the headers", "cut: {after: 3 events}", "in-band-error: {before: headers}", `x.yaml:25:20: before is finish or done, not "headers"`},
		{"answer of which nothing arrives", "{after: 3 events}", "{before: headers}", "x.yaml:24:5: a step answers or has a status, not both; a redirect"},
		{"stall without end", "cut: {after: 3 events}", "stall: {after: 3 events}", "x.yaml:25:12: a stall needs a time: `for: 2s`"},
		{"error in the stream without words", "cut: {after: 3 events}", "in-band-error: {after: 1 event, error: {code: a}}", "x.yaml:25:44: an error needs a message"},

		{"quirk that no profile shows", "cut: {after: 3 events}", "quirks: [line-ends-cr]", "x.yaml:25:14: no profile shows the quirk line-ends-cr, so that the scenario is played under none: the profile of a provider that shows it says so, as in `quirks: {line-ends-cr: {known-by: recorded, sources: [https://example.com]}}`"},
		{"unknown quirk", "cut: {after: 3 events}", "quirks: [call-index-mising]", `x.yaml:25:14: unknown quirk "call-index-mising" (did you mean "call-index-missing"?); it is one of call-index-missing, nulls, slow`},
		{"quirk that no named profile shows", "cut: {after: 3 events}", "quirks: [slow, nulls]", "x.yaml:25:20: none of the profiles that the scenario names shows the quirk nulls; it is shown by openai"},
		{"commentary without a text", "times: 2", "commentary: I look.", "x.yaml:23:17: a commentary is before a text"},
		{"quirk of a failure", "times: 2", "quirks: [slow]", "x.yaml:23:13: only an answer shows quirks"},
		{"quirks as a text", "cut: {after: 3 events}", "quirks: slow", "x.yaml:25:13: expected a list"},

		{"redirect that asks for a wait", "- status: 429", "- redirect: 307", "x.yaml:21:5: retry-after and error go with a status"},
		{"redirect with a strange status", "- status: 429\n    retry-after: 20ms", "- redirect: 304", "x.yaml:21:15: a redirect has the status 301, 302, 307 or 308, not 304"},
		{"body of an answer", "cut: {after: 3 events}", "body: a", "x.yaml:25:11: a body goes with a status; 200 for one that is not an answer"},
		{"body and words", "retry-after: 20ms", "body: a\n    error: {message: b}", "x.yaml:23:12: the body says what the error is; leave one of the two away"},
		{"half of nothing", "cut: {after: 3 events}", "half: a", "x.yaml:25:11: half of a body goes with a status, and with no other body or error"},
		{"half and words", "retry-after: 20ms", "half: a\n    error: {message: b}", "x.yaml:22:11: half of a body goes with a status, and with no other body or error"},
		{"content type of the provider's own error", "retry-after: 20ms", "content-type: text/html", "x.yaml:22:19: a content type goes with an answer or a body"},
		{"one document of an error", "retry-after: 20ms", "whole: true", "x.yaml:22:12: only an answer is whole"},
		{"compressed half", "cut: {after: 3 events}", "cut: {after: 3 events}\n    gzip: true", "x.yaml:26:11: what breaks off is not compressed"},
		{"unknown form of a wait", "retry-after: 20ms", "retry-after: 20ms\n    retry-after-as: days", `x.yaml:23:21: unknown form "days" (did you mean "date"?); it is one of seconds, milliseconds, date`},
		{"form of no wait", "retry-after: 20ms", "retry-after-as: date", "x.yaml:22:21: there is no retry-after to write"},
		{"header that is ours", "retry-after: 20ms", "headers: {Content-Length: 3}", `x.yaml:22:31: "Content-Length" is no header that a step can set`},
		{"header of two lines", "retry-after: 20ms", `headers: {retry-after: "1\nx: y"}`, "x.yaml:22:28: a header is one line"},
		{"refused, and back again", "- status: 429\n    retry-after: 20ms\n    times: 2", "- refused: true", "x.yaml:21:14: a client that is refused once is refused for good: the step is the last, and not the first"},

		{"two calls of one name", "as: lima", "as: oslo", `x.yaml:20:14: the name "oslo" is taken by the call at /model/0/calls/0`},
		{"arguments for a tool that does not exist", "as: oslo, tool: get_weather", "as: oslo, tool: get_wether", "x.yaml:19:26: there is no tool \"get_wether\" (did you mean \"get_weather\"?); to let the model call one that does not exist, add `not-offered: true`"},
		{"a call without a result", "- {text: 19 C}", "- {when: {city: Rome}, text: 19 C}", "x.yaml:20:50: no result of get_weather is for these arguments; add one with this `when`, or one without `when` for all others"},
		{"almost a finish reason", "cut: {after: 3 events}", "finish: lenght", `x.yaml:25:13: unknown finish reason "lenght" (did you mean "length"?)`},
		{"tool that is offered after all", "as: oslo, tool", "as: oslo, not-offered: true, tool", `x.yaml:19:33: the tool "get_weather" is offered`},
		{"id of a later call", "as: oslo, tool", "as: oslo, same-id-as: lima, tool", `x.yaml:19:32: there is no call "lima" before this one`},
		{"id of itself", "as: oslo, tool", "as: oslo, same-id-as: oslo, tool", `x.yaml:19:32: there is no call "oslo" before this one`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(small, c.from) {
				t.Fatalf("the small scenario does not contain %q", c.from)
			}
			_, err := scenarios.Parse("x.yaml", []byte(strings.Replace(small, c.from, c.to, 1)), vocabulary)
			if err == nil {
				t.Fatal("the scenario was taken")
			}
			if first, _, _ := strings.Cut(err.Error(), "\n"); !strings.HasPrefix(first, c.want) {
				t.Errorf("the error is\n\t%s\nwant\n\t%s", err, c.want)
			}
		})
	}
}

func TestAllErrorsOfAScenarioAreReported(t *testing.T) {
	bad := strings.NewReplacer("title: Two calls\n", "", "status: 429", "status: 42", "as: lima", "as: oslo").Replace(small)
	_, err := scenarios.Parse("x.yaml", []byte(bad), vocabulary)
	want := `x.yaml:2:1: a scenario needs a title
x.yaml:19:14: the name "oslo" is taken by the call at /model/0/calls/0
x.yaml:20:13: a step fails with a status from 300 to 599, not 42`
	if err == nil || err.Error() != want {
		t.Errorf("the errors are\n%v\nwant\n%s", err, want)
	}
}

// TestWhatCannotBeReadHidesNothingElse: unknown keys and wrong types are told together with what is
// wrong besides, and nothing is told that only follows from them.
func TestWhatCannotBeReadHidesNothingElse(t *testing.T) {
	bad := strings.NewReplacer("title: Two calls", "titel: Two calls", "when: {city: Oslo}, after: 50ms", "wenn: {city: Oslo}, after: 50", "status: 429", "status: 42", "tool: get_weather, arguments: '{\"city\":\"Lima\"}'", "tool: get_wether").Replace(small)
	_, err := scenarios.Parse("x.yaml", []byte(bad), vocabulary)
	want := []string{
		`x.yaml:3:1: unknown key "titel" (did you mean "title"?)`,
		`x.yaml:14:10: unknown key "wenn" (did you mean "when"?)`,
		`x.yaml:14:37: expected a time such as 50ms or 2s, found 50`,
		`x.yaml:20:26: there is no tool "get_wether"`,
		`x.yaml:21:13: a step fails with a status from 300 to 599, not 42`,
	}
	got := strings.Split(fmt.Sprint(err), "\n")
	for i, w := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], w) {
			t.Fatalf("the errors are\n%v\nwant\n%s", err, strings.Join(want, "\n"))
		}
	}
	if len(got) > len(want) {
		t.Errorf("more is told: %s", strings.Join(got[len(want):], "\n"))
	}
}

func TestLoadFolder(t *testing.T) {
	all, err := scenarios.Load(fstest.MapFS{
		"b/two.yaml":       {Data: []byte(small)},
		"a/deep/one.yaml":  {Data: []byte(small)},
		"top.yaml":         {Data: []byte(small)},
		"a/notes.md":       {Data: []byte("not read")},
		"a/old.yaml.orig":  {Data: []byte("not read: [")},
		"empty/.gitignore": {},
	}, vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range all {
		ids = append(ids, s.ID)
	}
	if got := fmt.Sprint(ids); got != "[a/deep/one b/two top]" {
		t.Errorf("loaded %s", got)
	}
}

// One bad file does not hide another, and a file of 10 MB is not even read.
func TestLoadReportsEveryBadFile(t *testing.T) {
	bomb := "prompt: &a [x]\nrules: [*a, *a, *a]\n"
	_, err := scenarios.Load(fstest.MapFS{
		"a.yaml":    {Data: []byte(bomb)},
		"b.yaml":    {Data: []byte("# " + strings.Repeat("a", 10<<20))},
		"c.yaml":    {Data: []byte("")},
		"good.yaml": {Data: []byte(small)},
	}, vocabulary)
	want := `a.yaml:1:9: anchors and aliases are not read here; write the value out, or a text between quotes
b.yaml: the file has 10.0 MB, at most 1 MB are read
c.yaml: the file is empty`
	if err == nil || err.Error() != want {
		t.Errorf("the errors are\n%v\nwant\n%s", err, want)
	}
}
