package chatrules_test

import . "github.com/loopproof/loopproof/internal/rules/rulestest"

// azureCity is the scene at Azure.
var azureCity = OneCity.Under("azure")

const toDeployment = "header url: /openai/deployments/loopproof/chat/completions"

var egressDeploymentCases = Cases{
	"egress/deployment-version": {
		Holds("a version", azureCity, "asks\n"+toDeployment+"?api-version=2024-10-21\nruns oslo\nasks on\n"+toDeployment+"?api-version=2025-04-01-preview\n\tcalls oslo\n\tresult oslo\ncompleted"),
		SeesNothing("at another path", azureCity, OneCityDone),
		SeesNothing("no results yet", azureCity, "asks\n"+toDeployment+"?api-version=2024-10-21"),
		Breaks("none", azureCity, "asks\n"+toDeployment, versionMissing("nothing")),
		Breaks("the date of one without chat", azureCity, "asks\n"+toDeployment+"?api-version=2022-12-01", versionMissing("2022-12-01")),
		Breaks("the version of a model", azureCity, "asks\n"+toDeployment+"?api-version=0613", versionMissing("0613")),
	},
}

func versionMissing(given string) Finding {
	return Found(1, "", "the URL of a deployment does not say which version of the API the request speaks", "?api-version=2024-10-21", given)
}
