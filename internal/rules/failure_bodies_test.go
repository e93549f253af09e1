package rules

import "github.com/loopproof/loopproof/internal/wire"

var (
	// webPage, nothing and inAList are errors in other forms than the provider's own.
	webPage = badEnd(`{status: 502, content-type: text/html, body: "<html><title>502</title><body>nginx is down here</body></html>", times: 3}`)
	nothing = badEnd(`{status: 400, body: "", times: 3}`)
	inAList = badEnd(`{status: 400, body: '[{"error":{"code":400,"message":"Wrong order of turns."}}]', times: 3}`)
	// routed has the words of the provider behind a router.
	routed = badEnd(`{status: 400, body: '{"error":{"message":"Provider returned error","metadata":{"raw":"{\"detail\":\"max_tokens is too large\"}"}}}', times: 3}`)
	// signIn and queued are no completions, though the status says so.
	signIn = badEnd(`{status: 200, content-type: text/html, body: "<html>Please sign in.</html>", times: 3}`)
	queued = badEnd(`{status: 200, body: '{"ok":true}', times: 3}`)
	// plainText is a good answer with a wrong name, unstreamed one in the wrong form, zipped a compressed one.
	plainText  = badEnd(`{text: It is 4 C in Oslo., content-type: text/plain, times: 3}`)
	unstreamed = badEnd(`{text: It is 4 C in Oslo., whole: true, times: 3}`).by(wire.DeliverSSE)
	zipped     = badEnd(`{text: It is 4 C in Oslo., gzip: true, times: 3}`)
)

var failureBodiesCases = ruleCases{
	"failure/any-error-body-reported": {
		holds("a web page", webPage, afterRound("failed: 502")),
		holds("nothing, after some attempts", nothing, afterRound(`asks on
		failed: 400 (no body)`)),
		seesNothing("the provider's own words are for http-error-reported", refused, afterRound("completed: no")),
		seesNothing("a good answer", oneCity, oneCityDone),
		seesNothing("no tool was used", webPage, `
			asks
			failed: 502`),
		seesNothing("a crash is for run-ends", webPage, afterRound("crashed")),
		breaks("the page as the answer", webPage, afterRound("completed: nginx is down here"),
			finding{2, "", "the run ended with an error status and was reported as completed", notCompleted, `status completed with the text "nginx is down here"`}),
		breaks("nothing as the answer", inAList, afterRound("completed:"),
			finding{2, "", "the run ended with an error status and was reported as completed", notCompleted, `status completed with the text ""`}),
	},
	"failure/odd-error-says-why": {
		holds("the status", nothing, afterRound("failed: 400 status code (no body)")),
		holds("the words for the status", webPage, afterRound("failed: upstream: bad gateway")),
		holds("the text of the page", webPage, afterRound("failed: nginx is down here")),
		holds("the message in the list", inAList, afterRound("failed: Wrong order of turns.")),
		holds("the reason of a stop", inAList, afterRound("stopped: Wrong order of turns.")),
		seesNothing("the provider's own words are for error-says-why", tooLong, afterRound("failed: no")),
		seesNothing("completed is for any-error-body-reported", webPage, afterRound("completed: no")),
		breaks("what the parser said", webPage, afterRound("failed: Unexpected token < in JSON at position 0"),
			finding{2, "", "neither the status of the error nor what its body says reaches the caller", `an error with 502 or "Bad Gateway"`, `"Unexpected token < in JSON at position 0"`}),
		breaks("nothing", nothing, afterRound("failed:"),
			finding{2, "", "neither the status of the error nor what its body says reaches the caller", `an error with 400 or "Bad Request"`, `""`}),
	},
	"failure/no-completion-reported": {
		holds("a web page", signIn, afterRound("failed: not JSON")),
		holds("another shape, after some attempts", queued, afterRound(`asks on
		failed: no choices`)),
		seesNothing("a good answer", oneCity, oneCityDone),
		seesNothing("an error status is for any-error-body-reported", webPage, afterRound("completed: no")),
		breaks("completed with nothing", queued, afterRound("completed:"),
			finding{2, "", "the run ended with a body that is no completion and was reported as completed", notCompleted, `status completed with the text ""`}),
		breaks("completed with the page", signIn, afterRound("completed: Please sign in."),
			finding{2, "", "the run ended with a body that is no completion and was reported as completed", notCompleted, `status completed with the text "Please sign in."`}),
	},
	"failure/other-form-read-or-reported": {
		holds("read", plainText, afterRound("completed")),
		holds("reported", plainText, afterRound("failed: the content type is text/plain")),
		holds("read though not streamed", unstreamed, afterRound("completed")),
		holds("asked for again, and reported", unstreamed, afterRound(`asks on
		asks on
		failed: the stream was empty`)),
		holds("half of it is for final-text", plainText, afterRound("completed: It is 4 C")),
		seesNothing("an ordinary answer", oneCity, afterRound("completed: no")),
		seesNothing("a compressed one is for compressed-answer-read", zipped, afterRound("completed: no")),
		seesNothing("no tool was used", plainText, `
			asks
			failed: no`),
		breaks("an empty answer", unstreamed, afterRound("completed:"),
			finding{2, "", "the answer in another form was not read, and the run reported as completed", `status completed with the text "It is 4 C in Oslo."`, `the loop reported completed with the text ""`}),
		breaks("the document as the answer", plainText, afterRound(`completed: {"id":"chatcmpl-1"}`),
			finding{2, "", "the answer in another form was not read, and the run reported as completed", `status completed with the text "It is 4 C in Oslo."`, `the loop reported completed with the text "{\"id\":\"chatcmpl-1\"}"`}),
	},
	"failure/compressed-answer-read": {
		holds("read", zipped, afterRound("completed")),
		holds("half of it is for final-text", zipped, afterRound("completed: It is 4 C")),
		seesNothing("an ordinary answer", oneCity, afterRound("completed: no")),
		seesNothing("a mislabelled one is for other-form-read-or-reported", plainText, afterRound("completed: no")),
		seesNothing("nobody knows what became of it", zipped, afterRound("crashed")),
		breaks("reported as a failure", zipped, afterRound("failed: Unexpected token in JSON"),
			finding{2, "", "the compressed answer was not read", `status completed with the text "It is 4 C in Oslo."`, `the loop reported failed: "Unexpected token in JSON"`}),
		breaks("reported as it came", zipped, afterRound("completed: H4sI"),
			finding{2, "", "the compressed answer was not read", `status completed with the text "It is 4 C in Oslo."`, `the loop reported completed with the text "H4sI"`}),
	},
	"failure/upstream-words-reported": {
		holds("the raw words", routed, afterRound(`failed: Provider returned error: {"detail":"max_tokens is too large"}`)),
		holds("the whole body", routed, afterRound(`failed: 400 {"error":{"metadata":{"raw":"{\"detail\":\"max_tokens is too large\"}"}}}`)),
		seesNothing("an error without such words", inAList, afterRound("failed: 400")),
		seesNothing("a web page", webPage, afterRound("failed: 502")),
		seesNothing("completed is for any-error-body-reported", routed, afterRound("completed: no")),
		breaks("only the router's words", routed, afterRound("failed: 400 Provider returned error"),
			finding{2, "", "what the provider behind the router said does not reach the caller", `an error with "{\"detail\":\"max_tokens is too large\"}"`, `"400 Provider returned error"`}),
	},
}
