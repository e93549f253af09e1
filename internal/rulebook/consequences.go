package rulebook

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// Consequence says that a violation of one rule may only follow from a violation of another in the same run: then it is shown
// under that one, and not counted apart from it.
type Consequence struct {
	Rule string // that is broken, too
	From string // the rule whose violation is the cause
	Why  string
}

// AllConsequences are all of them. What a finding must have in common with its cause is in mayFollow.
var AllConsequences = []Consequence{
	{"history/calls-come-back", "execution/every-call-run", "a call that the loop did not read is neither run nor returned"},
	{"history/calls-come-back", "execution/siblings-unaffected", "a call that the loop did not read is neither run nor returned"},
	{"history/prompts-sent", "execution/every-call-run", "a loop that gave up at the call may have forgotten its prompt, too"},
	{"history/only-grows", "history/calls-come-back", "a turn that did not come back is missing in all later requests"},
	{"history/earlier-messages-unchanged", "history/calls-come-back", "a turn that came back otherwise changes the messages around it"},
	{"pairing/no-orphan-result", "history/calls-come-back", "the results of a turn that is gone have no call"},
	{"pairing/no-orphan-result", "history/only-grows", "the results of a turn that is gone have no call"},
	{"pairing/result-names-a-call", "history/calls-come-back", "the results of a turn that is gone have no call"},
	{"pairing/result-names-a-call", "history/only-grows", "the results of a turn that is gone have no call"},
	{"pairing/every-call-answered", "pairing/result-names-a-call", "the result of the call is there, under an id that names none"},
	{"pairing/one-result-per-call", "history/calls-come-back", "the result of a call that is gone counts for another one of its id"},
	{"pairing/results-directly-follow", "history/calls-come-back", "calls that are in another turn have their results elsewhere"},
	{"pairing/repeated-ids-kept-apart", "history/calls-come-back", "a turn that is gone cannot be distinguished from another one with its id"},
	{"pairing/repeated-ids-kept-apart", "pairing/every-call-answered", "the result that is missing is that of the call with the repeated id"},
	{"pairing/ids-present", "history/calls-come-back", "a result of a call that is gone has no id to carry"},
	{"egress/content-present", "history/calls-come-back", "a turn of calls alone is empty without them"},
	{"egress/no-blank-user-message", "pairing/every-call-answered", "the message that says nothing was to hold the results"},
	{"history/tool-turns-stay", "history/answers-come-back", "what is missing as a whole is missing in its parts, too"},
	{"history/answers-come-back", "egress/block-types", "a text under a wrong type is not a text"},
	{"history/text-comes-back", "egress/block-types", "a text under a wrong type is not a text"},
	{"history/tools-stay", "egress/tools-stay-defined", "tools that are left out after calls of them are not there any more"},
	{"execution/result-reaches-the-model", "egress/tool-content-is-text", "a result in a form that is not read does not arrive"},
	{"execution/siblings-unaffected", "execution/every-call-run", "the sibling is one of the calls that were not run"},
	{"execution/failure-answered", "outcome/run-ends", "a loop that crashed answers nothing"},
	{"execution/unknown-tool-answered", "outcome/run-ends", "a loop that crashed answers nothing"},
	{"execution/invalid-json-answered", "outcome/run-ends", "a loop that crashed answers nothing"},
	{"execution/schema-breach-answered", "outcome/run-ends", "a loop that crashed answers nothing"},
	{"execution/empty-result-answered", "outcome/run-ends", "a loop that crashed answers nothing"},
	{"egress/error-result-says-something", "execution/unknown-tool-answered", "the result that says nothing is that of the call"},
	{"egress/error-result-says-something", "execution/invalid-json-answered", "the result that says nothing is that of the call"},
	{"egress/error-result-says-something", "execution/wordless-failure-told", "the result that says nothing is that of the call"},
	{"outcome/no-made-up-answer", "failure/cut-stream-reported", "an answer that broke off is none"},
	{"outcome/no-failure-of-its-own", "execution/every-call-run", "a loop that did not read the calls of a turn has nothing to go on with"},
	{"failure/broken-turn-not-kept", "failure/broken-turn-not-run", "a call that was run goes back with its result"},
	{"images/not-as-text", "images/reach-the-model", "an image that was written down as a text was not shown"},
	{"history/nothing-said-for-the-user", "images/reach-the-model", "the text in the place of the image is the loop's own"},
	{"reasoning/details-verbatim", "reasoning/signature-present", "a block without its signature is not the one that came"},
	{"reasoning/details-not-merged", "reasoning/details-come-back", "blocks that did not come back are fewer, as merged ones are"},
	{"reasoning/resent-on-all-turns", "reasoning/resent-on-tool-turns", "turns with calls are among all turns"},
	{"reasoning/resent-on-tool-turns", "reasoning/details-come-back", "the reasoning is in the blocks that are missing"},
	{"reasoning/resent-on-tool-turns", "reasoning/kept-out-of-the-content", "the reasoning went into the text"},
	{"history/earlier-messages-unchanged", "reasoning/resent-on-tool-turns", "a turn that loses its reasoning later is another message"},
	{"pairing/ids-echoed", "pairing/ids-well-formed", "ids that the loop made are not those of the model"},
	{"pairing/ids-echoed", "pairing/ids-distinct", "ids that the loop made are not those of the model"},
	{"pairing/id-form", "pairing/ids-echoed", "ids that the loop made have another form"},
	{"egress/call-has-name", "stream/id-changing", "a piece that is treated as a separate call has no name"},
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
		all = append(all, Consequence{r.ID, "outcome/run-ends", "a loop that crashed at an odd answer has read nothing of it"})
	}
	return all
}

// Explain notes in the findings of a run which of them only follow from violations of other rules, and from which.
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

// causeOf returns the rule from whose violation a finding follows, or "".
func causeOf(failed map[string]*rules.Judgement, of *rules.Rule, f *trace.Finding) string {
	if len(f.Calls) == 0 && slices.Contains(onlyWithCalls, of.ID) {
		return ""
	}
	for _, c := range Consequences(of) {
		if cause := failed[c.From]; cause != nil && slices.ContainsFunc(cause.Findings, func(first trace.Finding) bool { return mayFollow(*f, first) }) {
			return c.From
		}
	}
	return ""
}

// onlyWithCalls are rules of which a finding that names no call follows from nothing: most of what they find has nothing to do
// with calls.
var onlyWithCalls = []string{"egress/no-blank-user-message"}

// mayFollow reports whether one violation can be the cause of another: it is about the same answer or an earlier one, about the
// same call where both say which, and matters at least as much.
func mayFollow(f, cause trace.Finding) bool {
	before := answerOf(f) != 0 && answerOf(cause) != 0 && answerOf(f) < answerOf(cause)
	return !before && sharesCall(f.Calls, cause.Calls) && !f.Level.Outweighs(cause.Level)
}

// answerOf returns the number of the request whose answer was handled wrongly, or 0 if it is not known.
func answerOf(f trace.Finding) int {
	switch {
	case f.Answer != 0:
		return f.Answer
	case f.Request > 1:
		return f.Request - 1
	}
	return 0
}

// sharesCall reports whether a call is in both lists, or may be: an empty list names none, and an empty id any.
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
