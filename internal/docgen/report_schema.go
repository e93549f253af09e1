package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// reportSchema writes the JSON Schema of report.json. Later versions may add keys, so that others
// are not forbidden.
func reportSchema() ([]byte, error) {
	s, err := reflectReport()
	if err != nil {
		return nil, err
	}
	return schemaText(s)
}

func reflectReport() (*jsonschema.Schema, error) {
	r := &jsonschema.Reflector{AllowAdditionalProperties: true}
	if err := addComments(r, "./report", "./internal/trace", "./protocol"); err != nil {
		return nil, err
	}
	s := r.Reflect(&report.Report{})
	s.ID = "https://github.com/loopproof/loopproof/report/schema.json"
	s.Title = "Loopproof report"
	top := s.Definitions["Report"]
	set(top, "schema", func(p *jsonschema.Schema) { p.Const = report.Schema })
	set(top, "result", func(p *jsonschema.Schema) {
		p.Enum = words([]report.Result{report.Conformant, report.Partial, report.NotConformant})
	})
	text := &jsonschema.Schema{Type: "string"}
	add(top, "passed", &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "array", Items: text},
		Description: "lists of rules that passed in the same cases; each case names its list by number",
	})
	add(s.Definitions["Case"], "passed", &jsonschema.Schema{
		Type: "integer", Description: "index, from 0, into the document's `passed`: the rules that passed in this case; `verdicts` has the others",
	})
	for _, name := range []string{"Rule", "Finding"} {
		set(s.Definitions[name], "level", func(p *jsonschema.Schema) { p.Enum = words([]trace.Level{trace.Must, trace.Should, trace.Info}) })
	}
	verdicts := enum([]trace.Verdict{trace.Passed, trace.Failed, trace.Untested, trace.Unclaimed})
	set(s.Definitions["Rule"], "verdict", func(p *jsonschema.Schema) { p.Enum = verdicts.Enum })
	set(s.Definitions["Case"], "verdicts", func(p *jsonschema.Schema) { p.AdditionalProperties = verdicts })
	return s, nil
}

// add adds a key that every document has.
func add(s *jsonschema.Schema, key string, value *jsonschema.Schema) {
	s.Properties.Set(key, value)
	s.Required = append(s.Required, key)
}

// reportPage writes what is in report.json.
func reportPage() ([]byte, error) {
	s, err := reflectReport()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s# The report\n\n", generated)
	b.WriteString("`loopproof run --report DIR`, `loopproof serve --report DIR` and `r.WriteDir` in Go write `report.json`. The console output, `junit.xml`, `ctrf.json`, `report.sarif`, `evaluations.otlp.json`, `report.html`, `summary.md` and `badge.json` are rendered from it alone, and `loopproof report merge` combines the reports of shards, `report draw --svg DIR` draws its cases as sequence diagrams, and `report compare` shows two reports side by side. ")
	b.WriteString("The format is a contract: within version 1 keys keep their meaning, and new keys may be added. There is [a JSON Schema](../report/schema.json).\n\n")
	b.WriteString("Each member of the document, and each element of its lists, is on a line of its own, so that `grep` and `diff` work well. Common queries with jq:\n\n")
	b.WriteString("```console\n")
	b.WriteString("jq -r .result report.json\n")
	b.WriteString("jq -r '.rules[] | select(.verdict == \"failed\") | \"\\(.level) \\(.id): \\(.text) \\(.sources[0].url)\"' report.json\n")
	b.WriteString("jq -r '.cases[] | select(.findings != []) | .id as $case | .findings[] | select(.because == null) | \"\\($case) \\(.rule): \\(.message)\"' report.json\n")
	b.WriteString("jq -r '.passed as $lists | .cases[] | \"\\(.id) \\($lists[.passed] | length) rules passed\"' report.json\n")
	b.WriteString("jq '.cases[] | select(.id == \"pairing/two-tools@chat/openai/sse\") | .trace.requests[1].body.text | fromjson' report.json\n")
	b.WriteString("```\n\nKeys in italics are optional. A missing key means that it does not apply, or that its list is empty.\n")
	for _, section := range []struct{ title, intro, of string }{
		{"The document", "", "Report"},
		{"loop", "", "Loop"},
		{"cache", "", "Cache"},
		{"cache: example", "", "CacheExample"},
		{"cache: example: before and request", "", "CachePart"},
		{"claims", "", "Claims"},
		{"shard", "", "Shard"},
		{"rules", "Each rule by which the loop was judged or would have been, in the order of [the rulebook](rules.md). The descriptions make the report independent of the version of Loopproof that reads it.", "Rule"},
		{"rules: sources", "", "Source"},
		{"cases", "Each case that was played.", "Case"},
		{"findings", "Each violation in a case. `answered`, `exhibit`, `sent` and `provider_answer` are set only on the first finding of a rule in a case.", "Finding"},
		{"provider_answer", "The real provider's answer to a violation or to a request.", "Answer"},
		{"trace", "The complete exchange of a case in which a must or a should is broken. Keys are redacted, and long bodies are truncated.", "Trace"},
		{"trace: requests", "", "TracedRequest"},
		{"trace: answer", "", "TracedAnswer"},
		{"trace: body", "Of a request, or of an answer.", "TracedBody"},
		{"trace: tools", "", "TracedTool"},
		{"trace: outcome", "What the loop returned to its caller.", "Outcome"},
	} {
		of := s.Definitions[section.of]
		if of == nil {
			return nil, fmt.Errorf("a report has no %s any more", section.of)
		}
		fmt.Fprintf(&b, "\n## %s\n\n", section.title)
		if section.intro != "" {
			fmt.Fprintf(&b, "%s\n\n", section.intro)
		}
		writeMembers(&b, of)
	}
	return b.Bytes(), nil
}

func writeMembers(b *bytes.Buffer, s *jsonschema.Schema) {
	b.WriteString("| key | is | |\n|---|---|---|\n")
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		key := "`" + pair.Key + "`"
		if !slices.Contains(s.Required, pair.Key) {
			key = "*" + key + "*"
		}
		text := inKeys(strings.ReplaceAll(pair.Key, "_", "-"), pair.Value.Description)
		text = strings.NewReplacer("|", `\|`, "`"+strings.ReplaceAll(pair.Key, "_", "-")+"`", "`"+pair.Key+"`", "[TracedAnswer.Writes]", "`writes`", "nil: ", "missing: ", "nil where", "missing where", `; "" is`, "; without it it is").Replace(text)
		fmt.Fprintf(b, "| %s | %s | %s |\n", key, memberKind(pair.Value), text)
	}
}

// memberKind says in a word or two what a key of a report has.
func memberKind(s *jsonschema.Schema) string {
	switch {
	case s.Const != nil:
		return fmt.Sprintf("`%v`", s.Const)
	case len(s.Enum) > 0:
		var all []string
		for _, word := range s.Enum {
			all = append(all, fmt.Sprintf("`%v`", word))
		}
		return strings.Join(all, ", ")
	case s.Ref != "":
		return "an object"
	case s.Type == "array" && s.Items != nil && s.Items.Type == "string":
		return "an array of strings"
	case s.Type == "array" && s.Items != nil && s.Items.Type == "integer":
		return "an array of numbers"
	case s.Type == "array" && s.Items != nil && s.Items.Type == "array":
		return "an array of arrays"
	case s.Type == "array":
		return "an array of objects"
	case s.Type == "object":
		return "an object"
	case s.Type == "integer", s.Type == "number":
		return "a number"
	case s.Type == "boolean":
		return "`true` or `false`"
	case s.Format == "date-time":
		return "a time"
	case s.Type == "string":
		return "a string"
	}
	return "any JSON"
}
