package finish_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// halfAndRest is cut off in the answer, and has the rest for whoever asks.
var halfAndRest = Scene(Half.Scenario + `
  - text: as cold as it was in the morning.
`)

var restCases = Cases{
	"finish/half-in-request-for-rest": {
		Holds("with the half", halfAndRest, AfterRound(`asks on
			assistant: The weather in Oslo is not
			user: Continue from where you left off.
		completed: The weather in Oslo is not as cold as it was in the morning.`)),
		Holds("with the half in the words of the user", halfAndRest, AfterRound(`asks on
			user: Continue this: The weather in Oslo is not
		completed: The weather in Oslo is not as cold as it was in the morning.`)),
		SeesNothing("it ends", halfAndRest, AfterRound("stopped: length")),
		SeesNothing("it asks for a shorter answer", halfAndRest, AfterRound(`asks on
			user: Your answer was too long. Answer in one sentence.
		completed: as cold as it was in the morning.`)),
		SeesNothing("nothing was cut off", OneCity, OneCityDone),
		Breaks("without the half", halfAndRest, AfterRound(`asks on
			user: Continue from where you left off.
		completed: The weather in Oslo is not as cold as it was in the morning.`),
			Found(3, "/messages", "the request asks the model to continue an answer, and does not have the half that arrived", `a message with "The weather in Oslo is not"`, "no message has it")),
	},
	"finish/half-in-answer": {
		Holds("both halves", halfAndRest, AfterRound(`asks on
			assistant: The weather in Oslo is not
			user: Continue from where you left off.
		completed: The weather in Oslo is not as cold as it was in the morning.`)),
		SeesNothing("it ends", halfAndRest, AfterRound("stopped: length")),
		SeesNothing("it asks for a shorter answer", halfAndRest, AfterRound(`asks on
			assistant: The weather in Oslo is not
			user: Your answer was too long. Answer in one sentence.
		completed: as cold as it was in the morning.`)),
		SeesNothing("it has the rest, and reports that it stopped", halfAndRest, AfterRound(`asks on
			assistant: The weather in Oslo is not
			user: Go on.
		stopped: length`)),
		SeesNothing("the script has no rest", Half, AfterRound(`asks on
			assistant: The weather in Oslo is not
			user: Go on.
		completed: There is nothing more to say.`)),
		Breaks("the rest alone", halfAndRest, AfterRound(`asks on
			assistant: The weather in Oslo is not
			user: Go on.
		completed: as cold as it was in the morning.`),
			Found(3, "", "the loop asked for the rest of an answer, and reports it without the half that had arrived", `a text that begins with "The weather in Oslo is not"`, `"as cold as it was in the morning."`)),
	},
}
