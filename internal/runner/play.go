package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// Play judges a loop and returns the report. The error says what Loopproof, the adapter or the configuration are at
// fault for; a loop that breaks rules is no error. When there are both, the report is of what could be judged: of a loop
// that does not start or fails the preflight it has no cases, and says why.
func Play(ctx context.Context, c Config) (*report.Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	g, err := newGame(ctx, c)
	if err != nil {
		cancel()
		return unplayed(c, nil, err), err
	}
	defer g.close(cancel)
	if err := g.player.preflight(ctx); err != nil {
		return unplayed(c, g, err), err
	}
	r, err := g.playAll(ctx)
	g.close(cancel) // first, since an adapter may break the protocol with its last line
	return r, errors.Join(err, g.player.faults())
}

// playAll plays and judges all cases of the plan.
func (g *game) playAll(ctx context.Context) (*report.Report, error) {
	if g.config.Hooks.OnPlan != nil {
		g.config.Hooks.OnPlan(*g.plan)
	}
	for i := range g.plan.Cases {
		result, err := g.judge(ctx, i)
		if errors.Is(err, errGivenUp) {
			break
		}
		if err != nil {
			return nil, err
		}
		if g.config.Hooks.OnCase != nil {
			g.config.Hooks.OnCase(i+1, len(g.plan.Cases), result)
		}
		if g.hopeless() != "" {
			break
		}
	}
	return g.finish()
}

// game is the judging of one loop. Cases are played ahead by workers and judged in order.
type game struct {
	config  Config
	plan    *Plan
	player  *player
	builder *builder
	started time.Time
	playing sync.WaitGroup

	waiters chan struct{} // a place for each case that mostly waits, so that they never take all of those of the player
	order   []int         // in which the cases are played: those that wait come first
	next    int           // the first of that order that is not being played yet
	playsOn map[int]bool  // the cases that are being played or were
	hung    []string      // the cases in a row in which the loop hung
	givenUp bool          // the loop cannot be started again
}

// errGivenUp says that a case could not be played.
var errGivenUp = errors.New("the loop cannot be started again")

func newGame(ctx context.Context, c Config) (*game, error) {
	if c.Loop == nil {
		return nil, errors.New("there is no loop to judge: set Config.Loop")
	}
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	known, err := c.profiles()
	if err != nil {
		return nil, err
	}
	c.known = known // the folder is read once
	session, err := c.Loop.open(ctx, c)
	if err != nil {
		return nil, unstarted{err}
	}
	if problems := checkFeatures(session.Hello().Features, profiles.Dialects(known)); len(problems) > 0 {
		session.Close()
		return nil, unstarted{errors.New("the claims of the loop are not right: " + strings.Join(problems, "; "))}
	}
	plan, err := newPlan(c, session.Hello())
	if err != nil {
		session.Close()
		return nil, err
	}
	g := &game{config: c, plan: plan, started: time.Now()}
	g.player = &player{
		plan: plan, session: session, seed: c.Seed, timeout: c.Timeout, start: c.StartTimeout, waitFor: c.waitFor, onTask: c.Hooks.OnTask, told: told(c.Loop, profiles.Spoken(known)),
		server: engine.NewServer(engine.Config{Listen: c.Listen, Profiles: catalog.Own(known)}),
		played: map[string]*played{}, confirmed: map[string]int{},
	}
	g.player.gate = newGate(g.places())
	g.waiters = make(chan struct{}, max(1, g.places()*3/4))
	g.order, g.playsOn = plan.playingOrder(), map[int]bool{}
	g.builder = newBuilder(c, plan)
	return g, nil
}

// seedVariable is the environment variable that sets the seed where a config does not.
const seedVariable = "LOOPPROOF_SEED"

func (c Config) withDefaults() (Config, error) {
	if text := os.Getenv(seedVariable); c.Seed == 0 && text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return c, fmt.Errorf("%s is %q, expected a whole number", seedVariable, text)
		}
		c.Seed = seed
	}
	if err := c.Select.Shard.check(); err != nil {
		return c, err
	}
	if c.Trace != "" {
		if err := report.PrepareDir(c.Trace); err != nil {
			return c, fmt.Errorf("the traces cannot be written: %w", err)
		}
	}
	if c.Seed == 0 && c.Select.Shard.Of > 0 {
		c.Seed = shardSeed
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64N(1_000_000) + 1
	}
	if c.StartTimeout == 0 {
		c.StartTimeout = startTimeout
	}
	if c.Timeout == 0 {
		c.Timeout = 10 * time.Second
	}
	if c.Hooks.Reproduce == nil {
		c.Hooks.Reproduce = reproduceInGo
	}
	return c, nil
}

// workers returns how many cases are played at a time, where the loop takes as many.
func (c Config) workers() int { return cmp.Or(c.Workers, 8*runtime.GOMAXPROCS(0)) }

// waitFor tells what the start of the loop waits for.
func (c Config) waitFor(what string) {
	if c.Hooks.OnWait != nil {
		c.Hooks.OnWait(what)
	}
}

// places returns how many cases are played at the same time: no more than the loop takes.
func (g *game) places() int { return max(1, min(g.plan.Hello.Concurrency, g.config.workers())) }

// ahead is how many cases are played before their turn for each place: enough to keep all places busy while the next in
// order waits, and not so many that the memory fills with runs that nobody judged.
const ahead = 32

// judge returns what a case brought. It waits until the case is played, while the workers play those after it.
func (g *game) judge(ctx context.Context, i int) (report.Case, error) {
	for ; g.next < len(g.order); g.next++ {
		n := g.order[g.next]
		if n > i+ahead*g.places() && !g.plan.waits(g.plan.Cases[n]) {
			break
		}
		g.playAhead(ctx, n)
	}
	g.playAhead(ctx, i)
	c := g.plan.Cases[i]
	one := g.player.of(c)
	select {
	case <-one.done:
	case <-ctx.Done():
		return report.Case{}, ctx.Err()
	}
	if one.run.Ending.How == lost {
		g.givenUp = true
		return report.Case{}, cmp.Or(ctx.Err(), errGivenUp)
	}
	if i > 0 && g.plan.Cases[i-1].Scenario != c.Scenario {
		g.player.forget(g.plan.Cases[i-1].Scenario)
	}
	if one.run.Ending.How == trace.Hung {
		g.hung = append(g.hung, c.ID())
	} else {
		g.hung = nil
	}
	return g.builder.add(one), nil
}

// playAhead lets a worker play a case, unless one does so already.
func (g *game) playAhead(ctx context.Context, i int) {
	if g.playsOn[i] {
		return
	}
	g.playsOn[i] = true
	c := g.plan.Cases[i]
	g.playing.Go(func() {
		if g.plan.waits(c) {
			g.waiters <- struct{}{}
			defer func() { <-g.waiters }()
		}
		if ctx.Err() == nil {
			g.player.play(ctx, c)
		}
	})
}

// maxHangs is after how many hangs in a row a loop is given up.
const maxHangs = 3

// hopeless says why the rest is not played: the loop hung so often in a row that it is not worth the wait, or has ended
// for good. It is "" while there is hope.
func (g *game) hopeless() string {
	switch {
	case g.givenUp:
		return "the loop ended early and is not started again"
	case len(g.hung) >= maxHangs:
		return fmt.Sprintf("the loop hung in %d cases in a row: %s", len(g.hung), strings.Join(g.hung, ", "))
	default:
		return ""
	}
}

// close ends what is still being played, and the loop. It may be called again.
func (g *game) close(cancel context.CancelFunc) {
	cancel()
	g.playing.Wait()
	g.player.session.Close()
	g.player.server.Close()
}

// finish returns the report of all that was judged.
func (g *game) finish() (*report.Report, error) {
	r := g.builder.report(time.Since(g.started), g.hopeless())
	r.Replayed = g.player.replays()
	r.Notes = g.player.late.notes()
	return r, g.builder.untraced
}
