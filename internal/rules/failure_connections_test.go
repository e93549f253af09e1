package rules

import "github.com/loopproof/loopproof/internal/wire"

var (
	// deadLine closes every connection without a word.
	deadLine = badEnd(`{cut: {before: headers}, times: 3}`)
	torn     = badEnd(`{reset: {before: headers}, times: 3}`)
	// moved and found send the client to another place, of which the second need not be asked by POST.
	moved = retrying(`{redirect: 308}`)
	found = retrying(`{redirect: 302}`)
	// mute says nothing for longer than there is time.
	mute = scene(weatherTool + `
prompt: What is the weather in Oslo?
timeout: 2s
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {text: It is 4 C, stall: {after: 1 event, for: 4s}}
  - text: It is 4 C in Oslo.
`).by(wire.DeliverSSE)
	// resting is silent for less than that.
	resting = retrying(`{stall: {before: headers, for: 4s}}`)
	// gone refuses every connection behind its second turn.
	gone = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - refused: true
`)
)

var failureConnectionsCases = ruleCases{
	"failure/lost-connection-reported": {
		holds("failed", deadLine, afterRound("failed: EOF")),
		holds("failed after some attempts", torn, afterRound(`asks on
		asks on
		failed: connection reset by peer`)),
		holds("failed in the middle of a document", brokenAnswer.by(wire.DeliverJSON), afterRound("failed: unexpected EOF")),
		breaks("half a document", brokenAnswer.by(wire.DeliverJSON), afterRound("completed: It is"),
			finding{2, "", "the run ended with half a document and was reported as completed", notCompleted, `status completed with the text "It is"`}),
		seesNothing("a stream that was cut is for cut-stream-reported", brokenAnswer.by(wire.DeliverSSE), afterRound("completed: no")),
		seesNothing("it passed", dead, afterRound(`asks on
		completed`)),
		seesNothing("no tool was used", deadLine, `
			asks
			failed: EOF`),
		breaks("completed with nothing", deadLine, afterRound("completed:"),
			finding{2, "", "the run ended with a connection on which nothing came and was reported as completed", notCompleted, `status completed with the text ""`}),
	},
	"failure/refused-connection-reported": {
		holds("failed", gone, afterRound(`runs lima
		failed: connection refused`)),
		seesNothing("the tool was not even run", gone, afterRound("failed: no idea")),
		seesNothing("not that far", gone, `
			asks
			runs oslo
			failed: no idea`),
		seesNothing("an answer", oneCity, oneCityDone),
		seesNothing("a crash is for run-ends", gone, afterRound(`runs lima
		crashed`)),
		breaks("completed with nothing", gone, afterRound(`runs lima
		completed:`),
			finding{2, "", "the next connection was refused, and the run reported as completed", notCompleted, `status completed with the text ""`}),
	},
	"failure/redirect-keeps-the-request": {
		holds("the same again", moved, afterRound(`asks on
		completed`)),
		holds("reported", moved, afterRound("failed: 308")),
		holds("the method need not be kept on a 302", found, afterRound(`gets
		failed: 405`)),
		holds("but may", found, afterRound(`asks on
		completed`)),
		seesNothing("no redirect", oneCity, oneCityDone),
		seesNothing("not that far", moved, `
			asks
			failed: no idea`),
		breaks("the method is lost", moved, afterRound(`gets
		failed: 405`),
			finding{2, "", "the request lost its method on a redirect with 308", "POST, with the same body", "GET"}),
		breaks("the messages are lost", moved, afterRound(`sends {"model":"loopproof","messages":[]}
		failed: 400`),
			finding{3, "", "the request was changed on a redirect with 308", "the body of request 2", `{"model":"loopproof","messages":[]}`}),
		breaks("the body is lost", moved, afterRound(`sends x
		failed: 400`),
			finding{3, "", "the request was changed on a redirect with 308", "the body of request 2", "invalid character 'x' at start of value at offset 0"}),
		breaks("nothing is an answer", found, afterRound(`gets
		completed:`),
			finding{2, "", "the run ended with a redirect and was reported as completed", notCompleted, `status completed with the text ""`}),
	},
	"failure/redirect-followed": {
		holds("followed", moved, afterRound(`asks on
		completed`)),
		holds("with another method is for redirect-keeps-the-request", moved, afterRound(`gets
		failed: 405`)),
		seesNothing("a 302 need not be", found, afterRound("failed: 302")),
		seesNothing("no redirect", oneCity, oneCityDone),
		seesNothing("nobody knows what became of it", moved, afterRound("crashed")),
		breaks("not followed", moved, afterRound("failed: 308 Permanent Redirect"),
			finding{2, "", "a redirect with 308 was not followed", "the same request at the URL of the redirect", `the loop reported failed: "308 Permanent Redirect"`}),
	},
	"failure/silence-given-up": {
		holds("given up in time", mute, `
			asks
			runs oslo
			asks on held 1900ms
				calls oslo
				result oslo
			failed: deadline exceeded`),
		holds("given up, and asked again", mute, `
			asks
			runs oslo
			asks on held 900ms
				calls oslo
				result oslo
			asks on
			completed`),
		seesNothing("there was time enough", resting, `
			asks
			runs oslo
			asks on held 4s
				calls oslo
				result oslo
			asks on
			completed`),
		seesNothing("no silence", oneCity, oneCityDone),
		seesNothing("nobody knows what became of it", mute, afterRound("crashed")),
		breaks("waited out", mute, `
			asks
			runs oslo
			asks on held 4s
				calls oslo
				result oslo
			asks on
			completed`,
			finding{2, "", "the loop waited until the provider closed the silent connection", "an end after the 2s that the task has", "4s of silence"}),
	},
}
