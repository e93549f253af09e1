package rules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Rule is one requirement of a loop towards the provider, its tools or its caller. It has more than
// twenty fields because the declaration of a rule is a flat list, in which most rules set about
// ten.
type Rule struct {
	ID      string      // "area/what-is-owed", never reused with another meaning
	Level   trace.Level // outside of profiles that refuse a violation
	Text    string      // the rule in one sentence
	Why     string      // what goes wrong otherwise
	Sources []Source

	// Dialect is the wire API that the rule is about alone, but for others that [Joined] found to
	// have it, Also. Where tells those that it is about by what they have in common. Without any it
	// is about all, or about those whose answers can have its quirks.
	Dialect *wire.Dialect
	Also    []*wire.Dialect
	Where   func(*wire.Dialect) bool

	// Needs are the features that a loop has to claim for the rule to apply to it.
	Needs []protocol.Feature

	// Formats are those of the loop's own record that the rule is about; none means all. Where a
	// record is in another format the loop does not claim what the rule is about.
	Formats []string

	// Kept says that the rule is about records that are kept, and not about those that tell of a run
	// while it goes on.
	Kept bool

	// MustIn are the formats of records whose own documentation demands what a must says; for
	// records in others it is a should. None means all.
	MustIn []string

	// Invariant rules are judged on every run; the others in the scenarios that list them.
	Invariant bool

	// AnyDelivery rules are judged in every delivery although they look at more than single
	// requests. The others of that kind are judged where answers come as JSON or as an ordinary
	// stream: how a loop handles odder deliveries is for the rules about streams to say, so that
	// one mistake in a reader of streams does not show as ten.
	AnyDelivery bool

	// OverAPIs rules are also judged in runs in which two wire APIs are spoken although they look at
	// more than single requests: they find calls and results whatever the ids, and need not know what
	// an API wants back.
	OverAPIs bool

	// Unending rules are about runs that do not end. They alone are judged in a run that ran out of
	// time: what else is missing there may only not have happened yet, on a busy machine as well.
	Unending bool

	// Returned rules are about what a loop sends again with each request, such as the turns of the
	// model. They are not judged in a request that leaves those to the provider, which kept them.
	Returned bool

	// Asked reports whether a run asked for what the rule is about, where a loop need not. Without
	// evidence, a loop that did not ask does not claim it. Nil: this rule needs no request.
	Asked func(*Run) bool

	// ByTurn rules find something in a request only where they find it in its first turns, with whatever
	// is behind these, or in the turns behind them alone, as [wire.Request.Tail] divides them. Of a
	// conversation that goes on they are asked about what is new.
	ByTurn bool

	// ShowsTurn rules are about how the messages of a turn fit together: their findings are shown
	// with the whole turn.
	ShowsTurn bool

	// Threads rules are about conversations that the provider keeps for a loop. One that sends its
	// whole history with every request does not claim what they are about.
	Threads bool

	// Quirks are those that the rule is about, each with the scenario in which it is played. The
	// loop's handling of an answer with one of them is compared with the answer, unless RunQuirks
	// or Run judges it.
	Quirks []Quirk

	// Evidence says in words what must have happened for the rule to be judged at all.
	Evidence string

	// BrokenIn are scenarios that show a violation, where those that give evidence for the rule do
	// not: a request without tools, for a rule about the key tools, has no tool result, and so is
	// no evidence.
	BrokenIn []string

	// Request judges one request on its own. Provider is what the provider itself can see of a
	// violation, where that is less; refusals go by it. Vars names the values that the findings
	// offer to the words of a refusal.
	Request  func(*profiles.Profile, *wire.Request) CheckResult
	Provider func(*profiles.Profile, *wire.Request) CheckResult
	Vars     []string

	// Run judges a finished run, and RunQuirks one in which the quirks of the rule may show.
	Run       func(*Run) CheckResult
	RunQuirks func(*Run, []Quirk) CheckResult
}

// Source is where a rule comes from.
type Source struct {
	URL  string
	Says string // what is there, in a few words
}

// Quirk is a quirk of the wire that a rule is about, and how it is played. A scenario for it needs
// no file: it is a conversation in which the quirk shows, and says and needs what the rule does.
type Quirk struct {
	Name string // as the dialects name it that have it: "call-index-missing"
	In   string // the conversation, a file in internal/scenarios/conversations: "two-cities"

	// Case is the id of the scenario. Without it, that is the area of the rule and the name of the
	// quirk, without the area if it begins with it.
	Case string

	// Also are other rules for which the scenario gives evidence.
	Also []string
}

// CaseOf returns the id of the scenario in which a quirk of the rule is played.
func (r *Rule) CaseOf(q Quirk) string {
	if q.Case != "" {
		return q.Case
	}
	return r.Area() + "/" + strings.TrimPrefix(q.Name, r.Area()+"-")
}

// ComparesQuirks reports whether the rule has no check of its own: [CompareWithBaseline] judges how
// a loop handles its quirks.
func (r *Rule) ComparesQuirks() bool { return len(r.Quirks) > 0 && r.Run == nil && r.RunQuirks == nil }

// IsAbout reports whether the rule is about a quirk.
func (r *Rule) IsAbout(quirk string) bool { return hasQuirk(r.Quirks, quirk) }

func hasQuirk(quirks []Quirk, name string) bool {
	return slices.ContainsFunc(quirks, func(q Quirk) bool { return q.Name == name })
}

// Area returns the first part of the rule's id, which also names its package, its scenarios and its
// faults.
func (r *Rule) Area() string {
	area, _, _ := strings.Cut(r.ID, "/")
	return area
}

// LevelUnder returns the rule's level under a profile: a violation that the provider is known to
// refuse is a must there, and one that it is known to take is a should. Where it refuses only some
// violations, [Rule.LevelOf] distinguishes them.
func (r *Rule) LevelUnder(p *profiles.Profile) trace.Level {
	refusal, refused := p.Refusal(r.ID)
	switch {
	case refused && refusal.KnownBy.Strong():
		return trace.Must
	case r.Level == trace.Must && slices.Contains(p.Takes, r.ID):
		return trace.Should
	default:
		return r.Level
	}
}

// LevelOf returns the level of one violation under a profile: of violations that the provider does
// not refuse, although it refuses others of the same rule, it is that of the rule, or a should
// where the provider is known to take them.
func (r *Rule) LevelOf(p *profiles.Profile, f trace.Finding) trace.Level {
	if refusal, ok := p.Refusal(r.ID); ok && !refusal.Refuses(f.Vars) {
		if r.Level == trace.Must && slices.Contains(p.Takes, r.ID) {
			return trace.Should
		}
		return r.Level
	}
	return r.LevelUnder(p)
}
