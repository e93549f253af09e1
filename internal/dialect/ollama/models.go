package ollama

import (
	"cmp"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// models are told of on paths of Ollama's own; /v1/models is that of OpenAI here, too. They are those
// of ListResponse, ProcessResponse and ShowResponse:
// https://github.com/ollama/ollama/blob/v0.32.10/api/types.go
var models = wire.ModelsForm{
	Unknown: func(name string) (message, kind, code string) {
		if name == "" {
			return "model is required", "", ""
		}
		return "model '" + name + "' not found", "", ""
	},
	Own: []wire.ModelsPath{
		{Method: http.MethodGet, Path: "/api/tags", List: listOf(installed)}, // https://docs.ollama.com/api/tags
		{Method: http.MethodGet, Path: "/api/ps", List: listOf(running)},     // https://docs.ollama.com/api/ps
		{Method: http.MethodPost, Path: "/api/show", One: shown, Named: func(body *wire.Node) string { // https://docs.ollama.com/api-reference/show-model-details
			return cmp.Or(body.Get("model").Text(), body.Get("name").Text())
		}},
	},
}

func listOf(entry func(wire.Model) wire.Fields) func([]wire.Model) wire.Fields {
	return func(models []wire.Model) wire.Fields {
		return wire.Fields{{Key: "models", Value: wire.EachModel(models, entry)}}
	}
}

const (
	size   = 2019393189
	digest = "a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72"
)

var details = wire.Fields{
	{Key: "parent_model", Value: ""}, {Key: "format", Value: "gguf"}, {Key: "family", Value: "llama"}, {Key: "families", Value: []any{"llama"}},
	{Key: "parameter_size", Value: "3.2B"}, {Key: "quantization_level", Value: "Q4_K_M"},
}

func named(m wire.Model) wire.Fields {
	return wire.Fields{{Key: "name", Value: m.Name}, {Key: "model", Value: m.Name}}
}

func installed(m wire.Model) wire.Fields {
	return append(named(m), wire.Fields{
		{Key: "modified_at", Value: m.Created.UTC().Format(time.RFC3339)}, {Key: "size", Value: size}, {Key: "digest", Value: digest}, {Key: "details", Value: details},
	}...)
}

// running is a model that is loaded, for as long as no clock of a test goes.
func running(m wire.Model) wire.Fields {
	return append(named(m), wire.Fields{
		{Key: "size", Value: size}, {Key: "digest", Value: digest}, {Key: "details", Value: details},
		{Key: "expires_at", Value: "2318-04-11T00:00:00Z"}, {Key: "size_vram", Value: size}, {Key: "context_length", Value: 4096},
	}...)
}

func shown(m wire.Model) wire.Fields {
	return wire.Fields{
		{Key: "modelfile", Value: ""}, {Key: "parameters", Value: ""}, {Key: "template", Value: "{{ .Prompt }}"}, {Key: "details", Value: details},
		{Key: "model_info", Value: wire.Fields{{Key: "general.architecture", Value: "llama"}, {Key: "llama.context_length", Value: 131072}}},
		{Key: "capabilities", Value: []any{"completion", "tools", "thinking", "vision"}}, {Key: "modified_at", Value: m.Created.UTC().Format(time.RFC3339)},
	}
}
