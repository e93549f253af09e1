package outcome_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// inForm wants an answer of a form; the first one that the model gives lacks a key.
var inForm = Scene(WeatherTool + `
needs: [answer-schema]
prompt: What is the weather in Oslo?
answer-schema:
  type: object
  properties: {place_name: {type: string}, degrees: {type: number}}
  required: [place_name, degrees]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: '{"place_name":"Oslo"}'
  - text: '{"place_name":"Oslo","degrees":4.5}'
`)

// byCall gives its answer by a call beside another one, to a loop that has a tool for it.
var byCall = Scene(WeatherTool + `
needs: [answer-schema]
prompt: What is the weather in Oslo?
answer-schema:
  type: object
  properties: {place_name: {type: string}, degrees: {type: number}}
  required: [place_name, degrees]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    answer-calls: ['{"place_name":"Oslo","degrees":4.5}', '{"place_name":"Oslo","degrees":5}']
  - text: '{"place_name":"Oslo","degrees":4.5}'
`)

const upToTheCall = `
			asks with {"tools":[{"type":"function","function":{"name":"final_answer","parameters":{"properties":{"place_name":{},"degrees":{}}}}}]}
			runs oslo
			asks on with {"tools":[{"type":"function","function":{"name":"final_answer","parameters":{"properties":{"place_name":{},"degrees":{}}}}}]}
				calls oslo
				result oslo
			`

const (
	upToTheMisfit = `
			asks with {"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"properties":{"place_name":{},"degrees":{}}}}}}
			runs oslo
			asks on
				calls oslo
				result oslo
			`
	upToTheFit = upToTheMisfit + `asks on
				assistant: {"place_name":"Oslo"}
				user: degrees is missing
			`
)

var schemaCases = Cases{
	"outcome/answer-fits-schema": {
		Holds("asked again", inForm, upToTheFit+`completed: {"degrees": 4.5, "place_name": "Oslo"}`),
		Holds("failed", inForm, upToTheMisfit+"failed: degrees is missing"),
		SeesNothing("no schema", OneCity, OneCityDone),
		Breaks("reported as it is", inForm, upToTheMisfit+`completed: {"place_name":"Oslo"}`,
			Found(2, "", "an answer that does not fit the schema is reported as completed", `an answer that fits {"type":"object","properties":{"place_name":{"type":"string"},"degrees":{"type":"number"}},"required":["place_name","degrees"]}, or status failed or stopped`, `"{\"place_name\":\"Oslo\"}"`)),
		Breaks("no JSON", inForm, upToTheFit+`completed: It is 4.5 C.`,
			Found(3, "", "an answer that does not fit the schema is reported as completed", `an answer that fits {"type":"object","properties":{"place_name":{"type":"string"},"degrees":{"type":"number"}},"required":["place_name","degrees"]}, or status failed or stopped`, `"It is 4.5 C."`)),
	},
	"outcome/answer-as-value": {
		Holds("written otherwise", inForm, upToTheFit+`completed: {"degrees": 4.50, "place_name": "Oslo"}`),
		Holds("the first of two calls", byCall, upToTheCall+`completed: {"place_name":"Oslo","degrees":4.5}`),
		Holds("the second of two calls", byCall, upToTheCall+`completed: {"place_name":"Oslo","degrees":5}`),
		Breaks("that of no call", byCall, upToTheCall+`completed: {"place_name":"Oslo","degrees":6}`,
			Found(2, "", "the reported answer is not the model's", `"{\"place_name\":\"Oslo\",\"degrees\":4.5} or {\"place_name\":\"Oslo\",\"degrees\":5}"`, `"{\"place_name\":\"Oslo\",\"degrees\":6}"`)),
		SeesNothing("no schema", OneCity, OneCityDone),
		SeesNothing("failed", inForm, upToTheFit+"failed: no idea"),
		Breaks("rounded", inForm, upToTheFit+`completed: {"place_name":"Oslo","degrees":4}`,
			Found(3, "", "the reported answer is not the model's", `"{\"place_name\":\"Oslo\",\"degrees\":4.5}"`, `"{\"place_name\":\"Oslo\",\"degrees\":4}"`)),
	},
	"outcome/answer-schema-told": {
		Holds("in the format of the answer", inForm, upToTheMisfit+"failed: degrees is missing"),
		SeesNothing("no schema", OneCity, OneCityDone),
		Breaks("nowhere", inForm, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			failed: degrees is missing`,
			Found(0, "", "the model was not told the schema of the answer", "a request that names place_name, degrees", "2 requests without it")),
	},
}
