package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var (
	openAgentLoops = []string{transcript.OpenAgentLoops}
	keepsReasoning = []protocol.Feature{protocol.Transcript, protocol.Reasoning}
)

// openAgentLoopRules are the rules about what the messages of Open Agent Loops keep beyond what
// crosses the wire.
var openAgentLoopRules = []rules.Rule{
	{
		ID:        "record/finish-reason-as-given",
		Level:     trace.Must,
		Text:      "A turn in the transcript has the finish reason that the provider gave.",
		Why:       "Otherwise a truncated turn without calls looks like a complete answer.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a whole turn in the transcript, truncated ones included, whose finish reason is one of the format's",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "finishReason: why the turn ended, so that a clean stop is told from a truncated one"}},
		Run:       finishReasonAsGiven,
	},
	{
		ID:        "record/no-finish-reason-made-up",
		Level:     trace.Must,
		Text:      "A turn for which the provider gave no finish reason has none in the transcript.",
		Why:       "Otherwise an aborted stream looks complete.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "what the transcript keeps of an answer that broke off before its finish reason",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "finishReason: unset when the provider reports none"}},
		Run:       noFinishReasonMadeUp,
	},
	{
		ID:        "record/broken-turn-marked",
		Level:     trace.Must,
		Text:      "A turn whose stream ended early is in the transcript, marked as an error.",
		Why:       "A partial answer is treated as complete.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a transcript of a run that ended with an answer that broke off",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "isError marks a turn whose stream failed: a blank or truncated completion"}},
		Run: func(r *rules.Run) rules.CheckResult {
			// A loop that gave up on a silent stream left by itself, as when it is cancelled: its
			// stream did not fail. And a document that is cut, or that is an error, has no turn.
			return badTurnMarked(r, func(t *scenarios.Turn) bool {
				return !t.Fails() && t.Breaks() && t.Step.Stall == nil && r.Case.Delivery.Streams()
			}, "an answer that broke off")
		},
	},
	{
		ID:        "record/blank-turn-marked",
		Level:     trace.Must,
		Text:      "A turn in which the model said nothing is in the transcript, marked as an error.",
		Why:       "Otherwise an empty answer is treated as a good one.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a transcript of a run that ended with a blank answer",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "isError marks a turn whose stream failed: a blank or truncated completion"}},
		Run: func(r *rules.Run) rules.CheckResult {
			return badTurnMarked(r, func(t *scenarios.Turn) bool { return t.Blank() && !t.Truncated() && !reasoned(t) }, "a blank answer")
		},
	},
	{
		ID:        "record/good-turn-not-marked",
		Level:     trace.Must,
		Text:      "A complete turn of the model is not marked as an error in the transcript, even if a tool that it called failed.",
		Why:       "Otherwise a good answer is lost.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a whole turn in the transcript of a run that used tools",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "isError is distinct from the failure of a tool, which lands on the tool message"}},
		Run:       goodTurnNotMarked,
	},
	{
		ID:        "record/reasoning-kept",
		Level:     trace.Must,
		Text:      "The transcript keeps the reasoning of every turn, also of turns without calls, which is not sent again.",
		Why:       "Otherwise the reasoning is lost, and a later request that needs it is refused.",
		Invariant: true,
		Needs:     keepsReasoning,
		Formats:   openAgentLoops,
		Evidence:  "a turn with plain reasoning in the transcript of a run that used tools",
		Sources:   []rules.Source{{URL: oalAssistant, Says: "reasoning: persisted, not transient; storage just keeps the value"}},
		Run:       reasoningKept,
	},
	{
		ID:        "record/reasoning-details-kept",
		Level:     trace.Must,
		Text:      "The transcript keeps the blocks of structured reasoning of every turn as they came.",
		Why:       "Signed and encrypted blocks are checked when they come back.",
		Invariant: true,
		Needs:     keepsReasoning,
		Formats:   marking,
		Evidence:  "a turn with structured reasoning in the transcript of a run that used tools",
		Sources: []rules.Source{
			{URL: oalAssistant, Says: "reasoning_details: the structured, verbatim form of this turn's reasoning"},
			{URL: rules.ThinkingDocs, Says: "thinking blocks are passed back unmodified, with their signatures"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return keptBlocks(r, false) },
	},
	{
		ID:        "record/reasoning-details-in-order",
		Level:     trace.Must,
		Text:      "The transcript keeps the blocks of structured reasoning in their order.",
		Why:       "Their sequence is checked when they come back.",
		Invariant: true,
		Needs:     keepsReasoning,
		Formats:   marking,
		Evidence:  "a turn with several blocks of structured reasoning in the transcript",
		Sources: []rules.Source{
			{URL: oalAssistant, Says: "reasoning_details: unchanged and in original order"},
			{URL: rules.ThinkingDocs, Says: "the sequence of blocks has to be that of the answer"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return keptBlocks(r, true) },
	},
	{
		ID:        "record/timestamps-in-milliseconds",
		Level:     trace.Must,
		Text:      "The timestamps of messages count milliseconds since the epoch.",
		Why:       "Otherwise messages get a date in 1970.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "a message with a timestamp in the transcript of a run that used tools",
		Sources:   []rules.Source{{URL: oalDocs + "message-base.ts", Says: "timestamp: creation time, ms since epoch"}},
		Run:       timestampsInMilliseconds,
	},
	{
		ID:        "record/timestamps-in-order",
		Level:     trace.Must,
		Text:      "The timestamps of messages do not decrease; only the results of one turn may have been ready in any order.",
		Why:       "Sorting by them must not change the conversation.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   openAgentLoops,
		Evidence:  "two messages with timestamps in the transcript of a run that used tools",
		Sources:   []rules.Source{{URL: oalDocs + "message-base.ts", Says: "timestamp: for ordering"}},
		Run:       timestampsInOrder,
	},
}

// finishWords are the finish reasons that the format knows.
var finishWords = []string{"stop", "tool_calls", "length", "content_filter"}

// finishOf are its words for the reasons to stop.
var finishOf = map[wire.Finish]string{
	wire.FinishStop: "stop", wire.FinishCalls: "tool_calls", wire.FinishLength: "length", wire.FinishContentFilter: "content_filter",
}

func finishReasonAsGiven(r *rules.Run) (j rules.CheckResult) {
	judge := func(x *trace.Exchange, m *wire.Message, note transcript.Note) {
		word := wordOf(r, x.Turn)
		unset := note.Finish == nil || note.Finish.Is(wire.Null) // as it may be where the provider's own word is none of the format's
		if !slices.Contains(finishWords, word) || unset && r.Dialect().Terms.OwnStops {
			return
		}
		j.HasEvidence = true
		_, byCall := x.Turn.FinalCall() // as which the answer ended, for the provider
		if note.Finish.Text() != word && !(byCall && note.Finish.Text() == finishOf[wire.FinishCalls]) {
			j.Find(trace.Finding{Answer: x.Number, Message: "a turn in the transcript has another finish reason than the provider gave", Expected: rules.Quote(word), Actual: place(m.Node)})
		}
	}
	eachKept(r, func(k rules.KeptTurn) {
		if k.Ordinary {
			judge(k.Exchange, k.Message, note(r, k))
		}
	})
	if last := r.Last(); r.UsedTools() && last != nil && last.Turn.Truncated() {
		if m, note := keptEnd(r); m != nil && strings.TrimSpace(m.Content.Text) == strings.TrimSpace(last.Turn.Answer.Text) {
			judge(last, m, note)
		}
	}
	return j
}

// wordOf returns the finish reason of a turn as its provider writes it; in the terms of the format
// where the dialect has others.
func wordOf(r *rules.Run, t *scenarios.Turn) string {
	if word, ok := r.Script.Profile.Traits.Finish[t.Answer.Finish]; ok {
		return word
	}
	if word, ok := finishOf[t.Answer.Finish]; ok {
		return word
	}
	return string(t.Answer.Finish)
}

// keptEnd returns the last message of the transcript when it is one of the model that records none
// of its good turns: what was kept of the last answer when that was a bad one.
func keptEnd(r *rules.Run) (*wire.Message, transcript.Note) {
	t := r.Transcript.Read
	if t == nil {
		return nil, transcript.Note{}
	}
	last := len(t.Conversation.Messages) - 1
	if last < 0 || t.Conversation.Messages[last].Role != wire.Assistant || isKept(r, last) {
		return nil, transcript.Note{}
	}
	return &t.Conversation.Messages[last], t.Notes[last]
}

func noFinishReasonMadeUp(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || !r.UsedTools() || last.Turn.Fails() || !last.Turn.Breaks() || r.Next(last) != nil {
		return j
	}
	m, note := keptEnd(r)
	if m == nil {
		return j
	}
	j.HasEvidence = true
	if note.Finish != nil && !note.Finish.Is(wire.Null) {
		j.Find(trace.Finding{Answer: last.Number, Message: "a turn that broke off has a finish reason in the transcript", Expected: "no finish reason", Actual: place(m.Node)})
	}
	return j
}

func reasoned(t *scenarios.Turn) bool {
	return t.Answer.Reasoning != nil && strings.TrimSpace(*t.Answer.Reasoning) != ""
}

func badTurnMarked(r *rules.Run, kind func(*scenarios.Turn) bool, what string) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || !r.UsedTools() || last.Turn.Fails() || !kind(last.Turn) || r.Interrupted(last.Turn) || r.Next(last) != nil || recordIn(r, transcript.OpenAgentLoops) == nil {
		return j
	}
	j.HasEvidence = true
	m, note := keptEnd(r)
	f := trace.Finding{Answer: last.Number, Expected: "a message of the model that is marked as an error, at the end"}
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

func goodTurnNotMarked(r *rules.Run) (j rules.CheckResult) {
	eachKept(r, func(k rules.KeptTurn) {
		if k.Turn.Answer.Refusal != "" { // a loop that reads none sees a blank answer
			return
		}
		j.HasEvidence = true
		if note(r, k).Failed {
			findNotKept(&j, k, "a whole turn of the model is marked as an error in the transcript", "no error", place(k.Message.Node))
		}
	})
	return j
}

func reasoningKept(r *rules.Run) (j rules.CheckResult) {
	if r.Dialect().Reasoning.InBlocks {
		return j
	}
	eachKept(r, func(k rules.KeptTurn) {
		if !k.Ordinary || !reasoned(k.Turn) {
			return
		}
		j.HasEvidence = true
		if text := k.Message.Reasoning.Text.Text(); text != *k.Turn.Answer.Reasoning {
			findNotKept(&j, k, "the reasoning of a turn is not in the transcript as it came", rules.Quote(*k.Turn.Answer.Reasoning), place(k.Message.Node))
		}
	})
	return j
}

// keptBlocks compares the blocks of structured reasoning: their order, or everything else. Each of
// the two formats is held to what its own wire API brings; what happens to it in the other, and of
// blocks that are items or have no types, is nowhere said.
func keptBlocks(r *rules.Run, order bool) (j rules.CheckResult) {
	if (recordIn(r, transcript.Anthropic) != nil) != r.Dialect().Reasoning.InBlocks || r.Dialect().Request.Typed || r.Dialect().Request.KeyedBlocks {
		return j
	}
	eachKept(r, func(k rules.KeptTurn) {
		given := rules.GivenBlocks(k.Turn.Answer.Details, r.Script.Profile.Speaks, nil)
		var kept []rules.ReasoningBlock
		for _, n := range k.Message.Reasoning.Details {
			kept = append(kept, rules.ReadBlock(n, r.Script.Profile.Speaks))
		}
		given, kept = rules.JoinBlocks(given), rules.JoinBlocks(kept)
		if !r.ShowedReasoning(k.Turn) {
			return
		}
		same := rules.SameBlocks(given, kept) && len(given) == len(kept)
		dropped := len(kept) == 0 && !r.Script.Profile.Reasoning.Resend.OnToolTurns() // allowed, since the provider does not need it
		if recordIn(r, transcript.Anthropic) != nil && k.Turn.Final() {               // of answers the provider does not want it back
			return
		}
		if len(given) == 0 || dropped || !k.Ordinary || order && (len(given) < 2 || !same) {
			return
		}
		j.HasEvidence = true
		switch {
		case !order && !same:
			findNotKept(&j, k, "the structured reasoning of a turn is not in the transcript as it came", rules.DescribeInFull(given), rules.DescribeInFull(kept))
		case order && !slices.Equal(given, kept):
			findNotKept(&j, k, "the structured reasoning of a turn is in another order in the transcript", rules.DescribeBlocks(given), rules.DescribeBlocks(kept))
		}
	})
	return j
}

// The years in which a timestamp is treated as one in milliseconds: 2001 to 5138.
const (
	earliest = 1e12
	latest   = 1e14
)

// eachTime calls f for every message of the transcript that has a timestamp.
func eachTime(r *rules.Run, f func(m wire.Message, at float64)) {
	t := r.Transcript.Read
	if t == nil || !r.UsedTools() {
		return
	}
	for i, note := range t.Notes {
		if at, is := note.Time.Float(); is {
			f(t.Conversation.Messages[i], at)
		}
	}
}

func timestampsInMilliseconds(r *rules.Run) (j rules.CheckResult) {
	eachTime(r, func(m wire.Message, at float64) {
		j.HasEvidence = true
		if (at < earliest || at > latest) && len(j.Findings) == 0 {
			j.Find(trace.Finding{Message: "a timestamp in the transcript is not in milliseconds since the epoch", Expected: "a number of 13 digits", Actual: place(m.Node.Get("timestamp"))})
		}
	})
	return j
}

func timestampsInOrder(r *rules.Run) (j rules.CheckResult) {
	before, results := 0.0, 0.0 // the latest of what is in front, and of the results directly in front
	eachTime(r, func(m wire.Message, at float64) {
		if m.Role != wire.Tool {
			before, results = max(before, results), 0
		}
		j.HasEvidence = j.HasEvidence || before != 0
		if at < before && len(j.Findings) == 0 {
			j.Find(trace.Finding{Message: "a timestamp in the transcript is before that of a message in front", Expected: fmt.Sprintf("%.0f or later", before), Actual: place(m.Node.Get("timestamp"))})
		}
		if m.Role == wire.Tool {
			results = max(results, at)
		} else {
			before = at
		}
	})
	return j
}
