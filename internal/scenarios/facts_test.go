package scenarios_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestWhatAScenarioNeeds(t *testing.T) {
	const look = "prompt: Go.\ntools: {look: {results: [{text: a}]}}\n"
	call := func(arguments, more string) string {
		return look + "model:\n  - calls: [{as: a, tool: look, arguments: '" + arguments + "'}]\n" + more + "  - text: Done.\n"
	}
	for text, want := range map[string]wire.Abilities{
		call(`{}`, ""):                                       0,
		call(``, ""):                                         0,
		call(`[1]`, ""):                                      wire.TextArguments,
		call(`null`, ""):                                     wire.NullCalls,
		call(`{"a":`, ""):                                    wire.CallPieces,
		call(`{"a":9007199254740992}`, ""):                   0,
		call(`{"a":9007199254740993}`, ""):                   wire.BigIntegers,
		call(`{"a":"9007199254740993"}`, ""):                 0,
		call(`{}`, "    finish: stop\n"):                     wire.LooseFinish,
		call(`{}`, "    cut: {after: 3 events}\n"):           wire.CallPieces,
		call(`{}`, "    cut: {before: done}\n"):              wire.EndMark,
		call(`{}`, "    reasoning: I look.\n"):               wire.ShownReasoning,
		"prompt: Go.\nmodel: [{text: A, reasoning: I say.}]": wire.ShownReasoning | wire.ReadableReasoning,
		"prompt: Go.\nmodel: [{refusal: 'No.'}]":             wire.Refusals,
		"prompt: Go.\nmodel: [{text: A, phase: commentary}]": wire.PhasesOfTexts,
		"prompt: Go.\nmodel: [{text: A, container: true}]":   wire.Containers,
		"prompt: Go.\nmodel: [{text: A, finish: pause}]":     wire.PauseFinish,
		"prompt: Go.\nneeds: [streaming]\ndeliveries: [sse-comments]\nmodel: [{text: A}]":          wire.StreamComments,
		"prompt: Go.\nmodel: [{status: 429, retry-after: 1s, retry-after-as: details}, {text: A}]": wire.DetailedWaits,
	} {
		if got := parse(t, plain+text).Facts().Needs; got != want {
			t.Errorf("it needs %b, want %b:\n%s", got, want, text)
		}
	}
}

// A scenario is written once, for all dialects. Where it is played nowhere in one, the reason
// follows from what it needs and what the dialect can say.
func TestWhyScenariosAreNotPlayed(t *testing.T) {
	whys := map[string]string{}
	for _, s := range embedded(t) {
		for _, d := range dialect.All() {
			if reason, is := s.NotPlayedIn(d, profiles.All()); is {
				whys[s.ID+" "+d.Name] = reason.Why
				if s.Prompted() && reason.Why == "" {
					t.Errorf("nothing says why %s is not played in %s", s.ID, d.Title)
				}
			}
		}
	}
	for at, want := range map[string]string{
		"pairing/single-call gemini":                   "",
		"execution/arguments-no-object gemini":         "the arguments of a call are an object on the wire, and no text",
		"execution/invalid-json gemini":                "a call comes whole, in streams too",
		"history/provider-items chat":                  "an answer is no list of items",
		"outcome/refusal messages":                     "a refusal has no words of its own, but a reason to stop",
		"pairing/ids-repeat-in-later-turns gemini":     "",
		"egress/instructions-to-an-older-model gemini": "it is about what anthropic-4.7 does",
		"retry/no-quota gemini":                        "it is about what openai and openai-responses do",
		"failure/next-prompt-behind-a-thought chat":    "under openai an answer does not show what the model thinks",
	} {
		if got := whys[at]; got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
}

// What a quirk needs is there where the quirk is.
func TestDialectsCanHaveTheirQuirks(t *testing.T) {
	for _, d := range dialect.All() {
		for _, q := range d.AllQuirks() {
			if lacking := q.Needs &^ d.Abilities; lacking != 0 {
				t.Errorf("%s has the quirk %s, although there %s", d.Title, q.Name, lacking.Missing())
			}
		}
	}
}

func TestEveryAbilitySaysWhatIsSoWithoutIt(t *testing.T) {
	for _, d := range dialect.All() {
		for bit := range 64 {
			if a := wire.Abilities(1) << bit; d.Abilities&a != 0 && a.Missing() == "" {
				t.Errorf("nothing says what is so where the ability of the bit %d is missing, which %s has", bit, d.Title)
			}
		}
	}
}

// What answers of a profile can show, its dialect can say.
func TestDialectsCanSayWhatProfilesShow(t *testing.T) {
	for _, p := range profiles.All() {
		for of, shows := range map[wire.Abilities]bool{
			wire.ShownReasoning: p.Traits.Reasoning, wire.ReasoningBlocks: p.Traits.ReasoningBlocks, wire.Refusals: p.Traits.Refusals,
			wire.CustomTools: p.Traits.CustomTools, wire.PhasesOfTexts: p.Traits.Phases, wire.OwnItems: len(p.Traits.ProviderItems) > 0,
			wire.SignedCalls: len(p.Traits.CallSignature) > 0, wire.ImageResults: len(p.Images.In) > 0,
		} {
			if shows && p.Speaks.Abilities&of == 0 {
				t.Errorf("answers of %s show what its dialect cannot say: %s", p.Name, of.Missing())
			}
		}
	}
}
