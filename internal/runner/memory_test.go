package runner

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/engine/virtualtime"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// inMemory plays a config to a loop under virtual time, where the loop reaches everything through
// the transport that it is given. Most loops are played this way; what differs over real
// connections is for the tests of adapters and of Ginkgo.
func inMemory(t *testing.T, c Config, loop func(http.RoundTripper) loops.Func) (r *report.Report) {
	t.Helper()
	virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
		c.Listen, c.Loop = n.Listen, loop(n)
		r = play(t, c)
	})
	return r
}

// play plays a config, which has to be right.
func play(t *testing.T, c Config) *report.Report {
	t.Helper()
	c.ToolServer = toolserver.ForRun
	r, err := Play(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// referenceOver is the reference loop, which reaches everything through a transport.
func referenceOver(way http.RoundTripper) loops.Func {
	return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
		return refloop.Loop{Backoff: time.Millisecond, Threads: true, Client: &http.Client{Transport: way}}.Run(ctx, task), nil
	}
}

// reference is the reference loop over the network of the machine.
func reference(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
	return referenceOver(http.DefaultTransport)(ctx, task)
}
