package scenarios_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// scenario reads a scenario with these tools and steps.
func scenario(t *testing.T, rest string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("mine/test.yaml", []byte("loopproof: 1\ntitle: Test\nprompt: Go.\n"+rest), vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func profile(t *testing.T, name string) *profiles.Profile {
	t.Helper()
	p, err := profiles.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const threeCalls = `
tools: {look: {results: [{text: a}]}}
model:
  - calls: [{as: a, tool: look, arguments: "{}"}, {as: b, tool: look, arguments: "{}"}]
  - status: 503
    times: 2
  - calls: [{as: c, tool: look, arguments: "{}", same-id-as: a}]
  - text: Done.
`

func ids(s *scenarios.Script) []string {
	var all []string
	for _, turn := range s.Turns {
		if turn.Answer != nil {
			for _, c := range turn.Answer.Calls {
				all = append(all, c.ID)
			}
		}
	}
	return all
}

func TestIDsAreInTheStyleOfTheProfile(t *testing.T) {
	s := scenario(t, threeCalls)
	for name, style := range map[string]string{
		"openai":      `^call_[A-Za-z0-9]{24}$`,
		"deepseek":    `^call_00_[A-Za-z0-9]{24}$`,
		"deepseek-r1": `^call_00_[A-Za-z0-9]{24}$`,
		"mistral":     `^[A-Za-z0-9]{9}$`,
		"openrouter":  `^call_[a-z0-9]{24}$`,
		"vllm":        `^chatcmpl-tool-[0-9a-f]{32}$`,
	} {
		p := profile(t, name)
		first := ids(scenarios.Compile(s, p, "secret"))
		for _, id := range first {
			if id != "functions.look:0" && !regexp.MustCompile(style).MatchString(id) { // which comes again
				t.Errorf("%s gives the id %q", name, id)
			}
		}
		if first[0] == first[1] || first[2] != first[0] {
			t.Errorf("%s gives %q: want two ids of their own, and the third that of the first", name, first)
		}
		if first[0] != "functions.look:0" {
			t.Errorf("%s gives the id %q to a call whose id comes again: want one that is counted in its turn", name, first[0])
		}
		if diff := cmp.Diff(first, ids(scenarios.Compile(s, p, "secret"))); diff != "" {
			t.Errorf("%s gives other ids for the same secret:\n%s", name, diff)
		}
		if other := ids(scenarios.Compile(s, p, "another")); other[1] == first[1] {
			t.Errorf("%s gives the same ids for another secret: %q", name, other)
		}
	}
}

func TestStepsAreWrittenOut(t *testing.T) {
	script := scenarios.Compile(scenario(t, threeCalls), profile(t, "openai"), "secret")
	var steps []int
	for i, turn := range script.Turns {
		if turn.Number != i {
			t.Errorf("turn %d has the number %d", i, turn.Number)
		}
		steps = append(steps, turn.Step.Status)
	}
	if diff := cmp.Diff([]int{0, 503, 503, 0, 0}, steps); diff != "" {
		t.Errorf("the statuses of the turns (-want +got):\n%s", diff)
	}
}

func TestReasoning(t *testing.T) {
	plain := "model: [{reasoning: I see., text: Done.}]"
	none := "model: [{text: Done.}]"
	empty := `model: [{reasoning: "", text: Done.}]`
	const always = "I look at what is asked and at the tools that I have."
	for _, c := range []struct {
		name, rest, profile string
		want                *string
		blocks              int
	}{
		{"shown", plain, "vllm", ptr("I see."), 0},
		{"shown as a block too", plain, "openrouter", ptr("I see."), 1},
		{"none", none, "vllm", nil, 0},
		{"none, where the model always reasons", none, "deepseek", ptr(always), 0},
		{"empty, where the model always reasons", empty, "deepseek", ptr(""), 0},
		{"empty", empty, "openrouter", ptr(""), 0},
		{"none, where reasoning is never shown", none, "openai", nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := scenarios.Compile(scenario(t, c.rest), profile(t, c.profile), "secret").Turns[0].Answer
			if diff := cmp.Diff(c.want, answer.Reasoning); diff != "" || len(answer.Details) != c.blocks {
				t.Errorf("%d blocks, want %d; reasoning (-want +got):\n%s", len(answer.Details), c.blocks, diff)
			}
		})
	}
}

func TestPlays(t *testing.T) {
	plain := scenario(t, "model: [{reasoning: I see., text: Done.}]")
	blocks := scenario(t, "model: [{reasoning-details: [{type: encrypted}], text: Done.}]")
	none := scenario(t, "model: [{text: Done.}]")
	for _, c := range []struct {
		profile             string
		none, plain, blocks bool
	}{
		{"openai", true, false, false},
		{"mistral", true, false, false},
		{"deepseek", true, true, false},
		{"vllm", true, true, false},
		{"openrouter", true, true, true},
	} {
		p := profile(t, c.profile)
		if none.Plays(p) != c.none || plain.Plays(p) != c.plain || blocks.Plays(p) != c.blocks {
			t.Errorf("%s plays no reasoning %v, reasoning %v, blocks %v", c.profile, none.Plays(p), plain.Plays(p), blocks.Plays(p))
		}
	}
}

// A profile that is only played by name leaves out the conversations that do not name it, and no
// script for an application.
func TestPlaysByNameOnly(t *testing.T) {
	byName := *profile(t, "deepseek")
	byName.ByNameOnly = true
	script, err := scenarios.Parse("mine/script.yaml", []byte("loopproof: 1\ntitle: Test\nmodel: [{text: Done.}]\n"), vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	if !script.Plays(&byName) {
		t.Error("a script for an application is not played")
	}
	if scenario(t, "model: [{text: Done.}]").Plays(&byName) {
		t.Error("a conversation that does not name the profile is played")
	}
	if !scenario(t, "profiles: [deepseek]\nmodel: [{text: Done.}]").Plays(&byName) {
		t.Error("a conversation that names the profile is not played")
	}
}

func TestBlocksAreSigned(t *testing.T) {
	rest := `
model:
  - reasoning-details:
      - {type: text, text: I see., signed: true}
      - {type: encrypted, id: rs_1, index: 1}
      - {type: encrypted, id: rs_1, index: 1}
      - {type: summary, text: Seen., format: f}
    text: Done.
`
	blocksFor := func(secret string) []wire.ReasoningBlock {
		return scenarios.Compile(scenario(t, rest), profile(t, "openrouter"), secret).Turns[0].Answer.Details
	}
	blocks := blocksFor("secret")
	if blocks[0].Signature == "" || blocks[0].Data != "" || blocks[1].Data == "" || blocks[1].Signature != "" || blocks[3].Signature+blocks[3].Data != "" {
		t.Errorf("signed and encrypted are %+v", blocks)
	}
	if blocks[1].Data == blocks[2].Data {
		t.Error("two encrypted blocks have the same data")
	}
	if blocks[0].Format != "unknown" || blocks[3].Format != "f" || blocks[1].ID != "rs_1" || blocks[1].Index != 1 {
		t.Errorf("the blocks are %+v", blocks)
	}
	if diff := cmp.Diff(blocks, blocksFor("secret")); diff != "" {
		t.Errorf("the same secret signs differently:\n%s", diff)
	}
	if other := blocksFor("another"); other[0].Signature == blocks[0].Signature || other[1].Data == blocks[1].Data {
		t.Error("another secret signs in the same way")
	}
	answer := scenarios.Compile(scenario(t, rest), profile(t, "openrouter"), "secret").Turns[0].Answer
	if *answer.Reasoning != "I see.Seen." {
		t.Errorf("the plain reasoning alongside the blocks is %q", *answer.Reasoning)
	}
}

func TestTurns(t *testing.T) {
	const tools = "tools: {look: {results: [{text: a}]}}\n"
	const call = `calls: [{as: a, tool: look, arguments: "{}"}]`
	for _, c := range []struct{ name, step, want string }{
		{"answer", "text: Done.", "whole final returns"},
		{"call", call, "whole asks returns"},
		{"text and call", "text: Hm.\n    " + call, "whole asks returns"},
		{"call with another finish reason", call + "\n    finish: stop", "whole asks returns"},
		{"call cut by length", call + "\n    finish: length", "whole truncated"},
		{"text cut by length", "text: Do\n    finish: length", "whole truncated"},
		{"filtered", "text: Do\n    finish: content-filter", "whole truncated"},
		{"blank", `text: ""`, "whole blank"},
		{"white space", `text: " \n"`, "whole blank"},
		{"failure", "status: 500", "fails"},
		{"cut", "text: Done.\n    cut: {after: 1 event}", "breaks"},
		{"cut before the finish reason", call + "\n    cut: {before: finish}", "breaks"},
		{"cut before the end mark", "text: Done.\n    cut: {before: done}", "whole final returns"},
		{"reset", "text: Done.\n    reset: {before: done}", "breaks"},
		{"error in the stream", "text: Done.\n    in-band-error: {after: 1 event}", "breaks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			turn := scenarios.Compile(scenario(t, tools+"model:\n  - "+c.step+"\n  - text: The end.\n"), profile(t, "openai"), "secret").Turns[0]
			if got := traits(turn); got != c.want {
				t.Errorf("the turn is %q, want %q", got, c.want)
			}
		})
	}
}

func traits(turn *scenarios.Turn) string {
	words := ""
	for _, trait := range []struct {
		is   bool
		word string
	}{
		{turn.Fails(), "fails"}, {turn.Breaks(), "breaks"}, {turn.Whole(), "whole"}, {turn.Truncated(), "truncated"},
		{turn.Blank(), "blank"}, {turn.Asks(), "asks"}, {turn.Final(), "final"}, {turn.Returns(), "returns"},
	} {
		if trait.is {
			words += " " + trait.word
		}
	}
	return words[1:]
}

func TestKeep(t *testing.T) {
	comment, text := wire.Event{Comment: "c"}, wire.Event{Data: []byte("1")}
	finish, usage := wire.Event{Data: []byte("2"), Finish: true}, wire.Event{Data: []byte("3")}
	stream := []wire.Event{comment, text, comment, finish, usage}
	for _, c := range []struct {
		name string
		at   scenarios.Break
		want int
	}{
		{"after nothing", scenarios.Break{After: scenarios.Amount{N: 0, Unit: "events"}}, 0},
		{"after one event, comments before it do not count", scenarios.Break{After: scenarios.Amount{N: 1, Unit: "events"}}, 2},
		{"after two events, of which one has the finish reason", scenarios.Break{After: scenarios.Amount{N: 2, Unit: "events"}}, 3},
		{"after more than there are", scenarios.Break{After: scenarios.Amount{N: 9, Unit: "events"}}, 3},
		{"before the finish reason", scenarios.Break{Before: "finish"}, 3},
		{"before the end mark", scenarios.Break{Before: "done"}, 5},
	} {
		if got := c.at.Keep(stream); len(got) != c.want {
			t.Errorf("%s: %d events are kept, want %d", c.name, len(got), c.want)
		}
	}
	if got := (&scenarios.Break{Before: "finish"}).Keep([]wire.Event{text}); len(got) != 1 {
		t.Errorf("without a finish reason %d events are kept, want all", len(got))
	}
}

func ptr[T any](v T) *T { return &v }

// There are many kinds of failures instead of an answer, and each is distinguished from the others.
func TestFailuresAreToldApart(t *testing.T) {
	for _, c := range []struct{ step, kinds, words string }{
		{"{status: 503}", "fails errs", "the status 503"},
		{"{status: 429}", "fails errs", "the status 429"},
		{"{status: 409, body: a}", "fails errs", "the status 409"},
		{"{status: 413}", "fails errs refuses", "the status 413"},
		{`{status: 200, body: "[]"}`, "fails garbled", "something that is no completion"},
		{"{redirect: 307}", "fails redirects", "a redirect with the status 307"},
		{"{cut: {before: headers}}", "fails lost", "a connection closed before the answer"},
		{"{reset: {before: headers}}", "fails lost", "a connection reset before the answer"},
		{"{stall: {before: headers, for: 1s}}", "fails lost", "silence"},
		{"{text: a, stall: {after: 1 event, for: 1s}}", "breaks", ""},
		{"{text: a, cut: {before: finish}}", "breaks", ""},
		{"{text: a, cut: {before: done}}", "whole", ""},
		{"{text: a, gzip: true}", "whole disguised", ""},
		{"{text: a, whole: true}", "whole disguised", ""},
		{"{text: a, content-type: text/plain}", "whole disguised", ""},
	} {
		turn := scenarios.Compile(scenario(t, "model: ["+c.step+", {text: Done.}]"), profile(t, "openai"), "secret").Turns[0]
		var kinds []string
		for _, kind := range []struct {
			name string
			is   bool
		}{
			{"fails", turn.Fails()}, {"breaks", turn.Breaks()}, {"whole", turn.Whole()}, {"errs", turn.Errs()}, {"refuses", turn.Refuses()},
			{"garbled", turn.Garbled()}, {"redirects", turn.Redirects()}, {"lost", turn.Lost()}, {"disguised", turn.Disguised()},
		} {
			if kind.is {
				kinds = append(kinds, kind.name)
			}
		}
		if got := strings.Join(kinds, " "); got != c.kinds {
			t.Errorf("%s is %s, want %s", c.step, got, c.kinds)
		}
		if turn.Fails() && turn.Failure() != c.words {
			t.Errorf("%s is called %q", c.step, turn.Failure())
		}
	}
}

// Only the answer before a refused connection hangs up.
func TestHangsUp(t *testing.T) {
	script := scenarios.Compile(scenario(t, "model: [{text: a, times: 2}, {refused: true}]"), profile(t, "openai"), "secret")
	for i, want := range []bool{false, true, false} {
		if got := script.HangsUp(script.Turns[i]); got != want {
			t.Errorf("turn %d hangs up: %v", i, got)
		}
	}
}

func TestAScriptMayFillInArguments(t *testing.T) {
	const filled = `model: [{when: {user: {matches: '(\w+)'}}, calls: [{as: a, tool: f, arguments: '{"city": {{ group 1 | json }}}'}]}]`
	s, err := scenarios.Parse("mine/test.yaml", []byte("loopproof: 1\ntitle: Test\n"+filled), vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"openai", "anthropic", "openai-responses", "gemini-3"} {
		if !s.Plays(profile(t, name)) {
			t.Errorf("%s does not play it", name)
		}
	}
}

func TestUsageOfAStep(t *testing.T) {
	script := scenarios.Compile(scenario(t, "model: [{text: Gone., usage: {input: 900, output: 40}}]"), profile(t, "openai"), "secret")
	if got, want := script.Turns[0].Answer.Usage, (wire.Usage{Prompt: 900, Completion: 40}); got != want {
		t.Errorf("the usage is %+v, want %+v", got, want)
	}
	if cost := script.Turns[0].Cost(); cost != 940 {
		t.Errorf("the answer cost %d tokens, want 940", cost)
	}
}
