package cohere

import "github.com/loopproof/loopproof/internal/wire"

// models is how they are listed: https://docs.cohere.com/reference/list-models
var models = wire.ModelsForm{
	List: func(models []wire.Model) wire.Fields {
		return wire.Fields{{Key: "models", Value: wire.EachModel(models, model)}}
	},
	One: model,
	Unknown: func(name string) (message, kind, code string) {
		return "model '" + name + "' not found, make sure the correct model ID was used and that you have access to the model.", "", ""
	},
}

func model(m wire.Model) wire.Fields {
	return wire.Fields{
		{Key: "name", Value: m.Name}, {Key: "is_deprecated", Value: false}, {Key: "endpoints", Value: []any{"chat"}}, {Key: "finetuned", Value: false},
		{Key: "context_length", Value: 256000}, {Key: "tokenizer_url", Value: ""}, {Key: "default_endpoints", Value: []any{}},
		{Key: "features", Value: []any{"json_mode", "json_schema", "tools", "strict_tools", "tool_choice", "reasoning", "safety_modes"}},
	}
}
