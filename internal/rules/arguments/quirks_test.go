package arguments_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var streamCases = Cases{
	"arguments/null-piece":          CallQuirkCases("arguments-null-first", "arguments-missing-first", "arguments-empty-pieces"),
	"arguments/as-object":           CallQuirkCases("arguments-object"),
	"arguments/empty-braces-first":  CallQuirkCases("arguments-braces-first"),
	"arguments/cut-anywhere":        CallQuirkCases("arguments-by-letter"),
	"arguments/read-to-the-end":     CallQuirkCases("arguments-parse-early"),
	"arguments/no-piece-means-none": CallQuirkCases("fragments-none"),
	"arguments/in-the-start":        CallQuirkCases("input-in-the-start"),
}
