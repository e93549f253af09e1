package egress

import (
	"fmt"
	"strconv"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// schemaDraftRules are the rules of the area egress about the draft of JSON Schema in which tools
// are described.
var schemaDraftRules = []rules.Rule{
	{
		ID:        "egress/schema-of-2020-12",
		Level:     trace.Info,
		Text:      "The schema of a tool has no items that are a list, and no exclusiveMinimum or exclusiveMaximum that is true or false.",
		Why:       "These are of older drafts of JSON Schema. Anthropic refuses all tools with one such schema, which libraries write for tuples and bounds.",
		Where:     func(d *wire.Dialect) bool { return !d.Request.OpenAPISchemas },
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://json-schema.org/draft/2020-12/release-notes", Says: "the array form of items is prefixItems"},
			{URL: "https://github.com/openclaw/openclaw/issues/98588", Says: "a list refused by Opus 4.8, tried, with what is taken"},
			{URL: "https://github.com/AlexGladkov/claude-in-mobile/pull/55", Says: "the same for the tuples of zod"},
			{URL: "https://github.com/Dokploy/mcp/issues/74", Says: "the same for an exclusiveMinimum of true"},
		},
		Vars:    []string{"index", "name", "key"},
		Request: schemaOf202012,
	},
}

func schemaOf202012(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	EachTool(req, func(i int, t wire.ToolDefinition) {
		j.HasEvidence = true
		eachSchema(t.Parameters, func(s *wire.Node) {
			for _, key := range []string{"items", "exclusiveMinimum", "exclusiveMaximum"} {
				if n := s.Get(key); n.Is(wire.Array) && key == "items" || n.Is(wire.Bool) && key != "items" {
					j.Find(trace.Finding{
						Pointer:  n.Pointer(),
						Message:  fmt.Sprintf("the schema of the tool %s has %s of an older draft", t.Name, key),
						Expected: "a schema of draft 2020-12",
						Actual:   rules.Show(n),
						Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name, "key": key},
					})
				}
			}
		})
	})
	return j
}
