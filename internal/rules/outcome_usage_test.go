package rules

import "github.com/loopproof/loopproof/internal/wire"

// busyOnce fails once at the provider after a tool has run.
var busyOnce = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - status: 500
  - text: It is 4 C in Oslo.
`)

var outcomeUsageCases = ruleCases{
	"outcome/usage-added-up": {
		holds("both answers", oneCity, afterRound("completed\nused 100 32")),
		holds("an attempt that failed cost nobody knows what", busyOnce, afterRound("asks on\ncompleted\nused 120 32")),
		holds("asked for in a stream", oneCity.by(wire.DeliverSSE), `
			asks with {"stream_options":{"include_usage":true}}
			runs oslo
			asks on with {"stream_options":{"include_usage":true}}
				calls oslo
				result oslo
			completed
			used 100 32`),
		seesNothing("not asked for in a stream", oneCity.by(wire.DeliverSSE), afterRound("completed")),
		seesNothing("an answer that broke off", brokenAnswer, afterRound("failed: cut\nused 40 20")),
		seesNothing("no tool was used", noTools, noToolsDone),
		seesNothing("a crash", oneCity, afterRound("crashed")),
		breaks("the last answer alone", oneCity, afterRound("completed\nused 60 12"),
			finding{0, "", "the reported tokens are not those of all answers", "100 input tokens and 32 output tokens", "60 input tokens and 12 output tokens"}),
		breaks("the failed attempt, too", busyOnce, afterRound("asks on\ncompleted\nused 180 32"),
			finding{0, "", "the reported tokens are not those of all answers", "120 input tokens and 32 output tokens", "180 input tokens and 32 output tokens"}),
		breaks("none", oneCity, oneCityDone,
			finding{0, "", "the reported tokens are not those of all answers", "100 input tokens and 32 output tokens", "no usage"}),
	},
}
