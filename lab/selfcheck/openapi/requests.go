package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/dialect/responses"
)

// The files of the comparison of requests, from the folder lab.
const (
	requestFile = "../internal/dialect/responses/responsesrules/testdata/request.json"
	knownFile   = "selfcheck/openapi/testdata/requests.yaml"
)

// runRequests holds the form of requests to Responses against a description: it prints each mutant
// of the form that the description takes and the file of known differences does not name, and each
// entry of that file that is none, and returns how many there are.
func runRequests(out io.Writer, file, request, known string) (wrong int, err error) {
	document, err := read(file)
	if err != nil {
		return 0, err
	}
	anyOfThem(document)
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("openapi.json", document); err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	schema, err := compiler.Compile("openapi.json#/components/schemas/CreateResponse")
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	whole, err := os.ReadFile(request)
	if err != nil {
		return 0, err
	}
	reasons := map[string]string{}
	text, err := os.ReadFile(known)
	if err == nil {
		err = yaml.Unmarshal(text, &reasons)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", known, err)
	}
	say := func(format string, args ...any) {
		wrong++
		fmt.Fprintf(out, format+"\n", args...)
	}
	if err := takes(schema, whole); err != nil {
		say("the request that has the form is not one of the description: %v", err)
	}
	mutants := responses.Form.Mutants()
	for i := range mutants {
		m := &mutants[i]
		body, _, ok := m.Of(whole)
		if !ok {
			return 0, fmt.Errorf("%s has no place for the mutant %s", request, m.ID())
		}
		_, listed := reasons[m.ID()]
		if taken := takes(schema, body) == nil; taken && !listed {
			say("the description takes what breaks %s: %s", m.Rule, m.ID())
		} else if !taken && listed {
			say("%s lists a difference that is none: %s", known, m.ID())
		}
		delete(reasons, m.ID())
	}
	for id := range reasons {
		say("%s lists a mutant that there is not: %s", known, id)
	}
	fmt.Fprintf(out, "%d mutants of the form held against the description\n", len(mutants))
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
