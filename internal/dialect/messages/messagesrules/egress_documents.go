package messagesrules

import (
	"cmp"
	"encoding/base64"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressDocumentRules are the rules of the area egress about documents and schemas of Anthropic.
var egressDocumentRules = []rules.Rule{
	{
		ID:        "egress/document-source",
		Level:     trace.Should,
		Text:      "A document in base64 is a PDF, and says so.",
		Why:       "Anthropic refuses other files: their text goes into a document of the type text, or into a text block.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.MessagesTypes, Says: "Base64PDFSource: application/pdf alone"},
			{URL: "https://github.com/langchain-ai/langchain/pull/37585", Says: "a table that was sent as a document, and refused"},
			{URL: "https://github.com/anthropics/claude-code/issues/5174", Says: "the 400 of Anthropic for what is no PDF"},
		},
		Vars:    []string{"at", "found", "problem"},
		Request: documentSource,
	},
	{
		ID:        "egress/closed-schemas",
		Level:     trace.Should,
		Text:      "Each object in the schema of an answer, and in that of a tool that is strict, has additionalProperties false, and no part has limits of numbers, texts and lists.",
		Why:       "Anthropic refuses any other, also where the request did not ask for more than a format. Its SDKs move the limits into descriptions.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/ax-llm/ax/issues/458", Says: "the 400 of Anthropic for output_format"},
			{URL: "https://github.com/veryfront/veryfront-code/issues/3918", Says: "the same for output_config"},
			{URL: "https://github.com/vercel/ai/issues/20681", Says: "measured: strict tools, open at the top and within: 400; closed, or not strict: 200"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/structured-outputs", Says: "additionalProperties must be false for objects, also of strict tools; minimum, maximum, multipleOf, minLength and maxLength are not supported, and minItems is 0 or 1"},
			{URL: "https://github.com/agentjido/req_llm/issues/302", Says: "the 400 for minimum"},
			{URL: "https://github.com/sherifkozman/the-llm-council/pull/55", Says: "the same for minimum and maximum"},
			{URL: "https://github.com/ghostlobster/memorize-everything/issues/93", Says: "the same for minItems, and minLength refused"},
		},
		Vars:    []string{"at", "problem", "type", "keys"},
		Request: rules.InBody(closedSchemas),
	},
	{
		ID:        "egress/blocks-of-version",
		Level:     trace.Must,
		Text:      "With version 2026-10-21 no message of the assistant has a document of its own, and no text of the user has citations.",
		Why:       "That version refuses both, and 2023-06-01 took them. An SDK changes the version with its own major version.",
		Invariant: true,
		Evidence:  "a request with a tool result whose version is known",
		Sources: []rules.Source{
			{URL: "https://platform.claude.com/docs/en/api/migration-2026-10-21", Says: "document blocks in assistant messages return an error"},
			{URL: "https://apidog.com/blog/claude-api-version-2026-10-21/", Says: "document blocks in assistant messages and citations on text blocks in user messages: 400"},
		},
		Vars:    []string{"at", "what"},
		Request: blocksOfVersion,
	},
}

// newest is the version of the API that takes fewer blocks: https://platform.claude.com/docs/en/api/versioning
const newest = "2026-10-21"

// blocksOfVersion looks at the blocks of messages themselves: a document in a tool result is taken.
func blocksOfVersion(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	version := cmp.Or(req.Body.Get("anthropic_version").Text(), req.Headers["anthropic-version"])
	j.HasEvidence = version != "" && rules.CarriesResult(req)
	if version != newest {
		return j
	}
	wrong := func(n *wire.Node, block *wire.Node, what, message string) {
		j.Find(trace.Finding{
			Pointer: n.Pointer(), Message: message, Expected: "none with version " + newest, Actual: rules.Show(n),
			Vars: map[string]string{"at": rules.Dotted(block), "what": what},
		})
	}
	for _, m := range req.Messages {
		for _, block := range m.Node.Get("content").All() {
			kind, citations := block.Get("type").Text(), block.Get("citations")
			switch {
			case m.RoleWord == "assistant" && kind == "document":
				wrong(block, block, "document", "a message of the assistant has a document")
			case m.RoleWord == "user" && kind == "text" && citations != nil && !citations.Is(wire.Null):
				wrong(citations, block, "citations", "a text of the user has citations")
			}
		}
	}
	return j
}

func documentSource(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	look := func(block *wire.Node) {
		source := block.Get("source")
		if block.Get("type").Text() != "document" || source.Get("type").Text() != "base64" {
			return
		}
		kind, data := source.Get("media_type"), source.Get("data")
		wrong := func(n *wire.Node, problem, message, expected string) {
			j.Find(trace.Finding{
				Pointer: n.Pointer(), Message: message, Expected: expected, Actual: rules.Show(n),
				Vars: map[string]string{"at": rules.Dotted(block), "found": kind.Text(), "problem": problem},
			})
		}
		switch {
		case kind.Is(wire.String) && kind.Text() != pdfType:
			wrong(kind, "media type", "a document in base64 is no PDF", pdfType)
		case data.Is(wire.String) && !isPDF(data.Text()):
			wrong(data, "data", "the data of a document is no PDF", "the bytes of a PDF, in base64")
		}
	}
	for _, m := range req.Messages {
		for _, block := range m.Node.Get("content").All() {
			look(block)
			for _, inner := range block.Get("content").All() {
				look(inner)
			}
		}
	}
	return j
}

const (
	pdfType = "application/pdf"
	headPDF = 1024 // within so many bytes a PDF says that it is one
)

// isPDF reports whether data may be a PDF; what is no base64 is for others to tell.
func isPDF(data string) bool {
	head := data[:min(len(data), headPDF*4/3)]
	decoded, err := base64.StdEncoding.DecodeString(head[:len(head)/4*4])
	return err != nil || len(decoded) == 0 || strings.Contains(string(decoded), "%PDF")
}

// closedSchemas reports the first object of each schema that is not closed.
func closedSchemas(body *wire.Node) (all []trace.Finding) {
	look := func(schema *wire.Node, at string) {
		if open := openObject(schema); open != nil {
			all = append(all, trace.Finding{
				Pointer: open.Pointer() + "/additionalProperties", Message: "an object in a strict schema may have more properties",
				Expected: "false", Actual: rules.Show(open.Get("additionalProperties")), Vars: map[string]string{"at": at, "problem": "open", "type": "", "keys": ""},
			})
		} else if f := limitIn(schema, at); f != nil {
			all = append(all, *f)
		}
	}
	for _, tool := range body.Get("tools").All() {
		if tool.Get("strict").True() {
			look(tool.Get("input_schema"), rules.Dotted(tool)+".custom")
		}
	}
	for _, format := range []*wire.Node{body.Get("output_config").Get("format"), body.Get("output_format")} {
		look(format.Get("schema"), rules.Dotted(format)+".schema")
	}
	return all
}

// limitsOf are the keywords by type that structured outputs do not take, in the order of
// Anthropic's words.
var limitsOf = map[string][]string{
	"integer": {"maximum", "minimum", "multipleOf"}, "number": {"maximum", "minimum", "multipleOf"}, "string": {"maxLength", "minLength"},
}

// limitIn returns a finding about the first part of a schema with limits that structured outputs do
// not take, or nil.
func limitIn(schema *wire.Node, at string) *trace.Finding {
	var found *trace.Finding
	eachPart(schema, func(part *wire.Node) bool {
		kind := part.Get("type").Text()
		var keys []string
		for _, key := range limitsOf[kind] {
			if part.Get(key).Is(wire.Number) {
				keys = append(keys, key)
			}
		}
		items, counted := part.Get("minItems").Int()
		f := trace.Finding{Message: "a strict schema has limits", Expected: "a schema without them", Vars: map[string]string{"at": at, "problem": "keyword", "type": kind, "keys": ""}}
		switch {
		case len(keys) > 0:
			f.Pointer, f.Actual = part.Pointer()+"/"+keys[0], rules.Show(part.Get(keys[0]))
			f.Vars["keys"] = "property '" + keys[0] + "' is"
			if len(keys) > 1 {
				f.Vars["keys"] = "properties " + strings.Join(keys, ", ") + " are"
			}
		case kind == "array" && counted && items > 1:
			f.Pointer, f.Actual = part.Pointer()+"/minItems", rules.Show(part.Get("minItems"))
			f.Vars["problem"] = "items"
		default:
			return false
		}
		found = &f
		return true
	})
	return found
}

// openObject returns the first object in a schema that is not closed, or nil.
func openObject(schema *wire.Node) (open *wire.Node) {
	eachPart(schema, func(part *wire.Node) bool {
		more := part.Get("additionalProperties")
		if part.Get("type").Text() == "object" && !(more.Is(wire.Bool) && !more.True()) {
			open = part
		}
		return open != nil
	})
	return open
}

// eachPart calls found for a schema and those within it, until it returns true.
func eachPart(schema *wire.Node, found func(*wire.Node) bool) bool {
	if !schema.Is(wire.Object) {
		return false
	}
	if found(schema) {
		return true
	}
	var within []*wire.Node
	for _, key := range []string{"properties", "$defs", "definitions"} {
		for _, inner := range schema.Get(key).Fields() {
			within = append(within, inner)
		}
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		within = append(within, schema.Get(key).All()...)
	}
	for _, inner := range append(within, schema.Get("items")) {
		if eachPart(inner, found) {
			return true
		}
	}
	return false
}
