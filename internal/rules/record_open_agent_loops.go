package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/record"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var (
	openAgentLoops = []string{record.OpenAgentLoops}
	keepsReasoning = []protocol.Feature{protocol.Transcript, protocol.Reasoning}
)

// recordOpenAgentLoops are the rules about what the messages of Open Agent Loops keep beyond what crosses the wire.
var recordOpenAgentLoops = []Rule{
	{
		ID:        "record/finish-reason-as-given",
		Level:     Must,
		Text:      "A turn in the transcript has the finish reason that the provider gave.",
		Why:       "A turn without calls that was cut off looks like a whole answer.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a whole turn in the transcript, truncated ones included, whose finish word is one of the format's",
		Sources:   []Source{{oalAssistant, "finishReason: why the turn ended, so that a clean stop is told from a truncated one"}},
		Run:       finishReasonAsGiven,
	},
	{
		ID:        "record/no-finish-reason-made-up",
		Level:     Must,
		Text:      "A turn for which the provider gave no finish reason has none in the transcript.",
		Why:       "A stream that broke off looks like a clean stop.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "what the transcript keeps of an answer that broke off before its finish word",
		Sources:   []Source{{oalAssistant, "finishReason: unset when the provider reports none"}},
		Run:       noFinishReasonMadeUp,
	},
	{
		ID:        "record/broken-turn-marked",
		Level:     Must,
		Text:      "A turn whose stream broke off is in the transcript, marked as an error.",
		Why:       "Half an answer passes for a whole one.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a transcript of a run that ended with an answer that broke off",
		Sources:   []Source{{oalAssistant, "isError marks a turn whose stream failed: a blank or truncated completion"}},
		Run: func(r *Run) Judged {
			// A loop that gave up on a silent stream left by itself, as when it is cancelled: its stream did not fail. And of
			// a document that is cut, or that is an error, nobody reads a turn.
			return badTurnMarked(r, func(t *scenarios.Turn) bool {
				return !t.Fails() && t.Breaks() && t.Step.Stall == nil && r.Case.Delivery.Streams()
			}, "an answer that broke off")
		},
	},
	{
		ID:        "record/blank-turn-marked",
		Level:     Must,
		Text:      "A turn in which the model said nothing is in the transcript, marked as an error.",
		Why:       "An empty answer passes for a good one.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a transcript of a run that ended with a blank answer",
		Sources:   []Source{{oalAssistant, "isError marks a turn whose stream failed: a blank or truncated completion"}},
		Run: func(r *Run) Judged {
			return badTurnMarked(r, func(t *scenarios.Turn) bool { return t.Blank() && !t.Truncated() && !reasoned(t) }, "a blank answer")
		},
	},
	{
		ID:        "record/good-turn-not-marked",
		Level:     Must,
		Text:      "A whole turn of the model is not marked as an error in the transcript, also where a tool that it called failed.",
		Why:       "A good answer is thrown away.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a whole turn in the transcript of a run that used tools",
		Sources:   []Source{{oalAssistant, "isError is distinct from the failure of a tool, which lands on the tool message"}},
		Run:       goodTurnNotMarked,
	},
	{
		ID:        "record/reasoning-kept",
		Level:     Must,
		Text:      "The transcript keeps the reasoning of every turn, also of turns without calls, which is not sent again.",
		Why:       "What the model thought is lost, and a later request that needs it is refused.",
		Invariant: true,
		Needs:     keepsReasoning,
		Formats:   openAgentLoops,
		Evidence:  "a turn with plain reasoning in the transcript of a run that used tools",
		Sources:   []Source{{oalAssistant, "reasoning: persisted, not transient; storage just keeps the value"}},
		Run:       reasoningKept,
	},
	{
		ID:        "record/reasoning-details-kept",
		Level:     Must,
		Text:      "The transcript keeps the blocks of structured reasoning of every turn as they came.",
		Why:       "Signed and encrypted blocks are checked when they come back.",
		Invariant: true,
		Needs:     keepsReasoning,
		Formats:   marking,
		Evidence:  "a turn with structured reasoning in the transcript of a run that used tools",
		Sources: []Source{
			{oalAssistant, "reasoning_details: the structured, verbatim form of this turn's reasoning"},
			{thinkingDocs, "thinking blocks are passed back unmodified, with their signatures"},
		},
		Run: func(r *Run) Judged { return keptBlocks(r, false) },
	},
	{
		ID:        "record/reasoning-details-in-order",
		Level:     Must,
		Text:      "The transcript keeps the blocks of structured reasoning in their order.",
		Why:       "Their sequence is checked when they come back.",
		Invariant: true,
		Needs:     keepsReasoning,
		Formats:   marking,
		Evidence:  "a turn with several blocks of structured reasoning in the transcript",
		Sources: []Source{
			{oalAssistant, "reasoning_details: unchanged and in original order"},
			{thinkingDocs, "the sequence of blocks has to be that of the answer"},
		},
		Run: func(r *Run) Judged { return keptBlocks(r, true) },
	},
	{
		ID:        "record/timestamps-in-milliseconds",
		Level:     Must,
		Text:      "The timestamps of messages count milliseconds since the epoch.",
		Why:       "A message of today is shown under 1970.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a message with a timestamp in the transcript of a run that used tools",
		Sources:   []Source{{oalDocs + "message-base.ts", "timestamp: creation time, ms since epoch"}},
		Run:       timestampsInMilliseconds,
	},
	{
		ID:        "record/timestamps-in-order",
		Level:     Must,
		Text:      "The timestamps of messages do not decrease; only the results of one turn may have been ready in any order.",
		Why:       "A reader that sorts by them gets another conversation.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "two messages with timestamps in the transcript of a run that used tools",
		Sources:   []Source{{oalDocs + "message-base.ts", "timestamp: for ordering"}},
		Run:       timestampsInOrder,
	},
}

// finishWords are the finish reasons that the format knows.
var finishWords = []string{"stop", "tool_calls", "length", "content_filter"}

// finishOf are its words for the reasons to stop.
var finishOf = map[wire.Finish]string{
	wire.FinishStop: "stop", wire.FinishCalls: "tool_calls", wire.FinishLength: "length", wire.FinishContentFilter: "content_filter",
}

// speech returns what can be said in the dialect of the run.
func (r *Run) speech() wire.Speech { return r.Script.Profile.Speaks.Speech }

func finishReasonAsGiven(r *Run) (j Judged) {
	judge := func(x *Exchange, m *wire.Message, note record.Note) {
		word := wordOf(r, x.Turn)
		unset := note.Finish == nil || note.Finish.Is(wire.Null) // as it may be where the provider's own word is none of the format's
		if !slices.Contains(finishWords, word) || unset && r.speech().OwnFinishes {
			return
		}
		j.Seen = true
		if note.Finish.Text() != word {
			j.Find(Finding{Answer: x.Number, Message: "a turn in the transcript has another finish reason than the provider gave", Expected: quote(word), Actual: place(m.Node)})
		}
	}
	r.eachKept(func(k keptTurn) {
		if k.regular {
			judge(k.x, k.Message, r.note(k))
		}
	})
	if last := r.Last(); r.UsedTools() && last != nil && last.Turn.Truncated() {
		if m, note := r.keptEnd(); m != nil && strings.TrimSpace(m.Content.Text) == strings.TrimSpace(last.Turn.Answer.Text) {
			judge(last, m, note)
		}
	}
	return j
}

// wordOf returns the finish word of a turn as its provider writes it; in the words of the format where the dialect has
// others.
func wordOf(r *Run, t *scenarios.Turn) string {
	if word, ok := r.Script.Profile.Traits.Finish[t.Answer.Finish]; ok {
		return word
	}
	if word, ok := finishOf[t.Answer.Finish]; ok {
		return word
	}
	return string(t.Answer.Finish)
}

// keptEnd returns the last message of the transcript when it is one of the model that records none of its good turns:
// what was kept of the last answer when that was a bad one.
func (r *Run) keptEnd() (*wire.Message, record.Note) {
	t := r.transcript.read
	if t == nil {
		return nil, record.Note{}
	}
	last := len(t.Conversation.Messages) - 1
	if last < 0 || t.Conversation.Messages[last].Role != wire.Assistant || r.isKept(last) {
		return nil, record.Note{}
	}
	return &t.Conversation.Messages[last], t.Notes[last]
}

func noFinishReasonMadeUp(r *Run) (j Judged) {
	last := r.Last()
	if last == nil || !r.UsedTools() || last.Turn.Fails() || !last.Turn.Breaks() || r.Next(last) != nil {
		return j
	}
	m, note := r.keptEnd()
	if m == nil {
		return j
	}
	j.Seen = true
	if note.Finish != nil && !note.Finish.Is(wire.Null) {
		j.Find(Finding{Answer: last.Number, Message: "a turn that broke off has a finish reason in the transcript", Expected: "no finish reason", Actual: place(m.Node)})
	}
	return j
}

func reasoned(t *scenarios.Turn) bool {
	return t.Answer.Reasoning != nil && strings.TrimSpace(*t.Answer.Reasoning) != ""
}

func badTurnMarked(r *Run, kind func(*scenarios.Turn) bool, what string) (j Judged) {
	last := r.Last()
	if last == nil || !r.UsedTools() || last.Turn.Fails() || !kind(last.Turn) || r.interrupted(last.Turn) || r.Next(last) != nil || r.recordIn(record.OpenAgentLoops) == nil {
		return j
	}
	j.Seen = true
	m, note := r.keptEnd()
	f := Finding{Answer: last.Number, Expected: "a message of the model that is marked as an error, at the end"}
	switch {
	case m == nil:
		f.Message, f.Actual = what+" is not in the transcript", "no such message"
	case !note.Failed:
		f.Message, f.Actual = what+" is not marked as an error in the transcript", place(m.Node)
	default:
		return j
	}
	j.Find(f)
	return j
}

func goodTurnNotMarked(r *Run) (j Judged) {
	r.eachKept(func(k keptTurn) {
		j.Seen = true
		if r.note(k).Failed {
			j.notKept(k, "a whole turn of the model is marked as an error in the transcript", "no error", place(k.Message.Node))
		}
	})
	return j
}

func reasoningKept(r *Run) (j Judged) {
	if r.speech().ReasonsInBlocks {
		return j
	}
	r.eachKept(func(k keptTurn) {
		if !k.regular || !reasoned(k.Turn) {
			return
		}
		j.Seen = true
		if text := k.Message.Reasoning.Text.Text(); text != *k.Turn.Answer.Reasoning {
			j.notKept(k, "the reasoning of a turn is not in the transcript as it came", quote(*k.Turn.Answer.Reasoning), place(k.Message.Node))
		}
	})
	return j
}

// keptBlocks compares the blocks of structured reasoning: their order, or everything else. Each of the two formats is
// held to what its own wire API brings; what becomes of it in the other is nowhere said.
func keptBlocks(r *Run, order bool) (j Judged) {
	if (r.recordIn(record.Anthropic) != nil) != r.speech().ReasonsInBlocks {
		return j
	}
	r.eachKept(func(k keptTurn) {
		given := givenBlocks(k.Turn.Answer.Details, r.Script.Profile.Speaks, nil)
		var kept []block
		for _, n := range k.Message.Reasoning.Details {
			kept = append(kept, readBlock(n, r.Script.Profile.Speaks))
		}
		given, kept = joined(given), joined(kept)
		if !r.showed(k.Turn) {
			return
		}
		same := sameBlocks(given, kept) && len(given) == len(kept)
		dropped := len(kept) == 0 && !r.Script.Profile.Reasoning.Resend.OnToolTurns() // as it may, since nobody wants it back
		if r.recordIn(record.Anthropic) != nil && k.Turn.Final() {                    // of answers the provider does not want it back
			return
		}
		if len(given) == 0 || dropped || !k.regular || order && (len(given) < 2 || !same) {
			return
		}
		j.Seen = true
		switch {
		case !order && !same:
			j.notKept(k, "the structured reasoning of a turn is not in the transcript as it came", describeInFull(given), describeInFull(kept))
		case order && !slices.Equal(given, kept):
			j.notKept(k, "the structured reasoning of a turn is in another order in the transcript", describeBlocks(given), describeBlocks(kept))
		}
	})
	return j
}

func describeInFull(blocks []block) string {
	var words []string
	for _, b := range blocks {
		words = append(words, b.inFull())
	}
	return list(words)
}

// The years in which a timestamp is taken for one in milliseconds: 2001 to 5138.
const (
	earliest = 1e12
	latest   = 1e14
)

// eachTime calls f for every message of the transcript that has a timestamp.
func (r *Run) eachTime(f func(m wire.Message, at float64)) {
	t := r.transcript.read
	if t == nil || !r.UsedTools() {
		return
	}
	for i, note := range t.Notes {
		if !note.Time.Is(wire.Number) {
			continue
		}
		if at, err := strconv.ParseFloat(string(note.Time.Raw), 64); err == nil {
			f(t.Conversation.Messages[i], at)
		}
	}
}

func timestampsInMilliseconds(r *Run) (j Judged) {
	r.eachTime(func(m wire.Message, at float64) {
		j.Seen = true
		if (at < earliest || at > latest) && len(j.Findings) == 0 {
			j.Find(Finding{Message: "a timestamp in the transcript is not in milliseconds since the epoch", Expected: "a number of 13 digits", Actual: place(m.Node.Get("timestamp"))})
		}
	})
	return j
}

func timestampsInOrder(r *Run) (j Judged) {
	before, results := 0.0, 0.0 // the latest of what stands in front, and of the results directly in front
	r.eachTime(func(m wire.Message, at float64) {
		if m.Role != wire.Tool {
			before, results = max(before, results), 0
		}
		j.Seen = j.Seen || before != 0
		if at < before && len(j.Findings) == 0 {
			j.Find(Finding{Message: "a timestamp in the transcript is before that of a message in front", Expected: fmt.Sprintf("%.0f or later", before), Actual: place(m.Node.Get("timestamp"))})
		}
		if m.Role == wire.Tool {
			results = max(results, at)
		} else {
			before = at
		}
	})
	return j
}
