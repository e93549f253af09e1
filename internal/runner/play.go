package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// Play judges a loop and returns the report. The error reports a problem of Loopproof, the adapter
// or the configuration; a loop that breaks rules is not an error. If there are both, or if the
// context ends early, the report covers what could be judged. If the loop does not start or fails
// the preflight, the report has no cases, and says why.
func Play(ctx context.Context, c Config) (*report.Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	j, err := newJob(ctx, c)
	if err != nil {
		cancel()
		return unplayed(c, nil, err), err
	}
	defer j.close(cancel)
	if err := j.player.preflight(ctx); err != nil {
		return unplayed(c, j, err), err
	}
	r, err := j.playAll(ctx)
	if ctx.Err() != nil {
		return r, err // the loop was stopped by us, so what it said in the end is no fault
	}
	j.close(cancel) // first, since an adapter may break the protocol with its last line
	return r, errors.Join(err, j.player.faults())
}

// playAll plays and judges all cases of the plan.
func (j *job) playAll(ctx context.Context) (*report.Report, error) {
	if j.config.Hooks.OnPlan != nil {
		j.config.Hooks.OnPlan(*j.plan)
	}
	for n, i := range j.plan.judgingOrder() {
		result, err := j.judge(ctx, i)
		if errors.Is(err, errGivenUp) {
			break
		}
		if err != nil && n > 0 && ctx.Err() != nil {
			j.interrupted = true
			r, untraced := j.finish()
			return r, errors.Join(err, untraced)
		}
		if err != nil {
			return nil, err
		}
		if j.config.Hooks.OnCase != nil {
			j.config.Hooks.OnCase(n+1, len(j.plan.Cases), result)
		}
		if j.stopReason() != "" {
			break
		}
	}
	return j.finish()
}

// job is the judging of one loop. Cases are played ahead by workers and judged one after the other.
type job struct {
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
	judged  string        // the scenario of the case that was judged last
	hung    []string      // the cases in a row in which the loop hung
	givenUp string        // why a case could not be played; nothing is played after it

	interrupted bool // the context ended
}

// errGivenUp says that a case could not be played.
var errGivenUp = errors.New("a case could not be played")

func newJob(ctx context.Context, c Config) (*job, error) {
	s, err := openSession(ctx, c)
	if err != nil {
		return nil, err
	}
	plan, err := newPlan(s.config, s.Hello())
	if err != nil {
		s.Close()
		return nil, err
	}
	return s.job(plan), nil
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
	if err := errors.Join(c.Select.Shard.check(), c.checkNumbers()); err != nil {
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
		c.StartTimeout = loops.StartTimeout
	}
	if c.Timeout == 0 {
		c.Timeout = 10 * time.Second
	}
	if c.Hooks.Reproduce == nil {
		c.Hooks.Reproduce = reproduceInGo
	}
	return c, nil
}

// checkNumbers returns an error for each number below zero.
func (c Config) checkNumbers() error {
	var errs []error
	if c.Workers < 0 {
		errs = append(errs, fmt.Errorf("set Config.Workers to 0, which is the default, or more, not to %d", c.Workers))
	}
	if c.Timeout < 0 {
		errs = append(errs, fmt.Errorf("set Config.Timeout to 0, which is the default, or more, not to %v", c.Timeout))
	}
	if c.StartTimeout < 0 {
		errs = append(errs, fmt.Errorf("set Config.StartTimeout to 0, which is the default, or more, not to %v", c.StartTimeout))
	}
	return errors.Join(errs...)
}

// workers returns how many cases are played at a time, where the loop takes as many.
func (c Config) workers() int { return cmp.Or(c.Workers, 12*runtime.GOMAXPROCS(0)) }

// waitFor tells what the start of the loop waits for.
func (c Config) waitFor(what string) {
	if c.Hooks.OnWait != nil {
		c.Hooks.OnWait(what)
	}
}

// places returns how many cases are played at the same time: no more than the loop takes. Those
// that mostly wait have places of their own as far as it takes more, unless the config says how
// many there are in all.
func (j *job) places() places {
	p := places{busy: max(1, min(j.plan.Hello.Concurrency, j.config.workers()))}
	if j.config.Workers == 0 {
		p.waiting = min(max(0, j.plan.Hello.Concurrency-p.busy), maxWaiting)
	}
	return p
}

// maxWaiting bounds how many cases wait at the same time.
const maxWaiting = 64

// waiters returns how many cases that mostly wait are played at the same time. Where they have no
// places of their own, they leave some to the others.
func (p places) waiters() int {
	if p.waiting > 0 {
		return p.waiting
	}
	return max(1, p.busy*3/4)
}

// ahead is how many cases are played before their turn for each place: enough to keep all places
// busy while the next in order waits, and not so many that runs that are not judged yet fill the
// memory.
const ahead = 8

// judge returns what a case brought. It waits until the case is played, while the workers play
// those after it.
func (j *job) judge(ctx context.Context, i int) (report.Case, error) {
	for ; j.next < len(j.order); j.next++ {
		n := j.order[j.next]
		if n > i+ahead*j.places().busy && !j.plan.waits(j.plan.Cases[n]) {
			break
		}
		j.playAhead(ctx, n)
	}
	j.playAhead(ctx, i)
	c := j.plan.Cases[i]
	one := j.player.of(c)
	select {
	case <-one.done:
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // what is played now may have been cut short by that
		return report.Case{}, ctx.Err()
	}
	if one.run.Ending.How == loops.Lost {
		j.givenUp = "a case could not be played: " + firstLine(one.run.Ending.Note)
		return report.Case{}, errGivenUp
	}
	if j.judged != "" && j.judged != c.Scenario {
		j.player.forget(j.judged)
	}
	j.judged = c.Scenario
	if one.run.Ending.How == trace.Hung && !one.run.HungInWaits() && !one.run.MayWaitForFirstRetry() {
		j.hung = append(j.hung, c.ID())
	} else {
		j.hung = nil
	}
	return j.builder.add(one), nil
}

// playAhead lets a worker play a case and ask the rules, unless one does so already.
func (j *job) playAhead(ctx context.Context, i int) {
	if j.playsOn[i] {
		return
	}
	j.playsOn[i] = true
	c := j.plan.Cases[i]
	j.playing.Go(func() {
		if j.plan.waits(c) {
			j.waiters <- struct{}{}
			defer func() { <-j.waiters }()
		}
		if ctx.Err() != nil {
			return
		}
		one := j.player.of(c) // now, since it is forgotten after its turn
		if run := j.player.play(ctx, c); run.Ending.How != loops.Lost {
			one.judge(j.plan.claimsIn(c))
		}
	})
}

// firstLine returns the first line of a note: what follows is the output of the loop.
func firstLine(note string) string {
	line, _, _ := strings.Cut(note, "\n")
	return line
}

// stopReason says why the rest is not played: the loop hung so often in a row that it is not worth
// the wait, or a case could not be played. It is "" while there is hope.
func (j *job) stopReason() string {
	switch {
	case j.interrupted:
		return "the run was interrupted"
	case j.givenUp != "":
		return j.givenUp
	case len(j.hung) >= loops.MaxHangs:
		return fmt.Sprintf("the loop hung in %d cases in a row: %s", len(j.hung), strings.Join(j.hung, ", "))
	default:
		return ""
	}
}

// close ends what is still being played, and the loop. It may be called again.
func (j *job) close(cancel context.CancelFunc) {
	cancel()
	j.playing.Wait()
	j.player.session.Close()
	j.player.server.Close()
}

// finish returns the report of all that was judged.
func (j *job) finish() (*report.Report, error) {
	r := j.builder.report(time.Since(j.started), j.stopReason())
	r.Replayed = j.player.replays()
	r.Notes = slices.Concat(j.player.session.Remarks(), j.player.late.notes(), j.player.unread.notes(), j.builder.streams.notes())
	return r, j.builder.untraced
}
