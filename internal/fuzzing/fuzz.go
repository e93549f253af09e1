package fuzzing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// Config says to which loop conversations are played, and for how long.
type Config struct {
	Session *runner.Session
	Known   profiles.Known

	// Seed tells which conversations are drawn.
	Seed uint64

	// For is how long conversations are drawn, 0 for ever; Most is how many there are at most, 0 being any number.
	For  time.Duration
	Most int

	// Strict treats a broken should like a broken must.
	Strict bool

	// First ends at the first finding, and leaves it as large as it was drawn.
	First bool

	// OnBatch is called after each batch, and while findings are shrunk.
	OnBatch func(Result)
}

// Result is what came of the conversations.
type Result struct {
	Conversations, Cases int
	Took                 time.Duration
	Coverage             Coverage
	Findings             []Finding

	// Shrinking is the rule whose conversation is made smaller at the moment.
	Shrinking string
}

// Finding is a rule that the loop breaks, with the smallest conversation that shows it.
type Finding struct {
	trace.Finding
	Case   string // in which it was found, of the scenario
	Number int    // of the conversation that was drawn
	Name   string // of the scenario
	Small  *Conversation
	File   []byte // the scenario
}

// maxFindings is after how many rules no more are looked for: who breaks so many has enough to do.
const maxFindings = 20

// Run draws conversations and plays them until the time is over, the context ends or the loop cannot go on. The error says why
// it could not; what was found until then is in the result.
func Run(ctx context.Context, c Config) (Result, error) {
	f := &fuzzer{Config: c, grammar: grammarFor(c.Session), vocabulary: rulebook.NamesOnly(c.Known), start: time.Now(), batch: 1}
	f.result.Coverage = newCoverage()
	err := f.run(ctx)
	f.result.Took = time.Since(f.start)
	f.result.Shrinking = ""
	if ctx.Err() != nil {
		err = nil // who interrupts wants what there is
	}
	return f.result, err
}

// grammarFor returns the grammar of what a loop claims.
func grammarFor(s *runner.Session) Grammar {
	g := Grammar{Profiles: s.Profiles(), Deliveries: s.Deliveries()}
	for _, feature := range protocol.Features() {
		if s.Hello().Claims(feature, "", "") {
			g.Claims = append(g.Claims, feature)
		}
	}
	return g
}

// fuzzer is one run of it.
type fuzzer struct {
	Config
	grammar    Grammar
	vocabulary scenarios.Vocabulary
	start      time.Time
	drawn      int // conversations so far
	batch      int // how many are played together
	result     Result
}

// How long a batch may take, and how many conversations it has at most.
const (
	batchTime = 500 * time.Millisecond
	maxBatch  = 64
)

func (f *fuzzer) run(ctx context.Context) error {
	for !f.over() && ctx.Err() == nil {
		began := time.Now()
		if err := f.playBatch(ctx); err != nil {
			return err
		}
		switch took := time.Since(began); {
		case took < batchTime/2:
			f.batch = min(maxBatch, 2*f.batch)
		case took > 2*batchTime:
			f.batch = max(1, f.batch/2)
		}
	}
	return nil
}

func (f *fuzzer) over() bool {
	return f.For > 0 && time.Since(f.start) >= f.For || f.Most > 0 && f.drawn >= f.Most || len(f.result.Findings) >= maxFindings || f.First && len(f.result.Findings) > 0
}

// playBatch draws some conversations, plays them, and shrinks those that break a rule that none before has broken.
func (f *fuzzer) playBatch(ctx context.Context) error {
	drawn := map[string]*Conversation{}
	numbers := map[string]int{}
	var batch []*scenarios.Scenario
	for range f.batch {
		if f.Most > 0 && f.drawn >= f.Most {
			break
		}
		number := f.drawn
		f.drawn++
		c := f.grammar.Draw(f.Seed, number)
		if len(c.Profiles) == 0 {
			continue
		}
		s, err := f.scenario(fmt.Sprintf("conversation-%d", number), c)
		if err != nil {
			return err
		}
		drawn[s.ID], numbers[s.ID] = c, number
		batch = append(batch, s)
	}
	played, err := f.Session.Play(ctx, batch)
	f.count(drawn, played)
	f.tell()
	for _, p := range played {
		for _, broken := range f.broken(p) {
			if f.found(broken.Rule) || ctx.Err() != nil || len(f.result.Findings) >= maxFindings {
				continue
			}
			finding, shrinkErr := Finding{Finding: broken, Case: p.Case.ID, Small: drawn[p.Case.Scenario]}, error(nil)
			if !f.First {
				finding, shrinkErr = f.shrink(ctx, drawn[p.Case.Scenario], broken, p)
			}
			finding.Number = numbers[p.Case.Scenario]
			f.result.Findings = append(f.result.Findings, finding)
			err = errors.Join(err, shrinkErr)
		}
	}
	return err
}

// scenario returns a conversation as a scenario that is judged by all rules that can be.
func (f *fuzzer) scenario(id string, c *Conversation) (*scenarios.Scenario, error) {
	s, err := c.Scenario(id, f.vocabulary)
	if err != nil {
		return nil, err
	}
	s.Rules = judgedBy(s)
	return s, nil
}

// judgedBy returns the rules that are judged besides the invariants. A scenario of the library lists those that it gives
// evidence for; here each is judged where it happens to find some.
func judgedBy(s *scenarios.Scenario) []string {
	var ids []string
	for _, r := range rulebook.Book() {
		if !r.Invariant && (len(r.Quirks) == 0 || slices.ContainsFunc(r.Quirks, func(q string) bool { return slices.Contains(s.Quirks(), q) })) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// count adds what was played to the result.
func (f *fuzzer) count(drawn map[string]*Conversation, played []runner.Played) {
	f.result.Cases += len(played)
	seen := map[string]bool{}
	for _, p := range played {
		if id := p.Case.Scenario; !seen[id] {
			seen[id] = true
			f.result.Conversations++
			f.result.Coverage.count(drawn[id])
		}
		f.result.Coverage.countCase(p.Case)
	}
}

func (f *fuzzer) tell() {
	if f.OnBatch != nil {
		f.result.Took = time.Since(f.start)
		f.OnBatch(f.result)
	}
}

func (f *fuzzer) found(rule string) bool {
	return slices.ContainsFunc(f.result.Findings, func(known Finding) bool { return known.Rule == rule })
}

// broken returns the first finding of each rule that a case breaks, without those that only follow from others.
func (f *fuzzer) broken(p runner.Played) []trace.Finding {
	var all []trace.Finding
	for _, finding := range p.Case.Findings {
		known := slices.ContainsFunc(all, func(other trace.Finding) bool { return other.Rule == finding.Rule })
		if !known && finding.Because == "" && f.fatal(finding.Level) {
			all = append(all, finding.Finding)
		}
	}
	return all
}

func (f *fuzzer) fatal(l trace.Level) bool {
	return l == trace.Must || f.Strict && l == trace.Should
}
