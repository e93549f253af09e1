package fuzzing

import (
	"context"
	"time"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Config says to which loop conversations are played, and for how long.
type Config struct {
	Session *runner.Session
	Known   profiles.Known

	// Seed tells which conversations are drawn.
	Seed uint64

	// For is how long conversations are drawn, 0 for ever; Most is how many there are at most, 0
	// being any number.
	For  time.Duration
	Most int

	// From is the number of the first conversation.
	From int

	// Strict treats a broken should like a broken must.
	Strict bool

	// Accepted reports whether the loop is known to break a rule with such a message. That is
	// counted, and is no finding. It may be nil.
	Accepted func(rule, message string) bool

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

	// Known counts the cases that broke a rule in a way that [Config.Accepted] accepts.
	Known map[string]int

	// Shrinking is the rule whose conversation is made smaller at the moment.
	Shrinking string
}

// Finding is a rule that the loop breaks, with the smallest conversation that shows it.
type Finding struct {
	report.Finding
	Case   string // in which it was found, of the scenario
	Number int    // of the conversation that was drawn
	Name   string // of the scenario
	Small  *Conversation
	File   []byte // the scenario

	// Follow are violations of other rules that only follow from this one in the same case. Alike
	// are findings in other conversations that have the same cause, as far as the rulebook can
	// tell: without what is odd in them, the loop breaks this rule instead. Of such a finding,
	// Cause is this rule.
	Follow []report.Finding
	Alike  []Finding
	Cause  string

	// Once says that the loop broke the rule a single time, and not when the same conversation was
	// played [Replays] times more: it depends on time or chance.
	Once bool
}

// maxFindings is after how many rules no more are looked for: who breaks so many has enough to do.
const maxFindings = 20

// Run draws conversations and plays them until the time is over, the context ends or the loop
// cannot go on. The error says why it could not; what was found until then is in the result.
func Run(ctx context.Context, c Config) (Result, error) {
	f := &fuzzer{Config: c, grammar: grammarFor(c.Session), vocabulary: rulebook.NamesOnly(c.Known), start: time.Now(), batch: 1, drawn: c.From}
	f.result.Coverage, f.result.Known = newCoverage(), map[string]int{}
	err := f.run(ctx)
	f.result.Took = time.Since(f.start)
	f.result.Shrinking = ""
	if ctx.Err() != nil {
		err = nil // who interrupts wants what there is
	}
	return f.result, err
}

// grammarFor returns the grammar of what a loop claims.
func grammarFor(s *runner.Session) *Grammar {
	var claimed []protocol.Feature
	for _, feature := range protocol.Features() {
		if claims.Has(s.Hello(), feature, "", "") {
			claimed = append(claimed, feature)
		}
	}
	return NewGrammar(s.Profiles(), s.Deliveries(), claimed)
}

// fuzzer is one run of it.
type fuzzer struct {
	Config
	grammar    *Grammar
	vocabulary scenarios.Vocabulary
	start      time.Time
	drawn      int // the number of the next conversation
	batch      int // how many are played together
	result     Result
}

// How long a batch is to take, and how many conversations it has at most. Many of them wait most of
// the time, for a retry or for a silent provider, so that large batches are faster than small ones.
const (
	batchTime = 4 * time.Second
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
		case took > 3*batchTime:
			f.batch = max(1, f.batch/2)
		}
	}
	return nil
}

func (f *fuzzer) over() bool {
	return f.For > 0 && time.Since(f.start) >= f.For || f.drewAll() || len(f.result.Findings) >= maxFindings || f.First && len(f.result.Findings) > 0
}

func (f *fuzzer) drewAll() bool { return f.Most > 0 && f.drawn >= f.From+f.Most }

func (f *fuzzer) tell() {
	if f.OnBatch != nil {
		f.result.Took = time.Since(f.start)
		f.OnBatch(f.result)
	}
}
