package messages

import "github.com/loopproof/loopproof/internal/wire"

// Demands returns what a request demands of its answer.
func Demands(req *wire.Request) wire.Demands {
	d := wire.Demands{MaxKey: "max_tokens", StopKey: "stop_sequences"}
	d.MaxTokens = wire.CountOf(req.Body.Get("max_tokens"))
	d.Stop = wire.TextsOf(req.Body.Get("stop_sequences"))
	choice := req.Body.Get("tool_choice")
	switch choice.Get("type").Text() {
	case "none":
		d.Tools.Choice = wire.ChoiceNone
	case "any":
		d.Tools.Choice = wire.ChoiceRequired
	case "tool":
		d.Tools.Choice = wire.ChoiceRequired
		if name := choice.Get("name").Text(); name != "" {
			d.Tools.Only = []string{name}
		}
	}
	for key, format := range map[string]*wire.Node{"output_config": req.Body.Get("output_config").Get("format"), "output_format": req.Body.Get("output_format")} {
		if format.Get("type").Text() == "json_schema" {
			d.WantsJSON, d.JSON, d.Schema, d.FormatKey = true, true, format.Get("schema"), key
			d.Wished = d.Schema
		}
	}
	return d
}
