package geminirules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// toldCases are cases of a rule about answers that are none: they are reported, asked for again, or
// taken for a success.
func toldCases(quirk string, others ...string) []Case {
	in := OneCity.Answering(quirk).Under("gemini-3")
	cases := []Case{
		Holds("reported", in, AfterRound("failed: the answer is none")),
		Holds("told by its reason", in, AfterRound("completed (MALFORMED_FUNCTION_CALL): ")),
		Holds("asked again", in, AfterRound("asks\ncalls oslo\nresult oslo\ncompleted: It is 4 C in Oslo.")),
		SeesNothing("an ordinary answer", geminiCity, OneCityDone),
		SeesNothing("no tool was used", NoTools.Answering(quirk).Under("gemini-3"), "asks\nfailed: the answer is none"),
		Breaks("taken for a success", in, AfterRound("completed: "),
			Found(2, "", Does(quirk)+"that was reported as completed", toldOr, "the loop reported completed")),
		Breaks("with the word of an answer", in, AfterRound("completed (stop): "),
			Found(2, "", Does(quirk)+"that was reported as completed", toldOr, "the loop reported completed (finish_reason: stop)")),
		Breaks("a crash", in, AfterRound("crashed"),
			Found(2, "", Does(quirk)+"the loop did not survive it", toldOr, `the loop crashed`)),
	}
	for _, other := range others {
		cases = append(cases, Breaks(other, OneCity.Answering(other), AfterRound("completed: "),
			Found(2, "", Does(other)+"that was reported as completed", toldOr, "the loop reported completed")))
	}
	return cases
}

const toldOr = "an outcome with the status failed or stopped or with a finish reason, or another request"

var endingCases = Cases{
	"finish/stopped-is-not-success": toldCases("finish-recitation", "finish-blocklist", "finish-prohibited-content", "finish-spii", "finish-language"),
	"finish/unrunnable-call-told":   toldCases("call-malformed", "call-unexpected", "calls-too-many"),
	"finish/blocked-prompt-told":    toldCases("prompt-blocked"),
	"failure/no-candidates-told":    toldCases("candidates-none"),
}
