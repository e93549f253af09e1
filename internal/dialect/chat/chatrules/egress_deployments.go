package chatrules

import (
	"cmp"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressDeploymentRules are about requests to the deployments of Azure, which few loops ask.
var egressDeploymentRules = []rules.Rule{
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
		Asked:   asksDeployments,
		Request: deploymentVersion,
	},
}

// asksDeployments reports whether a loop asked a deployment of Azure.
func asksDeployments(r *rules.Run) bool {
	return slices.ContainsFunc(r.Conversation(), func(x *trace.Exchange) bool { return x.Request.Door != nil })
}

func deploymentVersion(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if req.Door == nil {
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
