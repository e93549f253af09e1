package faults

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// variationsInInputs are what correct loops send back instead of an input that is not JSON, since
// the API takes objects alone. The reference loop puts the text into an object, as the
// documentation says.
var variationsInInputs = []Variation{
	{
		Name:      "turns/broken-input-empty",
		Does:      "A call whose input is not JSON goes back with an empty input, alongside a result that says what was wrong.",
		Sources:   []string{"https://github.com/pydantic/pydantic-ai/pull/4431", "https://github.com/anthropics/anthropic-sdk-go/blob/main/messageutil.go (an input that is not JSON becomes {})"},
		Unless:    neutral.TextArguments,
		Elsewhere: "arguments are texts, which go back as they came.",
		Make:      mendsInputs(func(string) string { return `{}` }),
	},
	{
		Name:      "turns/broken-input-as-far-as-it-is-whole",
		Does:      "A call whose input is not JSON goes back with as much of it as can be read, alongside a result that says what was wrong.",
		Sources:   []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/MessageStream.ts (partialParse)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/lib/streaming/_messages.py (from_json with partial_mode)"},
		Unless:    neutral.TextArguments,
		Elsewhere: "arguments are texts, which go back as they came.",
		Make:      mendsInputs(asFarAsWhole),
	},
	{
		Name:      "turns/broken-input-under-another-key",
		Does:      "A call whose input is not JSON goes back with its text in an object of the loop's own, alongside a result that says what was wrong.",
		Sources:   []string{"https://github.com/pydantic/pydantic-ai/pull/4588"},
		Unless:    neutral.TextArguments,
		Elsewhere: "arguments are texts, which go back as they came.",
		Make:      mendsInputs(func(written string) string { return raw.Set(`{}`, "__malformed_args__", written) }),
	},
}

// mendsInputs makes a loop that sends another object instead of an input that is not JSON.
func mendsInputs(instead func(written string) string) func() Mutation {
	return eachCall(func(c *neutral.Call) {
		if written := gjson.Get(c.Arguments, "INVALID_JSON"); written.Exists() {
			c.Arguments = instead(written.String())
		}
	})
}

// asFarAsWhole closes an object after the last of its members that is whole, or returns an empty
// one.
func asFarAsWhole(written string) string {
	for end := len(written); end > 0; end = strings.LastIndexByte(written[:end], ',') {
		if closed := written[:end] + "}"; gjson.Valid(closed) {
			return closed
		}
	}
	return `{}`
}
