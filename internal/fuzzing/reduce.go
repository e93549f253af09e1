package fuzzing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// reduction returns all conversations that are smaller than one in some way.
type reduction func(*Conversation) []*Conversation

// reductions are the ways to make a conversation smaller, those that save most time first, and then
// those that remove most.
var reductions = []reduction{
	withoutAnyFailure,
	atHome,
	asDocument,
	withoutPrompts,
	withoutTurns,
	withoutCalls,
	withoutFailures,
	answered,
	plainer(func(c *Conversation) []func() bool {
		return []func() bool{clear(&c.System), clear(&c.SpareTools), clear(&c.MaxTurns), clear(&c.MCP), clear(&c.AskedAbout), clear(&c.ContextLimit), clear(&c.TokenBudget), clear(&c.AnswerInForm), clear(&c.Timeout), clear(&c.Transcript)}
	}),
	plainer(plainTurns),
	plainer(plainCalls),
	plainer(plainPrompts),
}

// withoutAnyFailure removes all failed attempts. It comes first, since retries wait, and each try
// that is made with them takes as long.
func withoutAnyFailure(c *Conversation) []*Conversation {
	s := c.clone()
	found := false
	for _, t := range s.turns() {
		found = found || len(t.Failures) > 0
		t.Failures = nil
	}
	if !found {
		return nil
	}
	return []*Conversation{s}
}

// atHome plays the conversation under the profile of the dialect's own provider, which is best
// known.
func atHome(c *Conversation) []*Conversation {
	if len(c.Profiles) != 1 {
		return nil
	}
	p, err := profiles.Get(c.Profiles[0])
	if err != nil || p.Name == p.Speaks.Standard || inCall(func(call *Call) bool { return call.RepeatsID })(c) {
		return nil // the dialect's own provider gives no id twice
	}
	s := c.clone()
	s.Profiles = []string{p.Speaks.Standard}
	return []*Conversation{s}
}

// asDocument delivers the answers as one document each, which is easiest to read.
func asDocument(c *Conversation) []*Conversation {
	if len(c.Deliveries) != 1 || c.Deliveries[0] == wire.DeliverJSON {
		return nil
	}
	s := c.clone()
	s.Deliveries = []wire.Delivery{wire.DeliverJSON}
	return []*Conversation{s}
}

func withoutPrompts(c *Conversation) (smaller []*Conversation) {
	if len(c.Prompts) == 1 {
		return nil
	}
	for i := range c.Prompts {
		s := c.clone()
		s.Prompts = slices.Delete(s.Prompts, i, i+1)
		smaller = append(smaller, s)
	}
	return smaller
}

// withoutTurns removes turns that call tools. The last one of a thread ends it, and stays.
func withoutTurns(c *Conversation) (smaller []*Conversation) {
	for i, thread := range c.threads() {
		for j := range (*thread)[:len(*thread)-1] {
			s := c.clone()
			shorter := s.threads()[i]
			*shorter = slices.Delete(*shorter, j, j+1)
			smaller = append(smaller, s)
		}
	}
	return smaller
}

func withoutCalls(c *Conversation) (smaller []*Conversation) {
	for i, t := range c.turns() {
		if len(t.Calls) < 2 {
			continue
		}
		for j := range t.Calls {
			s := c.clone()
			changed := s.turns()[i]
			changed.Calls = slices.Delete(changed.Calls, j, j+1)
			smaller = append(smaller, s)
		}
	}
	return smaller
}

func withoutFailures(c *Conversation) (smaller []*Conversation) {
	for i, t := range c.turns() {
		for j := range t.Failures {
			s := c.clone()
			changed := s.turns()[i]
			changed.Failures = slices.Delete(changed.Failures, j, j+1)
			smaller = append(smaller, s)
		}
	}
	return smaller
}

// answered lets threads end with an answer that do not.
func answered(c *Conversation) (smaller []*Conversation) {
	for i, thread := range c.threads() {
		if answers(*thread) {
			continue
		}
		s := c.clone()
		turns := *s.threads()[i]
		turns[len(turns)-1] = Turn{Step: scenarios.Step{Text: new(fmt.Sprintf("Text %d.", i+1))}}
		smaller = append(smaller, s)
	}
	return smaller
}

// plainer returns the conversations in which one thing each is plainer. The functions change one,
// and report whether that made a difference.
func plainer(changes func(*Conversation) []func() bool) reduction {
	return func(c *Conversation) (smaller []*Conversation) {
		for i := range changes(c.clone()) {
			s := c.clone()
			if changes(s)[i]() {
				smaller = append(smaller, s)
			}
		}
		return smaller
	}
}

// clear returns what takes the value of a field away.
func clear[T any](field *T) func() bool {
	var zero T
	return set(field, zero)
}

// set returns what gives a field another value.
func set[T any](field *T, to T) func() bool {
	return func() bool {
		changed := !reflect.DeepEqual(*field, to)
		*field = to
		return changed
	}
}

// plainTurns says what could be plainer in the turns.
func plainTurns(c *Conversation) (changes []func() bool) {
	for i, t := range c.turns() {
		s := &t.Step
		for i := range t.Failures {
			changes = append(changes, set(&t.Failures[i], scenarios.Step{Status: http.StatusServiceUnavailable}))
		}
		changes = append(changes, clear(&s.Cancel), clear(&s.Crash), clear(&s.Quirks), clear(&s.ReasoningDetails), clear(&s.ProviderItems), clear(&s.Blocks))
		changes = append(changes, clear(&s.Phase), clear(&s.Stream), clear(&s.Reasoning))
		changes = append(changes, clear(&s.Commentary), clear(&s.Container), clear(&s.Mixed), clear(&s.LosesThread), clear(&s.Compaction), clear(&s.AnswerCalls))
		if len(t.Calls) > 0 {
			changes = append(changes, clear(&s.Text))
		}
		changes = append(changes, plainText(&s.Text, fmt.Sprintf("Text %d.", i+1)), plainText(&s.Reasoning, fmt.Sprintf("Thought %d.", i+1)))
	}
	return changes
}

// plainText returns what makes a text plain that says something.
func plainText(field **string, plain string) func() bool {
	return func() bool {
		if *field == nil || **field == "" || **field == plain {
			return false
		}
		*field = &plain
		return true
	}
}

// plainCalls says what could be plainer in the calls and in what tools return.
func plainCalls(c *Conversation) (changes []func() bool) {
	number := 0
	for _, t := range c.turns() {
		for i := range t.Calls {
			call := &t.Calls[i]
			number++
			result := scenarios.Result{Text: fmt.Sprintf("Result %d.", number)}
			plain := Call{Tool: toolbox[0].Name, Arguments: fmt.Sprintf(`{"city":%q}`, plainCity(number)), Result: result}
			alike := plain
			alike.Result = call.Result
			changes = append(changes, set(call, plain), set(call, alike), set(&call.Result, result), clear(&call.Result.More), clear(&call.Result.Structured), clear(&call.Result.After), clear(&call.RepeatsID), clear(&call.Denied), clear(&call.ApprovedWith))
			if toolNamed(call.Tool) == nil {
				changes = append(changes, plainUnknown(call, result)...)
			}
			changes = append(changes, compact(&call.Arguments))
		}
	}
	return changes
}

// plainUnknown says what could be plainer in a call of a tool that is not offered: its name, which
// is all that most loops stumble over, and its arguments. The result, which no tool returns, is the
// one that any call gets: a change that another one takes back would be made for ever.
func plainUnknown(call *Call, result scenarios.Result) []func() bool {
	name, none := unknownTools[0], "{}"
	plain := Call{Tool: name, Arguments: none, Result: result}
	return []func() bool{set(call, plain), set(&call.Tool, name), set(&call.Arguments, none)}
}

// plainCity returns the city that the call of a number asks about.
func plainCity(number int) string {
	cities := []string{"Oslo", "Lima", "Rome", "Bonn"}
	if number <= len(cities) {
		return cities[number-1]
	}
	return fmt.Sprintf("City %d", number)
}

// compact returns what writes arguments without spaces.
func compact(arguments *string) func() bool {
	return func() bool {
		var b bytes.Buffer
		return json.Compact(&b, []byte(*arguments)) == nil && set(arguments, b.String())()
	}
}

func plainPrompts(c *Conversation) (changes []func() bool) {
	for i := range c.Prompts {
		changes = append(changes, clear(&c.Prompts[i].Second))
		changes = append(changes, set(&c.Prompts[i].Text, fmt.Sprintf("Question %d.", i+1)))
	}
	return changes
}
