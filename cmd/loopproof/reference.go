package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/memnet"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
)

// referenceBackoff is how long the reference loop waits between attempts: as short as the rules
// allow.
const referenceBackoff = 5 * time.Millisecond

// referenceConnections is how many idle connections the reference loop keeps, so that cases played
// in parallel open no new ones.
const referenceConnections = 256

// referenceIdle is how long it keeps them, as most clients do: less than the server, which could
// close one just when it is used.
const referenceIdle = 90 * time.Second

// selects reports whether a selection names a dialect, one of its profiles, or a case in it.
func selects(s runner.Select, name string) bool {
	return slices.Contains(s.Dialects, name) ||
		slices.ContainsFunc(s.Profiles, func(named string) bool { p, err := profiles.Get(named); return err == nil && p.Dialect == name }) ||
		slices.ContainsFunc(s.Cases, func(id string) bool { return strings.Contains(id, "@"+name+"/") })
}

// reference configures the built-in reference loop. It is in the same process as the mock provider,
// so they talk over a network in memory: a write of one byte costs no call of the operating system
// then.
func reference(c *runner.Config) {
	network := &memnet.Network{}
	client := &http.Client{Transport: &http.Transport{DialContext: network.DialContext, MaxIdleConnsPerHost: referenceConnections, IdleConnTimeout: referenceIdle}}
	loop := refloop.Loop{Client: client, Backoff: referenceBackoff, Threads: true}
	c.Loop = loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
		return loop.Run(ctx, task), nil
	})
	c.Listen = network.Listen
	c.Name, c.Version = "reference loop", loopproof.Version
	c.Claims.Features = claims.Without()
	c.Claims.Dialects = loop.Dialects()
	for _, name := range loop.Known() {
		if d := dialect.Named(name); d.Draft && selects(c.Select, name) {
			c.Claims.Dialects = append(c.Claims.Dialects, name)
		}
	}
	c.Claims.Profiles = []string{"**"} // it knows what each provider requires
}
