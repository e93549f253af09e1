package stubs

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// IsAimock reports whether a file contains fixtures of aimock:
// https://aimock.copilotkit.dev/fixtures.
func IsAimock(root *wire.Node) bool {
	return slices.ContainsFunc(root.Get("fixtures").All(), func(f *wire.Node) bool { return f.Has("match") && f.Has("response") })
}

// IsAimockConfig reports whether a file is a configuration of aimock, which names files of
// fixtures.
func IsAimockConfig(root *wire.Node) bool {
	return !root.Has("fixtures") && slices.ContainsFunc([]string{"llm", "mcp", "a2a", "agui", "vector"}, func(key string) bool { return root.Get(key).Is(wire.Object) })
}

// Aimock makes a script of a file with fixtures. Without reasoning, that of the model is left out:
// a script that has some is only played under the profiles of providers that show it.
func Aimock(name string, root *wire.Node, reasoning bool) (*Script, []Note) {
	a := &aimock{sequences: map[string]int{}, reasoning: reasoning}
	for i, fixture := range root.Get("fixtures").All() {
		a.at = fmt.Sprintf("/fixtures/%d", i)
		if err := a.fixture(fixture); err != nil {
			a.lost(a.at, err)
		}
	}
	return &Script{Name: name, Steps: a.reachable(a.inOrder())}, a.notes
}

// aimock reads the fixtures of a file.
type aimock struct {
	read      []placed
	notes     []Note
	at        string         // the fixture that is read
	sequences map[string]int // how many answers each condition has by sequenceIndex
	reasoning bool
}

// placed is the step of a fixture, and the turnIndex for which it is meant.
type placed struct {
	Step
	turn int // -1: none

	before []Step // go before it in exactly this turn
}

func (a *aimock) lost(place string, why error) {
	a.notes = append(a.notes, Note{Place: place, Why: why.Error(), Lost: true})
}

func (a *aimock) differs(key, format string, args ...any) {
	a.notes = append(a.notes, Note{Place: a.at + key, Why: fmt.Sprintf(format, args...)})
}

func (a *aimock) fixture(f *wire.Node) error {
	p := placed{Step: Step{From: a.at}, turn: -1}
	notes := len(a.notes)
	for _, read := range []func() error{
		func() error { return a.match(f.Get("match"), &p.Step) },
		func() error { return a.response(f.Get("response"), &p.Step) },
		func() error { return a.delivery(f, &p.Step) },
		func() error { return a.turn(f.Get("match"), &p) },
		func() error { return a.sequence(f.Get("match"), &p.Step) },
	} {
		if err := read(); err != nil {
			a.notes = a.notes[:notes] // what differs does not matter any more
			return err
		}
	}
	a.read = append(a.read, p)
	return nil
}

// inOrder returns the steps in the order in which aimock prefers the fixtures that match: the
// highest turnIndex that the conversation has reached, then those without one, and then the lowest
// turnIndex.
func (a *aimock) inOrder() []Step {
	var reached, early, rest []placed
	for _, p := range a.read {
		switch {
		case p.turn < 0:
			rest = append(rest, p)
			continue
		case p.turn > 0 && p.Requests == 0:
			early = append(early, p)
		}
		reached = append(reached, p)
	}
	slices.SortStableFunc(reached, func(a, b placed) int { return b.turn - a.turn })
	slices.SortStableFunc(early, func(a, b placed) int { return a.turn - b.turn })
	var steps []Step
	for _, p := range reached {
		if p.turn > 0 {
			when := *p.When
			when.From = p.turn + 1
			p.When = &when
		}
		steps = append(append(steps, p.before...), p.Step)
	}
	for _, p := range append(rest, early...) {
		steps = append(steps, p.Step)
	}
	return steps
}

// reachable leaves out the steps after one that answers every request.
func (a *aimock) reachable(steps []Step) []Step {
	for i := range steps {
		if !steps[i].When.empty() {
			continue
		}
		steps[i].When = nil
		if steps[i].Requests > 0 {
			continue
		}
		for _, never := range steps[i+1:] {
			if !slices.ContainsFunc(steps[:i+1], func(s Step) bool { return s.From == never.From }) {
				a.lost(never.From, fmt.Errorf("it never answers: %s answers every request before it", steps[i].From))
			}
		}
		return steps[:i+1]
	}
	return steps
}

// match reads the conditions of a fixture.
func (a *aimock) match(m *wire.Node, step *Step) error {
	if other := unknown(m, "userMessage", "systemMessage", "inputText", "toolCallId", "toolResultContains", "toolName", "model",
		"responseFormat", "sequenceIndex", "turnIndex", "hasToolResult", "endpoint", "context"); len(other) > 0 {
		return fmt.Errorf("the condition %s has no counterpart in a script", strings.Join(other, ", "))
	}
	if endpoint := m.Get("endpoint").Text(); endpoint != "" && endpoint != "chat" {
		return fmt.Errorf("the endpoint %s is none of a conversation", endpoint)
	}
	if m.Has("inputText") {
		return errors.New("inputText is of embeddings, which need no script: the same text always has the same vector")
	}
	w := &When{User: contains(m.Get("userMessage"))}
	step.When = w
	if err := system(m.Get("systemMessage"), w); err != nil {
		return err
	}
	if model := m.Get("model").Text(); model != "" {
		w.Model = &Text{Matches: new("^" + regexp.QuoteMeta(model) + `($|-\d)`)}
	}
	if tool := m.Get("toolName").Text(); tool != "" {
		w.Tools = []string{tool}
	}
	if format := m.Get("responseFormat").Text(); format != "" {
		w.Fields = map[string]Text{"/response_format/type": {Equals: &format}}
		a.differs("/match/responseFormat", "it is looked for in response_format, as Chat Completions has it")
	}
	if context := m.Get("context").Text(); context != "" {
		w.Headers = map[string]Text{"X-AIMock-Context": {Equals: &context}}
	}
	return a.position(m, w)
}

// position reads the conditions about where in a conversation a request is.
func (a *aimock) position(m *wire.Node, w *When) error {
	if m.Has("toolCallId") || m.Has("toolResultContains") {
		w.Result = &Result{Call: m.Get("toolCallId").Text()}
		if text := contains(m.Get("toolResultContains")); text != nil {
			w.Result.Contains = text.Contains
		}
	}
	switch has := m.Get("hasToolResult"); {
	case !has.Is(wire.Bool):
		if w.Result != nil {
			w.Not = &When{Round: 1} // the user has said nothing since
		}
	case has.True():
		w.Not = &When{Round: 1}
	case w.Result != nil:
		return errors.New("it wants a tool result, and none")
	default:
		w.Round = 1
	}
	return nil
}

// turn reads the turn for which the fixture is meant. At exactly that turn, aimock prefers an
// earlier fixture without one.
func (a *aimock) turn(m *wire.Node, p *placed) error {
	turn, ok := m.Get("turnIndex").Int()
	switch {
	case !ok:
		return nil
	case turn < 0:
		return fmt.Errorf("the turnIndex %d is before the first turn", turn)
	}
	p.turn = turn
	for _, earlier := range a.read {
		switch {
		case earlier.turn >= 0 || !overlap(earlier.When.User, p.When.User):
		case turn == 0 && earlier.When.Not != nil: // it wants what is not in the first turn: a tool result
		case earlier.Requests > 0:
			a.differs("/match/turnIndex", "it goes before %s also in turn %d, if both match", earlier.From, turn+1)
		default:
			when := *earlier.When
			when.Turn = turn + 1
			earlier.When = &when
			p.before = append(p.before, earlier.Step)
		}
	}
	return nil
}

// overlap reports whether one text of the user may match two conditions of aimock, as it surely can
// if one is part of the other.
func overlap(a, b *Text) bool {
	return a == nil || b == nil || strings.Contains(*a.Contains, *b.Contains) || strings.Contains(*b.Contains, *a.Contains)
}

// contains returns the condition that a text is part of another one.
func contains(n *wire.Node) *Text {
	if !n.Is(wire.String) {
		return nil
	}
	return &Text{Contains: new(n.Text())}
}

// system reads the texts that a system prompt has to contain.
func system(n *wire.Node, w *When) error {
	if n.Is(wire.String) {
		w.System = contains(n)
		return nil
	}
	for i, item := range n.All() {
		switch i {
		case 0:
			w.System = contains(item)
		case 1:
			w.System.Matches = new(regexp.QuoteMeta(item.Text()))
		default:
			return fmt.Errorf("the systemMessage has %d texts, and a script compares at most two", len(n.Items))
		}
	}
	return nil
}

// sequence reads which of the requests the fixture answers that match its other conditions.
func (a *aimock) sequence(m *wire.Node, step *Step) error {
	index, ok := m.Get("sequenceIndex").Int()
	if !ok {
		return nil
	}
	var conditions []string
	for _, member := range members(m) {
		if member.Key != "sequenceIndex" {
			conditions = append(conditions, member.Key+"="+stringify(member.Value))
		}
	}
	slices.Sort(conditions)
	key := strings.Join(conditions, "\n")
	if next := a.sequences[key]; index != next {
		return fmt.Errorf("its sequenceIndex is %d, and the next of these conditions is %d", index, next)
	}
	a.sequences[key]++
	step.Requests = 1
	return nil
}
