package chatrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var egressRequestCases = Cases{
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
