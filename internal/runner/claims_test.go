package runner

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// TestLimitedClaims plays to a loop that claims retries for whole answers alone: nothing that needs
// retries is played to it as a stream, and the rules about them are judged anyway.
func TestLimitedClaims(t *testing.T) {
	t.Parallel()
	r := inMemory(t, Config{
		Seed:   41,
		Claims: loops.Claims{Features: []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, "retries@json"}},
		Select: Select{Scenarios: []string{"retry/*", "pairing/single-call"}, Profiles: []string{"openai"}},
	}, referenceOver)
	streamed := false
	for _, c := range r.Cases {
		if strings.HasPrefix(c.Scenario, "retry/") && c.Delivery != "json" && slices.Contains(needs(c.Scenario), protocol.Retries) {
			t.Errorf("%s is played, although retries are claimed for whole answers alone", c.ID)
		}
		streamed = streamed || c.Delivery == "sse"
	}
	if !streamed {
		t.Error("nothing was streamed")
	}
	passed := 0
	for _, rule := range r.Rules {
		if strings.HasPrefix(rule.ID, "retry/") && rule.Verdict == trace.Passed {
			passed++
		}
	}
	if passed == 0 {
		t.Error("no rule about retries was judged")
	}
	if !slices.Contains(r.Claims.Features, "retries@json") || slices.Contains(r.Claims.Unclaimed, protocol.Retries) {
		t.Errorf("the report says that %q is claimed, and %q is not", r.Claims.Features, r.Claims.Unclaimed)
	}
}

// TestWrongConfigs: what a config says of a loop is checked like the hello of an adapter, before
// anything is played.
func TestWrongConfigs(t *testing.T) {
	t.Parallel()
	loop := loops.Func(func(context.Context, protocol.Task) (protocol.Outcome, error) { return protocol.Outcome{}, nil })
	for want, c := range map[string]Config{
		`"dialects" has the unknown word "chatt" (did you mean "chat"?)`:           {Claims: loops.Claims{Dialects: []string{"chatt"}}},
		`"features" has the unknown word "streamin" (did you mean "streaming"?)`:   {Claims: loops.Claims{Features: []protocol.Feature{"streamin"}}},
		`"profiles" has the unknown word "opnai" (did you mean "openai"?)`:         {Claims: loops.Claims{Profiles: []string{"opnai"}}},
		`"deliveries" has the unknown word "jsn" (did you mean "json"?)`:           {Claims: loops.Claims{Deliveries: []string{"jsn"}}},
		`"designs" has the unknown word "cached" (did you mean "cached-results"?)`: {Claims: loops.Claims{Designs: []protocol.Design{"cached"}}},
		"set Config.Workers to 0, which is the default, or more, not to -1":        {Workers: -1},
		"set Config.Timeout to 0, which is the default, or more, not to -1s":       {Timeout: -time.Second},
		"set Config.StartTimeout to 0, which is the default, or more, not to -1s":  {StartTimeout: -time.Second},
	} {
		c.Loop = loop
		r, err := Play(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), want) || r != nil && len(r.Cases) > 0 {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// needs returns the features that a scenario needs.
func needs(id string) []protocol.Feature {
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		panic(err)
	}
	for _, s := range library {
		if s.ID == id {
			return s.Needs
		}
	}
	return nil
}

func TestWrongClaims(t *testing.T) {
	for claim, want := range map[protocol.Feature]string{
		"paralel-calls": `did you mean "parallel-calls"?`,
		"retries@jsn":   `"features" has the unknown word "jsn"`,
		"retries@":      `"features" has the unknown word ""`,
	} {
		_, err := Play(t.Context(), Config{Loop: loops.Func(reference), Claims: loops.Claims{Features: []protocol.Feature{claim}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want it to say %s", claim, err, want)
		}
	}
}
