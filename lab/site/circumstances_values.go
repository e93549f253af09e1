package main

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// Where a value is, in the order of the table.
var valuePlaces = []string{"the prompt", "the system prompt", "the text of an answer", "the text alongside calls", "reasoning", "arguments", "a value in arguments", "the result of a tool", "the error of a tool"}

// extremes are the extreme forms of values.
var extremes = []struct {
	name string
	is   func(string) bool
}{
	{"empty", func(v string) bool { return v == "" }},
	{"white space alone", func(v string) bool { return v != "" && strings.TrimSpace(v) == "" }},
	{"white space at an end", func(v string) bool { return strings.TrimSpace(v) != "" && strings.TrimSpace(v) != v }},
	{"treated as false", func(v string) bool {
		switch strings.TrimSpace(v) {
		case "0", "false", "null", "0.0", "none", "None":
			return true
		}
		return false
	}},
	{"line separators", func(v string) bool { return strings.ContainsAny(v, "\n\r\u2028\u2029\u0085") }},
	{"letters of several bytes", func(v string) bool {
		return strings.IndexFunc(v, func(r rune) bool { return r > unicode.MaxASCII }) >= 0
	}},
	{"JSON or braces", func(v string) bool { return strings.ContainsAny(v, "{}[]") }},
	{"very long", func(v string) bool { return len(v) > 4096 }},
}

var valuesTable = circumstanceTable{
	name:    "Extreme values",
	about:   "Which extreme forms a value takes, by the place in which it is. \"Twice the same\" is the same value at two places of one kind in a conversation.",
	head:    "the value is",
	rows:    valuePlaces,
	columns: extremeNames(),
	mark:    markValues,
}

func extremeNames() []string {
	var names []string
	for _, e := range extremes {
		names = append(names, e.name)
	}
	return append(names, "twice the same")
}

func markValues(script *scenarios.Script, mark func(row, column string)) {
	seen := map[string]bool{}
	value := func(place, v string) {
		for _, e := range extremes {
			// arguments are JSON, which their values are looked at for
			if e.is(v) && !(place == "arguments" && e.name == "JSON or braces" && json.Valid([]byte(v))) {
				mark(place, e.name)
			}
		}
		if seen[place+"\x00"+v] {
			mark(place, "twice the same")
		}
		seen[place+"\x00"+v] = true
	}
	s := script.Scenario
	for _, p := range s.Prompts {
		value("the prompt", p)
	}
	if s.System != "" {
		value("the system prompt", s.System)
	}
	last := -1
	for _, t := range script.Turns {
		if t.Answer == nil || !t.Whole() || t.Step.Times > 1 && t.Number == last+1 && last >= 0 && script.Turns[last].Step == t.Step {
			continue
		}
		last = t.Number
		turnValues(script, t, value)
	}
}

func turnValues(script *scenarios.Script, t *scenarios.Turn, value func(place, v string)) {
	a := t.Answer
	switch {
	case len(a.Calls) == 0:
		value("the text of an answer", a.Text)
	case t.Step.Text != nil:
		value("the text alongside calls", a.Text)
	}
	if a.Reasoning != nil && len(a.Details) == 0 {
		value("reasoning", *a.Reasoning)
	}
	for _, d := range a.Details {
		if d.Data == "" {
			value("reasoning", d.Text)
		}
	}
	for _, c := range a.Calls {
		if c.FreeText { // which is a text, and played in one dialect alone
			continue
		}
		value("arguments", c.Arguments)
		var fields map[string]any
		if json.Unmarshal([]byte(c.Arguments), &fields) == nil {
			for _, v := range fields {
				leaf(v, func(text string) { value("a value in arguments", text) })
			}
		}
		toolValues(script, c.Name, c.Arguments, value)
	}
}

func toolValues(script *scenarios.Script, name, arguments string, value func(place, v string)) {
	tool := script.Scenario.Tool(name)
	if tool == nil {
		return
	}
	result, ok := tool.Answer(arguments)
	switch {
	case !ok || result == nil || result.Image != "":
	case result.Fails():
		value("the error of a tool", *result.Fail)
	default:
		value("the result of a tool", result.Output())
	}
}

// leaf calls f with every value in arguments that is not a list and no object, as JSON writes it
// but for the quotes of texts.
func leaf(v any, f func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			leaf(inner, f)
		}
	case []any:
		for _, inner := range v {
			leaf(inner, f)
		}
	case string:
		f(v)
	default:
		text, _ := json.Marshal(v)
		f(string(text))
	}
}
