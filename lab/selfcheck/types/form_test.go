package types

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/dialect/messages"
)

const formFile = "testdata/messages-form.yaml"

// TestFormOfMessages holds the form of requests to Messages against the types of Anthropic's SDK:
// each mutant that breaks the form is one of a request that the types do not take either, unless
// formFile says why.
func TestFormOfMessages(t *testing.T) {
	all, err := read("anthropic.yaml")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile("../../../internal/dialect/messages/messagesrules/testdata/request.json")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	text, err := os.ReadFile(formFile)
	if err == nil {
		err = yaml.Unmarshal(text, &reasons)
	}
	if err != nil {
		t.Fatal(err)
	}
	taken := func(body []byte) bool {
		var request any
		if err := json.Unmarshal(body, &request); err != nil {
			t.Fatal(err)
		}
		return all.takes(request, []string{root})
	}
	if !taken(whole) {
		t.Fatal("the request that has the form is not one of the types")
	}
	mutants := messages.Form().Mutants()
	for i := range mutants {
		m := &mutants[i]
		body, _, ok := m.Of(whole)
		if !ok {
			t.Fatalf("the request has no place for %s", m.ID())
		}
		why, listed := reasons[m.ID()]
		switch is := taken(body); {
		case is && why == "":
			t.Errorf("the types take what breaks %s, and %s does not say why: %s", m.Rule, formFile, m.ID())
		case !is && listed:
			t.Errorf("%s lists a difference that is none: %s", formFile, m.ID())
		}
		delete(reasons, m.ID())
	}
	for id := range reasons {
		t.Errorf("%s lists a mutant that there is not: %s", formFile, id)
	}
	t.Logf("%d mutants of the form held against the types", len(mutants))
}

// takes reports whether a value is of one of some types.
func (p places) takes(value any, kinds []string) bool {
	var items []string // the types of the items of a list
	for _, kind := range kinds {
		if item, is := strings.CutSuffix(kind, "[]"); is {
			items = append(items, item)
		} else if p.is(value, kind) {
			return true
		}
	}
	list, is := value.([]any)
	for _, item := range list {
		is = is && p.takes(item, items)
	}
	return is && items != nil
}

// is reports whether a value is of a type that is no list.
func (p places) is(value any, kind string) bool {
	o, isObject := value.(object)
	if inner, is := strings.CutSuffix(kind, "{}"); is {
		for _, v := range o {
			isObject = isObject && p.is(v, inner)
		}
		return isObject
	}
	if keys, is := p[kind]; is {
		return isObject && p.has(o, keys)
	}
	if word, is := strings.CutPrefix(kind, "="); is {
		return value == any(word) || value == any(word == "true") && (word == "true" || word == "false")
	}
	number, isNumber := value.(float64)
	switch kind {
	case "text":
		_, is := value.(string)
		return is
	case "flag":
		_, is := value.(bool)
		return is
	case "number":
		return isNumber
	case "integer":
		return isNumber && number == math.Trunc(number)
	case "null":
		return value == nil
	default:
		return kind == "any"
	}
}

// has reports whether an object has the keys of a place, and no others.
func (p places) has(o object, keys []key) bool {
	known := 0
	for _, k := range keys {
		value, has := o[k.name]
		if !has && k.required || has && !p.takes(value, k.types) {
			return false
		}
		if has {
			known++
		}
	}
	return known == len(o)
}
