package scenarios_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/loopproof/loopproof/scenarios"
)

const greeting = `
loopproof: 1
title: A greeting
prompt: Hello?
model:
  - text: Good day.
`

// An unknown key is an error, which names its place and the most similar key.
func ExampleParse() {
	script, err := scenarios.Parse("greeting.yaml", greeting)
	if err != nil {
		panic(err)
	}
	fmt.Println(script.ID(), "-", script.Title())

	_, err = scenarios.Parse("greeting.yaml", "loopproof: 1\ntitel: A greeting\n")
	problem, _, _ := strings.Cut(err.Error(), ";")
	fmt.Println(problem)
	// Output:
	// greeting - A greeting
	// greeting.yaml:2:1: unknown key "titel" (did you mean "title"?)
}

// Load reads a folder, such as os.DirFS("testdata/scripts").
func ExampleLoad() {
	scripts, err := scenarios.Load(fstest.MapFS{
		"a.yaml":        {Data: []byte(greeting)},
		"folder/b.yaml": {Data: []byte(greeting)},
	})
	if err != nil {
		panic(err)
	}
	for _, s := range scripts {
		fmt.Println(s.ID())
	}
	// Output:
	// a
	// folder/b
}

func ExampleAll() {
	for _, s := range scenarios.All() {
		if s.ID() == "pairing/single-call" {
			fmt.Println(s.Title())
		}
	}
	// Output:
	// One call gets one result
}

func ExampleSchema() {
	var schema struct{ Title string }
	if err := json.Unmarshal(scenarios.Schema(), &schema); err != nil {
		panic(err)
	}
	fmt.Println(schema.Title)
	// Output:
	// Loopproof scenario
}
