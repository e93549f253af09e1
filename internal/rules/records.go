package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// HandedRecord is the transcript or the events of an outcome, as read.
type HandedRecord struct {
	Read *transcript.Record // nil if there was none, or it could not be read
	Sent bool
	Err  error
}

// readRecords reads what the outcome hands over.
func (r *Run) readRecords(schemas transcript.Checker) {
	if o := r.Outcome; o != nil {
		r.Transcript = readRecord(transcript.Lookup, o.TranscriptFormat, o.Transcript, schemas)
		r.Events = readRecord(transcript.LookupEvents, o.EventsFormat, o.Events, schemas)
	}
}

func readRecord(lookup func(string) (*transcript.Format, error), name string, data json.RawMessage, schemas transcript.Checker) HandedRecord {
	if len(data) == 0 || string(data) == "null" {
		return HandedRecord{}
	}
	format, err := lookup(name)
	if err != nil {
		return HandedRecord{Sent: true, Err: err}
	}
	read, err := format.Read(data, schemas)
	return HandedRecord{Read: read, Sent: true, Err: err}
}

// handedInFormat reports whether the run's record is in one of the formats that the rule is about.
// One that was not handed over may be.
func (r *Rule) handedInFormat(run *Run) bool {
	if r.Threads && !run.usesThreads() {
		return false
	}
	handed := run.handed(r)
	if r.Kept && handed.Read != nil && handed.Read.Format.Told {
		return false
	}
	return len(r.Formats) == 0 || handed.Read == nil || slices.Contains(r.Formats, handed.Read.Format.Name)
}

// handed returns the record that a rule is about: the events, for a rule that needs them, else the
// transcript.
func (r *Run) handed(rule *Rule) HandedRecord {
	if slices.Contains(rule.Needs, protocol.Events) {
		return r.Events
	}
	return r.Transcript
}

// KeptTurn is how a transcript records a turn that the loop is known to have received.
type KeptTurn struct {
	ReturnedTurn                 // in the transcript, which stands for the request
	Exchange     *trace.Exchange // in whose answer the turn came
	Returned     *ReturnedTurn   // in the request that returned the turn; nil where the run ended before
	Ordinary     bool            // whether the turn reached the loop in an ordinary way
}

// findKeptTurns pairs the turns that the loop took with the messages of its transcript.
func (r *Run) findKeptTurns() []KeptTurn {
	t := r.Transcript.Read
	if t == nil {
		return nil
	}
	var from []*trace.Exchange
	var turns []*scenarios.Turn
	for _, x := range r.Conversation() {
		if x.Turn != nil && x.Turn.Returns() {
			from, turns = append(from, x), append(turns, x.Turn)
		}
	}
	var kept []KeptTurn
	for i, e := range r.alignKept(turns, from, t.Conversation) {
		if at := keepsFinalCall(e.Turn, t.Conversation.Messages); at >= 0 {
			e.In, e.Message, e.Index = &trace.Exchange{Request: t.Conversation}, &t.Conversation.Messages[at], at
		}
		k := KeptTurn{ReturnedTurn: e, Exchange: from[i], Returned: r.ReturnOf(turns[i]), Ordinary: r.Ordinary(turns[i])}
		if k.Returned != nil || r.answeredWith(turns[i]) || r.ranCallsOf(turns[i]) {
			kept = append(kept, k)
		}
	}
	return kept
}

// keepsFinalCall returns the index of the message that has the call by which the model gave an
// answer, or -1.
func keepsFinalCall(t *scenarios.Turn, messages []wire.Message) int {
	return slices.IndexFunc(messages, func(m wire.Message) bool {
		return slices.ContainsFunc(m.Calls, func(c wire.Call) bool { return IsFinalCall(t, c) })
	})
}

// IsFinalCall reports whether a call in a transcript is the one by which the model gave an answer,
// with what it said.
func IsFinalCall(t *scenarios.Turn, c wire.Call) bool {
	given, by := t.FinalCall()
	return by && EqualCall(given, c)
}

// alignKept finds for each turn the message of a transcript that has it: among those after the
// prompt that the turn answers, so that an equal call which was filtered before is not taken for
// it.
func (r *Run) alignKept(turns []*scenarios.Turn, from []*trace.Exchange, kept *wire.Request) []ReturnedTurn {
	prompts := r.Task.Prompts
	parts := r.promptParts(kept)
	if parts == nil {
		return alignTurns(turns, &trace.Exchange{Request: kept}, r.unmarked(AnswersIn(kept, prompts), 0, len(turns)))
	}
	var all []ReturnedTurn
	for i := 0; i < len(turns); {
		n, next := lastPrompt(from[i].Request, prompts), i+1
		for next < len(turns) && lastPrompt(from[next].Request, prompts) == n {
			next++
		}
		part := *kept
		part.Messages = kept.Messages[parts[n]:parts[n+1]]
		at := r.unmarked(AnswersIn(&part, prompts[n:n+1]), parts[n], next-i)
		for _, t := range alignTurns(turns[i:next], &trace.Exchange{Request: &part}, at) {
			if t.Message != nil {
				t.Index += parts[n]
			}
			t.In = &trace.Exchange{Request: kept}
			all = append(all, t)
		}
		i = next
	}
	return all
}

// unmarked returns which of some messages of the transcript, which begin at a place of it, are not
// marked as those of a turn that failed: a turn that broke off may say what the next one says.
// Where fewer than this many are left, it returns all.
func (r *Run) unmarked(at []int, from, turns int) []int {
	good := slices.DeleteFunc(slices.Clone(at), func(i int) bool { return r.Transcript.Read.Notes[from+i].Failed })
	if len(good) < turns {
		return at
	}
	return good
}

// promptParts returns where the message of each prompt is, and how many messages there are. Where a
// prompt without an answer was left out, that is the place of the next one. It is nil for a single
// prompt, and where the messages do not tell which prompt is where.
func (r *Run) promptParts(req *wire.Request) []int {
	prompts := r.Task.Prompts
	if len(prompts) < 2 {
		return nil
	}
	parts := make([]int, len(prompts)+1)
	next := len(req.Messages)
	parts[len(prompts)] = next
	for n, p := range slices.Backward(prompts) {
		var at []int
		for i, m := range req.Messages {
			if m.Role == wire.User && strings.Contains(m.Content.Text, p) {
				at = append(at, i)
			}
		}
		switch {
		case len(at) == 1 && at[0] < next:
			next = at[0]
		case len(at) > 0 || !r.LeftUnanswered(n):
			return nil
		}
		parts[n] = next
	}
	return parts
}

// lastPrompt returns the index of the last prompt that a request has.
func lastPrompt(req *wire.Request, prompts []string) int {
	for i, p := range slices.Backward(prompts) {
		if req.UserSays(p) {
			return i
		}
	}
	return 0
}

// ReturnOf returns how a request returned a turn, or nil when none did.
func (r *Run) ReturnOf(t *scenarios.Turn) *ReturnedTurn {
	for i, e := range r.returned.all {
		if e.Turn == t && e.Message != nil {
			return &r.returned.all[i]
		}
	}
	return nil
}

// answeredWith reports whether the loop reported a turn as its answer.
func (r *Run) answeredWith(t *scenarios.Turn) bool {
	text := strings.TrimSpace(t.Answer.Text)
	return t.Final() && text != "" && r.Outcome != nil && r.Outcome.Status == protocol.Completed && strings.Contains(r.Outcome.Text, text)
}

func (r *Run) ranCallsOf(t *scenarios.Turn) bool {
	return slices.ContainsFunc(r.Calls(), func(c CallRun) bool { return c.Turn == t && len(c.Executions) > 0 })
}
