package finish_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var wordCases = Cases{
	"finish/calls-without-call": {
		Holds("taken", OneCity.Answering("finish-calls-without-call"), OneCityDone),
		Holds("reported", OneCity.Answering("finish-calls-without-call"), AfterRound("failed: tool_calls without a call")),
		SeesNothing("an ordinary stream", OneCity.By(wire.DeliverSSE), OneCityDone),
		Breaks("the text is lost", OneCity.Answering("finish-calls-without-call"), AfterRound("completed:"),
			Found(2, "", Does("finish-calls-without-call")+"the reported answer is not the model's", `the answer "It is 4 C in Oslo.", or a failure`, `""`)),
		Breaks("the loop asks again", OneCity.Answering("finish-calls-without-call"), AfterRound("asks on\ncompleted"),
			Found(2, "", Does("finish-calls-without-call")+"the loop asked again without end", `the answer "It is 4 C in Oslo.", or a failure`, "3 requests")),
	},
	"finish/no-word": {
		Holds("taken", OneCity.Answering("finish-missing"), OneCityDone),
		Holds("reported", OneCity.Answering("finish-null"), AfterRound("failed: the answer broke off")),
		SeesNothing("an ordinary stream", OneCity.By(wire.DeliverSSE), OneCityDone),
		Breaks("the text is lost", OneCity.Answering("finish-empty"), AfterRound("completed:"),
			Found(2, "", Does("finish-empty")+"the reported answer is not the model's", `the answer "It is 4 C in Oslo.", or a failure`, `""`)),
		Breaks("the loop asks again", OneCity.Answering("finish-missing"), AfterRound("asks on\ncompleted"),
			Found(2, "", Does("finish-missing")+"the loop asked again without end", `the answer "It is 4 C in Oslo.", or a failure`, "3 requests")),
		Breaks("a crash", OneCity.Answering("finish-missing"), AfterRound("crashed"),
			Found(2, "", Does("finish-missing")+"the loop did not survive it", `the answer "It is 4 C in Oslo.", or a failure`, "the loop crashed")),
	},
}
