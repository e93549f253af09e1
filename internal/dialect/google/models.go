// Package google is what the wire APIs of Google share.
package google

import "github.com/loopproof/loopproof/internal/wire"

// Models is how the Gemini API lists them: https://ai.google.dev/api/models
var Models = wire.ModelsForm{
	List: func(models []wire.Model) wire.Fields {
		return wire.Fields{{Key: "models", Value: wire.EachModel(models, model)}}
	},
	One: model,
	Unknown: func(name string) (message, kind, code string) {
		return "models/" + name + " is not found for API version v1beta, or is not supported for generateContent. " +
			"Call ModelService.ListModels to see the list of available models and their supported methods.", "", "NOT_FOUND"
	},
}

func model(m wire.Model) wire.Fields {
	return wire.Fields{
		{Key: "name", Value: "models/" + m.Name},
		{Key: "version", Value: "001"},
		{Key: "displayName", Value: m.Name},
		{Key: "inputTokenLimit", Value: 1048576},
		{Key: "outputTokenLimit", Value: 65536},
		{Key: "supportedGenerationMethods", Value: []any{"generateContent", "countTokens"}},
	}
}
