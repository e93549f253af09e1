package suggest_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/suggest"
)

func TestHint(t *testing.T) {
	known := []string{"openai", "openrouter", "deepseek", "deepseek-r1", "vllm", "größe", "parallel-calls", "whole-history"}
	for _, c := range []struct{ word, want string }{
		{"opnai", ` (did you mean "openai"?)`},
		{"OpenRouter", ` (did you mean "openrouter"?)`},
		{"DEEPSEEK", ` (did you mean "deepseek"?)`},
		{"deepseek-r2", ` (did you mean "deepseek-r1"?)`}, // the nearest, not the first that is near
		{"vlm", ` (did you mean "vllm"?)`},
		{"grösse", ` (did you mean "größe"?)`},
		{"parallel", ` (did you mean "parallel-calls"?)`},
		{"parallel_tool_calls", ` (did you mean "parallel-calls"?)`},
		{"calls", ` (did you mean "parallel-calls"?)`},
		{"history", ` (did you mean "whole-history"?)`},
		{"deep", ` (did you mean "deepseek"?)`}, // the shortest
		{"anthropic", ""},
		{"deepseek", ""}, // known
		{"x", ""},
		{"", ""},
	} {
		if got := suggest.Hint(c.word, known); got != c.want {
			t.Errorf("for %q the hint is %q, want %q", c.word, got, c.want)
		}
	}
	if got := suggest.Hint("openai", nil); got != "" {
		t.Errorf("without known words the hint is %q", got)
	}
}
