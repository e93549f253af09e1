package responses

import "github.com/loopproof/loopproof/internal/wire"

// models is how OpenAI lists them: https://platform.openai.com/docs/api-reference/models/list.
var models = wire.ModelsForm{
	List: func(models []wire.Model) wire.Fields {
		all := make([]wire.Fields, len(models))
		for i, m := range models {
			all[i] = model(m)
		}
		return wire.Fields{{Key: "object", Value: "list"}, {Key: "data", Value: all}}
	},
	One: model,
	Unknown: func(name string) (message, kind, code string) {
		return "The model '" + name + "' does not exist", "invalid_request_error", "model_not_found"
	},
}

func model(m wire.Model) wire.Fields {
	return wire.Fields{{Key: "id", Value: m.Name}, {Key: "object", Value: "model"}, {Key: "created", Value: m.Created.Unix()}, {Key: "owned_by", Value: m.Owner}}
}
