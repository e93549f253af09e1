package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

// described is a form that is held against a description, with a request that has it and the file
// of known differences, from the folder lab.
type described struct {
	form           *form.Form
	schema         string
	request, known string
	drop           string // the pointer to what the request has and the description does not know, "" if there is nothing
}

var requestForms = []described{
	{responses.Form(), "CreateResponse", "../internal/dialect/responses/responsesrules/testdata/request.json", "selfcheck/openapi/testdata/requests.yaml", ""},
	{chat.Form(), "CreateChatCompletionRequest", "../internal/dialect/chat/chatrules/testdata/request.json", "selfcheck/openapi/testdata/requests_chat.yaml", "/tools/1"}, // a tool of another type
}

// runForms holds all forms against a description.
func runForms(out io.Writer, file string) (wrong int, err error) {
	for _, d := range requestForms {
		n, err := runRequests(out, file, d)
		if err != nil {
			return 0, err
		}
		wrong += n
	}
	return wrong, nil
}

// runRequests holds a form of requests against a description: it prints each mutant of the form
// that the description takes and the file of known differences does not name, and each entry of
// that file that is none, and returns how many there are.
func runRequests(out io.Writer, file string, d described) (wrong int, err error) {
	document, err := read(file)
	if err != nil {
		return 0, err
	}
	anyOfThem(document)
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("openapi.json", document); err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	schema, err := compiler.Compile("openapi.json#/components/schemas/" + d.schema)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	whole, err := os.ReadFile(d.request)
	if err != nil {
		return 0, err
	}
	if d.drop != "" {
		root := wire.Parsed(whole)
		at := root.At(d.drop)
		list := at.Parent()
		list.SetItems(slices.DeleteFunc(slices.Clone(list.Items), func(n *wire.Node) bool { return n == at })...)
		whole = root.JSON()
	}
	reasons := map[string]string{}
	text, err := os.ReadFile(d.known)
	if err == nil {
		err = yaml.Unmarshal(text, &reasons)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.known, err)
	}
	say := func(format string, args ...any) {
		wrong++
		fmt.Fprintf(out, format+"\n", args...)
	}
	if err := takes(schema, whole); err != nil {
		say("the request that has the form is not one of the description: %v", err)
	}
	mutants := d.form.Mutants()
	for i := range mutants {
		m := &mutants[i]
		body, _, ok := m.Of(whole)
		if !ok && d.drop != "" {
			continue
		}
		if !ok {
			return 0, fmt.Errorf("%s has no place for the mutant %s", d.request, m.ID())
		}
		_, listed := reasons[m.ID()]
		if taken := takes(schema, body) == nil; taken && !listed {
			say("the description takes what breaks %s: %s", m.Rule, m.ID())
		} else if !taken && listed {
			say("%s lists a difference that is none: %s", d.known, m.ID())
		}
		delete(reasons, m.ID())
	}
	for id := range reasons {
		say("%s lists a mutant that there is not: %s", d.known, id)
	}
	fmt.Fprintf(out, "%d mutants of the form held against %s\n", len(mutants), d.schema)
	return wrong, nil
}

func takes(schema *jsonschema.Schema, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// anyOfThem makes each oneOf of a description an anyOf: a message fits several of its kinds of
// items.
func anyOfThem(v any) {
	switch v := v.(type) {
	case map[string]any:
		if one, is := v["oneOf"].([]any); is {
			delete(v, "oneOf")
			v["anyOf"] = one
		}
		for _, value := range v {
			anyOfThem(value)
		}
	case []any:
		for _, value := range v {
			anyOfThem(value)
		}
	}
}
