package profiles_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// goldenTurns are what a model says in the golden files. The reasoning is left out where a profile shows none.
var goldenTurns = []struct {
	name   string
	answer wire.Answer
}{
	{"text", wire.Answer{
		Text:   "It is 4 °C in Oslo.",
		Finish: wire.FinishStop,
		Usage:  wire.Usage{Prompt: 60, Completion: 12},
	}},
	{"one call after reasoning", wire.Answer{
		Reasoning: ptr("I ask for Oslo."),
		Details:   []wire.ReasoningBlock{{Type: wire.BlockText, Text: "I ask for Oslo.", Signature: "c2lnbmVk", Format: "anthropic-claude-v1"}},
		Calls:     []wire.AnswerCall{{ID: "call_1", Name: "get_weather", Arguments: `{"city":"Oslo"}`, Signature: "c2lnbmVk"}},
		Finish:    wire.FinishCalls,
		Usage:     wire.Usage{Prompt: 40, Completion: 20, Reasoning: 6},
	}},
	{"two calls after encrypted reasoning", wire.Answer{
		Reasoning: ptr("Both."),
		Details: []wire.ReasoningBlock{
			{Type: wire.BlockSummary, Text: "Both.", Format: "openai-responses-v1"},
			{Type: wire.BlockEncrypted, Data: "b3BhcXVl", Format: "openai-responses-v1", ID: "rs_1"},
		},
		Calls: []wire.AnswerCall{
			{ID: "call_1", Name: "get_weather", Arguments: `{"city":"Oslo"}`},
			{ID: "call_2", Name: "get_time", Arguments: ""},
		},
		Finish: wire.FinishCalls,
		Usage:  wire.Usage{Prompt: 40, Completion: 30, Reasoning: 8},
	}},
	{"text and two calls, interleaved", wire.Answer{
		Text: "One moment.",
		Calls: []wire.AnswerCall{
			{ID: "call_1", Name: "get_weather", Arguments: `{"city":"Oslo"}`},
			{ID: "call_2", Name: "get_weather", Arguments: `{"city":"Lima"}`},
		},
		Interleaved: true,
		Finish:      wire.FinishCalls,
		Usage:       wire.Usage{Prompt: 40, Completion: 30},
	}},
	{"nothing", wire.Answer{Finish: wire.FinishLength}},
}

// What each provider sends, byte for byte. The files were compared by hand with recorded traffic from the sources of the
// profiles: the same keys at every level, in the same order, in the same chunks.
func TestGoldenAnswers(t *testing.T) {
	for _, p := range profiles.All() {
		t.Run(p.Name, func(t *testing.T) {
			file := filepath.Join("testdata", p.Name+".golden")
			got := goldenText(p)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("there is no %s, which shows byte for byte what the provider sends. Write it, read it, and commit it: go test ./internal/profiles -update", file)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s differs (-want +got); when that is right, run: go test ./internal/profiles -update\n%s", file, diff)
			}
		})
	}
}

// TestGoldenFilesHaveProfiles: what is left of a profile that is gone goes, too.
func TestGoldenFilesHaveProfiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".golden"); !slices.Contains(profiles.Names(profiles.All()), name) {
			t.Errorf("%s is of no profile: remove it", file)
		}
	}
}

func goldenText(p *profiles.Profile) string {
	var b strings.Builder
	reply := wire.Reply{ID: "id-1", Model: "loopproof", Created: 1767225600, Usage: true}
	for _, turn := range goldenTurns {
		a := turn.answer
		switch always := p.Reasoning.Always; {
		case !p.Traits.Reasoning:
			a.Reasoning = nil
		case a.Reasoning == nil && always != "":
			a.Reasoning = &always
		}
		if !p.Traits.ReasoningBlocks {
			a.Details = nil
		}
		fmt.Fprintf(&b, "# %s, whole\n%s\n", turn.name, p.Shape.Write(&a, reply))
		fmt.Fprintf(&b, "# %s, streamed\n", turn.name)
		for _, write := range wire.DeliverSSE.Writes(append(p.Shape.Stream(&a, reply), p.Shape.End()...)) {
			b.WriteString(strings.TrimSuffix(string(write), "\n"))
		}
	}
	fmt.Fprintf(&b, "# the errors that a scenario may ask for\n")
	for _, status := range []int{400, 401, 402, 404, 418, 429, 500, 503} {
		fmt.Fprintf(&b, "%d %s\n", status, p.Error(status, p.WordsFor(status)))
	}
	fmt.Fprintf(&b, "# an error in the stream\n%s\n", p.InBandError(500, p.WordsFor(500)))
	return b.String()
}

func ptr[T any](v T) *T { return &v }
