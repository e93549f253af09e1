package rules

const withHeaders = `
		header content-type: application/json; charset=utf-8
		header anthropic-version: 2023-06-01`

var egressHeadersCases = ruleCases{
	"egress/version-named": {
		holds("named", blockCity, "asks\nruns oslo\nasks on"+withHeaders+"\ncalls oslo\nresults oslo\ncompleted"),
		seesNothing("no results yet", blockCity, "asks"+withHeaders),
		seesNothing("nobody knows the headers", blockCity, oneCityDone),
		seesNothing("another API", oneCity, "asks\nheader -"),
		breaks("no header", blockCity, "asks\nheader content-type: application/json",
			finding{1, "", "the request does not say which version of the API it speaks", "anthropic-version: 2023-06-01", "no header anthropic-version"}),
		breaks("twice", blockCity, "asks\nheader anthropic-version: 2023-06-01,2023-06-01",
			finding{1, "", "the request does not say which version of the API it speaks", "anthropic-version: 2023-06-01", "anthropic-version: 2023-06-01,2023-06-01"}),
	},
	"egress/json-declared": {
		holds("declared", blockCity, "asks\nruns oslo\nasks on"+withHeaders+"\ncalls oslo\nresults oslo\ncompleted"),
		holds("in other letters, as media types may be written", blockCity, "asks\nruns oslo\nasks on\nheader content-type: Application/JSON; Charset=UTF-8\ncalls oslo\nresults oslo\ncompleted"),
		seesNothing("no results yet", blockCity, "asks"+withHeaders),
		breaks("a form", blockCity, "asks\nheader content-type: application/x-www-form-urlencoded",
			finding{1, "", "the request does not say that its body is JSON", "content-type: application/json", "content-type: application/x-www-form-urlencoded"}),
		breaks("no type", blockCity, "asks\nheader -",
			finding{1, "", "the request does not say that its body is JSON", "content-type: application/json", "no header content-type"}),
	},
}
