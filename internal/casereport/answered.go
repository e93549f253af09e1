package casereport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// maxBody is how much of a body is shown that came instead of an answer, in characters.
const maxBody = 200

// describeAnswer says in a sentence what the loop had been answered, and "" where it had not.
func (p Played) describeAnswer(x *trace.Exchange) string {
	switch {
	case x == nil || x.Turn == nil:
		return ""
	case x.Turn.Fails():
		return "The mock provider answered with " + p.describeFailure(x)
	case x.Turn.Step.InBandError != nil && !p.streamed(x):
		return "The mock provider answered with an error in the place of an answer" + p.body(x)
	}
	what := describeTurn(x.Turn.Answer)
	// A quirk may say something else on the wire, and is told as well.
	if f := x.Turn.Answer.Finish; f != wire.FinishStop && f != wire.FinishCalls && len(x.Turn.Quirks) == 0 {
		what += ", with " + p.stopAs(f)
	}
	return "The mock provider answered with " + what + p.describeBreak(x) + "."
}

// stopAs says in the words of the provider why the model stopped.
func (p Played) stopAs(f wire.Finish) string {
	if p.Profile == nil {
		return "the reason to stop " + string(f)
	}
	said, _ := p.Profile.Shape.StopAs(f)
	return said
}

// describeFailure says what came instead of an answer, with the beginning of its body where there
// is one.
func (p Played) describeFailure(x *trace.Exchange) string {
	what := x.Turn.Failure()
	if after := x.Turn.Step.RetryAfter; after != nil {
		what += fmt.Sprintf(", to be retried after %s", *after)
	}
	if x.Turn.Errs() || x.Turn.Garbled() {
		return what + p.body(x)
	}
	return what + "."
}

// body ends a sentence with a body, in one line and shortened, where it is known. No full stop is
// put behind the bytes of others.
func (p Played) body(x *trace.Exchange) string {
	switch a := p.got(x); {
	case a == nil:
		return "."
	case a.Body.Bytes == 0:
		return " and an empty body."
	case a.Body.Text == "":
		return " and a body that is no text."
	default:
		return ": " + textlayout.Shorten(textlayout.OneLine(a.Body.Text), maxBody)
	}
}

// streamed reports whether an answer went out as a stream.
func (p Played) streamed(x *trace.Exchange) bool {
	a := p.got(x)
	return a != nil && a.Writes != ""
}

// got returns the bytes with which an exchange was answered, or nil.
func (p Played) got(x *trace.Exchange) *report.TracedAnswer {
	if p.Got == nil {
		return nil
	}
	return p.Got(x.Number)
}

// sent returns in short the bytes of an answer, for the rules about how a loop reads them, where a
// stream broke off, and where the loop failed at them: there the sentence about the answer does not
// say what the loop got. It is "" for all others.
func (p Played) sent(rule *rules.Rule, x *trace.Exchange, failed bool) string {
	if x == nil || x.Turn == nil || x.Turn.Fails() {
		return ""
	}
	reads := rule.Area() == "stream" || len(rule.Quirks) > 0 || failed && rule.Area() != "record"
	a := p.got(x)
	switch {
	case a == nil:
		return ""
	case p.streamed(x) && (reads || x.Turn.Breaks()):
		return a.Brief()
	case reads && a.Body.Text != "":
		return textlayout.Shorten(a.Body.Text, maxExhibit)
	default:
		return ""
	}
}

// describeTurn says what the model said: its reasoning, its text, its calls.
func describeTurn(a *wire.Answer) string {
	var said []string
	for _, item := range a.Items {
		said = append(said, "an item "+item.Type)
	}
	switch {
	case a.Refusal != "":
		said = append(said, "the refusal "+rules.Quote(a.Refusal))
	case a.Text != "":
		said = append(said, "the text "+rules.Quote(a.Text))
	case len(a.Calls) == 0 && len(a.Items) == 0:
		said = append(said, "an empty text")
	}
	if len(a.Calls) > 0 {
		said = append(said, describeCalls(a.Calls))
	}
	if a.Reasoning != nil || len(a.Details) > 0 {
		said = append([]string{"reasoning"}, said...)
	}
	return strings.Join(said, " and ")
}

func describeCalls(calls []wire.AnswerCall) string {
	var said []string
	for _, c := range calls {
		call := c.Name + " " + textlayout.ShortenCounted(c.Arguments, maxBody)
		if c.ID != "" { // some providers give none
			call += " as " + c.ID
		}
		said = append(said, call)
	}
	if len(said) == 1 {
		return "a tool call (" + said[0] + ")"
	}
	return fmt.Sprintf("%d tool calls (%s)", len(said), strings.Join(said, ", "))
}

// describeBreak says how an answer broke off, and "" where it did not.
func (p Played) describeBreak(x *trace.Exchange) string {
	switch t, s := x.Turn, x.Turn.Step; {
	case !t.Breaks():
		return ""
	case s.InBandError != nil:
		return ", and broke it off with an error"
	case s.Reset != nil:
		return ", and reset the connection before its end"
	case s.Stall != nil:
		return ", and fell silent before its end"
	case s.Damaged != "":
		return fmt.Sprintf(", and an event of it came damaged: the checksum of its %s is wrong", s.Damaged)
	case s.Cut != nil:
		return ", and closed the connection before its end" + p.withoutEnd(x)
	default:
		return ", and the user cancelled before its end"
	}
}

// withoutEnd names what the end of a stream is that was not sent.
func (p Played) withoutEnd(x *trace.Exchange) string {
	if p.Profile == nil || p.Profile.Speaks.Terms.EndOfTurn == "" || !p.streamed(x) {
		return ""
	}
	return ", without " + p.Profile.Speaks.Terms.EndOfTurn
}

// describeQuirks says in which ways the answer was unusual, but for what the message of the finding
// says already. Where the loop failed at the answer, these are also the ways in which all answers
// of the provider are.
func (p Played) describeQuirks(x *trace.Exchange, f *report.Finding) string {
	if x == nil || x.Turn == nil || x.Turn.Fails() {
		return ""
	}
	shown := slices.Clone(x.Turn.Quirks)
	if p.Profile != nil && f.Reported != "" {
		for _, s := range p.Profile.Quirks {
			if q, known := p.Profile.Speaks.Quirk(s.Name); s.Always && known && (p.streamed(x) || q.Whole != nil || q.Answer != nil) {
				shown = append(shown, q)
			}
		}
	}
	var said []string
	for _, q := range shown {
		if does := "The provider " + q.Does + "."; !strings.Contains(f.Message, q.Does) && !slices.Contains(said, does) {
			said = append(said, does)
		}
	}
	return strings.Join(said, " ")
}

// describeCrash says that the process of the loop was killed when it had asked for the answer, or
// had it already.
func (p Played) describeCrash(x *trace.Exchange) string {
	if x == nil || p.Crash == nil || p.Crash.Request != x.Number {
		return ""
	}
	switch {
	case p.Crash.Turn.Crashed(scenarios.DuringTool):
		return "The process of the loop was killed while a tool ran, and started again."
	case p.Crash.Turn.Crashed(scenarios.DuringApproval):
		return "The process of the loop was killed while the user was asked about its calls, and started again."
	case p.Crash.Turn.Crashed(scenarios.DuringStream):
		return "The process of the loop was killed in the middle of the answer, and started again."
	default:
		return "The process of the loop was killed before the answer came, and started again."
	}
}

// describeDecisions says what the user was asked about the calls of an answer, and decided.
func (p Played) describeDecisions(x *trace.Exchange) string {
	if x == nil {
		return ""
	}
	var said []string
	for _, a := range p.Approvals {
		if a.Request == x.Number {
			said = append(said, textlayout.Shorten(fmt.Sprintf("%s %s: %s", a.Tool, a.Arguments, a.Says()), maxBody))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return "The user was asked about " + strings.TrimSuffix(strings.Join(said, "; "), ".") + "."
}

// describeCancel says that the user cancelled when the loop had the answer, or the error in its
// place, already, or said the next prompt while its tools ran.
func (p Played) describeCancel(x *trace.Exchange) string {
	switch {
	case x != nil && x.Turn != nil && x.Turn.Step.Steers:
		return "The user said the next prompt while its tools ran."
	case x == nil || x.Turn == nil || p.Cancel == nil || p.Cancel.Turn != x.Turn:
		return ""
	case x.Turn.Cancelled(scenarios.DuringWait):
		return "The user cancelled while the loop waited to ask again."
	case x.Turn.Cancelled(scenarios.DuringApproval):
		return "The user cancelled when asked about its calls."
	case x.Turn.Cancelled(scenarios.DuringTool):
		return "The user cancelled while a tool ran."
	default:
		return ""
	}
}
