package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
)

// Expectation is what a journal is expected to hold: requests that a filter selects, that often, or
// one after the other. Without a number it is at least one.
type Expectation struct {
	Filter
	Count   *int `json:"count,omitempty"` // exactly
	AtLeast *int `json:"at_least,omitempty"`
	AtMost  *int `json:"at_most,omitempty"`

	// InOrder asks for a request for each of these filters, every one later than the one before.
	// They select among the requests that the filter of the expectation selects.
	InOrder []Filter `json:"in_order,omitempty"`
}

// Check returns an error when the expectation can never be met, or contradicts itself.
func (x Expectation) Check() error {
	if err := x.Filter.Check(); err != nil {
		return err
	}
	if x.InOrder != nil && len(x.InOrder) == 0 {
		return errors.New("in_order is an empty list, which would hold for any request")
	}
	for i, f := range x.InOrder {
		if err := f.Check(); err != nil {
			return fmt.Errorf("in_order/%d: %w", i, err)
		}
	}
	numbers := map[string]*int{"count": x.Count, "at_least": x.AtLeast, "at_most": x.AtMost}
	for name, n := range numbers {
		switch {
		case n == nil:
		case *n < 0:
			return fmt.Errorf("%s: %d is negative", name, *n)
		case len(x.InOrder) > 0:
			return fmt.Errorf("%s and in_order exclude each other", name)
		case name != "count" && x.Count != nil:
			return fmt.Errorf("count and %s exclude each other", name)
		}
	}
	if x.AtLeast != nil && x.AtMost != nil && *x.AtLeast > *x.AtMost {
		return fmt.Errorf("at_least is %d and at_most %d", *x.AtLeast, *x.AtMost)
	}
	return nil
}

// ReadsRequests reports whether a filter of the expectation selects by what is said in a request.
func (x Expectation) ReadsRequests() bool {
	return x.Filter.ReadsRequests() || slices.ContainsFunc(x.InOrder, Filter.ReadsRequests)
}

// Outcome is what happened to an expectation.
type Outcome struct {
	Holds   bool
	Found   []Entry // that were selected; in order, those that were found so far
	Message string  // what was expected, and what came
}

// Of evaluates an expectation on requests.
func (x Expectation) Of(entries []Entry) Outcome {
	among := x.Filter.Of(entries)
	if len(x.InOrder) > 0 {
		return x.inOrder(among, entries)
	}
	out := Outcome{Found: among, Holds: x.takes(len(among))}
	out.Message = fmt.Sprintf("expected %s%s; there %s", x.number(), describe(x.Filter), are(len(among)))
	if x.tooMany(len(among)) {
		out.Message += "\n" + Text(among)
		return out
	}
	return out.with(x.Filter, entries)
}

// Holds reports whether the expectation holds, without a message about why not.
func (x Expectation) Holds(entries []Entry) bool {
	among := x.Filter.Of(entries)
	if len(x.InOrder) == 0 {
		return x.takes(len(among))
	}
	return len(x.found(among)) == len(x.InOrder)
}

// found returns the requests that follow one another as expected.
func (x Expectation) found(among []Entry) []Entry {
	var found []Entry
	for _, e := range among {
		if next := len(found); next < len(x.InOrder) && x.InOrder[next].Takes(e) {
			found = append(found, e)
		}
	}
	return found
}

// tooMany reports whether there are more requests than expected.
func (x Expectation) tooMany(n int) bool {
	return x.Count != nil && n > *x.Count || x.AtMost != nil && n > *x.AtMost
}

func (x Expectation) inOrder(among, all []Entry) Outcome {
	out := Outcome{Found: x.found(among)}
	n := len(out.Found)
	out.Holds = n == len(x.InOrder)
	out.Message = fmt.Sprintf("expected %s in this order; all came", textlayout.Count(len(x.InOrder), "request"))
	if !out.Holds {
		out.Message = fmt.Sprintf("expected %s in this order; number %d is missing: a request%s", textlayout.Count(len(x.InOrder), "request"), n+1, describe(x.InOrder[n]))
		if n > 0 {
			out.Message += fmt.Sprintf(", after request %d", out.Found[n-1].Number)
		}
	}
	return out.with(x.Filter, all)
}

// with adds to the message of a broken expectation what came instead.
func (o Outcome) with(f Filter, all []Entry) Outcome {
	if o.Holds {
		return o
	}
	came := Filter{Run: f.Run, Unrouted: f.Unrouted}.Of(all)
	if len(came) == 0 {
		o.Message += "\nno request came"
		return o
	}
	o.Message += "\nthese came:\n" + Text(came)
	return o
}

func (x Expectation) takes(n int) bool {
	switch {
	case x.Count != nil:
		return n == *x.Count
	case x.AtLeast == nil && x.AtMost == nil:
		return n >= 1
	default:
		return (x.AtLeast == nil || n >= *x.AtLeast) && (x.AtMost == nil || n <= *x.AtMost)
	}
}

func (x Expectation) number() string {
	switch {
	case x.Count != nil:
		return textlayout.Count(*x.Count, "request")
	case x.AtLeast != nil && x.AtMost != nil:
		return fmt.Sprintf("%d to %s", *x.AtLeast, textlayout.Count(*x.AtMost, "request"))
	case x.AtLeast != nil:
		return "at least " + textlayout.Count(*x.AtLeast, "request")
	case x.AtMost != nil:
		return "at most " + textlayout.Count(*x.AtMost, "request")
	default:
		return "a request"
	}
}

func are(n int) string {
	switch n {
	case 0:
		return "is none"
	case 1:
		return "is 1"
	default:
		return fmt.Sprintf("are %d", n)
	}
}

// describe says what a filter asks for, in the terms of its fields: ` with tool get_weather, result
// "4 C"`.
func describe(f Filter) string {
	data, _ := json.Marshal(f) // of strings and numbers: it cannot fail
	text := strings.Trim(string(data), "{}")
	if text == "" {
		return ""
	}
	return " with " + strings.ReplaceAll(text, `,"`, `, "`)
}
