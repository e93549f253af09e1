package geminirules

import (
	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiSchemas is the rule of the area egress about a schema that names its own properties. What
// else a schema is, the form says.
var geminiSchemas = []rules.Rule{
	{
		ID:        "egress/schema-required-is-defined",
		Level:     trace.Must,
		Text:      "Every name in the required of a schema is one of its properties.",
		Why:       "A name in required without a property makes Google refuse all tools.",
		Invariant: true,
		Evidence:  "a request with functions that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/znlsl/Antigravity2Api/issues/22", Says: "the 400: required[1]: property is not defined"},
			{URL: "https://github.com/iBUHub/AIStudioToAPI/issues/154", Says: "the same, for tools that others wrote"},
		},
		Vars: []string{"at", "found"},
		Request: func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
			for _, t := range req.Tools {
				if !t.Own {
					j.HasEvidence = j.HasEvidence || rules.CarriesResult(req)
					eachSchema(under(t.Node, "parameters"), func(schema *wire.Node) { j.Find(requiredButUndefined(schema)...) })
				}
			}
			eachSchema(under(under(req.Body, "generationConfig"), "responseSchema"), func(schema *wire.Node) { j.Find(requiredButUndefined(schema)...) })
			return j
		},
	},
}

// eachSchema calls f for a schema and for those within it.
func eachSchema(schema *wire.Node, f func(*wire.Node)) {
	if !schema.Is(wire.Object) {
		return
	}
	f(schema)
	for _, m := range membersOf(schema.Get("properties")) {
		eachSchema(m.Value, f)
	}
	eachSchema(schema.Get("items"), f)
	for _, one := range gemini.Items(under(schema, "anyOf")) {
		eachSchema(one, f)
	}
}

func placed(n *wire.Node, found string) map[string]string {
	return map[string]string{"at": gemini.Place(n), "found": found}
}

func requiredButUndefined(schema *wire.Node) (all []trace.Finding) {
	defined := map[string]bool{}
	for _, m := range membersOf(schema.Get("properties")) {
		defined[m.Key] = true
	}
	for _, name := range gemini.Items(schema.Get("required")) {
		if !defined[name.Text()] {
			all = append(all, at(name, "", "a schema requires what is none of its properties", "the name of a property", placed(name, name.Text())))
		}
	}
	return all
}
