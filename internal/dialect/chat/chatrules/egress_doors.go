package chatrules

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressDoorRules are about requests on paths that clouds have in place of OpenAI's.
var egressDoorRules = []rules.Rule{
	{
		ID:        "egress/deployment-version",
		Level:     trace.Must,
		Text:      "A request to a deployment of Azure says in its URL, under api-version, which version of the API it speaks: a date, perhaps with -preview.",
		Why:       "Azure answers that it has no such resource, which looks like a wrong name of the deployment.",
		Invariant: true,
		Evidence:  "a request to a deployment with a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/MicrosoftDocs/azure-docs/issues/114602", Says: "404 without api-version in the query"},
			{URL: "https://github.com/openai/openai-python/issues/362", Says: "the 404 under 2022-12-01: Resource not found"},
			{URL: "https://github.com/stulzq/azure-openai-proxy/issues/52", Says: "the same for a date that YAML did not read as a text"},
			{URL: "https://github.com/langchain-ai/langchain/issues/13284", Says: "the same for 0613, the version of a model"},
		},
		Vars:    []string{"given"},
		Asked:   func(r *rules.Run) bool { return asksAtDoor(r, versioned) },
		Request: deploymentVersion,
	},
	{
		ID:        "egress/publisher-named",
		Level:     trace.Must,
		Text:      "A request on the OpenAI-compatible path of Vertex AI names its model with the publisher: google/gemini-3-flash-preview.",
		Why:       "Vertex AI has models of many publishers there, and refuses a name alone.",
		Invariant: true,
		Evidence:  "a request on that path, for a model whose family is known or that has a publisher, with a tool result",
		Sources: []rules.Source{
			{URL: "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/start/openai", Says: "model: google/gemini-..."},
			{URL: "https://github.com/NVIDIA/OpenShell/issues/2494", Says: "the 400 for streams alone, which a gateway sent without the publisher"},
			{URL: "https://github.com/NVIDIA/OpenShell/issues/2351", Says: "the path requires a publisher; Malformed publisher model"},
			{URL: "https://github.com/NousResearch/hermes-agent/issues/56778", Says: "the same of an agent"},
		},
		Vars:    []string{"model"},
		Asked:   func(r *rules.Run) bool { return asksAtDoor(r, publishers) },
		Request: publisherNamed,
	},
}

// asksAtDoor reports whether a loop asked at a door of a cloud.
func asksAtDoor(r *rules.Run, is func(*wire.Request) bool) bool {
	return slices.ContainsFunc(r.Conversation(), func(x *trace.Exchange) bool { return is(x.Request) })
}

// versioned reports whether a request came where the URL has the version of the API.
func versioned(req *wire.Request) bool { return req.Door != nil && req.Door.Query != "" }

// ofFamily are names of models that Vertex AI has under publishers. Another name may be anything.
var ofFamily = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(gemini|gemma|claude|llama|mistral|codestral|deepseek|qwen|gpt-oss|grok|kimi|glm|minimax)-?\d*[-.]`)
})

// publishers reports whether a request came where models have publishers, and is for a model that has one.
func publishers(req *wire.Request) bool {
	return req.Door != nil && req.Door == chat.API.Door("openapi") && (strings.Contains(req.Model, "/") || ofFamily().MatchString(req.Model))
}

func publisherNamed(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if j.HasEvidence = publishers(req); j.HasEvidence && !strings.Contains(req.Model, "/") {
		j.Find(trace.Finding{
			Pointer: req.ModelPointer(), Message: "the model has no publisher before its name", Expected: "publisher/" + req.Model,
			Actual: rules.Quote(req.Model), Vars: map[string]string{"model": req.Model},
		})
	}
	return j
}

func deploymentVersion(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if !versioned(req) {
		return j
	}
	if j.HasEvidence = true; req.Door.Takes(req.Version) {
		return j
	}
	given := cmp.Or(req.Version, "nothing")
	j.Find(trace.Finding{
		Message: "the URL of a deployment does not say which version of the API the request speaks", Expected: "?" + req.Door.Query + "=2024-10-21",
		Actual: given, Vars: map[string]string{"given": given},
	})
	return j
}
