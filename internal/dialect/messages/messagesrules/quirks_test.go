package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var streamEventCases = Cases{
	"stream/message-start-again": {
		Holds("the last one is taken", TwoCities.Showing("message-start-spliced"), TwoCitiesDone),
		Holds("one message is taken", OneCity.Answering("message-start-twice"), OneCityDone),
		Holds("asked for again", OneCity.Answering("message-start-spliced"), AfterRound("asks\ncalls oslo\nresult oslo\ncompleted: It is 4 C in Oslo.")),
		Holds("reported", OneCity.Answering("message-start-twice"), AfterRound("failed: unexpected event order")),
		SeesNothing("an ordinary stream", OneCity.By(wire.DeliverSSE), OneCityDone),
		SeesNothing("reported before a tool was run", TwoCities.Showing("message-start-spliced"), "asks\nfailed: unexpected event order"),
		Breaks("two texts in one", OneCity.Answering("message-start-spliced"), AfterRound("completed: It isIt is 4 C in Oslo."),
			Found(2, "", Does("message-start-spliced")+"the reported answer is not the model's", `the answer "It is 4 C in Oslo."`, `"It isIt is 4 C in Oslo."`)),
		Breaks("a call is lost", TwoCities.Showing("message-start-twice"), `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "", Does("message-start-twice")+"the call lima was not run", `one run with "{\"city\":\"Lima\"}"`, "none")),
	},
}

var finishWordCases = Cases{
	"finish/unknown-stop-reason": {
		Holds("taken", OneCity.Answering("stop-reason-unknown").Under("anthropic"), OneCityDone),
		Holds("reported", OneCity.Answering("stop-reason-unknown").Under("anthropic"), AfterRound("failed: unhandled stop reason")),
		SeesNothing("an ordinary stream", BlockCity.By(wire.DeliverSSE), OneCityDone),
		Breaks("the loop asks again", OneCity.Answering("stop-reason-unknown").Under("anthropic"), AfterRound("asks on\ncompleted"),
			Found(2, "", Does("stop-reason-unknown")+"the loop asked again without end", `the answer "It is 4 C in Oslo.", or a failure`, "3 requests")),
	},
}
