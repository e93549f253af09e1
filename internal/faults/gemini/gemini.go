// Package gemini holds the faults and variations that are about the bytes of the dialect gemini.
//
//	for _, f := range gemini.Faults() {
//		fmt.Println(f.Name, f.Does)
//	}
package gemini

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Faults returns the faults, area by area.
func Faults() []raw.Fault {
	return slices.Concat(pairing, raw.OfForm(gemini.Form(), "egress/form-", mutated), egress, reasoning, answers, stream, gateways, retries, schemas, kinds, images)
}

// Variations returns the variations.
func Variations() []raw.Variation { return variations }

// onParts makes a loop that changes every part of its requests that says something of a kind.
func onParts(kind string, change func(r *raw.Request, path string, part gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		for i, c := range r.Get("contents").Array() {
			for n, part := range c.Get("parts").Array() {
				if part.Get(kind).Exists() {
					change(r, fmt.Sprintf("contents.%d.parts.%d", i, n), part)
				}
			}
		}
	})
}

// onContents makes a loop that changes the contents of requests that carry responses.
func onContents(change func(contents []string) []string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		if carriesResponse(r.Body) {
			r.SetRaw("contents", "["+strings.Join(change(raw.Items(r.Get("contents").Array())), ",")+"]")
		}
	})
}

func carriesResponse(json string) bool { return strings.Contains(json, `"functionResponse":`) }

// onPrompt makes a loop that changes the first content of its requests, which the user says.
func onPrompt(change func(r *raw.Request, path string)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) { change(r, "contents.0") })
}

// eachFunction makes a loop that changes every function that it declares.
func eachFunction(change func(r *raw.Request, path string, f gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		for i, f := range r.Get("tools.0.functionDeclarations").Array() {
			change(r, fmt.Sprintf("tools.0.functionDeclarations.%d", i), f)
		}
	})
}
