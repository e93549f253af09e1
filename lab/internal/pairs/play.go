package pairs

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"al.essio.dev/pkg/shellescape"

	"github.com/loopproof/loopproof/lab/internal/adapterrun"
)

// player plays pairs, one after the other.
type player struct {
	cache     string
	out       io.Writer
	loopproof string // the command, built once
	commit    string
}

// seed makes the ids of a run the same each time.
const seed = "41"

// prepare builds the command once, and notes what it was built from.
func (p *player) prepare(ctx context.Context) (err error) {
	if p.cache, err = filepath.Abs(p.cache); err != nil {
		return err
	}
	if p.commit, err = adapterrun.Commit(ctx); err != nil {
		return err
	}
	p.loopproof, err = adapterrun.Build(ctx, p.cache)
	return err
}

// playAll plays pairs and writes their results. It counts those that did not come out as the list
// says, and those that could not be played.
func (p *player) playAll(ctx context.Context, pairs []pair) (unexpected, faults int) {
	for i, each := range pairs {
		if ctx.Err() != nil { // interrupted: the others keep the results that they had
			return unexpected, faults + len(pairs) - i
		}
		fmt.Fprintf(p.out, "[%d/%d] %s\n", i+1, len(pairs), each.Name)
		r, err := p.play(ctx, each)
		if err == nil {
			err = r.write(each)
		}
		if err != nil {
			faults++
			fmt.Fprintf(p.out, "      FAILED: %v\n", err)
			continue
		}
		fmt.Fprint(p.out, r.summary(each))
		if r.unexpected(each) != "" {
			unexpected++
		}
	}
	return unexpected, faults
}

// play installs and plays both sides of a pair.
func (p *player) play(ctx context.Context, each pair) (result, error) {
	r := result{Commit: p.commit}
	for s, into := range map[side]*outcome{bad: &r.Bad, good: &r.Good} {
		o, date, err := p.playSide(ctx, each, s)
		if err != nil {
			return r, fmt.Errorf("the %s version, %s: %w", s, each.version(s), err)
		}
		*into, r.Date = o, date
	}
	return r, nil
}

func (p *player) playSide(ctx context.Context, each pair, s side) (o outcome, date string, err error) {
	tell := func(command []string) {
		fmt.Fprintf(p.out, "      %s: %s\n", each.version(s), shellescape.QuoteCommand(command))
	}
	start, err := install(ctx, p.cache, each, s, tell)
	if err != nil {
		return o, "", err
	}
	folder := filepath.Join(p.cache, "reports", each.Name, string(s))
	if err := adapterrun.Empty(folder); err != nil {
		return o, "", err
	}
	r, err := adapterrun.Play(ctx, folder, p.command(each, folder, start))
	if err != nil {
		return o, "", err
	}
	return outcomeOf(r, each.Rules), r.Started.Format("2006-01-02"), nil
}

// command plays the cases of a pair.
func (p *player) command(each pair, folder string, start []string) []string {
	command := []string{p.loopproof, "run", "--report", folder, "--seed", seed, "--timeout", "30s"}
	for _, c := range each.Cases {
		command = append(command, "--case", c)
	}
	return append(append(command, "--"), start...)
}

// summary says in lines how each rule came out.
func (r result) summary(p pair) string {
	var b strings.Builder
	for _, rule := range p.Rules {
		fmt.Fprintf(&b, "      %s: %s %s, %s %s\n", rule, p.Bad, r.Bad.Rules[rule].words(), p.Good, r.Good.Rules[rule].words())
		if f := r.Bad.Rules[rule].Found; f != nil {
			fmt.Fprintf(&b, "        %s: %s\n", f.Case, f.Message)
		}
	}
	if said := r.unexpected(p); said != "" {
		fmt.Fprintf(&b, "      NOT AS EXPECTED: %s\n", said)
	}
	return b.String()
}
