package execution_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var orderCases = Cases{
	"execution/in-call-order": {
		Holds("one after the other", TwoCities, `
			asks
			runs oslo for 200ms
			waits 200ms
			runs lima for 200ms
			waits 200ms
			asks on
				calls oslo, lima
				result oslo
				result lima
			completed`),
		SeesNothing("over at once", TwoCities, TwoCitiesDone),
		Holds("at the same time, the second a little earlier", TwoCities, `
			asks
			runs lima for 200ms
			runs oslo for 200ms
			asks on
				calls oslo, lima
				result oslo
				result lima
			completed`),
		SeesNothing("in two turns, each in its own", TwoRounds, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			runs lima
			completed`),
		SeesNothing("one call", OneCity, OneCityDone),
		SeesNothing("one of two was not run", TwoCities, `
			asks
			runs lima
			completed`),
		Breaks("the second first", TwoCities, `
			asks
			runs lima for 200ms
			waits 200ms
			runs oslo for 200ms
			waits 200ms
			asks on
				calls oslo, lima
				result oslo
				result lima
			completed`,
			Found(1, "", "the tools ran one after the other, and the call lima was number 1", "the order of the calls: oslo, lima", "lima, oslo")),
	},
}
