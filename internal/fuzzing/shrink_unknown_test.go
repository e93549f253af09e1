package fuzzing_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/fuzzing"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
)

// TestShrinkUnknownTool: of a call of a tool that is not offered, the smallest conversation has a
// plain name and no arguments, unless the loop's mistake is about these.
func TestShrinkUnknownTool(t *testing.T) {
	for name, test := range map[string]struct {
		breaks func(*neutral.Call) bool
		want   string
	}{
		"any tool that it does not know":    {unknown, `{as: call-1, tool: open_browser, arguments: '{}', not-offered: true}`},
		"a name that objects have by birth": {func(c *neutral.Call) bool { return c.Name == "constructor" }, `{as: call-1, tool: constructor, arguments: '{}', not-offered: true}`},
		"arguments of a kind":               {func(c *neutral.Call) bool { return unknown(c) && strings.Contains(c.Arguments, "https://") }, `{as: call-1, tool: open_browser, arguments: '{"url":"https://example.com/5"}', not-offered: true}`},
	} {
		t.Run(name, func(t *testing.T) {
			loop := refloop.Loop{Hooks: refloop.Hooks{Request: func(r *neutral.Request) error {
				for _, m := range r.Messages {
					if slices.ContainsFunc(neutral.Of[*neutral.Call](m.Parts), test.breaks) {
						return errors.New("no such tool")
					}
				}
				return nil
			}}}
			const rule = "execution/bad-call-survived"
			config := runner.Config{Seed: 7, Claims: loops.Claims{Features: claims}, Select: runner.Select{Rules: []string{rule}, Dialects: []string{"chat"}}}
			result := fuzzAny(t, config, fuzzing.Config{Most: 12, Strict: true}, func() refloop.Loop { return loop })
			if len(result.Findings) != 1 {
				t.Fatalf("%d findings", len(result.Findings))
			}
			_, file, _ := strings.Cut(string(result.Findings[0].File), "loopproof: 1\n")
			if diff := cmp.Diff(strings.ReplaceAll(smallestUnknownCall, "CALL", test.want), file); diff != "" {
				t.Errorf("it is another one:\n%s", diff)
			}
		})
	}
}

func unknown(c *neutral.Call) bool {
	return !strings.Contains("get_weather get_time find_trains get_price list_files plot run_sql", c.Name)
}

const smallestUnknownCall = `title: A conversation of 1 prompt, 2 turns, 1 call
rules: [execution/bad-call-survived]
profiles: [openai]
deliveries: [json]
prompt: Question 1.
tools:
  get_weather:
    description: The weather in a city.
    parameters: {city: string}
    results: [{text: nothing}]
model:
  - calls: [CALL]
  - text: Text 2.
`
