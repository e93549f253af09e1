package messages

import (
	"net/url"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// provider is what a loop has to know of a provider beyond the API, by the name that a task has for
// it.
type provider struct {
	budgets      bool // its models are given a budget for thinking; later ones think as they see fit
	keepsHistory bool
	door         door
}

// door is where a cloud has the API in a form of its own.
type door struct {
	version string                          // in the body
	path    func(r *neutral.Request) string // names the model; nil: no door

	streamsByPath bool // and says whether a stream is wanted
}

var (
	// https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai
	vertex = door{version: "vertex-2023-10-16", path: func(r *neutral.Request) string {
		method := "rawPredict"
		if r.Stream {
			method = "streamRawPredict"
		}
		return "/v1/projects/loopproof/locations/global/publishers/anthropic/models/" + url.PathEscape(r.Model) + ":" + method
	}}

	// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
	bedrock = door{version: "bedrock-2023-05-31", streamsByPath: true, path: func(r *neutral.Request) string {
		method := "invoke"
		if r.Stream {
			method = "invoke-with-response-stream"
		}
		return "/model/" + url.PathEscape(r.Model) + "/" + method
	}}
)

var providers = map[string]provider{
	"anthropic-4.5":     {budgets: true}, // https://platform.claude.com/docs/en/build-with-claude/thinking
	"anthropic-vertex":  {door: vertex},
	"anthropic-bedrock": {door: bedrock},
	"anthropic-threads": {keepsHistory: true}, // https://platform.claude.com/docs/en/build-with-claude/message-threads
}

// thinkingFor asks for the model's reasoning in the way of its generation.
func thinkingFor(r *neutral.Request) *thinking {
	switch {
	case r.Settings.NoThinking:
		return &thinking{Type: "disabled"}
	case providers[r.Task.Profile].budgets:
		return &thinking{Type: "enabled", BudgetTokens: budget}
	}
	return &thinking{Type: "adaptive"}
}
