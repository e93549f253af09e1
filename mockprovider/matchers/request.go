package matchers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/format"
	"github.com/onsi/gomega/types"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/opaque"
	"github.com/loopproof/loopproof/mockprovider"
)

// requestMatcher is a matcher for a single request.
type requestMatcher struct {
	words string // completes "a request that ..."
	takes func(mockprovider.Entry) (bool, error)
}

func (m *requestMatcher) Match(actual any) (bool, error) {
	e, ok := actual.(mockprovider.Entry)
	if !ok {
		return false, fmt.Errorf("expected an entry of a journal, not\n%s", format.Object(actual, 1))
	}
	return m.takes(e)
}

func (m *requestMatcher) FailureMessage(actual any) string {
	return fmt.Sprintf("Expected a request that %s, not\n%s", m.words, text(actual))
}

func (m *requestMatcher) NegatedFailureMessage(actual any) string {
	return fmt.Sprintf("Expected no request that %s, not\n%s", m.words, text(actual))
}

func text(actual any) string {
	if e, ok := actual.(mockprovider.Entry); ok {
		return e.String()
	}
	return format.Object(actual, 1)
}

// orEqual returns the matcher for an expected value: a matcher itself, or equality with any other
// value.
func orEqual(expected any) types.GomegaMatcher {
	if m, ok := expected.(types.GomegaMatcher); ok {
		return m
	}
	return gomega.Equal(expected)
}

// in describes an expected value.
func in(expected any) string {
	if m, ok := expected.(types.GomegaMatcher); ok {
		return "that fits " + named(m)
	}
	return fmt.Sprintf("%q", fmt.Sprint(expected))
}

// named describes a matcher of Gomega: "ContainSubstring {Substr:4 C Args:[]}".
func named(m types.GomegaMatcher) string {
	name := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", m), "*matchers."), "Matcher")
	return name + " " + strings.TrimPrefix(fmt.Sprintf("%+v", m), "&")
}

// anyOf reports whether a matcher matches any of some texts.
func anyOf(texts []string, m types.GomegaMatcher) (bool, error) {
	for _, t := range texts {
		if ok, err := m.Match(t); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// CarryResult matches a request with a new tool result. The text is a string or a matcher; the tool
// "" means any tool.
func CarryResult(tool string, text any) types.GomegaMatcher {
	words := "carries a result " + in(text)
	if tool != "" {
		words = fmt.Sprintf("carries a result %s of the tool %s", in(text), tool)
	}
	return &requestMatcher{words, func(e mockprovider.Entry) (bool, error) {
		var texts []string
		for _, r := range e.NewResults() {
			if tool == "" || tool == r.Tool {
				texts = append(texts, r.Text)
			}
		}
		return anyOf(texts, orEqual(text))
	}}
}

// CarryText matches a request with a new text of the user. The text is a string or a matcher.
func CarryText(text any) types.GomegaMatcher {
	return &requestMatcher{"says for the user " + in(text), func(e mockprovider.Entry) (bool, error) {
		return anyOf(e.NewUserTexts(), orEqual(text))
	}}
}

// AskFor matches a request for a model. The name is a string or a matcher.
func AskFor(model any) types.GomegaMatcher {
	return &requestMatcher{"asks for the model " + in(model), func(e mockprovider.Entry) (bool, error) {
		if e.Model == "" { // it could not be read, or asks for none
			return false, nil
		}
		return orEqual(model).Match(e.Model)
	}}
}

// OfferTool matches a request that offers a tool of this name to the model.
func OfferTool(name string) types.GomegaMatcher {
	return &requestMatcher{"offers the tool " + name, func(e mockprovider.Entry) (bool, error) {
		return slices.Contains(e.Tools(), name), nil
	}}
}

// Satisfy matches a request for which a function returns true. The description completes "a request
// that ...".
func Satisfy(description string, predicate func(mockprovider.Entry) bool) types.GomegaMatcher {
	return &requestMatcher{description, func(e mockprovider.Entry) (bool, error) { return predicate(e), nil }}
}

// BeAnswered matches a request whose response has a status. The status is an int or a matcher.
func BeAnswered(status any) types.GomegaMatcher {
	return &requestMatcher{"is answered " + in(status), func(e mockprovider.Entry) (bool, error) {
		return orEqual(status).Match(e.Answer.Status)
	}}
}

// BeDisconnected matches a request whose client left before the answer had ended.
func BeDisconnected() types.GomegaMatcher {
	return Satisfy("was given up by its client", func(e mockprovider.Entry) bool { return e.Answer.Ending == string(journal.Disconnected) })
}

// AnswerWithText matches a request that is answered with a text. The text is a string or a matcher.
func AnswerWithText(text any) types.GomegaMatcher {
	return &requestMatcher{"is answered with the text " + in(text), func(e mockprovider.Entry) (bool, error) {
		if opaque.Open(e).Answer.Said == nil { // an error was answered
			return false, nil
		}
		return orEqual(text).Match(e.Answer.Text)
	}}
}

// AnswerWithCall matches a request that is answered with a call of a tool.
func AnswerWithCall(tool string) types.GomegaMatcher {
	return &requestMatcher{"is answered with a call of the tool " + tool, func(e mockprovider.Entry) (bool, error) {
		return slices.ContainsFunc(e.Answer.Calls, func(c mockprovider.Call) bool { return c.Name == tool }), nil
	}}
}

// BreakRule matches a request that breaks a rule, whose id is a string or a matcher.
func BreakRule(id any) types.GomegaMatcher {
	return &requestMatcher{"breaks the rule " + in(id), func(e mockprovider.Entry) (bool, error) {
		var broken []string
		for _, f := range e.Findings {
			broken = append(broken, f.Rule)
		}
		return anyOf(broken, orEqual(id))
	}}
}

// errNothing is the error of HaveNoFindings if there were no requests, since that would prove
// nothing.
var errNothing = errors.New("there was no request")
