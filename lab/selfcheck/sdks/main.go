// Sdks writes what the mock provider sends in Responses, each form of it once, for the SDKs of
// other languages to read. The script check alongside it lets OpenAI's SDKs for Python and
// JavaScript do so:
//
//	sdks/check            # sets both up in a folder of its own, and prints what they do not know or miss
//	go run ./sdks FOLDER  # only writes samples.json and samples.ts
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/lab/selfcheck"
)

// profile is the one whose answers OpenAI's SDKs are made for.
const profile = "openai-responses"

// types are the names of the kinds of samples in the SDK for JavaScript.
var types = map[selfcheck.Kind]string{selfcheck.Response: "Response", selfcheck.ResponseEvent: "ResponseStreamEvent"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sdks FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "sdks:", err)
		os.Exit(2)
	}
}

func write(folder string) error {
	forms, err := eachForm()
	if err != nil {
		return err
	}
	var lines []string
	code := &strings.Builder{}
	code.WriteString("import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';\n")
	for i, s := range forms {
		lines = append(lines, fmt.Sprintf(`{"kind": %q, "scenario": %q, "sent": %s}`, s.Kind, s.Scenario, s.JSON))
		sent := s.JSON
		if s.Kind == selfcheck.Response { // the SDK adds output_text to what it read
			sent = append([]byte(`{"output_text":"",`), s.JSON[1:]...)
		}
		fmt.Fprintf(code, "export const sample%d: %s = %s; // %s\n", i, types[s.Kind], sent, s.Scenario)
	}
	if err := os.WriteFile(filepath.Join(folder, "samples.json"), []byte("["+strings.Join(lines, ",\n")+"]\n"), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "samples.ts"), []byte(code.String()), 0o666)
}

// eachForm returns the first sample of each form: with the same keys and types of values.
func eachForm() ([]selfcheck.Sample, error) {
	samples, err := selfcheck.Samples()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(samples, func(s selfcheck.Sample) bool {
		if s.Profile != profile || types[s.Kind] == "" {
			return true
		}
		var value any
		if err := json.Unmarshal(s.JSON, &value); err != nil {
			return false // the SDKs will say so
		}
		known := seen[formOf("", value)]
		seen[formOf("", value)] = true
		return known
	}), nil
}

// formOf describes the form of a value. What a type says belongs to it.
func formOf(key string, value any) string {
	switch v := value.(type) {
	case map[string]any:
		var b strings.Builder
		for _, k := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(k + ":" + formOf(k, v[k]) + ",")
		}
		return "{" + b.String() + "}"
	case []any:
		forms := map[string]bool{}
		for _, one := range v {
			forms[formOf("", one)] = true
		}
		return "[" + strings.Join(slices.Sorted(maps.Keys(forms)), "|") + "]"
	case string:
		if key == "type" || key == "status" {
			return v
		}
	}
	return fmt.Sprintf("%T", value)
}
