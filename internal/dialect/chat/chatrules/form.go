package chatrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/wire"
)

// formRules returns the rules about the form of a request, which request.yaml of package chat
// describes.
func formRules() []rules.Rule {
	return rules.FromForm(chat.Form(), takes)
}

// takes reports whether a breach is something that the provider takes, or is not known to refuse
// where others have more than OpenAI: some have tools of other types.
func takes(p *profiles.Profile, b *wire.Breach) bool {
	switch b.Rule {
	case "egress/response-format-form": // some profiles tell of a format that only a model of theirs lacks
		return b.Keyword == "enum" && b.Value.Text() == "json_schema" && !p.RefusesViolation(b.Rule, rules.FindBreach(chat.API, b).Vars)
	case "egress/tool-form":
		_, refuses := p.Refusal(b.Rule)
		return !refuses && isOfOwnTool(b) || b.Key == "type" && b.Value == nil && p.Accepts.UntypedTools
	case "egress/message-name":
		return b.In.Get("role").Text() == "assistant" && slices.Contains(p.Accepts.Names, b.Value.Text())
	case "egress/top-logprobs-need-logprobs": // what is no number is for parameter-types
		count, is := b.Value.Int()
		return !is || count <= 0
	}
	return false
}

// isOfOwnTool reports whether a breach is about the function of one of the provider's own tools. Groq
// has browser_search, Z.AI web_search, OpenRouter openrouter:web_search.
func isOfOwnTool(b *wire.Breach) bool {
	tool := b.In
	switch b.Key {
	case "name":
		tool = tool.Parent()
	case "function":
	default:
		return false
	}
	kind := tool.Get("type").Text()
	return kind != "" && kind != "function"
}
