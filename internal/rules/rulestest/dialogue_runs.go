package rulestest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// What a loop does in a dialogue besides asking the model: it runs tools, is cancelled, and ends.

func (s *stage) cancels(how string) {
	last := s.run.Exchanges[len(s.run.Exchanges)-1]
	last.Dropped = how != "in vain"
	s.run.Cancel = &trace.Cancel{Turn: last.Turn, Request: last.Number, At: s.clock}
}

// killed kills the process of the loop, which is started again. The turns after the first requests
// that it still knows are played anew.
func (s *stage) killed(again string) {
	x := s.run.Exchanges[len(s.run.Exchanges)-1]
	s.run.Crash = &trace.Crash{Turn: x.Turn, Request: x.Number, At: s.clock, Restarted: s.clock + tick/2}
	x.Dropped = true
	if again == "" {
		return
	}
	var known int
	_, err := fmt.Sscanf(again, "again from %d", &known)
	s.must(err)
	for _, lost := range s.run.Exchanges[known:] {
		lost.Lost = true
	}
	s.next = s.run.Exchanges[known].Turn.Number
}

// asked lets the loop ask the user about a call.
func (s *stage) asked(what string) {
	name, rest, _ := strings.Cut(what, " ")
	a := &trace.Approval{Tool: name, Arguments: rest, Asked: s.clock}
	if call, turn, ok := s.words.call(name); ok {
		a.Tool, a.CallID, a.Arguments = call.Name, call.ID, call.Arguments
		for _, x := range s.run.Exchanges {
			if x.Turn == turn {
				a.Request, a.N = x.Number, slices.IndexFunc(turn.Answer.Calls, func(c wire.AnswerCall) bool { return c.As == name })
			}
		}
		if arguments, ok := strings.CutPrefix(rest, "with "); ok {
			a.Arguments = s.words.fill(arguments)
		}
		if reason, denied := turn.Denied(a.N); rest != "in vain" {
			a.Decided, a.Approve, a.Reason = s.clock+tick/2, !denied, reason
		}
	}
	s.run.Approvals = append(s.run.Approvals, a)
}

func (s *stage) runs(what string) {
	name, rest, _ := strings.Cut(what, " ")
	e := &trace.Execution{Tool: name, Arguments: rest, Start: s.clock, End: s.clock + tick/2}
	if call, _, ok := s.words.call(name); ok {
		e.Tool, e.CallID, e.Arguments = call.Name, call.ID, call.Arguments
		if before, arguments, ok := strings.Cut(rest, "with"); ok {
			rest, e.Arguments = before, s.words.fill(strings.TrimSpace(arguments))
		}
		rest, e.Dropped = strings.CutSuffix(strings.TrimSpace(rest), " given up")
		if took, ok := strings.CutPrefix(strings.TrimSpace(rest), "for "); ok {
			wait, err := time.ParseDuration(took)
			s.must(err)
			e.End = e.Start + wait
		}
		if id, ok := strings.CutPrefix(strings.TrimSpace(rest), "as "); ok {
			e.CallID = strings.Trim(id, "-")
		}
	}
	s.result(e)
	s.run.Executions = append(s.run.Executions, e)
}

// result lets the tool answer an execution in the way in which the scripted tools do.
func (s *stage) result(e *trace.Execution) {
	scenario := s.run.Script.Scenario
	fails := func(message string) { e.Failed, e.Result = true, message }
	switch scenario.Trouble(wire.AnswerCall{Name: e.Tool, Arguments: e.Arguments}) {
	case scenarios.UnknownTool:
		e.Unknown = true
		fails("there is no such tool")
		return
	case scenarios.NotJSON:
		fails("the arguments are not JSON: " + e.Arguments)
		return
	case scenarios.SchemaViolation:
		fails("the arguments do not fit the parameters: " + e.Arguments)
		return
	}
	result, ok := scenario.Tool(e.Tool).Answer(e.Arguments)
	if !ok {
		e.Unknown = true
		fails("no result for " + e.Arguments)
		return
	}
	if result.Several() {
		e.Blocks = &trace.Blocks{
			Texts: result.Texts(), Resources: result.Resources(), Links: result.Links(), Structured: result.StructuredText(),
			Media: s.run.Script.Media(e.Tool, e.Arguments, result),
		}
	}
	if result.Pictured() != "" {
		e.Image = s.run.Script.Picture(e.Tool, e.Arguments, result)
		return
	}
	before := 0
	for _, other := range s.run.Executions {
		if given, ok := scenario.Tool(e.Tool).Answer(other.Arguments); ok && other.Tool == e.Tool && given == result {
			before++
		}
	}
	e.Result, e.Failed = result.Later(before).Output(), result.Fails()
}

var outcomeWord = regexp.MustCompile(`^ \((\w+)\)`)

func (s *stage) ends(status protocol.Status, rest string) {
	o := &protocol.Outcome{Status: status}
	if m := outcomeWord.FindStringSubmatch(rest); m != nil {
		o.FinishReason, rest = m[1], rest[len(m[0]):]
	}
	text, given := strings.CutPrefix(rest, ":")
	text = s.words.fill(strings.TrimSpace(text))
	if quoted, err := wire.ParseNode([]byte(text)); err == nil && quoted.Is(wire.String) {
		text = quoted.Text()
	}
	switch {
	case status == protocol.Failed:
		o.Error = text
	case status == protocol.Stopped:
		o.Reason = text
	case given:
		o.Text = text
	case s.next > 0 && s.run.Script.Turns[s.next-1].Answer != nil:
		o.Text = s.run.Script.Turns[s.next-1].Answer.Text
	}
	s.run.Outcome, s.run.Ending = o, trace.Ending{How: trace.Reported, At: s.clock}
}
