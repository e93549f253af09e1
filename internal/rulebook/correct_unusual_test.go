package rulebook_test

import . "github.com/loopproof/loopproof/internal/rules/rulestest"

// correctUnusual are correct loops in conversations of which two things come together: each alone
// is in the scenarios.
var correctUnusual = []correctLoop{
	{"a call again behind a broken turn, whose tool is tried twice", bonnTwice, `
			asks
			asks on
			runs second as -
			runs second as -
			asks on
				calls second
				result second
			completed`, nil},
	{"a call again behind a cancelled prompt, whose tool is tried twice", Scene(WeatherTool + `
needs: [cancel, multi-prompt]
prompts: [What is the weather in Oslo?, And in Bonn?, And in Rome?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - calls: [{as: first, tool: get_weather, arguments: '{"city":"Bonn"}'}]
    cancel: {during: answer, scope: prompt}
  - calls: [{as: second, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - text: Nobody knows.
`), `
			asks
			runs oslo as -
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2
			cancels
			asks on
				prompt 3
			runs second as -
			runs second as -
			asks on
				calls second
				result second
			completed`, nil},
	{"arguments repaired, and the tool tried again, without ids", Scene(WeatherTool + `
prompt: What is the weather in Bonn?
model:
  - calls: [{as: first, tool: get_weather, arguments: '{"city":"Bonn"'}]
  - text: Nobody knows.
`), `
			asks
			runs get_weather {"city":"Bonn"}
			runs get_weather {"city":"Bonn"}
			asks on
				calls first
				result first: down
			completed`, []string{"execution/invalid-json-not-run"}},
	{"the same with ids that the provider repeats", Scene(WeatherTool + `
prompt: What is the weather in Bonn?
model:
  - calls: [{as: first, tool: get_weather, arguments: '{"city":"Rome"}'}]
    cut: {after: 3 events}
  - calls: [{as: second, tool: get_weather, arguments: '{"city":"Bonn"}', same-id-as: first}]
  - text: Nobody knows.
`).By("sse"), `
			asks
			asks on
			runs second
			runs second
			asks on
				calls second
				result second
			completed`, nil},
	{"turns with repeated ids, a message for each call", Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}, {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}', same-id-as: oslo}, {as: paris, tool: get_weather, arguments: '{"city":"Paris"}', same-id-as: lima}]
  - text: Lima is warmer.
`), `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo
				result oslo
				calls lima
				result lima
			runs rome
			runs paris
			asks on
				calls rome
				result rome
				calls paris
				result paris
			completed`, nil},
	{"images under a repeated id", Scene(`
needs: [images]
prompt: Show both.
tools:
  shot:
    parameters: {n: integer}
    results: [{image: png}]
model:
  - calls: [{as: one, tool: shot, arguments: '{"n":1}'}]
  - calls: [{as: two, tool: shot, arguments: '{"n":2}', same-id-as: one}]
  - text: Done.
`), `
			asks
			runs one
			asks on
				calls one
				result one: see below
				{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,{{picture one}}"}}]}
			runs two
			asks on
				calls two
				result two: see below
				{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,{{picture two}}"}}]}
			completed`, nil},
	{"a tool with an image that the loop gave up", Scene(`
needs: [images]
prompt: Show it.
tools:
  shot:
    parameters: {n: integer}
    results: [{image: png, after: 3s}]
model:
  - calls: [{as: one, tool: shot, arguments: '{"n":1}'}]
  - text: Done.
`), `
			asks
			runs one for 1s given up
			waits 1s
			asks on
				calls one
				result one: timed out after a second
			completed`, nil},
	{"cancelled in a tool of a turn with the word stop", Scene(WeatherTool + `
needs: [cancel]
prompt: What is the weather in Oslo?
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    finish: stop
    cancel: {during: tool}
  - text: It is 4 C in Oslo.
`), `
			asks
			runs lima
			asks on
				calls lima
				result lima
			runs oslo
			cancels
			stopped: cancelled`, nil},
	{"the whole text of an answer that broke off is kept, and said again", Scene(WeatherTool + `
needs: [multi-prompt]
prompts: [What is the weather in Oslo?, Thanks. Bye.]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
    cut: {before: finish}
  - text: It is 4 C in Oslo.
  - text: Bye.
`).By("sse"), `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				user: Go on.
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2
			completed`, []string{"failure/broken-turn-not-kept"}},
	{"a truncated text is kept, and said again", Scene(WeatherTool + `
needs: [multi-prompt]
prompts: [What is the weather in Oslo?, Thanks. Bye.]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
    finish: length
  - text: It is 4 C in Oslo.
  - text: Bye.
`), `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				user: Go on.
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2
			completed`, nil},
	{"a truncated text is joined with what follows", Scene(WeatherTool + `
needs: [multi-prompt]
prompts: [What is the weather in Oslo?, Thanks. Bye.]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C
    finish: length
  - text: in Oslo.
  - text: Bye.
`), `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				prompt 2
			completed`, []string{"history/earlier-messages-unchanged", "egress/last-message"}},
	{"the texts of all turns are the answer, and one of them is what the last turn thinks", Scene(WeatherTool + `
needs: [reasoning]
prompt: What is the weather in Oslo?
model:
  - text: I look it up.
    reasoning: The tool knows.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
    reasoning: I look it up.
`).Under("deepseek"), `
			asks
			runs oslo
			asks on
				calls oslo: I look it up.
				result oslo
			completed: I look it up. It is 4 C in Oslo.`, nil},
	{"a truncated text, and the same beside a call", Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: I look it up.
    finish: length
  - text: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`), `
			asks
			asks on
				assistant: I look it up.
			runs oslo
			asks on
				calls oslo: I look it up.
				result oslo
			completed`, []string{"egress/last-message"}},
	{"ids of its own, and calls in another order", TwoCities, `
			asks
			runs lima as -
			runs oslo as -
			asks on
				{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}},{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"b","content":"19 C"}
				{"role":"tool","tool_call_id":"a","content":"4 C"}
			completed`, []string{"pairing/ids-echoed"}},
	{"calls without ids in another order", citiesWithoutIDs, `
			asks
			runs get_weather {"city":"Lima"}
			runs get_weather {"city":"Oslo"}
			asks
				prompt 1
				calls lima, oslo
				results lima, oslo
			completed`, nil},
	{"at its limit it runs no further call, and asks for a last word", Scene(WeatherTool + `
max-turns: 2
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`), `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on without tools
				calls lima
				result lima: not run, since the limit of 2 turns is reached
			completed`, nil},
	{"the same answer again, since the first was in another form", Scene(WeatherTool + `
needs: [multi-prompt]
prompts: [What is the weather in Oslo?, Thanks., Bye.]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is cold.
    content-type: text/plain
  - text: It is cold.
  - text: Welcome.
  - text: Bye.
`), `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on
			asks on
				assistant: It is cold.
				prompt 2
			asks on
				assistant: Welcome.
				prompt 3
			completed`, nil},
	{"equal calls of a turn are run once, and share the result", TwoDice, `
		asks
		runs first
		asks on
			calls first, second
			result first
			result second
		completed`, []string{"execution/every-call-run"}},
	{"of equal calls of a turn the first is kept", TwoDice, `
		asks
		runs first
		asks on
			calls first
			result first
		completed`, []string{"history/calls-come-back", "execution/every-call-run"}},
	{"an answer that was cut off, and its rest, are one turn of two", Scene(WeatherTool + `
max-turns: 2
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C
    finish: length
  - text: in Oslo.
`), `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks on
			assistant: It is 4 C
			user: Go on.
		completed: It is 4 C in Oslo.`, []string{"limits/turn-limit-respected"}},
}

var bonnTwice = Scene(WeatherTool + `
prompt: What is the weather in Bonn?
model:
  - calls: [{as: first, tool: get_weather, arguments: '{"city":"Bonn"}'}]
    cut: {after: 3 events}
  - calls: [{as: second, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - text: Nobody knows.
`).By("sse")

var citiesWithoutIDs = TwoCities.Under("gemini-2.5")
