package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/record"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var marking = []string{record.OpenAgentLoops, record.Anthropic}

// recordResults are the rules about the results of calls in a transcript, whatever its format.
var recordResults = []Rule{
	{
		ID:        "record/one-result-per-call",
		Level:     Must,
		Text:      "The transcript has one result for each call that the loop answered.",
		Why:       "A conversation that is continued from its transcript is refused.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a call that was run or answered, in the transcript",
		Sources: []Source{
			{oalTool, "exactly one tool message per tool call"},
			{anthropicDocs, "each tool_use block has a tool_result block in the next message"},
			{artDocs, "tool_call_id: required for tool_result, names an entry of tool_calls"},
			{"https://platform.openai.com/docs/guides/function-calling", "every call needs a function call output"},
		},
		Run: keepsOneResultPerCall,
	},
	{
		ID:        "record/results-directly-after",
		Level:     Must,
		Text:      "In the transcript the results of a turn stand directly after it.",
		Why:       "A conversation that is continued from its transcript is refused.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a result in the transcript",
		Sources: []Source{
			{anthropicDocs, "nothing stands between the tool use and its results"},
			{artDocs, "tool_call_id links to the preceding assistant message"},
			{createDocs, "tool messages follow the message with tool_calls"},
		},
		Run: resultsDirectlyAfter,
	},
	{
		ID:        "record/results-in-call-order",
		Level:     Should,
		Text:      "In the transcript the results of a turn stand in the order of its calls.",
		Why:       "Ids that repeat are told apart by their place alone.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Transcript, protocol.ParallelCalls},
		Evidence:  "a turn with several calls of different ids and their results in the transcript",
		Sources:   []Source{{"https://github.com/featherless-ai/open-agent-loops/blob/d8ce231b/docs-fuma/content/docs/messages-and-the-wire-format.mdx", "results are in the order of the calls, whatever order the tools finished in"}},
		Run:       keepsCallOrder,
	},
	{
		ID:        "record/result-as-sent",
		Level:     Must,
		MustIn:    openAgentLoops,
		Text:      "A result in the transcript says what the model was told, or what the tool returned.",
		Why:       "A reader who asks why the model did something sees another reason.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a result in the transcript and in a request",
		Sources: []Source{
			{oalTool, "content, role and tool_call_id cross the wire as they are"},
			{artDocs, "tool_result: the output or the error message of the tool"},
		},
		Run: resultAsSent,
	},
	{
		ID:        "record/result-is-the-tools",
		Level:     Must,
		MustIn:    []string{record.OpenAgentLoops, record.ART},
		Text:      "A result in the transcript holds what the tool returned, also one that the model was never told.",
		Why:       "What a tool did before the run was stopped is lost.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Transcript, protocol.Executions},
		Evidence:  "a result in the transcript of a call whose tool returned something, in a run that used tools",
		Sources:   []Source{{oalTool, "carries the tool's output in content"}},
		Run:       resultIsTheTools,
	},
	{
		ID:        "record/tool-named",
		Level:     Must,
		Text:      "The name that a result in the transcript has is that of the tool that was called.",
		Why:       "Stop conditions and displays that go by the name take one tool for another.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   []string{record.OpenAgentLoops, record.ART},
		Evidence:  "a result with a name in the transcript",
		Sources: []Source{
			{oalTool, "toolName: the function name that this result answers"},
			{artDocs, "name: the name of the tool that was executed"},
		},
		Run: toolNamed,
	},
	{
		ID:        "record/failed-tool-marked",
		Level:     Must,
		MustIn:    openAgentLoops,
		Text:      "The result of a tool that threw is marked as an error.",
		Why:       "Hooks and displays take the message of an error for a result.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Transcript, protocol.Executions},
		Formats:   marking,
		Evidence:  "a result in the transcript of a call whose tool failed",
		Sources: []Source{
			{oalTool, "isError: set by the loop when a tool throws"},
			{anthropicDocs, "is_error: true where the execution resulted in an error"},
		},
		Run: func(r *Run) Judged { return marked(r, failedCall, "whose tool failed") },
	},
	{
		ID:        "record/unknown-tool-marked",
		Level:     Must,
		MustIn:    openAgentLoops,
		Text:      "The result of a call of a tool that does not exist is marked as an error.",
		Why:       "Hooks and displays take the message of an error for a result.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   marking,
		Evidence:  "a result in the transcript of a call of an unknown tool",
		Sources: []Source{
			{oalTool, "isError marks a tool result as an error"},
			{anthropicDocs, "is_error: true for an invalid tool name"},
		},
		Run: func(r *Run) Judged { return marked(r, unknownCall, "of an unknown tool") },
	},
	{
		ID:        "record/invalid-call-marked",
		Level:     Must,
		MustIn:    openAgentLoops,
		Text:      "The result of a call whose arguments were refused is marked as an error.",
		Why:       "Hooks and displays take the message of an error for a result.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   marking,
		Evidence:  "a result in the transcript of a call whose arguments are no JSON or break the schema",
		Sources: []Source{
			{oalTool, "isError marks a tool result as an error"},
			{anthropicDocs, "is_error: true for missing parameters"},
		},
		Run: func(r *Run) Judged { return marked(r, invalidCall, "whose arguments were refused") },
	},
	{
		ID:        "record/good-result-not-marked",
		Level:     Must,
		Text:      "The result of a call that went well is not marked as an error.",
		Why:       "Hooks and displays take a result for the message of an error.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Transcript, protocol.Executions},
		Formats:   marking,
		Evidence:  "a result in the transcript of a call whose tool did not fail",
		Sources: []Source{
			{oalTool, "isError: set by the loop when a tool throws"},
			{anthropicDocs, "is_error is false unless the execution resulted in an error"},
		},
		Run: goodResultNotMarked,
	},
}

// owesResult reports whether a call was answered, or run to its end, so that there is a result to be kept. A run that
// failed at the call, and says so, may have none.
func (r *Run) owesResult(k keptTurn, c CallRun) bool {
	if k.on == nil {
		return c.returnedBefore(r.Ending.At) && !r.failedAt(c)
	}
	_, answered := k.on.Result(c.N)
	return answered || len(c.Executions) > 0
}

func keepsOneResultPerCall(r *Run) (j Judged) {
	r.eachKeptCall(func(k keptTurn, c CallRun) {
		if !r.owesResult(k, c) {
			return
		}
		j.Seen = true
		if _, ok := k.Result(c.N); !ok && r.resultElsewhere(k, c) == nil {
			j.notKept(k, fmt.Sprintf("the transcript has no result for the call %s", c.Call.As), "a result", "none behind "+place(k.Message.Node))
		}
	})
	r.eachKept(func(k keptTurn) {
		results, _ := k.In.Request.AnswersTo(k.Index)
		ids := callIDs(*k.Message)
		for i, res := range results {
			if given := count(resultIDs(results[:i+1]), res.CallID); given > count(ids, res.CallID) && slices.Contains(ids, res.CallID) {
				j.notKept(k, "the transcript has more results than calls", "one result for a call", place(res.Node))
			}
		}
	})
	return j
}

func resultIDs(results []wire.Result) []string {
	ids := make([]string, len(results))
	for i, res := range results {
		ids[i] = res.CallID
	}
	return ids
}

func count(words []string, word string) int {
	n := 0
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}

// resultElsewhere returns a result for a call that does not stand behind its turn, or nil. Of an id that repeats nobody
// can tell.
func (r *Run) resultElsewhere(k keptTurn, c CallRun) *wire.Result {
	call, ok := k.Call(c.N)
	if !ok || repeated(r, c.Call.ID) {
		return nil
	}
	_, next := k.In.Request.AnswersTo(k.Index)
	for i, m := range k.In.Request.Messages {
		for n := range m.Results {
			if (i < k.Index || i >= next) && m.Results[n].CallID == call.ID {
				return &m.Results[n]
			}
		}
	}
	return nil
}

func resultsDirectlyAfter(r *Run) (j Judged) {
	r.eachKeptCall(func(k keptTurn, c CallRun) {
		_, ok := k.Result(c.N)
		j.Seen = j.Seen || ok
		if elsewhere := r.resultElsewhere(k, c); !ok && elsewhere != nil {
			j.notKept(k, fmt.Sprintf("the result of the call %s does not stand behind its turn in the transcript", c.Call.As), "directly behind "+place(k.Message.Node), place(elsewhere.Node))
		}
	})
	return j
}

func keepsCallOrder(r *Run) (j Judged) {
	r.eachKept(func(k keptTurn) {
		results, _ := k.In.Request.AnswersTo(k.Index)
		ids := callIDs(*k.Message)
		given := slices.DeleteFunc(resultIDs(results), func(id string) bool { return !slices.Contains(ids, id) })
		if len(ids) < 2 || len(given) < 2 || len(slices.Compact(slices.Sorted(slices.Values(ids)))) < len(ids) {
			return
		}
		j.Seen = true
		place := func(id string) int { return slices.Index(ids, id) }
		if !slices.IsSortedFunc(given, func(a, b string) int { return place(a) - place(b) }) {
			j.notKept(k, "the results of a turn stand in another order than its calls in the transcript", list(ids), list(given))
		}
	})
	return j
}

// resultAsSent takes what the tool said for as good as what the model was told: loops put a wrapper, a reminder or a cut
// around it when they send it, and leave their state alone. Of a result that was sent in several forms any will do.
func resultAsSent(r *Run) (j Judged) {
	r.eachKeptResult(func(k keptTurn, c CallRun, result wire.Result, _ record.Mark) {
		if len(c.Executions) > 0 && c.Executions[0].Image != nil { // how a record keeps images is its own
			return
		}
		sent := r.sentFor(k, c.N)
		if len(sent) == 0 {
			return
		}
		j.Seen = true
		kept := strings.TrimSpace(result.Content.Text)
		verbatim := r.recordIn(record.OpenAgentLoops) != nil // its documentation says that the content crosses the wire as it is
		asReturned := !verbatim && r.returnedInTime(c) && kept == strings.TrimSpace(c.Executions[0].Result)
		if !asReturned && !slices.ContainsFunc(sent, func(text string) bool { return strings.TrimSpace(text) == kept }) {
			j.notKept(k, fmt.Sprintf("the result of the call %s is another one in the transcript", c.Call.As), quote(sent[0]), place(result.Node))
		}
	})
	return j
}

// sentFor returns what was sent as the result of the n-th call of a turn: in the request that returned the turn first, and
// in later ones where it was sent otherwise.
func (r *Run) sentFor(k keptTurn, n int) []string {
	if k.on == nil {
		return nil
	}
	first, ok := k.on.Result(n)
	if !ok {
		return nil
	}
	sent := []string{first.Content.Text}
	for _, later := range r.laterEchoes(*k.on) {
		if res, ok := later.Result(n); ok && !slices.Contains(sent, res.Content.Text) {
			sent = append(sent, res.Content.Text)
		}
	}
	return sent
}

// laterEchoes returns how the requests behind the first one return a turn that is known by the id of a call.
func (r *Run) laterEchoes(first Echo) []Echo {
	var later []Echo
	for _, x := range r.Taken() {
		if x.Number <= first.In.Number {
			continue
		}
		for i := range x.Request.Messages {
			if m := &x.Request.Messages[i]; m.Role == wire.Assistant && sameID(first.Turn.Answer, *m) {
				later = append(later, Echo{Turn: first.Turn, In: x, Message: m, Index: i})
				break
			}
		}
	}
	return later
}

// sentAfterRefusal reports whether a text is what the result of a call was replaced by after the provider refused a
// request: that it was too large, say.
func (r *Run) sentAfterRefusal(k keptTurn, n int, text string) bool {
	if k.on == nil {
		return false
	}
	return slices.ContainsFunc(r.laterEchoes(*k.on), func(later Echo) bool {
		res, ok := later.Result(n)
		return ok && res.Content.Text == text && slices.ContainsFunc(r.Taken(), func(x *Exchange) bool { return x.Refused() && x.Number < later.In.Number })
	})
}

func resultIsTheTools(r *Run) (j Judged) {
	r.eachKeptResult(func(k keptTurn, c CallRun, result wire.Result, _ record.Mark) {
		if !r.returnedInTime(c) || c.Executions[0].Result == "" || len(c.Executions[0].Result) > long {
			return
		}
		if k.on != nil {
			if sent, ok := k.on.Result(c.N); ok && !contains(sent.Content.Text, c.Executions[0].Result) {
				return // what the model was told is for other rules
			}
		}
		j.Seen = true
		if !contains(result.Content.Text, c.Executions[0].Result) && !r.sentAfterRefusal(k, c.N, result.Content.Text) {
			j.notKept(k, fmt.Sprintf("the result of the call %s is not what the tool returned", c.Call.As), quote(c.Executions[0].Result), place(result.Node))
		}
	})
	return j
}

func toolNamed(r *Run) (j Judged) {
	r.eachKeptResult(func(k keptTurn, c CallRun, result wire.Result, mark record.Mark) {
		if mark.Tool == nil {
			return
		}
		j.Seen = true
		if mark.Tool.Text() != c.Call.Name {
			j.notKept(k, fmt.Sprintf("the result of the call %s has the name of another tool", c.Call.As), quote(c.Call.Name), place(result.Node))
		}
	})
	return j
}

func failedCall(c CallRun) bool {
	return c.Trouble == scenarios.NoTrouble && len(c.Executions) > 0 && !slices.ContainsFunc(c.Executions, func(e *Execution) bool { return !e.Failed })
}

func unknownCall(c CallRun) bool { return c.Trouble == scenarios.UnknownTool }

// invalidCall reports whether arguments were refused: some loops mend them, and the tool runs.
func invalidCall(c CallRun) bool {
	bad := c.Trouble == scenarios.NotJSON || c.Trouble == scenarios.SchemaBreach
	return bad && !slices.ContainsFunc(c.Executions, func(e *Execution) bool { return !e.Failed })
}

// goodCall reports whether the tool of a call did its work, and the loop could know.
func (r *Run) goodCall(c CallRun) bool {
	return r.returnedInTime(c) && !slices.ContainsFunc(c.Executions, func(e *Execution) bool { return e.Failed })
}

// returnedInTime reports whether the tool of a call had returned before the loop sent what came of it, or ended.
func (r *Run) returnedInTime(c CallRun) bool {
	if on := r.echoOf(c.Turn); on != nil {
		return c.returnedBefore(on.In.Start)
	}
	return c.returnedBefore(r.Ending.At)
}

func marked(r *Run, kind func(CallRun) bool, what string) (j Judged) {
	r.eachKeptResult(func(k keptTurn, c CallRun, result wire.Result, mark record.Mark) {
		if !kind(c) {
			return
		}
		j.Seen = true
		if !mark.Error {
			j.notKept(k, fmt.Sprintf("the result of the call %s %s is not marked as an error", c.Call.As, what), "an error", place(result.Node))
		}
	})
	return j
}

func goodResultNotMarked(r *Run) (j Judged) {
	r.eachKeptResult(func(k keptTurn, c CallRun, result wire.Result, mark record.Mark) {
		if !r.goodCall(c) {
			return
		}
		j.Seen = true
		if mark.Error {
			j.notKept(k, fmt.Sprintf("the result of the call %s, which went well, is marked as an error", c.Call.As), "no error", place(result.Node))
		}
	})
	return j
}
