package chat

import (
	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// Demands returns what a request demands of its answer.
func Demands(req *wire.Request) wire.Demands {
	d := wire.Demands{Choices: wire.CountOf(req.Body.Get("n")), StopKey: "stop", FormatKey: "response_format"}
	d.Logprobs, d.TopLogprobs = req.Body.Get("logprobs").True(), wire.CountOf(req.Body.Get("top_logprobs"))
	d.Tools = toolDemand(req.Body.Get("tool_choice"))
	for _, key := range []string{"max_completion_tokens", "max_tokens"} {
		if n := wire.CountOf(req.Body.Get(key)); n > 0 && (d.MaxTokens == 0 || n < d.MaxTokens) {
			d.MaxTokens, d.MaxKey = n, key
		}
	}
	if !req.Body.Get("include_stop_str_in_output").True() { // of vLLM and SGLang
		d.Stop = wire.TextsOf(req.Body.Get("stop"))
	}
	format := req.Body.Get("response_format")
	schema := format.Get("json_schema")
	switch format.Get("type").Text() {
	case "json_object":
		d.WantsJSON, d.JSON = true, true
	case "json_schema": // one that is not strict is only a wish
		d.WantsJSON, d.Wished, d.WishedName = true, schema.Get("schema"), schema.Get("name").Text()
		if schema.Get("strict").True() {
			d.JSON, d.Schema = true, schema.Get("schema")
		}
	}
	return d
}

// toolDemand reads tool_choice: a word, a named tool, or a list of those that are allowed.
func toolDemand(choice *wire.Node) wire.ToolDemand {
	if choice.Is(wire.String) {
		return wire.ToolDemand{Choice: word(choice)}
	}
	allowed := choice.Get("allowed_tools")
	if allowed == nil {
		if name := toolName(choice); name != "" {
			return wire.ToolDemand{Choice: wire.ChoiceRequired, Only: []string{name}}
		}
		return wire.ToolDemand{Choice: wire.ChoiceAuto}
	}
	d := wire.ToolDemand{Choice: word(allowed.Get("mode"))}
	if tools := allowed.Get("tools"); tools.Is(wire.Array) {
		for _, t := range tools.Items {
			if name := toolName(t); name != "" {
				d.Only = append(d.Only, name)
			}
		}
	}
	return d
}

// word reads a choice; any is that of Mistral for required.
func word(n *wire.Node) wire.ToolChoice {
	if n.Text() == "any" {
		return wire.ChoiceRequired
	}
	return openai.ToolChoice(n)
}

func toolName(n *wire.Node) string {
	if name := n.Get("function").Get("name").Text(); name != "" {
		return name
	}
	return n.Get("custom").Get("name").Text()
}
