package responses

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// Demands returns what a request demands of its answer.
func Demands(req *wire.Request) wire.Demands {
	d := wire.Demands{MaxKey: "max_output_tokens", MaxTokens: wire.CountOf(req.Body.Get("max_output_tokens")), FormatKey: "text"}
	d.Logprobs, d.TopLogprobs = includes(req, "message.output_text.logprobs"), wire.CountOf(req.Body.Get("top_logprobs"))
	d.Tools = toolDemand(req.Body.Get("tool_choice"))
	format := req.Body.Get("text").Get("format")
	switch format.Get("type").Text() {
	case "json_object":
		d.WantsJSON, d.JSON = true, true
	case "json_schema": // one that is not strict is only a wish
		d.WantsJSON, d.Wished, d.WishedName = true, format.Get("schema"), format.Get("name").Text()
		if format.Get("strict").True() {
			d.JSON, d.Schema = true, format.Get("schema")
		}
	}
	return d
}

// toolDemand reads tool_choice: a word, a named tool, or a list of those that are allowed.
func toolDemand(choice *wire.Node) wire.ToolDemand {
	if choice.Is(wire.String) {
		return wire.ToolDemand{Choice: openai.ToolChoice(choice)}
	}
	switch choice.Get("type").Text() {
	case "function", "custom":
		d := wire.ToolDemand{Choice: wire.ChoiceRequired}
		if name := choice.Get("name").Text(); name != "" {
			d.Only = []string{name}
		}
		return d
	case "allowed_tools":
		d := wire.ToolDemand{Choice: openai.ToolChoice(choice.Get("mode"))}
		if tools := choice.Get("tools"); tools.Is(wire.Array) {
			for _, t := range tools.Items {
				if name := t.Get("name").Text(); name != "" {
					d.Only = append(d.Only, name)
				}
			}
		}
		return d
	default:
		return wire.ToolDemand{Choice: wire.ChoiceAuto}
	}
}

// chosenTool returns nil where tools are offered in other ways than by their names alone: how a
// choice names one of those is not known.
func chosenTool(req *wire.Request) *wire.Node {
	choice := req.Body.Get("tool_choice")
	if choice.Get("type").Text() != "function" || offersMore(req.Body.Get("tools").All()) || offersMore(req.Body.Get("input").All()) {
		return nil
	}
	return choice.Get("name")
}

// offersMore reports whether tools, or items of the input, offer tools in namespaces or load some
// later.
func offersMore(all []*wire.Node) bool {
	return slices.ContainsFunc(all, func(n *wire.Node) bool {
		return slices.Contains([]string{namespaceTool, "tool_search", "mcp", "tool_search_output", "additional_tools"}, n.Get("type").Text())
	})
}
