package record

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var (
	keepsTranscript = []protocol.Feature{protocol.Transcript}
	tellsEvents     = []protocol.Feature{protocol.Events}
)

const (
	oalDocs      = "https://github.com/featherless-ai/open-agent-loops/blob/d8ce231b/agent-loop-core/types/"
	oalTool      = oalDocs + "tool-message.ts"
	oalAssistant = oalDocs + "assistant-message.ts"
)

const (
	anthropicDocs = "https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use"
	artDocs       = "https://github.com/hashangit/ART/blob/9aeffde50e4be3211a0a8aa9df0277bb227606b0/src/types/index.ts"
	aguiDocs      = "https://docs.ag-ui.com/concepts/events"
	otelDocs      = "https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/"
	adkDocs       = "https://github.com/NHTIO/ADK/blob/main/src/lib/types/turn_runner.ts"
)

// handedOverRules are the rules about there being a record, in the form that it claims to have.
var handedOverRules = []rules.Rule{
	{
		ID:        "record/transcript-handed-over",
		Level:     trace.Must,
		Text:      "A loop that claims transcripts returns one with every answer, in a known format.",
		Why:       "A claim without data cannot be judged.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a completed outcome of a run that used tools",
		Sources:   []rules.Source{{URL: rules.AdapterDocs, Says: "transcript, transcript_format: the loop's own messages, and what they are written in"}},
		Run:       func(r *rules.Run) rules.CheckResult { return handedOver(r, "transcript", r.Transcript) },
	},
	{
		ID:        "record/events-handed-over",
		Level:     trace.Must,
		Text:      "A loop that claims events returns them with every answer, in a known format.",
		Why:       "A claim without data cannot be judged.",
		Invariant: true,
		Needs:     tellsEvents,
		Evidence:  "a completed outcome of a run that used tools",
		Sources:   []rules.Source{{URL: rules.AdapterDocs, Says: "events, events_format: the loop's own events, and what they are written in"}},
		Run:       func(r *rules.Run) rules.CheckResult { return handedOver(r, "list of events", r.Events) },
	},
	schemaRule(transcript.OpenAgentLoops, keepsTranscript, oalTool, "the properties of the messages and their types"),
	schemaRule(transcript.Anthropic, keepsTranscript, "https://github.com/api-evangelist/claude/blob/cb3c44d6/json-schema/claude-toolresultblockparam-schema.json", "type and tool_use_id are required; content is a string, or blocks, or absent; is_error is a boolean"),
	schemaRule(transcript.ART, keepsTranscript, artDocs, "the roles, the content of each, and tool_call_id, which is required for tool_result"),
	schemaRule(transcript.OpenAI, keepsTranscript, rules.ChatDocs, "the messages of a request"),
	schemaRule(transcript.AGUI, keepsTranscript, aguiDocs, "the fields of each event and their types"),
	schemaRule(transcript.OTel, keepsTranscript, otelDocs+"gen-ai-spans.md", "gen_ai.input.messages and gen_ai.output.messages MUST follow their JSON Schemas"),
	schemaRule(transcript.ADK, tellsEvents, adkDocs, "the fields of TurnToolCallContent and their types"),
}

// schemaRule is the rule that a record has the form that its format has.
func schemaRule(format string, needs []protocol.Feature, url, says string) rules.Rule {
	return rules.Rule{
		ID:        "record/" + format + "-schema",
		Level:     trace.Must,
		Text:      fmt.Sprintf("A record in the format %s has the form of that format.", format),
		Why:       "A reader that follows the documentation of the format fails.",
		Invariant: true,
		Needs:     needs,
		Formats:   []string{format},
		Evidence:  "a record of a run that used tools",
		Sources:   []rules.Source{{URL: url, Says: says}},
		Run:       func(r *rules.Run) rules.CheckResult { return ofTheForm(r, format) },
	}
}

// in returns the run's record when it is in one of the formats, or nil.
func recordIn(r *rules.Run, format string) *transcript.Record {
	for _, read := range []*transcript.Record{r.Transcript.Read, r.Events.Read} {
		if read != nil && read.Format.Name == format {
			return read
		}
	}
	return nil
}

func handedOver(r *rules.Run, what string, handed rules.HandedRecord) (j rules.CheckResult) {
	if r.Outcome == nil || r.Outcome.Status != protocol.Completed && !handed.Sent || !r.UsedTools() {
		return j // a loop that fails may have nothing to show
	}
	j.HasEvidence = true
	f := trace.Finding{Expected: "a " + what + " that can be read", Message: "the " + what + " cannot be read"}
	switch {
	case !handed.Sent:
		f.Message, f.Actual = "the outcome has no "+what, "none"
	case handed.Err != nil:
		f.Actual = handed.Err.Error()
	default:
		return j
	}
	j.Find(f)
	return j
}

// maxProblems is the maximum number of schema violations that are reported.
const maxProblems = 3

func ofTheForm(r *rules.Run, format string) (j rules.CheckResult) {
	read := recordIn(r, format)
	if read == nil {
		return j
	}
	j.HasEvidence = r.UsedTools()
	for i, p := range read.Problems {
		if i == maxProblems {
			break
		}
		j.Find(trace.Finding{
			Message:  fmt.Sprintf("the record does not have the form of %s at %s: %s", format, orTop(p.Pointer), p.Message),
			Expected: "what the JSON Schema of " + format + " describes",
			Actual:   rules.Show(nodeAt(read.Doc, p.Pointer)),
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

// place shows a value of a record and where it is.
func place(n *wire.Node) string {
	if n == nil {
		return "nothing"
	}
	return n.Pointer() + " " + rules.Show(n)
}

// note returns what the transcript keeps of the turn beyond what crosses the wire.
func note(r *rules.Run, k rules.KeptTurn) transcript.Note { return r.Transcript.Read.Notes[k.Index] }

// findNotKept adds a finding about a turn in the transcript.
func findNotKept(j *rules.CheckResult, k rules.KeptTurn, message, expected, actual string) {
	j.Find(trace.Finding{Answer: k.Exchange.Number, Message: message, Expected: expected, Actual: actual})
}

// eachKept calls f for every turn that the transcript records. A record of a run without tools
// proves nothing, and what a loop records of a turn that the user cancelled is its own affair.
func eachKept(r *rules.Run, f func(k rules.KeptTurn)) {
	if !r.UsedTools() {
		return
	}
	for _, k := range r.KeptTurns {
		if k.Message != nil && !r.Interrupted(k.Turn) {
			f(k)
		}
	}
}

// eachKeptCall calls f for every call of such a turn.
func eachKeptCall(r *rules.Run, f func(k rules.KeptTurn, c rules.CallRun)) {
	eachKept(r, func(k rules.KeptTurn) {
		for n := range k.Turn.Answer.Calls {
			f(k, r.CallRun(k.ReturnedTurn, n))
		}
	})
}

// eachKeptResult calls f for every result that the transcript has for such a call.
func eachKeptResult(r *rules.Run, f func(k rules.KeptTurn, c rules.CallRun, result wire.Result, mark transcript.Mark)) {
	eachKeptCall(r, func(k rules.KeptTurn, c rules.CallRun) {
		if result, ok := k.Result(c.N); ok {
			f(k, c, result, r.Transcript.Read.MarkOf(result))
		}
	})
}
