package chatrules_test

import . "github.com/loopproof/loopproof/internal/rules/rulestest"

// azureCity is the scene at Azure.
var azureCity = OneCity.Under("azure")

// vertexCity is the scene at Vertex AI.
var vertexCity = OneCity.Under("vertex-compat")

const toOpenAPI = "header url: /v1/projects/p/locations/global/endpoints/openapi/chat/completions"

const toDeployment = "header url: /openai/deployments/loopproof/chat/completions"

var egressDoorCases = Cases{
	"egress/deployment-version": {
		Holds("a version", azureCity, "asks\n"+toDeployment+"?api-version=2024-10-21\nruns oslo\nasks on\n"+toDeployment+"?api-version=2025-04-01-preview\n\tcalls oslo\n\tresult oslo\ncompleted"),
		SeesNothing("at another path", azureCity, OneCityDone),
		SeesNothing("no results yet", azureCity, "asks\n"+toDeployment+"?api-version=2024-10-21"),
		Breaks("none", azureCity, "asks\n"+toDeployment, versionMissing("nothing")),
		Breaks("the date of one without chat", azureCity, "asks\n"+toDeployment+"?api-version=2022-12-01", versionMissing("2022-12-01")),
		Breaks("the version of a model", azureCity, "asks\n"+toDeployment+"?api-version=0613", versionMissing("0613")),
	},
	"egress/publisher-named": {
		Holds("with its publisher", vertexCity, "asks with "+gemini("google/")+"\n"+toOpenAPI+"\nruns oslo\nasks on with "+gemini("google/")+"\n"+toOpenAPI+"\n\tcalls oslo\n\tresult oslo\ncompleted"),
		SeesNothing("at another path", vertexCity, "asks with "+gemini("")+"\nruns oslo\nasks on with "+gemini("")+"\n\tcalls oslo\n\tresult oslo\ncompleted"),
		SeesNothing("a name of which nothing is known", vertexCity, "asks\n"+toOpenAPI+"\nruns oslo\nasks on\n"+toOpenAPI+"\n\tcalls oslo\n\tresult oslo\ncompleted"),
		Breaks("without one", vertexCity, "asks with "+gemini("")+"\n"+toOpenAPI,
			Found(1, "/model", "the model has no publisher before its name", "publisher/gemini-3-flash-preview", `"gemini-3-flash-preview"`)),
	},
}

func gemini(publisher string) string { return `{"model":"` + publisher + `gemini-3-flash-preview"}` }

func versionMissing(given string) Finding {
	return Found(1, "", "the URL of a deployment does not say which version of the API the request speaks", "?api-version=2024-10-21", given)
}
