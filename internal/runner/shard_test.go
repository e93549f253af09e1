package runner

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// timeless are the parts of a report that are of one run alone.
var timeless = cmp.Options{
	cmpopts.IgnoreFields(report.Report{}, "Started", "DurationMS"),
	cmpopts.IgnoreFields(report.Case{}, "DurationMS", "Trace"),
	cmpopts.EquateEmpty(),
}

// The reports of all shards make that of the whole run, whatever the loop does.
func TestShardsMakeTheWhole(t *testing.T) {
	asksOnce := func(way http.RoundTripper) loops.Func {
		return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			post(ctx, way, task, firstRequest(task))
			return protocol.Outcome{Status: protocol.Completed, Text: "Done."}, nil
		}
	}
	for name, sharded := range map[string]struct {
		Config
		loop func(http.RoundTripper) loops.Func
	}{
		"many scenarios at a glance":  {Config{Select: Select{Scenarios: []string{"{arguments,outcome}/*"}, Quick: true}}, referenceOver},
		"one area in full":            {Config{Select: Select{Scenarios: []string{"pairing/*"}, Profiles: []string{"openai", "mistral", "anthropic"}}}, referenceOver},
		"a loop that loses its cache": {Config{Select: Select{Scenarios: []string{"history/{f,s,t}*"}, Profiles: []string{"openai"}}}, withClock},
		"a loop that breaks rules":    {Config{Strict: true, Select: Select{Scenarios: []string{"{pairing,finish}/*"}, Profiles: []string{"openai", "mistral"}}}, asksOnce},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := withLoop(sharded.Config)
			c.Seed = 7
			whole := inMemory(t, c, sharded.loop)
			var parts []*report.Report
			for i := range 3 {
				c.Select.Shard = Shard{Index: i + 1, Of: 3}
				parts = append(parts, inMemory(t, c, sharded.loop))
			}
			merged, err := report.Merge(parts[2], parts[0], parts[1])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(whole, merged, timeless); diff != "" {
				t.Errorf("the merged report is another one than that of the whole run: %s", diff)
			}
			if (name == "a loop that loses its cache") != (whole.Cache.String() != "") {
				t.Errorf("of the cache it says %q", whole.Cache)
			}
			if n := len(whole.Cases) / 6; len(parts[0].Cases) < n || len(parts[2].Cases) < n {
				t.Errorf("the shards have %d, %d and %d cases, which is no even split", len(parts[0].Cases), len(parts[1].Cases), len(parts[2].Cases))
			}
		})
	}
}

// withClock is the reference loop with a system prompt that is another one in each request.
func withClock(way http.RoundTripper) loops.Func {
	return referenceOver(roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			body = bytes.Replace(body, []byte(`"You `), fmt.Appendf(nil, `"It is %d. You `, len(body)), 1)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		return way.RoundTrip(r)
	}))
}

// roundTrip is a transport that is a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// withLoop returns a config for a loop that claims everything: the reference loop, unless there is
// one.
func withLoop(c Config) Config {
	if c.Loop == nil {
		c.Loop = loops.Func(reference)
	}
	c.ToolServer = toolserver.ForRun
	c.Claims.Dialects, c.Claims.Features, c.Claims.Profiles = profiles.Dialects(profiles.All()), referenceClaims, []string{"**"}
	return c
}

func TestWrongShards(t *testing.T) {
	for _, s := range []Shard{{Index: 0, Of: 2}, {Index: 3, Of: 2}, {Index: 1, Of: -1}} {
		c := withLoop(Config{Select: Select{Shard: s}})
		if _, err := Play(context.Background(), c); err == nil || !strings.Contains(err.Error(), "there is no shard") {
			t.Errorf("the shard %+v gives %v", s, err)
		}
	}
	c := withLoop(Config{Select: Select{Scenarios: []string{"pairing/single-call"}, Shard: Shard{Index: 2, Of: 2}}})
	if _, err := Play(context.Background(), c); err == nil || !strings.Contains(err.Error(), "has no cases, as there are more shards than scenarios (1)") {
		t.Errorf("a shard without cases gives %v", err)
	}
}
