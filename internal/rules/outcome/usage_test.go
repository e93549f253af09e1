package outcome_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

// busyOnce fails once at the provider after a tool has run.
var busyOnce = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - status: 500
  - text: It is 4 C in Oslo.
`)

var usageCases = Cases{
	"outcome/usage-added-up": {
		Holds("both answers", OneCity, AfterRound("completed\nused 100 32")),
		Holds("an attempt that failed cost nobody knows what", busyOnce, AfterRound("asks on\ncompleted\nused 120 32")),
		Holds("asked for in a stream", OneCity.By(wire.DeliverSSE), `
			asks with {"stream_options":{"include_usage":true}}
			runs oslo
			asks on with {"stream_options":{"include_usage":true}}
				calls oslo
				result oslo
			completed
			used 100 32`),
		SeesNothing("not asked for in a stream", OneCity.By(wire.DeliverSSE), AfterRound("completed")),
		SeesNothing("an answer that broke off", BrokenAnswer, AfterRound("failed: cut\nused 40 20")),
		SeesNothing("an answer without its content type, which a loop may not read", BadEnd(`{text: It is 4 C in Oslo., content-type: none, times: 3}`), AfterRound("failed: no answer\nused 40 20")),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("a crash", OneCity, AfterRound("crashed")),
		Breaks("the last answer alone", OneCity, AfterRound("completed\nused 60 12"),
			Found(0, "", "the reported tokens are not those of all answers", "100 input tokens and 32 output tokens", "60 input tokens and 12 output tokens")),
		Breaks("the failed attempt, too", busyOnce, AfterRound("asks on\ncompleted\nused 180 32"),
			Found(0, "", "the reported tokens are not those of all answers", "120 input tokens and 32 output tokens", "180 input tokens and 32 output tokens")),
		Breaks("none", OneCity, OneCityDone,
			Found(0, "", "the reported tokens are not those of all answers", "100 input tokens and 32 output tokens", "no usage")),
	},
}
