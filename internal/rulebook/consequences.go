package rulebook

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// Consequence says that a violation of one rule may only follow from a violation of another in the
// same run: then it is shown under that one, and not counted apart from it.
type Consequence struct {
	Rule string // that is broken, too
	From string // the rule whose violation is the cause
	Why  string

	// OnlyWithCalls says that only findings that name a call follow from it: most of what the rule
	// finds has nothing to do with calls.
	OnlyWithCalls bool
}

// AllConsequences are all of them. What a finding must have in common with its cause is in
// mayFollow.
var AllConsequences = []Consequence{
	{Rule: "history/calls-come-back", From: "egress/calls-in-their-namespace", Why: "a call without its namespace is that of another tool"},
	{Rule: "history/calls-come-back", From: "execution/every-call-run", Why: "a call that the loop did not read is neither run nor returned"},
	{Rule: "history/calls-come-back", From: "execution/siblings-unaffected", Why: "a call that the loop did not read is neither run nor returned"},
	{Rule: "history/prompts-sent", From: "execution/every-call-run", Why: "a loop that gave up at the call may have forgotten its prompt, too"},
	{Rule: "history/only-grows", From: "history/calls-come-back", Why: "a turn that did not come back is missing in all later requests"},
	{Rule: "history/earlier-messages-unchanged", From: "history/calls-come-back", Why: "a turn that came back otherwise changes the messages around it"},
	{Rule: "pairing/no-orphan-result", From: "history/calls-come-back", Why: "the results of a turn that is gone have no call"},
	{Rule: "pairing/no-orphan-result", From: "history/only-grows", Why: "the results of a turn that is gone have no call"},
	{Rule: "pairing/result-names-a-call", From: "history/calls-come-back", Why: "the results of a turn that is gone have no call"},
	{Rule: "pairing/result-names-a-call", From: "history/only-grows", Why: "the results of a turn that is gone have no call"},
	{Rule: "pairing/every-call-answered", From: "pairing/result-names-a-call", Why: "the result of the call is there, under an id that names none"},
	{Rule: "pairing/one-result-per-call", From: "history/calls-come-back", Why: "the result of a call that is gone counts for another one of its id"},
	{Rule: "pairing/results-directly-follow", From: "history/calls-come-back", Why: "calls that are in another turn have their results elsewhere"},
	{Rule: "pairing/repeated-ids-kept-apart", From: "history/calls-come-back", Why: "a turn that is gone cannot be distinguished from another one with its id"},
	{Rule: "pairing/repeated-ids-kept-apart", From: "pairing/every-call-answered", Why: "the result that is missing is that of the call with the repeated id"},
	{Rule: "pairing/ids-present", From: "history/calls-come-back", Why: "a result of a call that is gone has no id to carry"},
	{Rule: "egress/content-present", From: "history/calls-come-back", Why: "a turn of calls alone is empty without them"},
	{Rule: "egress/no-blank-user-message", From: "pairing/every-call-answered", Why: "the message that says nothing was to hold the results", OnlyWithCalls: true},
	{Rule: "history/tool-turns-stay", From: "history/answers-come-back", Why: "what is missing as a whole is missing in its parts, too"},
	{Rule: "history/answers-come-back", From: "egress/block-types", Why: "a text under a wrong type is not a text"},
	{Rule: "history/text-comes-back", From: "egress/block-types", Why: "a text under a wrong type is not a text"},
	{Rule: "history/tools-stay", From: "egress/tools-stay-defined", Why: "tools that are left out after calls of them are not there any more"},
	{Rule: "execution/result-reaches-the-model", From: "egress/tool-content-is-text", Why: "a result in a form that is not read does not arrive"},
	{Rule: "execution/siblings-unaffected", From: "execution/every-call-run", Why: "the sibling is one of the calls that were not run"},
	{Rule: "execution/failure-answered", From: "outcome/run-ends", Why: "a loop that crashed answers nothing"},
	{Rule: "execution/unknown-tool-answered", From: "outcome/run-ends", Why: "a loop that crashed answers nothing"},
	{Rule: "execution/invalid-json-answered", From: "outcome/run-ends", Why: "a loop that crashed answers nothing"},
	{Rule: "execution/schema-breach-answered", From: "outcome/run-ends", Why: "a loop that crashed answers nothing"},
	{Rule: "execution/empty-result-answered", From: "outcome/run-ends", Why: "a loop that crashed answers nothing"},
	{Rule: "egress/error-result-says-something", From: "execution/unknown-tool-answered", Why: "the result that says nothing is that of the call"},
	{Rule: "egress/error-result-says-something", From: "execution/invalid-json-answered", Why: "the result that says nothing is that of the call"},
	{Rule: "egress/error-result-says-something", From: "execution/wordless-failure-told", Why: "the result that says nothing is that of the call"},
	{Rule: "outcome/no-made-up-answer", From: "failure/cut-stream-reported", Why: "an answer that broke off is none"},
	{Rule: "outcome/no-failure-of-its-own", From: "execution/every-call-run", Why: "a loop that did not read the calls of a turn has nothing to go on with"},
	{Rule: "limits/all-turns-allowed", From: "execution/every-call-run", Why: "a loop that did not read the calls of a turn has nothing to go on with"},
	{Rule: "failure/broken-turn-not-kept", From: "failure/broken-turn-not-run", Why: "a call that was run goes back with its result"},
	{Rule: "pairing/result-names-a-call", From: "failure/broken-turn-not-run", Why: "the result of a call that was run goes back, and what the provider keeps of a broken turn is not known"},
	{Rule: "images/not-as-text", From: "images/reach-the-model", Why: "an image that was written down as a text was not shown"},
	{Rule: "history/nothing-said-for-the-user", From: "images/reach-the-model", Why: "the text in the place of the image is the loop's own"},
	{Rule: "reasoning/details-verbatim", From: "reasoning/signature-present", Why: "a block without its signature is not the one that came"},
	{Rule: "reasoning/details-not-merged", From: "reasoning/details-come-back", Why: "blocks that did not come back are fewer, as merged ones are"},
	{Rule: "reasoning/resent-on-all-turns", From: "reasoning/resent-on-tool-turns", Why: "turns with calls are among all turns"},
	{Rule: "reasoning/resent-on-tool-turns", From: "reasoning/details-come-back", Why: "the reasoning is in the blocks that are missing"},
	{Rule: "reasoning/resent-on-tool-turns", From: "reasoning/kept-out-of-the-content", Why: "the reasoning went into the text"},
	{Rule: "history/earlier-messages-unchanged", From: "reasoning/resent-on-tool-turns", Why: "a turn that loses its reasoning later is another message"},
	{Rule: "pairing/ids-echoed", From: "pairing/ids-well-formed", Why: "ids that the loop made are not those of the model"},
	{Rule: "pairing/ids-echoed", From: "pairing/ids-distinct", Why: "ids that the loop made are not those of the model"},
	{Rule: "pairing/id-form", From: "pairing/ids-echoed", Why: "ids that the loop made have another form"},
	{Rule: "egress/call-has-name", From: "stream/id-changing", Why: "a piece that is treated as a separate call has no name"},
}

// Consequences returns what a violation of the rule may only follow from, and why.
func Consequences(r *rules.Rule) []Consequence {
	var all []Consequence
	for _, c := range AllConsequences {
		if c.Rule == r.ID {
			all = append(all, c)
		}
	}
	if len(r.Quirks) > 0 {
		all = append(all, Consequence{Rule: r.ID, From: "outcome/run-ends", Why: "a loop that crashed at an odd answer has read nothing of it"})
	}
	return all
}

// Explain notes in the findings of a run which of them only follow from violations of other rules,
// and from which.
func Explain(all []rules.Judgement) {
	failed := map[string]*rules.Judgement{}
	for i := range all {
		if all[i].Verdict == trace.Failed {
			failed[all[i].Rule.ID] = &all[i]
		}
	}
	for _, j := range failed {
		for i := range j.Findings {
			j.Findings[i].Because = causeOf(failed, j.Rule, &j.Findings[i])
		}
	}
	for _, j := range failed {
		for i := range j.Findings {
			j.Findings[i].Because = root(failed, j.Findings[i].Because)
		}
	}
}

// UnaskedSummary is the rule about a loop that summarises its history in a task without a limit.
// The script knows of no such request: its next turn is the answer, and what the loop does from
// there on is judged by a conversation that it no longer has. So all of it follows from that.
const UnaskedSummary = "history/summary-as-claimed"

// comesAfter reports whether a finding is about a request, its answer, or what came after it.
func comesAfter(f, request trace.Finding) bool {
	at := max(f.Request, f.Answer)
	return at == 0 || at >= request.Request
}

// causeOf returns the rule from whose violation a finding follows, or "".
func causeOf(failed map[string]*rules.Judgement, of *rules.Rule, f *trace.Finding) string {
	if cause := failed[UnaskedSummary]; cause != nil && of != cause.Rule && comesAfter(*f, cause.Findings[0]) {
		return UnaskedSummary
	}
	for _, c := range Consequences(of) {
		if c.OnlyWithCalls && len(f.Calls) == 0 {
			continue
		}
		if cause := failed[c.From]; cause != nil && slices.ContainsFunc(cause.Findings, func(first trace.Finding) bool { return mayFollow(*f, first) }) {
			return c.From
		}
	}
	return ""
}

// mayFollow reports whether one violation can be the cause of another: it is about the same answer
// or an earlier one, about the same call where both say which, and matters at least as much.
func mayFollow(f, cause trace.Finding) bool {
	before := answerOf(f) != 0 && answerOf(cause) != 0 && answerOf(f) < answerOf(cause)
	return !before && sharesCall(f.Calls, cause.Calls) && !f.Level.Outweighs(cause.Level)
}

// answerOf returns the number of the request whose answer was handled wrongly, or 0 if it is not
// known.
func answerOf(f trace.Finding) int {
	switch {
	case f.Answer != 0:
		return f.Answer
	case f.Request > 1:
		return f.Request - 1
	}
	return 0
}

// sharesCall reports whether a call is in both lists, or may be: an empty list names none, and an
// empty id any.
func sharesCall(a, b []string) bool {
	return len(a) == 0 || len(b) == 0 || slices.Contains(a, "") || slices.Contains(b, "") ||
		slices.ContainsFunc(a, func(id string) bool { return slices.Contains(b, id) })
}

// root returns the cause of a cause, as far as that one only follows from another.
func root(failed map[string]*rules.Judgement, cause string) string {
	for cause != "" && failed[cause].Follows() {
		cause = failed[cause].Findings[0].Because
	}
	return cause
}
