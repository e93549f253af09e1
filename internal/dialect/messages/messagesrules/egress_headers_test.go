package messagesrules_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

const withHeaders = `
		header content-type: application/json; charset=utf-8
		header anthropic-version: 2023-06-01`

// vertexCity is the scene at the door of a cloud.
var vertexCity = OneCity.Under("anthropic-vertex")

var egressHeaderCases = Cases{
	"egress/version-named": {
		Holds("named", BlockCity, "asks\nruns oslo\nasks on"+withHeaders+"\ncalls oslo\nresults oslo\ncompleted"),
		SeesNothing("no results yet", BlockCity, "asks"+withHeaders),
		SeesNothing("nobody knows the headers", BlockCity, OneCityDone),
		SeesNothing("another API", OneCity, "asks\nheader -"),
		Breaks("no header", BlockCity, "asks\nheader content-type: application/json",
			Found(1, "", "the request does not say which version of the API it speaks", "anthropic-version: 2023-06-01", "no header anthropic-version")),
		Holds("in the body on Vertex AI", vertexCity, "asks with {\"anthropic_version\":\"vertex-2023-10-16\"}\nruns oslo\nasks on with {\"anthropic_version\":\"vertex-2023-10-16\"}\ncalls oslo\nresults oslo\ncompleted"),
		Holds("the newest version on Vertex AI, as the SDKs send it", vertexCity, "asks with {\"anthropic_version\":\"2026-10-21\"}\nruns oslo\nasks on with {\"anthropic_version\":\"2026-10-21\"}\ncalls oslo\nresults oslo\ncompleted"),
		Breaks("in the header alone on Vertex AI", vertexCity, "asks"+withHeaders,
			Found(1, "/anthropic_version", "the request does not say in its body which version of the API it speaks on Vertex AI", `vertex-2023-10-16 or 2026-10-21`, "nothing")),
		Breaks("the version of the header on Vertex AI", vertexCity, "asks with {\"anthropic_version\":\"2023-06-01\"}",
			Found(1, "/anthropic_version", "the request does not say in its body which version of the API it speaks on Vertex AI", `vertex-2023-10-16 or 2026-10-21`, `"2023-06-01"`)),
		Breaks("twice", BlockCity, "asks\nheader anthropic-version: 2023-06-01,2023-06-01",
			Found(1, "", "the request does not say which version of the API it speaks", "anthropic-version: 2023-06-01", "anthropic-version: 2023-06-01,2023-06-01")),
	},
	"egress/betas-taken": {
		Holds("known ones", BlockCity, "asks\nruns oslo\nasks on\nheader anthropic-beta: interleaved-thinking-2025-05-14, compact-2026-01-12\ncalls oslo\nresults oslo\ncompleted"),
		Holds("on Amazon Bedrock in the body", OneCity.Under("anthropic-bedrock"), "asks\nruns oslo\nasks on with {\"anthropic_beta\":[\"interleaved-thinking-2025-05-14\"]}"+withHeaders+"\ncalls oslo\nresults oslo\ncompleted"),
		SeesNothing("nobody knows the headers", BlockCity, OneCityDone),
		Breaks("one that never was", BlockCity, "asks\nheader anthropic-beta: structured-outputs-2025-09-17",
			Found(1, "", "the request names a beta that the provider does not take", "none, or another one", "anthropic-beta: structured-outputs-2025-09-17")),
		Breaks("one that Vertex AI does not have", vertexCity, "asks\nheader anthropic-beta: interleaved-thinking-2025-05-14,prompt-caching-scope-2026-01-05",
			Found(1, "", "the request names a beta that the provider does not take", "none, or another one", "anthropic-beta: interleaved-thinking-2025-05-14,prompt-caching-scope-2026-01-05")),
		Breaks("one that Amazon Bedrock does not have", OneCity.Under("anthropic-bedrock"), "asks with {\"anthropic_beta\":[\"mcp-servers-2025-12-04\"]}"+withHeaders,
			Found(1, "", "the request names a beta that the provider does not take", "none, or another one", "anthropic-beta: mcp-servers-2025-12-04")),
	},
	"egress/tools-taken": {
		Holds("what Vertex AI takes", vertexCity, "asks\nruns oslo\nasks on with "+offering("claude-opus-4-6", `{"type":"web_search_20250305","name":"web_search"}`)+"\ncalls oslo\nresults oslo\ncompleted"),
		Holds("of another model", vertexCity, "asks\nruns oslo\nasks on with "+offering("claude-opus-5", webFetch)+"\ncalls oslo\nresults oslo\ncompleted"),
		Holds("of no model that is known", vertexCity, "asks\nruns oslo\nasks on with "+offering("m", webFetch)+"\ncalls oslo\nresults oslo\ncompleted"),
		Holds("at Anthropic", BlockCity, "asks\nruns oslo\nasks on with "+offering("claude-opus-4-6", webFetch)+"\ncalls oslo\nresults oslo\ncompleted"),
		SeesNothing("no results yet", vertexCity, "asks"),
		Breaks("a type that Vertex AI refuses of the model", vertexCity, "asks with "+offering("claude-opus-4-6", webFetch),
			Found(1, "/tools/0/type", "a tool has what claude-opus-4-6 does not take there", "a tool without it", `type: "web_fetch_20250910"`)),
		Breaks("a key that Amazon Bedrock refuses of the model", OneCity.Under("anthropic-bedrock"), "asks with "+offering("us.anthropic.claude-sonnet-5-20260701-v1:0", `{"name":"look","input_schema":{"type":"object"},"strict":true}`),
			Found(1, "/tools/0/strict", "a tool has what claude-sonnet-5 does not take there", "a tool without it", "strict: true")),
	},
	"egress/blocks-of-version": {
		Holds("a text", BlockCity, "asks\nruns oslo\nasks on\nheader anthropic-version: 2026-10-21\ncalls oslo\nresults oslo\ncompleted"),
		SeesNothing("nobody knows the version", BlockCity, OneCityDone),
		Holds("the version before", BlockCity, "asks with "+cited+"\nheader anthropic-version: 2023-06-01\nruns oslo\nasks on\nheader anthropic-version: 2023-06-01\ncalls oslo\nresults oslo\ncompleted"),
		Breaks("citations", BlockCity, "asks with "+cited+"\nheader anthropic-version: 2026-10-21",
			Found(1, "/messages/0/content/0/citations", "a text of the user has citations", "none with version 2026-10-21", "[]")),
		Breaks("a document of the assistant", BlockCity, "asks with "+`{"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}}]},{"role":"user","content":"On."}]}`+"\nheader anthropic-version: 2026-10-21",
			Found(1, "/messages/1/content/0", "a message of the assistant has a document", "none with version 2026-10-21", `{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}}`)),
		Breaks("in the body of a cloud", vertexCity, "asks with "+strings.Replace(cited, "{", `{"anthropic_version":"2026-10-21",`, 1),
			Found(1, "/messages/0/content/0/citations", "a text of the user has citations", "none with version 2026-10-21", "[]")),
	},
	"egress/json-declared": {
		Holds("declared", BlockCity, "asks\nruns oslo\nasks on"+withHeaders+"\ncalls oslo\nresults oslo\ncompleted"),
		Holds("in other letters, as media types may be written", BlockCity, "asks\nruns oslo\nasks on\nheader content-type: Application/JSON; Charset=UTF-8\ncalls oslo\nresults oslo\ncompleted"),
		SeesNothing("no results yet", BlockCity, "asks"+withHeaders),
		Breaks("a form", BlockCity, "asks\nheader content-type: application/x-www-form-urlencoded",
			Found(1, "", "the request does not say that its body is JSON", "content-type: application/json", "content-type: application/x-www-form-urlencoded")),
		Breaks("no type", BlockCity, "asks\nheader -",
			Found(1, "", "the request does not say that its body is JSON", "content-type: application/json", "no header content-type")),
	},
	"egress/context-betas-named": {
		Holds("named", BlockCity, compactsWith("header anthropic-beta: fine-grained-tool-streaming-2025-05-14,compact-2026-01-12")),
		Holds("another edit", BlockCity, strings.ReplaceAll(compactsWith("header anthropic-beta: context-management-2025-06-27"), "compact_20260112", "clear_tool_uses_20250919")),
		SeesNothing("no edits", BlockCity, "asks"+withHeaders+"\nruns oslo\nasks on"+withHeaders+"\ncalls oslo\nresults oslo\ncompleted"),
		SeesNothing("nobody knows the headers", BlockCity, compactsWith("")),
		SeesNothing("at the door of a cloud", vertexCity, compactsWith("header -")),
		Holds("a summary alone", BlockCity, "asks with "+summaryAlone+"\nheader anthropic-beta: compact-2026-09-04\n"+compactsWith("header anthropic-beta: compact-2026-01-12")),
		Breaks("a summary alone, with the other one", BlockCity, "asks with "+summaryAlone+"\nheader anthropic-beta: compact-2026-01-12\n"+compactsWith("header anthropic-beta: compact-2026-01-12"),
			Found(1, "/compaction", "the request asks for a summary alone, and its headers do not name the beta", "a name that begins with compact-2026-09- in anthropic-beta", "anthropic-beta: compact-2026-01-12")),
		Breaks("not named", BlockCity, "asks with "+compactEdits+"\nheader anthropic-beta: context-management-2025-06-27",
			Found(1, "/context_management/edits/0", "the request asks for an edit of its history, and its headers do not name the beta", "a name that begins with compact-2026- in anthropic-beta", "anthropic-beta: context-management-2025-06-27")),
	},
}

const summaryAlone = `{"compaction":{"type":"summarize"}}`

const compactEdits = `{"context_management":{"edits":[{"type":"compact_20260112"}]}}`

// compactsWith is a run of one round whose requests ask for compaction with a header.
func compactsWith(header string) string {
	return "asks with " + compactEdits + "\n" + header + "\nruns oslo\nasks on with " + compactEdits + "\n" + header + "\ncalls oslo\nresults oslo\ncompleted"
}

const (
	webFetch = `{"type":"web_fetch_20250910","name":"web_fetch"}`
	cited    = `{"messages":[{"role":"user","content":[{"type":"text","text":"Go.","citations":[]}]}]}`
)

// offering is what a request with a tool says of a model.
func offering(model, tool string) string { return `{"model":"` + model + `","tools":[` + tool + `]}` }
