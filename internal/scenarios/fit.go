package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Miss is a condition that a request does not fulfil.
type Miss struct {
	Condition string // the key: "user", "headers/X-Tenant"
	Why       string // `"Hello" does not contain "weather"`

	// Near says how near it was, from 0 to 1: the share of the wanted words that are there.
	Near float64
}

// String returns the condition and why it was missed.
func (m Miss) String() string { return m.Condition + ": " + m.Why }

// Misses returns the conditions that a request does not fulfil. A nil When has none.
func (w *When) Misses(a Ask) []Miss {
	if w == nil {
		return nil
	}
	f := &fitting{ask: a}
	f.text("user", w.User, a.User)
	f.text("first-user", w.FirstUser, a.FirstUser)
	f.text("system", w.System, a.System)
	f.text("model", w.Model, func() string { return a.Request.Model })
	f.text("body", w.Body, a.Body)
	f.result(w.Result)
	f.tools(w.Tools)
	f.offersTools(w.OffersTools)
	f.wantsJSON(w.WantsJSON)
	f.text("wants-schema", w.WantsSchema, func() string { return a.Demands().SchemaName() })
	for _, h := range w.Headers {
		f.text("headers/"+h.Name, &h.Text, func() string { return a.Header.Get(h.Name) })
	}
	for _, field := range w.Fields {
		f.text("fields"+field.Name, &field.Text, func() string { return a.Field(field.Name).TextOrJSON() })
	}
	for _, s := range w.State {
		f.text("state/"+s.Name, &s.Text, func() string { return a.State[s.Name] })
	}
	f.count("turn", w.Turn, a.Turn)
	if w.TurnFrom != nil && a.Turn() < *w.TurnFrom {
		f.miss("turn-from", 0, "it is turn %d, before turn %d", a.Turn(), *w.TurnFrom)
	}
	f.count("round", w.Round, a.Round)
	if w.Not != nil && w.Not.Fits(a) {
		f.miss("not/"+w.Not.keys()[0], 0, "the condition holds, and must not")
	}
	f.anyOf(w.AnyOf)
	return f.misses
}

// Fits reports whether a request fulfils all conditions. It is faster than [When.Misses].
func (w *When) Fits(a Ask) bool {
	if w == nil {
		return true
	}
	fits := func(t *Text, found func() string) bool { return t == nil || t.fits(found()) }
	named := func(all []NamedText, found func(string) string) bool {
		return !slices.ContainsFunc(all, func(n NamedText) bool { return !n.Text.fits(found(n.Name)) })
	}
	return fits(w.User, a.User) && fits(w.FirstUser, a.FirstUser) && fits(w.System, a.System) &&
		fits(w.Model, func() string { return a.Request.Model }) && fits(w.Body, a.Body) &&
		(w.OffersTools == nil || *w.OffersTools == (len(a.Request.Tools) > 0)) &&
		fits(w.WantsSchema, func() string { return a.Demands().SchemaName() }) &&
		(w.WantsJSON == nil || *w.WantsJSON == a.Demands().WantsJSON) &&
		(w.Turn == nil || *w.Turn == a.Turn()) && (w.TurnFrom == nil || *w.TurnFrom <= a.Turn()) && (w.Round == nil || *w.Round == a.Round()) &&
		named(w.Headers, a.Header.Get) && named(w.Fields, func(pointer string) string { return a.Field(pointer).TextOrJSON() }) &&
		named(w.State, func(name string) string { return a.State[name] }) && w.Result.fits(a) && len(a.missing(w.Tools)) == 0 && (w.Not == nil || !w.Not.Fits(a)) &&
		(len(w.AnyOf) == 0 || slices.ContainsFunc(w.AnyOf, func(alternative *When) bool { return alternative.Fits(a) }))
}

func (t Text) fits(text string) bool {
	return (t.Equals == nil || text == *t.Equals) &&
		(t.Contains == nil || strings.Contains(text, *t.Contains)) &&
		(t.Matches == nil || t.Matches.MatchString(text))
}

func (r *ResultText) fits(a Ask) bool {
	return r == nil || slices.ContainsFunc(a.LastResults(), func(found AskResult) bool {
		return (r.Tool == "" || r.Tool == found.Tool) && (r.Call == "" || r.Call == found.Call) && r.Text().fits(found.Text)
	})
}

// missing returns the tools of a list that are not offered.
func (a Ask) missing(tools []string) []string {
	if len(tools) == 0 {
		return nil
	}
	offered := a.Tools()
	return slices.DeleteFunc(slices.Clone(tools), func(name string) bool { return slices.Contains(offered, name) })
}

// fitting collects what does not fit.
type fitting struct {
	ask    Ask
	misses []Miss
}

func (f *fitting) miss(condition string, near float64, format string, args ...any) {
	f.misses = append(f.misses, Miss{condition, fmt.Sprintf(format, args...), near})
}

func (f *fitting) text(condition string, want *Text, found func() string) {
	if want == nil {
		return
	}
	text := found()
	if why := want.misses(text); why != "" {
		f.miss(condition, want.near(text), "%s %s", quoted(text), why)
	}
}

func (f *fitting) result(want *ResultText) {
	if want == nil {
		return
	}
	results := f.ask.LastResults()
	text := want.Text()
	why := "no tool result answers the last turn of the model"
	for _, r := range results {
		switch {
		case want.Tool != "" && r.Tool != want.Tool:
			why = fmt.Sprintf("the result is of the tool %s, not of %s", r.Tool, want.Tool)
		case want.Call != "" && r.Call != want.Call:
			why = fmt.Sprintf("the result is of the call %s, not of %s", r.Call, want.Call)
		case text.misses(r.Text) != "":
			why = fmt.Sprintf("%s, which %s gave, %s", quoted(r.Text), r.Tool, text.misses(r.Text))
		default:
			return
		}
	}
	f.miss("result", float64(min(1, len(results)))/2, "%s", why)
}

func (f *fitting) tools(want []string) {
	missing, offered := f.ask.missing(want), f.ask.Tools()
	if len(missing) == 0 {
		return
	}
	all := "none"
	if len(offered) > 0 {
		all = strings.Join(offered, ", ")
	}
	f.miss("tools", 1-float64(len(missing))/float64(len(want)), "the request does not offer %s; it offers %s", strings.Join(missing, ", "), all)
}

func (f *fitting) wantsJSON(want *bool) {
	switch {
	case want == nil || *want == f.ask.Demands().WantsJSON:
	case *want:
		f.miss("wants-json", 0, "the request does not ask for JSON by response_format, output_config.format or output_format")
	default:
		f.miss("wants-json", 0, "the request asks for JSON by %s", f.ask.Demands().FormatKey)
	}
}

func (f *fitting) offersTools(want *bool) {
	offered := f.ask.Tools()
	switch {
	case want == nil || *want == (len(offered) > 0):
	case *want:
		f.miss("offers-tools", 0, "the request offers no tools")
	default:
		f.miss("offers-tools", 0, "the request offers %s", strings.Join(offered, ", "))
	}
}

// anyOf tells of the alternative that is missed least.
func (f *fitting) anyOf(alternatives []*When) {
	var nearest []Miss
	for i, alternative := range alternatives {
		misses := alternative.Misses(f.ask)
		if len(misses) == 0 {
			return
		}
		if i == 0 || len(misses) < len(nearest) || len(misses) == len(nearest) && nearnessOf(misses) > nearnessOf(nearest) {
			nearest = misses
		}
	}
	if len(alternatives) > 0 {
		why := make([]string, len(nearest))
		for i, m := range nearest {
			why[i] = m.String()
		}
		f.miss("any-of", nearnessOf(nearest)/float64(len(nearest)), "none of the %d alternatives fits; the nearest misses %s", len(alternatives), strings.Join(why, ", "))
	}
}

// nearnessOf returns the sum of how near conditions that were missed were.
func nearnessOf(misses []Miss) (near float64) {
	for _, m := range misses {
		near += m.Near
	}
	return near
}

func (f *fitting) count(condition string, want *int, found func() int) {
	if want != nil && found() != *want {
		f.miss(condition, 0, "it is %d, not %d", found(), *want)
	}
}

// misses says what is wrong with a text, `does not contain "weather"`, or "" when nothing is.
func (t Text) misses(text string) string {
	var wrong []string
	if t.Equals != nil && text != *t.Equals {
		wrong = append(wrong, "is not "+quoted(*t.Equals)+capitals(strings.EqualFold(text, *t.Equals)))
	}
	if t.Contains != nil && !strings.Contains(text, *t.Contains) {
		lower := strings.Contains(strings.ToLower(text), strings.ToLower(*t.Contains))
		wrong = append(wrong, "does not contain "+quoted(*t.Contains)+capitals(lower))
	}
	if t.Matches != nil && !t.Matches.MatchString(text) {
		wrong = append(wrong, "does not match /"+t.Matches.String()+"/")
	}
	return strings.Join(wrong, " and ")
}

func capitals(alone bool) string {
	if alone {
		return " (capitals count)"
	}
	return ""
}

// near returns the share of the wanted words that a text has.
func (t Text) near(text string) float64 {
	var wanted []string
	for _, want := range []*string{t.Equals, t.Contains} {
		if want != nil {
			wanted = append(wanted, wordsOf(*want)...)
		}
	}
	if len(wanted) == 0 {
		return 0
	}
	there, has := 0, wordsOf(text)
	for _, word := range wanted {
		if slices.Contains(has, word) {
			there++
		}
	}
	return float64(there) / float64(len(wanted))
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// maxQuoted is how much of a text is quoted, in characters.
const maxQuoted = 120

func quoted(text string) string {
	if r := []rune(text); len(r) > maxQuoted {
		return strconv.Quote(string(r[:maxQuoted])) + "…"
	}
	return strconv.Quote(text)
}
