package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/record"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var (
	keepsTranscript = []protocol.Feature{protocol.Transcript}
	tellsEvents     = []protocol.Feature{protocol.Events}
)

const (
	oalDocs       = "https://github.com/featherless-ai/open-agent-loops/blob/d8ce231b/agent-loop-core/types/"
	oalTool       = oalDocs + "tool-message.ts"
	oalAssistant  = oalDocs + "assistant-message.ts"
	thinkingDocs  = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
	anthropicDocs = "https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use"
	artDocs       = "https://github.com/hashangit/ART/blob/9aeffde50e4be3211a0a8aa9df0277bb227606b0/src/types/index.ts"
	adkDocs       = "https://github.com/NHTIO/ADK/blob/main/src/lib/types/turn_runner.ts"
)

// recordHandedOver are the rules about there being a record, in the form that it claims to have.
var recordHandedOver = []Rule{
	{
		ID:        "record/transcript-handed-over",
		Level:     Must,
		Text:      "A loop that claims a transcript hands it over with every answer, in a format that is known.",
		Why:       "What is claimed and not shown cannot be judged.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a completed outcome of a run that used tools",
		Sources:   []Source{{adapterDocs, "transcript, transcript_format: the loop's own messages, and what they are written in"}},
		Run:       func(r *Run) Judged { return handedOver(r, "transcript", r.transcript) },
	},
	{
		ID:        "record/events-handed-over",
		Level:     Must,
		Text:      "A loop that claims events hands them over with every answer, in a format that is known.",
		Why:       "What is claimed and not shown cannot be judged.",
		Invariant: true,
		Needs:     tellsEvents,
		Evidence:  "a completed outcome of a run that used tools",
		Sources:   []Source{{adapterDocs, "events, events_format: the loop's own events, and what they are written in"}},
		Run:       func(r *Run) Judged { return handedOver(r, "list of events", r.events) },
	},
	schemaRule(record.OpenAgentLoops, keepsTranscript, oalTool, "the properties of the messages and their types"),
	schemaRule(record.Anthropic, keepsTranscript, "https://github.com/api-evangelist/claude/blob/cb3c44d6/json-schema/claude-toolresultblockparam-schema.json", "type and tool_use_id are required; content is a string, or blocks, or absent; is_error is a boolean"),
	schemaRule(record.ART, keepsTranscript, artDocs, "the roles, the content of each, and tool_call_id, which is required for tool_result"),
	schemaRule(record.OpenAI, keepsTranscript, createDocs, "the messages of a request"),
	schemaRule(record.ADK, tellsEvents, adkDocs, "the fields of TurnToolCallContent and their types"),
}

// schemaRule is the rule that a record has the form that its format has.
func schemaRule(format string, needs []protocol.Feature, url, says string) Rule {
	return Rule{
		ID:        "record/" + format + "-schema",
		Level:     Must,
		Text:      fmt.Sprintf("A record in the format %s has the form of that format.", format),
		Why:       "A reader that follows the documentation of the format fails.",
		Invariant: true,
		Needs:     needs,
		Formats:   []string{format},
		Evidence:  "a record of a run that used tools",
		Sources:   []Source{{url, says}},
		Run:       func(r *Run) Judged { return ofTheForm(r, format) },
	}
}

// handedRecord is what an outcome hands over, read.
type handedRecord struct {
	read *record.Record // nil: there was none, or it could not be read
	sent bool
	err  error
}

// readRecords reads what the outcome hands over.
func (r *Run) readRecords(schemas record.Checker) {
	if o := r.Outcome; o != nil {
		r.transcript = readRecord(record.Lookup, o.TranscriptFormat, o.Transcript, schemas)
		r.events = readRecord(record.LookupEvents, o.EventsFormat, o.Events, schemas)
	}
}

func readRecord(lookup func(string) (*record.Format, error), name string, data json.RawMessage, schemas record.Checker) handedRecord {
	if len(data) == 0 || string(data) == "null" {
		return handedRecord{}
	}
	format, err := lookup(name)
	if err != nil {
		return handedRecord{sent: true, err: err}
	}
	read, err := format.Read(data, schemas)
	return handedRecord{read: read, sent: true, err: err}
}

// about reports whether the run's record is in one of the formats that the rule is about. One that was not handed over
// may be.
func (r *Rule) about(run *Run) bool {
	if r.Threads && !run.usesThreads() {
		return false
	}
	handed := run.handed(r)
	return len(r.Formats) == 0 || handed.read == nil || slices.Contains(r.Formats, handed.read.Format.Name)
}

// handed returns the record that a rule is about: the events, for a rule that needs them, else the transcript.
func (r *Run) handed(rule *Rule) handedRecord {
	if slices.Contains(rule.Needs, protocol.Events) {
		return r.events
	}
	return r.transcript
}

// in returns the run's record when it is in one of the formats, or nil.
func (r *Run) recordIn(format string) *record.Record {
	for _, read := range []*record.Record{r.transcript.read, r.events.read} {
		if read != nil && read.Format.Name == format {
			return read
		}
	}
	return nil
}

func handedOver(r *Run, what string, handed handedRecord) (j Judged) {
	if r.Outcome == nil || r.Outcome.Status != protocol.Completed && !handed.sent || !r.UsedTools() {
		return j // a loop that fails may have nothing to show
	}
	j.Seen = true
	f := Finding{Expected: "a " + what + " that can be read", Message: "the " + what + " cannot be read"}
	switch {
	case !handed.sent:
		f.Message, f.Actual = "the outcome has no "+what, "none"
	case handed.err != nil:
		f.Actual = handed.err.Error()
	default:
		return j
	}
	j.Find(f)
	return j
}

// maxProblems is how many breaches of a schema are told.
const maxProblems = 3

func ofTheForm(r *Run, format string) (j Judged) {
	read := r.recordIn(format)
	if read == nil {
		return j
	}
	j.Seen = r.UsedTools()
	for i, p := range read.Problems {
		if i == maxProblems {
			break
		}
		j.Find(Finding{
			Message:  fmt.Sprintf("the record has not the form of %s at %s: %s", format, orTop(p.Pointer), p.Message),
			Expected: "what the JSON Schema of " + format + " describes",
			Actual:   show(nodeAt(read.Doc, p.Pointer)),
		})
	}
	return j
}

func orTop(pointer string) string {
	if pointer == "" {
		return "its top"
	}
	return pointer
}

func nodeAt(n *wire.Node, pointer string) *wire.Node {
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer != "" {
			n = n.Child(step)
		}
	}
	return n
}

// place shows a value of a record and where it stands.
func place(n *wire.Node) string {
	if n == nil {
		return "nothing"
	}
	return n.Pointer() + " " + show(n)
}

// keptTurn is how a transcript records a turn of the model that the loop is known to have taken.
type keptTurn struct {
	Echo              // in the transcript, which stands for the request
	x       *Exchange // in whose answer the turn came
	on      *Echo     // in the request that returned the turn; nil where the run ended before
	regular bool      // whether the turn reached the loop in an ordinary way
}

// findKept pairs the turns that the loop took with the messages of its transcript.
func (r *Run) findKept() []keptTurn {
	t := r.transcript.read
	if t == nil {
		return nil
	}
	var from []*Exchange
	var turns []*scenarios.Turn
	for _, x := range r.Taken() {
		if x.Turn != nil && x.Turn.Returns() {
			from, turns = append(from, x), append(turns, x.Turn)
		}
	}
	var kept []keptTurn
	for i, e := range align(turns, &Exchange{Request: t.Conversation}, r.Task.Prompts) {
		k := keptTurn{Echo: e, x: from[i], on: r.echoOf(turns[i]), regular: r.ordinary(turns[i])}
		if k.on != nil || r.answeredWith(turns[i]) || r.ranCallsOf(turns[i]) {
			kept = append(kept, k)
		}
	}
	return kept
}

// echoOf returns how a request returned a turn, or nil when none did.
func (r *Run) echoOf(t *scenarios.Turn) *Echo {
	for i, e := range r.echoes {
		if e.Turn == t && e.Message != nil {
			return &r.echoes[i]
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

// note returns what the transcript keeps of the turn beyond what crosses the wire.
func (r *Run) note(k keptTurn) record.Note { return r.transcript.read.Notes[k.Index] }

// notKept adds a finding about a turn in the transcript.
func (j *Judged) notKept(k keptTurn, message, expected, actual string) {
	j.Find(Finding{Answer: k.x.Number, Message: message, Expected: expected, Actual: actual})
}

// eachKept calls f for every turn that the transcript records. A record of a run without tools proves nothing, and what a
// loop records of a turn that the user cancelled is its own affair.
func (r *Run) eachKept(f func(k keptTurn)) {
	if !r.UsedTools() {
		return
	}
	for _, k := range r.kept {
		if k.Message != nil && !r.interrupted(k.Turn) {
			f(k)
		}
	}
}

// eachKeptCall calls f for every call of such a turn.
func (r *Run) eachKeptCall(f func(k keptTurn, c CallRun)) {
	r.eachKept(func(k keptTurn) {
		for n := range k.Turn.Answer.Calls {
			f(k, r.callRun(k.Echo, n))
		}
	})
}

// eachKeptResult calls f for every result that the transcript has for such a call.
func (r *Run) eachKeptResult(f func(k keptTurn, c CallRun, result wire.Result, mark record.Mark)) {
	r.eachKeptCall(func(k keptTurn, c CallRun) {
		if result, ok := k.Result(c.N); ok {
			f(k, c, result, r.transcript.read.MarkOf(result))
		}
	})
}
