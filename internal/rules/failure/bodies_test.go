package failure_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// webPage, nothing and inAList are errors in other forms than the provider's own.
	webPage = BadEnd(`{status: 502, content-type: text/html, body: "<html><title>502</title><body>nginx is down here</body></html>", times: 3}`)
	nothing = BadEnd(`{status: 400, body: "", times: 3}`)
	inAList = BadEnd(`{status: 400, body: '[{"error":{"code":400,"message":"Wrong order of turns."}}]', times: 3}`)
	// routed has the words of the provider behind a router.
	routed = BadEnd(`{status: 400, body: '{"error":{"message":"Provider returned error","metadata":{"raw":"{\"detail\":\"max_tokens is too large\"}"}}}', times: 3}`)
	// signIn and queued are no completions, though the status says so.
	signIn = BadEnd(`{status: 200, content-type: text/html, body: "<html>Please sign in.</html>", times: 3}`)
	queued = BadEnd(`{status: 200, body: '{"ok":true}', times: 3}`)
)

var (
	unstreamed = BadEnd(`{text: It is 4 C in Oslo., whole: true, times: 3}`).By(wire.DeliverSSE)
	zipped     = BadEnd(`{text: It is 4 C in Oslo., gzip: true, times: 3}`)
)

var bodyCases = Cases{
	"failure/any-error-body-reported": {
		Holds("a web page", webPage, AfterRound("failed: 502")),
		Holds("nothing, after some attempts", nothing, AfterRound(`asks on
		failed: 400 (no body)`)),
		SeesNothing("the provider's own words are for http-error-reported", Refused, AfterRound("completed: no")),
		SeesNothing("a good answer", OneCity, OneCityDone),
		SeesNothing("no tool was used", webPage, `
			asks
			failed: 502`),
		SeesNothing("a crash is for run-ends", webPage, AfterRound("crashed")),
		Breaks("the page as the answer", webPage, AfterRound("completed: nginx is down here"),
			Found(2, "", "the run ended with an error status and was reported as completed", notCompleted, `status completed with the text "nginx is down here"`)),
		Breaks("nothing as the answer", inAList, AfterRound("completed:"),
			Found(2, "", "the run ended with an error status and was reported as completed", notCompleted, `status completed with the text ""`)),
	},
	"failure/odd-error-says-why": {
		Holds("the status", nothing, AfterRound("failed: 400 status code (no body)")),
		Holds("the words for the status", webPage, AfterRound("failed: upstream: bad gateway")),
		Holds("the text of the page", webPage, AfterRound("failed: nginx is down here")),
		Holds("the message in the list", inAList, AfterRound("failed: Wrong order of turns.")),
		Holds("the reason of a stop", inAList, AfterRound("stopped: Wrong order of turns.")),
		SeesNothing("the provider's own words are for error-says-why", TooLong, AfterRound("failed: no")),
		SeesNothing("completed is for any-error-body-reported", webPage, AfterRound("completed: no")),
		Breaks("what the parser said", webPage, AfterRound("failed: Unexpected token < in JSON at position 0"),
			Found(2, "", "neither the status of the error nor what its body says reaches the caller", `an error with 502 or "Bad Gateway"`, `"Unexpected token < in JSON at position 0"`)),
		Breaks("nothing", nothing, AfterRound("failed:"),
			Found(2, "", "neither the status of the error nor what its body says reaches the caller", `an error with 400 or "Bad Request"`, `""`)),
	},
	"failure/no-completion-reported": {
		Holds("a web page", signIn, AfterRound("failed: not JSON")),
		Holds("another shape, after some attempts", queued, AfterRound(`asks on
		failed: no choices`)),
		SeesNothing("a good answer", OneCity, OneCityDone),
		SeesNothing("an error status is for any-error-body-reported", webPage, AfterRound("completed: no")),
		Breaks("completed with nothing", queued, AfterRound("completed:"),
			Found(2, "", "the run ended with a body that is no completion and was reported as completed", notCompleted, `status completed with the text ""`)),
		Breaks("completed with the page", signIn, AfterRound("completed: Please sign in."),
			Found(2, "", "the run ended with a body that is no completion and was reported as completed", notCompleted, `status completed with the text "Please sign in."`)),
	},
	"failure/other-form-read-or-reported": {
		Holds("read", PlainText, AfterRound("completed")),
		Holds("reported", PlainText, AfterRound("failed: the content type is text/plain")),
		Holds("read though not streamed", unstreamed, AfterRound("completed")),
		Holds("asked for again, and reported", unstreamed, AfterRound(`asks on
		asks on
		failed: the stream was empty`)),
		Holds("half of it is for final-text", PlainText, AfterRound("completed: It is 4 C")),
		Holds("after all that was said before", PlainText, AfterRound("completed: I look it up. It is 4 C in Oslo.")),
		SeesNothing("an ordinary answer", OneCity, AfterRound("completed: no")),
		SeesNothing("a compressed one is for compressed-answer-read", zipped, AfterRound("completed: no")),
		SeesNothing("no tool was used", PlainText, `
			asks
			failed: no`),
		Breaks("an empty answer", unstreamed, AfterRound("completed:"),
			Found(2, "", "the answer in another form was not read, and the run reported as completed", `status completed with the text "It is 4 C in Oslo."`, `the loop reported completed with the text ""`)),
		Breaks("the document as the answer", PlainText, AfterRound(`completed: {"id":"chatcmpl-1"}`),
			Found(2, "", "the answer in another form was not read, and the run reported as completed", `status completed with the text "It is 4 C in Oslo."`, `the loop reported completed with the text "{\"id\":\"chatcmpl-1\"}"`)),
		Breaks("the whole document as the answer", PlainText, AfterRound(`completed: {"content":"It is 4 C in Oslo."}`),
			Found(2, "", "the answer in another form was not read, and the run reported as completed", `status completed with the text "It is 4 C in Oslo."`, `the loop reported completed with the text "{\"content\":\"It is 4 C in Oslo.\"}"`)),
	},
	"failure/compressed-answer-read": {
		Holds("read", zipped, AfterRound("completed")),
		Holds("half of it is for final-text", zipped, AfterRound("completed: It is 4 C")),
		Holds("after all that was said before", zipped, AfterRound("completed: I look it up. It is 4 C in Oslo.")),
		SeesNothing("an ordinary answer", OneCity, AfterRound("completed: no")),
		SeesNothing("a mislabelled one is for other-form-read-or-reported", PlainText, AfterRound("completed: no")),
		SeesNothing("no later request or outcome", zipped, AfterRound("crashed")),
		Breaks("reported as a failure", zipped, AfterRound("failed: Unexpected token in JSON"),
			Found(2, "", "the compressed answer was not read", `status completed with the text "It is 4 C in Oslo."`, `the loop reported failed: "Unexpected token in JSON"`)),
		Breaks("reported as it came", zipped, AfterRound("completed: H4sI"),
			Found(2, "", "the compressed answer was not read", `status completed with the text "It is 4 C in Oslo."`, `the loop reported completed with the text "H4sI"`)),
	},
	"failure/upstream-words-reported": {
		Holds("the raw words", routed, AfterRound(`failed: Provider returned error: {"detail":"max_tokens is too large"}`)),
		Holds("the whole body", routed, AfterRound(`failed: 400 {"error":{"metadata":{"raw":"{\"detail\":\"max_tokens is too large\"}"}}}`)),
		SeesNothing("an error without such words", inAList, AfterRound("failed: 400")),
		SeesNothing("a web page", webPage, AfterRound("failed: 502")),
		SeesNothing("completed is for any-error-body-reported", routed, AfterRound("completed: no")),
		Breaks("only the router's words", routed, AfterRound("failed: 400 Provider returned error"),
			Found(2, "", "what the provider behind the router said does not reach the caller", `an error with "{\"detail\":\"max_tokens is too large\"}"`, `"400 Provider returned error"`)),
	},
}
