package chat

import "github.com/loopproof/loopproof/internal/wire"

// modelList follows https://platform.openai.com/docs/api-reference/models/list.
func modelList(models []wire.Model) wire.Fields {
	all := make([]wire.Fields, len(models))
	for i, m := range models {
		all[i] = model(m)
	}
	return wire.Fields{{Key: "object", Value: "list"}, {Key: "data", Value: all}}
}

func model(m wire.Model) wire.Fields {
	return wire.Fields{{Key: "id", Value: m.Name}, {Key: "object", Value: "model"}, {Key: "created", Value: m.Created.Unix()}, {Key: "owned_by", Value: m.Owner}}
}
