package gemini

import (
	"cmp"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

// Demands returns what a request demands of its answer.
func Demands(req *wire.Request) wire.Demands {
	config := generationConfig(req)
	d := wire.Demands{
		Tools:     toolDemand(callingConfig(req)),
		Choices:   wire.CountOf(get(config, "candidateCount")),
		MaxTokens: wire.CountOf(get(config, "maxOutputTokens")),
		MaxKey:    "generationConfig.maxOutputTokens",
		Stop:      wire.TextsOf(get(config, "stopSequences")),
		StopKey:   "generationConfig.stopSequences",
		FormatKey: "generationConfig.responseMimeType",

		Logprobs: get(config, "responseLogprobs").True(), TopLogprobs: wire.CountOf(get(config, "logprobs")),
	}
	if get(config, "responseMimeType").Text() == "application/json" {
		d.WantsJSON, d.JSON = true, true
		d.Schema = get(config, "responseJsonSchema")
		d.Wished = cmp.Or(d.Schema, get(config, "responseSchema"))
	}
	return d
}

func callingConfig(req *wire.Request) *wire.Node {
	return get(get(req.Body, "toolConfig"), "functionCallingConfig")
}

// toolDemand reads a FunctionCallingConfig. VALIDATED lets the model choose between a call and a
// text.
func toolDemand(config *wire.Node) wire.ToolDemand {
	d := wire.ToolDemand{Choice: wire.ChoiceAuto, Only: wire.TextsOf(get(config, "allowedFunctionNames"))}
	switch form.Word(get(config, "mode").Text()) {
	case "ANY":
		d.Choice = wire.ChoiceRequired
	case "NONE":
		d.Choice = wire.ChoiceNone
	}
	return d
}

// chosenTool returns the name of the only function that may be called, where one has to be.
func chosenTool(req *wire.Request) *wire.Node {
	config := callingConfig(req)
	names := get(config, "allowedFunctionNames")
	if form.Word(get(config, "mode").Text()) != "ANY" || len(Items(names)) != 1 {
		return nil
	}
	return Items(names)[0]
}
