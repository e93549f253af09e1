package rules

var executionOrderCases = ruleCases{
	"execution/in-call-order": {
		holds("one after the other", twoCities, twoCitiesDone),
		holds("at the same time, the second a little earlier", twoCities, `
			asks
			runs lima for 50ms
			runs oslo for 50ms
			asks on
				calls oslo, lima
				result oslo
				result lima
			completed`),
		seesNothing("in two turns, each in its own", twoRounds, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			runs lima
			completed`),
		seesNothing("one call", oneCity, oneCityDone),
		seesNothing("one of two was not run", twoCities, `
			asks
			runs lima
			completed`),
		breaks("the second first", twoCities, `
			asks
			runs lima
			runs oslo
			asks on
				calls oslo, lima
				result oslo
				result lima
			completed`,
			finding{1, "", "the tools ran one after the other, and the call lima was number 1", "the order of the calls: oslo, lima", "lima, oslo"}),
	},
}
