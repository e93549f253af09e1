// Package responses holds the faults and variations that are about the bytes of the dialect
// responses.
//
//	for _, f := range responses.Faults() {
//		fmt.Println(f.Name, f.Does)
//	}
package responses

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Faults returns the faults, area by area.
func Faults() []raw.Fault {
	return slices.Concat(items, request, options, raw.OfForm(responses.Form(), "egress/form-", mutated), keptHistory, provided, stream, streamEnds, gateways, incomplete, failedResponses, summaries)
}

// Variations returns the variations, axis by axis.
func Variations() []raw.Variation { return slices.Concat(inInput, storing, compacting) }

// eachItem changes every item of a type in the input of a request.
func eachItem(r *raw.Request, kind string, change func(path string, item gjson.Result)) {
	for i, item := range r.Get("input").Array() {
		if item.Get("type").String() == kind {
			change(fmt.Sprintf("input.%d", i), item)
		}
	}
}

// onItems makes a loop that changes every item of a type in its requests.
func onItems(kind string, change func(r *raw.Request, path string, item gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		eachItem(r, kind, func(path string, item gjson.Result) { change(r, path, item) })
	})
}

// onMessages does so with the messages of a role.
func onMessages(role string, change func(r *raw.Request, path string, item gjson.Result)) func() raw.Mutation {
	return onItems("message", func(r *raw.Request, path string, item gjson.Result) {
		if item.Get("role").String() == role {
			change(r, path, item)
		}
	})
}

// behindResults adds an item after the results of every turn.
func behindResults(added string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		var all []string
		before := ""
		for _, item := range r.Get("input").Array() {
			kind := item.Get("type").String()
			if before == "function_call_output" && kind != before {
				all = append(all, added)
			}
			all, before = append(all, item.Raw), kind
		}
		if before == "function_call_output" {
			all = append(all, added)
		}
		r.SetRaw("input", "["+strings.Join(all, ",")+"]")
	})
}

// always sets a key of every request to a JSON text.
func always(key, json string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) { r.SetRaw(key, json) })
}
