package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var responsesIncompleteCases = Cases{
	"finish/incomplete-in-any-form": {
		Holds("stopped", OneCity.Answering("incomplete-without-a-reason"), AfterRound("stopped: the answer was cut off")),
		Holds("asked on", OneCity.Answering("incomplete-as-completed"), AfterRound("asks on\nfailed: cut off again")),
		SeesNothing("a whole answer", OneCity.By(wire.DeliverSSE), OneCityDone),
		Breaks("reported as completed", OneCity.Answering("incomplete-without-a-reason"), AfterRound("completed: It is 4 C in Oslo."),
			Found(2, "", Does("incomplete-without-a-reason")+"the answer was reported as completed",
				`an outcome with the status stopped or failed, or with "max_output_tokens" as its finish reason`, `status completed with the text "It is 4 C in Oslo."`)),
	},
}
