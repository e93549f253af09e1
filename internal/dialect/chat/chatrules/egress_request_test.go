package chatrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var egressRequestCases = Cases{
	"egress/top-logprobs-need-logprobs": {
		Holds("not said", OneCity, OneCityDone),
		Holds("with logprobs", OneCity, Asking(`"logprobs":true,"top_logprobs":2`)),
		Holds("none", OneCity, Asking(`"top_logprobs":0`)),
		Holds("null", OneCity, Asking(`"top_logprobs":null`)),
		Holds("a text, which is for parameter-types", OneCity, Asking(`"top_logprobs":"2"`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("alone", OneCity, Asking(`"top_logprobs":2`),
			Found(2, "/top_logprobs", "top_logprobs without logprobs", "no such key, or logprobs: true", "2")),
		Breaks("where logprobs are refused", OneCity, Asking(`"logprobs":false,"top_logprobs":2`),
			Found(2, "/top_logprobs", "top_logprobs without logprobs", "no such key, or logprobs: true", "2")),
	},
	"egress/stream-options-need-stream": {
		Holds("with a stream", OneCity, `
			asks with {"stream":true,"stream_options":{"include_usage":true}}
			asks on with {"stream":true,"stream_options":{"include_usage":true}}
				calls oslo
				result oslo
			completed`),
		Holds("null is none", OneCity, `
			asks
			asks on with {"stream":false,"stream_options":null}
				calls oslo
				result oslo
			completed`),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("without a stream", OneCity, `
			asks with {"stream_options":{"include_usage":true}}
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/stream_options", "stream_options without stream", "no such key", `{"include_usage":true}`)),
		Breaks("where a stream is refused", OneCity, `
			asks
			asks on with {"stream":false,"stream_options":{}}
				calls oslo
				result oslo
			completed`,
			Found(2, "/stream_options", "stream_options without stream", "no such key", "{}")),
	},
}
