package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestWrite: each form is there once, in JSON and in TypeScript.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	if err := write(folder); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(folder, "samples.json"))
	if err != nil {
		t.Fatal(err)
	}
	var samples []struct {
		Kind string
		Sent map[string]any
	}
	if err := json.Unmarshal(data, &samples); err != nil {
		t.Fatal(err)
	}
	types := map[any]bool{}
	for _, s := range samples {
		types[s.Sent["type"]] = true
	}
	for _, kind := range []string{"response.created", "response.output_item.added", "response.output_text.delta", "response.function_call_arguments.done", "response.completed", "response.incomplete"} {
		if !types[kind] {
			t.Errorf("there is no event %s", kind)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "samples.ts")); err != nil {
		t.Error(err)
	}
}

func TestFormOf(t *testing.T) {
	form := func(text string) string {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		return formOf("", value)
	}
	if form(`{"type":"a","n":1,"all":[1,2]}`) != form(`{"n":2,"type":"a","all":[3]}`) {
		t.Error("another order, number or length is another form")
	}
	for _, other := range []string{`{"type":"b","n":1}`, `{"type":"a","n":null}`, `{"type":"a"}`} {
		if form(`{"type":"a","n":1}`) == form(other) {
			t.Errorf("%s is of the same form", other)
		}
	}
}
