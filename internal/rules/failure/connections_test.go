package failure_test

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/failure"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// deadLine closes every connection without a message.
	deadLine = BadEnd(`{cut: {before: headers}, times: 3}`)
	torn     = BadEnd(`{reset: {before: headers}, times: 3}`)
	// moved and found send the client to another place, of which the second need not be asked by
	// POST.
	moved = Retrying(`{redirect: 308}`)
	found = Retrying(`{redirect: 302}`)
	// mute says nothing for longer than there is time.
	mute = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
timeout: 2s
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {text: It is 4 C, stall: {after: 1 event, for: 4s}}
  - text: It is 4 C in Oslo.
`).By(wire.DeliverSSE)
	// resting is silent for less than that.
	resting = Retrying(`{stall: {before: headers, for: 4s}}`)
)

var connectionCases = Cases{
	"failure/lost-connection-reported": {
		Holds("failed", deadLine, AfterRound("failed: EOF")),
		Holds("failed after some attempts", torn, AfterRound(`asks on
		asks on
		failed: connection reset by peer`)),
		Holds("failed in the middle of a document", BrokenAnswer.By(wire.DeliverJSON), AfterRound("failed: unexpected EOF")),
		Breaks("half a document", BrokenAnswer.By(wire.DeliverJSON), AfterRound("completed: It is"),
			Found(2, "", "the run ended with half a document and was reported as completed", notCompleted, `status completed with the text "It is"`)),
		SeesNothing("a stream that was cut is for cut-stream-reported", BrokenAnswer.By(wire.DeliverSSE), AfterRound("completed: no")),
		SeesNothing("it passed", Dead, AfterRound(`asks on
		completed`)),
		SeesNothing("no tool was used", deadLine, `
			asks
			failed: EOF`),
		Breaks("completed with nothing", deadLine, AfterRound("completed:"),
			Found(2, "", "the run ended with a connection on which nothing came and was reported as completed", notCompleted, `status completed with the text ""`)),
	},
	"failure/refused-connection-reported": {
		Holds("failed", Gone, AfterRound(`runs lima
		failed: connection refused`)),
		SeesNothing("the second prompt may not have been tried", GoneAtTheSecond, AfterRound("completed: It is 4 C in Oslo.")),
		SeesNothing("the tool was not even run", Gone, AfterRound("failed: no idea")),
		SeesNothing("not that far", Gone, `
			asks
			runs oslo
			failed: no idea`),
		SeesNothing("an answer", OneCity, OneCityDone),
		SeesNothing("a crash is for run-ends", Gone, AfterRound(`runs lima
		crashed`)),
		Breaks("completed with nothing", Gone, AfterRound(`runs lima
		completed:`),
			Found(2, "", "the next connection was refused, and the run reported as completed", notCompleted, `status completed with the text ""`)),
	},
	"failure/redirect-keeps-the-request": {
		Holds("the same again", moved, AfterRound(`asks on
		completed`)),
		Holds("reported", moved, AfterRound("failed: 308")),
		Holds("the method need not be kept on a 302", found, AfterRound(`gets
		failed: 405`)),
		Holds("but may", found, AfterRound(`asks on
		completed`)),
		SeesNothing("no redirect", OneCity, OneCityDone),
		SeesNothing("not that far", moved, `
			asks
			failed: no idea`),
		Breaks("the method is lost", moved, AfterRound(`gets
		failed: 405`),
			Found(2, "", "the request lost its method on a redirect with 308", "POST, with the same body", "GET")),
		Breaks("the messages are lost", moved, AfterRound(`sends {"model":"loopproof","messages":[]}
		failed: 400`),
			Found(3, "", "the request was changed on a redirect with 308", "the body of request 2", `{"model":"loopproof","messages":[]}`)),
		Breaks("the body is lost", moved, AfterRound(`sends x
		failed: 400`),
			Found(3, "", "the request was changed on a redirect with 308", "the body of request 2", "invalid character 'x' at start of value at offset 0")),
		Breaks("nothing is an answer", found, AfterRound(`gets
		completed:`),
			Found(2, "", "the run ended with a redirect and was reported as completed", notCompleted, `status completed with the text ""`)),
	},
	"failure/redirect-followed": {
		Holds("followed", moved, AfterRound(`asks on
		completed`)),
		Holds("with another method is for redirect-keeps-the-request", moved, AfterRound(`gets
		failed: 405`)),
		SeesNothing("a 302 need not be", found, AfterRound("failed: 302")),
		SeesNothing("no redirect", OneCity, OneCityDone),
		SeesNothing("no later request or outcome", moved, AfterRound("crashed")),
		Breaks("not followed", moved, AfterRound("failed: 308 Permanent Redirect"),
			Found(2, "", "a redirect with 308 was not followed", "the same request at the URL of the redirect", `the loop reported failed: "308 Permanent Redirect"`)),
	},
	"failure/silence-given-up": {
		Holds("given up in time", mute, `
			asks
			runs oslo
			asks on held 1900ms
				calls oslo
				result oslo
			failed: deadline exceeded`),
		Holds("given up, and asked again", mute, `
			asks
			runs oslo
			asks on held 900ms
				calls oslo
				result oslo
			asks on
			completed`),
		SeesNothing("there was time enough", resting, `
			asks
			runs oslo
			asks on held 4s
				calls oslo
				result oslo
			asks on
			completed`),
		SeesNothing("no silence", OneCity, OneCityDone),
		SeesNothing("no later request or outcome", mute, AfterRound("crashed")),
		Breaks("waited out", mute, `
			asks
			runs oslo
			asks on held 4s
				calls oslo
				result oslo
			asks on
			completed`,
			Found(2, "", "the loop waited until the provider closed the silent connection", "an end after the 2s that the task has", "4s of silence")),
	},
}

// A loop that waits until the provider closes the connection, and then ends at once, may have ended
// before the provider notes so.
func TestSilenceUntilTheEndOfTheRun(t *testing.T) {
	rule := &failure.Rules[slices.IndexFunc(failure.Rules, func(r rules.Rule) bool { return r.ID == "failure/silence-given-up" })]
	for _, test := range []struct {
		held string
		want int
	}{{"1900ms", 0}, {"4s", 1}} {
		run := mute.Play(t, "asks\nruns oslo\nasks on held "+test.held+"\ncalls oslo\nresult oslo\nfailed: EOF")
		x := run.Exchanges[1]
		run.Ending.At, x.End = x.End, x.Start
		if got := rule.Check(run).Findings; len(got) != test.want {
			t.Errorf("after a silence of %s there are %d findings, want %d: %v", test.held, len(got), test.want, got)
		}
	}
}
