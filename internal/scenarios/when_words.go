package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// String says the conditions in words: `user contains "weather", tools get_weather`.
func (w *When) String() string {
	if w.Conditions() == 0 {
		return "every request"
	}
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for _, t := range []struct {
		key  string
		text *Text
	}{{"user", w.User}, {"first-user", w.FirstUser}, {"system", w.System}, {"model", w.Model}, {"body", w.Body}} {
		if t.text != nil {
			add("%s %s", t.key, *t.text)
		}
	}
	if r := w.Result; r != nil {
		add("%s", strings.Join(slices.DeleteFunc([]string{"result", of(r.Tool), of(r.Call), r.Text().String()}, func(word string) bool { return word == "" }), " "))
	}
	if len(w.Tools) > 0 {
		add("tools %s", strings.Join(w.Tools, ", "))
	}
	if w.OffersTools != nil {
		add("offers-tools %t", *w.OffersTools)
	}
	if w.WantsSchema != nil {
		add("wants-schema %s", *w.WantsSchema)
	}
	if w.WantsJSON != nil {
		add("wants-json %t", *w.WantsJSON)
	}
	for _, h := range w.Headers {
		add("header %s %s", h.Name, h.Text)
	}
	for _, f := range w.Fields {
		add("field %s %s", f.Name, f.Text)
	}
	for _, s := range w.State {
		add("state %s %s", s.Name, s.Text)
	}
	if w.Turn != nil {
		add("turn %d", *w.Turn)
	}
	if w.TurnFrom != nil {
		add("turn %d or later", *w.TurnFrom)
	}
	if w.Round != nil {
		add("round %d", *w.Round)
	}
	if w.Not != nil {
		add("not: %s", w.Not)
	}
	if len(w.AnyOf) > 0 {
		alternatives := make([]string, len(w.AnyOf))
		for i, alternative := range w.AnyOf {
			alternatives[i] = alternative.String()
		}
		add("any of (%s)", strings.Join(alternatives, "; or "))
	}
	return strings.Join(all, ", ")
}

func of(tool string) string {
	if tool == "" {
		return ""
	}
	return "of " + tool
}

// String describes the condition: `contains "weather"`.
func (t Text) String() string {
	var all []string
	if t.Equals != nil {
		all = append(all, "is "+quoted(*t.Equals))
	}
	if t.Contains != nil {
		all = append(all, "contains "+quoted(*t.Contains))
	}
	if t.Matches != nil {
		all = append(all, "matches /"+t.Matches.String()+"/")
	}
	return strings.Join(all, " and ")
}
