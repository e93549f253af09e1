package messages

import (
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// modelList follows https://platform.claude.com/docs/en/api/models/list; models is not empty.
func modelList(models []wire.Model) wire.Fields {
	return wire.Fields{
		{Key: "data", Value: wire.EachModel(models, model)}, {Key: "has_more", Value: false},
		{Key: "first_id", Value: models[0].Name}, {Key: "last_id", Value: models[len(models)-1].Name},
	}
}

func model(m wire.Model) wire.Fields {
	at := m.Created.UTC().Format(time.RFC3339)
	return wire.Fields{{Key: "type", Value: "model"}, {Key: "id", Value: m.Name}, {Key: "display_name", Value: m.Name}, {Key: "created_at", Value: at}}
}
