package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// CompareWithBaseline demands that turns with one of these quirks have the same result as without:
// every call was run once with its arguments and went back under its id with its result, the text
// is the answer, and nothing of an interrupted turn was used. What the loop also does without the
// quirk is for other rules.
func CompareWithBaseline(r *Run, quirks []Quirk) (j CheckResult) {
	for _, x := range r.Served() {
		quirk, shown := QuirkOf(x.Turn, quirks)
		if !shown {
			continue
		}
		r.CompareAt(x, quirk, &j)
	}
	return j
}

// CompareAt demands that a turn with a quirk has the same result as without.
func (r *Run) CompareAt(x *trace.Exchange, quirk wire.Quirk, j *CheckResult) {
	j.HasEvidence = j.HasEvidence || r.ShowsWhatBecameOf(x)
	discrepancies := r.NewDiscrepancies(x)
	if len(discrepancies) == 0 {
		return
	}
	j.FindDiscrepancy(discrepancies[0], x, quirk) // the others follow from the first
}

// FindDiscrepancy adds a finding about what a loop made of an answer with a quirk. Where only the
// id of a call differs, nothing of the answer was lost.
func (j *CheckResult) FindDiscrepancy(s Discrepancy, x *trace.Exchange, quirk wire.Quirk) {
	f := s.Finding
	f.Message = "the provider " + quirk.Does + ", and " + f.Message
	f.Answer = x.Number
	f.Lost = !strings.HasPrefix(s.kind, "id ")
	j.Find(f)
}

// QuirkOf returns the first of these quirks that a turn has.
func QuirkOf(t *scenarios.Turn, among []Quirk) (wire.Quirk, bool) {
	i := slices.IndexFunc(t.Quirks, func(q wire.Quirk) bool { return hasQuirk(among, q.Name) })
	if i < 0 {
		return wire.Quirk{}, false
	}
	return t.Quirks[i], true
}

func shows(t *scenarios.Turn, quirk string) bool {
	_, shown := QuirkOf(t, []Quirk{{Name: quirk}})
	return shown
}

// NeedsBaseline reports whether the run can only be judged by comparison with a plainer one. That
// is not so if everything with quirks came out right, nor after a broken answer, except for single
// turns of a stream.
func (r *Run) NeedsBaseline() bool {
	if len(r.Script.Scenario.Facts().Quirks) == 0 {
		return r.AllWhole() || r.Case.Delivery.Like() == wire.DeliverSSE && slices.ContainsFunc(r.Served(), func(x *trace.Exchange) bool {
			return x.Turn.Asks() && !r.Ordinary(x.Turn)
		})
	}
	if _, wrong := r.CountedWrongly(); wrong {
		return true
	}
	return slices.ContainsFunc(r.Served(), func(x *trace.Exchange) bool {
		return len(x.Turn.Quirks) > 0 && slices.ContainsFunc(r.discrepancies(x), func(s Discrepancy) bool { return !s.forOtherRules })
	})
}

// surelyShows reports whether one of some quirks that were played is known of the provider itself
// as it is today, and not only of its older versions, or from reports of its users or of what is
// before it.
func (r *Run) surelyShows(quirks []Quirk) bool {
	return !r.Script.Profile.QuirksOnly && slices.ContainsFunc(r.Script.Scenario.Facts().Quirks, func(name string) bool {
		shown, _ := r.Script.Profile.Quirk(name)
		return hasQuirk(quirks, name) && shown.Sure()
	})
}

// ShowsWhatBecameOf reports whether a run shows what the loop made of an answer: whether it asked
// again, or ended.
func (r *Run) ShowsWhatBecameOf(x *trace.Exchange) bool {
	if x.Turn.Asks() {
		return r.Next(x) != nil
	}
	return r.UsedTools() && (r.Next(x) != nil || r.Outcome != nil)
}

// Discrepancy is a difference between an answer and what the loop made of it.
type Discrepancy struct {
	kind string // the same for the same discrepancy at another answer or in another run
	trace.Finding

	// forOtherRules is set where no quirk explains the discrepancy and another rule finds it. In
	// the baseline it shows what the loop does without quirks, too.
	forOtherRules bool
}

// NewDiscrepancies returns the discrepancies of an answer with quirks that the same answer without
// quirks does not have.
func (r *Run) NewDiscrepancies(x *trace.Exchange) []Discrepancy {
	all := slices.DeleteFunc(r.discrepancies(x), func(s Discrepancy) bool { return s.forOtherRules })
	if r.Baseline == nil {
		return slices.DeleteFunc(all, func(s Discrepancy) bool { return s.kind == noReasoning })
	}
	return slices.DeleteFunc(all, func(s Discrepancy) bool { return r.Baseline.HasDiscrepancyAt(x, s.kind) })
}

// HasDiscrepancyAt reports whether a run has a discrepancy of a kind where another run was given an
// answer. There may be no such run.
func (r *Run) HasDiscrepancyAt(x *trace.Exchange, kind string) bool {
	if r == nil {
		return false
	}
	return slices.ContainsFunc(r.Served(), func(y *trace.Exchange) bool {
		return y.Turn.Number == x.Turn.Number && slices.ContainsFunc(r.discrepancies(y), func(s Discrepancy) bool { return s.kind == kind })
	})
}

func (r *Run) discrepancies(x *trace.Exchange) []Discrepancy {
	switch t := x.Turn; {
	case t.Asks():
		return r.discrepanciesAtCalls(x)
	case t.Final():
		return r.discrepanciesAtAnswer(x)
	case t.Breaks():
		return r.discrepanciesAtBreak(x)
	default:
		return nil
	}
}

// discrepanciesAtCalls are those at a turn that asks for tools.
func (r *Run) discrepanciesAtCalls(x *trace.Exchange) (all []Discrepancy) {
	calls := x.Turn.Answer.Calls
	find := func(d Discrepancy) {
		if d.Expected == "" {
			d.Expected = DescribeCalls(calls)
		}
		all = append(all, d)
	}
	next := r.Next(x)
	if next == nil {
		if !r.HadToEnd() && (r.Outcome != nil || r.Ending.How != "") {
			find(Discrepancy{kind: "ended", Finding: trace.Finding{Request: x.Number, Message: "the loop ended at a turn with tool calls", Actual: r.DescribeEnd()}})
		}
		return all
	}
	r.strayRuns(x, find)
	for _, e := range r.ReturnedCallTurns() {
		if e.Turn != x.Turn {
			continue
		}
		discrepanciesInTurn(e, find)
		if e.Message != nil && asksForPlaces(x.Turn.Step) {
			r.discrepanciesInReasoning(e, find)
		}
	}
	return all
}

// strayRuns finds calls that were not run once with their arguments. A loop whose tools are its own
// shows no runs.
func (r *Run) strayRuns(x *trace.Exchange, find func(Discrepancy)) {
	if len(r.Executions) == 0 {
		return
	}
	for _, c := range r.Calls() {
		if c.In != x || c.Trouble != "" || len(c.Executions) == 0 && r.SteeredIn(c) {
			continue
		}
		f := trace.Finding{Request: x.Number, Expected: fmt.Sprintf("one run with %s", Quote(c.Call.Arguments)), Actual: describeRuns(c.Executions)}
		switch {
		case len(c.Executions) != 1:
			f.Message = fmt.Sprintf("the call %s was %s", c.Call.As, runTimes(len(c.Executions)))
			find(Discrepancy{kind: fmt.Sprint("runs ", c.N), Finding: f})
		case !c.SameArguments(c.Executions[0]):
			f.Message = fmt.Sprintf("the call %s was run with other arguments", c.Call.As)
			find(Discrepancy{kind: fmt.Sprint("arguments ", c.N), Finding: f})
		}
	}
	for _, e := range r.Uncalled() {
		if e.Start >= x.Start {
			find(Discrepancy{kind: "uncalled", Finding: trace.Finding{Request: x.Number, Message: "a tool was run that the model did not call so", Actual: describeRuns([]*trace.Execution{e})}})
		}
	}
}

// discrepanciesInTurn finds what is wrong in the way in which a turn with calls came back.
func discrepanciesInTurn(e ReturnedTurn, find func(Discrepancy)) {
	f := trace.Finding{Request: e.In.Number}
	if e.Message == nil {
		f.Message, f.Actual = "the turn did not come back", DescribeReturn(e)
		find(Discrepancy{kind: "echo", Finding: f})
		return
	}
	given := e.Turn.Answer
	if text := strings.TrimSpace(given.Text); text != "" && !strings.Contains(inOnePart(e.Turn, e.Message.Content.Text), inOnePart(e.Turn, text)) {
		f := trace.Finding{Request: e.In.Number, Pointer: e.Message.Node.Pointer(), Message: "its text did not come back", Expected: Quote(text), Actual: Show(e.Message.Node)}
		find(Discrepancy{kind: "text", Finding: f})
	}
	for n, call := range given.Calls {
		discrepanciesInCall(e, n, call, find)
	}
	if spare := len(e.Message.Calls) - len(given.Calls); spare > 0 {
		f.Message, f.Actual, f.Pointer = Plural(spare, "call")+" came back that the model did not make", Show(e.Message.Node.Get("tool_calls")), e.Message.Node.Pointer()
		find(Discrepancy{kind: "spare", Finding: f})
	}
}

func discrepanciesInCall(e ReturnedTurn, n int, call wire.AnswerCall, find func(Discrepancy)) {
	f := trace.Finding{Request: e.In.Number, Pointer: e.Message.Node.Pointer()}
	back, ok := e.Call(n)
	if call.ID == "" { // what it says tells which it is, and its place only where nothing says so
		if like, found := e.likeCall(call); found {
			back, ok = like, true
		}
	}
	if !ok {
		f.Message, f.Actual = fmt.Sprintf("the call %s did not come back", call.As), DescribeReturn(e)
		find(Discrepancy{kind: fmt.Sprint("call ", n), Finding: f})
		return
	}
	f.Pointer, f.Actual = back.Node.Pointer(), Show(back.Node)
	switch {
	case back.Name != call.Name || !sameArguments(call, back):
		f.Message = fmt.Sprintf("the call %s was put together wrongly", call.As)
		find(Discrepancy{kind: fmt.Sprint("call ", n), Finding: f})
	case call.ID != "" && back.ID != call.ID && !e.givenAs(call, back.ID):
		f.Message, f.Expected = fmt.Sprintf("the call %s came back under another id", call.As), "the id "+Quote(call.ID)
		find(Discrepancy{kind: fmt.Sprint("id ", n), Finding: f, forOtherRules: e.numberedAnew(back.ID)})
	case back.ID == "":
		f.Message, f.Expected = fmt.Sprintf("the call %s came back without an id", call.As), "an id that its result has too"
		find(Discrepancy{kind: fmt.Sprint("id ", n), Finding: f})
	case !e.answers(back.ID):
		f.Message, f.Expected = fmt.Sprintf("the call %s has no result under its id", call.As), "a result with the id "+Quote(back.ID)
		find(Discrepancy{kind: fmt.Sprint("result ", n), Finding: f})
	}
}

// sameArguments reports whether a call came back with its arguments. What is no JSON may come back
// otherwise, whatever the answer is odd in: some providers refuse it.
func sameArguments(given wire.AnswerCall, back wire.Call) bool {
	arguments := ArgumentsOrNone(given.Arguments)
	return !given.FreeText && !json.Valid([]byte(arguments)) || wire.SameJSON(ArgumentsOrNone(back.Arguments), arguments)
}

// givenAs reports whether the provider gave an id to a piece of a call, where each of them has its
// own.
func (e ReturnedTurn) givenAs(call wire.AnswerCall, id string) bool {
	return shows(e.Turn, "call-id-changing") && strings.HasPrefix(id, call.ID)
}

// numberedAnew reports whether a loop gave a call an id of its own, with its result, after an
// answer that is not odd in its ids. That is for pairing/ids-echoed to say.
func (e ReturnedTurn) numberedAnew(id string) bool {
	if id == "" || !e.answers(id) || slices.ContainsFunc(e.Turn.Quirks, isAboutIDs) {
		return false
	}
	return !slices.ContainsFunc(e.Turn.Answer.Calls, func(c wire.AnswerCall) bool { return c.ID == id })
}

func isAboutIDs(q wire.Quirk) bool { return strings.HasPrefix(q.Name, "call-id") }

// likeCall returns the first call that came back with the name and the arguments of one.
func (e ReturnedTurn) likeCall(call wire.AnswerCall) (wire.Call, bool) {
	for _, m := range e.In.Request.Messages[e.Index:] {
		for _, back := range m.Calls {
			if EqualCall(call, back) {
				return back, true
			}
		}
	}
	return wire.Call{}, false
}

// answers reports whether a result of this id is after the turn.
func (e ReturnedTurn) answers(id string) bool {
	return slices.ContainsFunc(e.In.Request.Messages[e.Index:], func(m wire.Message) bool {
		return slices.ContainsFunc(m.Results, func(res wire.Result) bool { return res.CallID == id })
	})
}

// discrepanciesAtAnswer are those at a turn that answers the user.
func (r *Run) discrepanciesAtAnswer(x *trace.Exchange) []Discrepancy {
	f := trace.Finding{Request: x.Number, Expected: "the answer " + Quote(x.Turn.Answer.Text)}
	text := strings.TrimSpace(x.Turn.Answer.Text + x.Turn.Answer.Refusal)
	switch next := r.Next(x); {
	case next != nil && len(r.Task.Prompts) > 1:
		return nil
	case next != nil:
		f.Message, f.Actual = "the loop asked again after the model's answer", Plural(len(r.Conversation()), "request")
	case r.Outcome == nil && r.Ending.How == "":
		return nil
	case r.Outcome == nil || r.Outcome.Status != protocol.Completed:
		f.Message, f.Actual = "the answer did not reach the caller", r.DescribeEnd()
	case inOnePart(x.Turn, r.Outcome.Text) != inOnePart(x.Turn, text) && !JoinsCommentary(x.Turn.Answer, r.Outcome.Text):
		f.Message, f.Actual = "the reported answer is not the model's", Quote(r.Outcome.Text)
	default:
		return nil
	}
	return []Discrepancy{{kind: "answer", Finding: f}}
}

// inOnePart returns a text of a turn as it can be compared: without the space around it or, where
// it came in several parts, without any, since it is for the loop to decide what is between two of
// them.
func inOnePart(t *scenarios.Turn, text string) string {
	if shows(t, "text-in-parts") {
		return strings.Join(strings.Fields(text), "")
	}
	return strings.TrimSpace(text)
}

// discrepanciesAtBreak are those at an answer that broke off.
func (r *Run) discrepanciesAtBreak(x *trace.Exchange) (all []Discrepancy) {
	for _, c := range r.Calls() {
		if c.In == x && len(c.Executions) > 0 {
			f := trace.Finding{Request: x.Number, Message: fmt.Sprintf("the call %s of the broken answer was run", c.Call.As), Expected: "no run", Actual: describeRuns(c.Executions)}
			all = append(all, Discrepancy{kind: fmt.Sprint("runs ", c.N), Finding: f})
		}
	}
	if r.Next(x) == nil && r.Outcome != nil && r.Outcome.Status == protocol.Completed {
		f := trace.Finding{Request: x.Number, Message: "the broken answer was reported as completed", Expected: "status failed or stopped", Actual: "status completed with the text " + Quote(r.Outcome.Text)}
		all = append(all, Discrepancy{kind: "answer", Finding: f})
	}
	if r.Next(x) == nil && r.Outcome == nil && r.Ending.How != "" {
		all = append(all, Discrepancy{kind: "ended", Finding: trace.Finding{Request: x.Number, Message: "the loop did not survive it", Expected: "a failure that is reported, or another attempt", Actual: r.DescribeEnd()}})
	}
	return all
}

func describeRuns(runs []*trace.Execution) string {
	var words []string
	for _, e := range runs {
		words = append(words, e.Tool+" with "+Quote(e.Arguments))
	}
	return List(words)
}

func runTimes(n int) string {
	if n == 0 {
		return "not run"
	}
	return fmt.Sprintf("run %d times", n)
}

// CountedWrongly compares the tokens that a loop reports with those of the complete answers that it
// got.
func (r *Run) CountedWrongly() (trace.Finding, bool) {
	if r.Outcome == nil || r.Outcome.Usage == nil {
		return trace.Finding{}, false
	}
	var want protocol.Usage
	for _, x := range r.Served() {
		if x.Turn.Whole() {
			want.InputTokens += x.Turn.Answer.Usage.Prompt
			want.OutputTokens += x.Turn.Answer.Usage.Completion
		}
	}
	got := *r.Outcome.Usage
	f := trace.Finding{
		Message:  "the tokens were not counted once",
		Expected: fmt.Sprintf("%d in, %d out", want.InputTokens, want.OutputTokens),
		Actual:   fmt.Sprintf("%d in, %d out", got.InputTokens, got.OutputTokens),
	}
	return f, got.InputTokens != want.InputTokens || got.OutputTokens != want.OutputTokens
}

// AllWhole reports whether every answer of the script is complete, so that two runs of it can be
// compared.
func (r *Run) AllWhole() bool {
	return !slices.ContainsFunc(r.Script.Turns, func(t *scenarios.Turn) bool { return !t.Whole() })
}
