package scenarios

import (
	"errors"
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// callWords are the functions that the texts of MCP servers know.
var callWords = map[string]word{
	"argument": {1, 2}, "answer": {1, 2}, "at": {2, 2}, "json": {1, 1}, "in_json": {1, 1},
	"eq": {2, 2}, "ne": {2, 2}, "not": {1, 1}, "and": {1, 9}, "or": {1, 9},
}

// CallValues are what the texts of an MCP server may be filled with: the arguments of the call, and
// what the user answered. Either may be nil.
type CallValues struct{ Arguments, Answer *wire.Node }

// Fill fills a text.
func (v CallValues) Fill(text string) (string, error) {
	f, err := newFillingOf(text, scope{words: callWords})
	if err != nil {
		return "", err
	}
	return f.fill(text, values{call: v})
}

func (v CallValues) argument(pointer string, instead ...string) (string, error) {
	return valueIn(v.Arguments, "the call has no argument", pointer, instead)
}

func (v CallValues) answer(pointer string, instead ...string) (string, error) {
	return valueIn(v.Answer, "the user answered nothing at", pointer, instead)
}

func valueIn(n *wire.Node, without, pointer string, instead []string) (string, error) {
	n = n.At(pointer)
	switch {
	case n != nil:
		return n.TextOrJSON(), nil
	case len(instead) > 0:
		return instead[0], nil
	default:
		return "", fmt.Errorf("%s %s", without, pointer)
	}
}

// Filled returns the result with the values of a call.
func (r *Result) Filled(v CallValues) (*Result, error) {
	filled := *r
	if r.Fail != nil {
		filled.Fail = new(*r.Fail)
	}
	if r.Error != nil {
		filled.Error = new(*r.Error)
	}
	filled.More, filled.Then = slices.Clone(r.More), nil
	var failed error
	filled.eachText(func(_ string, text *string) {
		var err error
		if *text, err = v.Fill(*text); err != nil && failed == nil {
			failed = err
		}
	})
	if len(r.Structured) > 0 {
		n, err := v.inside(wire.Parsed(r.Structured.JSON()))
		if err != nil {
			return nil, err
		}
		filled.Structured = wire.Fields{}
		for key, value := range n.Fields() {
			filled.Structured = filled.Structured.With(key, wire.Raw(value.JSON()))
		}
	}
	return &filled, failed
}

// Filled returns the question with the values of a call.
func (q *MCPQuestion) Filled(v CallValues) (*MCPQuestion, error) {
	filled := *q
	var err, other error
	filled.Message, err = v.Fill(q.Message)
	filled.Otherwise, other = v.Fill(q.Otherwise)
	return &filled, errors.Join(err, other)
}

// inside fills the texts in a value.
func (v CallValues) inside(n *wire.Node) (*wire.Node, error) {
	switch {
	case n.Is(wire.String):
		text, err := v.Fill(n.Text())
		return wire.NewNode(text), err
	case n.Is(wire.Array):
		items := []any{}
		for _, item := range n.All() {
			filled, err := v.inside(item)
			if err != nil {
				return nil, err
			}
			items = append(items, wire.Raw(filled.JSON()))
		}
		return wire.NewNode(items), nil
	case n.Is(wire.Object):
		fields := wire.Fields{}
		for key, value := range n.Fields() {
			filled, err := v.inside(value)
			if err != nil {
				return nil, err
			}
			fields = fields.With(key, wire.Raw(filled.JSON()))
		}
		return wire.NewNode(fields), nil
	}
	return n, nil
}
