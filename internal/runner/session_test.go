package runner

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/engine/virtualtime"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// TestSessionKeepsNoRuns: a session may play for hours, so that it keeps nothing of the cases that
// were judged.
func TestSessionKeepsNoRuns(t *testing.T) {
	all, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	var one []*scenarios.Scenario
	for _, s := range all {
		if s.ID == "outcome/answer" {
			one = append(one, s)
		}
	}
	virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
		const size, rounds = 1 << 20, 24
		loop := loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			o, err := referenceOver(n)(ctx, task)
			o.Error = strings.Repeat("x", size)
			return o, err
		})
		s, err := Open(t.Context(), Config{Loop: loop, Listen: n.Listen, Select: Select{Profiles: []string{"openai"}, Deliveries: []string{"json"}}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		played, before := 0, heap()
		for range rounds {
			if err := s.Play(t.Context(), one, func(Played) { played++ }); err != nil {
				t.Fatal(err)
			}
		}
		if grown := int64(heap()) - int64(before); played < rounds || grown > rounds*size/4 {
			t.Errorf("after %d cases of %d bytes there are %d bytes more", played, size, grown)
		}
	})
}

// TestSleepersAreNotGivenUp: a loop that sleeps as long as the provider asks for has to be judged
// by the other cases, too.
func TestSleepersAreNotGivenUp(t *testing.T) {
	all, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(s *scenarios.Scenario) bool { return s.ID != "retry/absurd-wait" })
	all[0].Profiles = []string{"openai", "openrouter", "groq", "azure", "together"}
	virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
		sleeps := loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			o, err := referenceOver(n)(ctx, task)
			if task.ID != "preflight" {
				<-ctx.Done()
			}
			return o, err
		})
		s, err := Open(t.Context(), Config{Loop: sleeps, Listen: n.Listen, Claims: loops.Claims{Features: []protocol.Feature{protocol.Retries}}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		hung := 0
		err = s.Play(t.Context(), all, func(p Played) {
			if p.Run.Ending.How == trace.Hung {
				hung++
			}
		})
		if err != nil || hung <= loops.MaxHangs {
			t.Errorf("it hung in %d cases, and then: %v", hung, err)
		}
	})
}

// heap is how many bytes are still used.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestSessionsJudgeByTheNewestRulebook: what is drawn is judged by a number, too.
func TestSessionsJudgeByTheNewestRulebook(t *testing.T) {
	if got, want := emptyPlan(protocol.Hello{}, profiles.Known{}).number.Number, rulebook.Newest().Number; got != want {
		t.Errorf("the number is %q, want %q", got, want)
	}
}
