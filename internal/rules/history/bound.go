package history

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// reasoningBehind describes a change of what was at message i of a conversation, or before all of
// them, by the reasoning that goes back after it: "bound", "free" where the request asks the
// provider to leave out what does not fit, or "none". A provider that binds reasoning to what is
// before it refuses the first.
func reasoningBehind(req *wire.Request, i int) map[string]string {
	drops := req.Body.Get("thinking").Get("block_binding").Get("prefix_mismatch_behavior").Text() == "drop_block"
	bound := slices.ContainsFunc(req.Messages[min(i+1, len(req.Messages)):], func(m wire.Message) bool {
		return m.Role == wire.Assistant && len(m.Reasoning.Details) > 0
	})
	switch {
	case !bound:
		return map[string]string{"reasoning": "none"}
	case drops:
		return map[string]string{"reasoning": "free"}
	default:
		return map[string]string{"reasoning": "bound"}
	}
}
