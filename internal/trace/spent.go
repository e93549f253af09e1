package trace

import (
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// Spent returns how many tokens the answers of some exchanges cost, those that came for the same
// prompt as a request which follows them. Where there are several prompts, that is all since the
// user said something else than before, whether or not it is what the task lets them say.
func Spent(prompts []string, before []*Exchange, req *wire.Request) (tokens int) {
	for i := len(before) - 1; i >= 0; i-- {
		x := before[i]
		if x.Request == nil {
			continue
		}
		if len(prompts) > 1 && saysMore(prompts, x.Request, req) {
			break
		}
		tokens += x.Turn.Cost()
		req = x.Request
	}
	return tokens
}

// saysMore reports whether the user said something between two requests.
func saysMore(prompts []string, before, after *wire.Request) bool {
	said := endsWith(after)
	return scenarios.SaysNewPrompt(prompts, before, after) || said != "" && said != endsWith(before)
}

// endsWith returns what the user says at the end of a request, "" where it ends with something else.
func endsWith(req *wire.Request) string {
	if n := len(req.Messages); n == 0 || req.Messages[n-1].Role != wire.User {
		return ""
	}
	return strings.TrimSpace(req.LastText())
}
