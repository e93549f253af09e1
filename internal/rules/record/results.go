package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var marking = []string{transcript.OpenAgentLoops, transcript.Anthropic}

// resultRules are the rules about the results of calls in a transcript, whatever its format.
var resultRules = []rules.Rule{
	{
		ID:        "record/one-result-per-call",
		Level:     trace.Must,
		Text:      "The transcript has one result for each call that the loop answered.",
		Why:       "A provider refuses a conversation that is continued from such a transcript.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a call that was run or answered, in the transcript",
		Sources: []rules.Source{
			{URL: oalTool, Says: "exactly one tool message per tool call"},
			{URL: anthropicDocs, Says: "each tool_use block has a tool_result block in the next message"},
			{URL: artDocs, Says: "tool_call_id: required for tool_result, names an entry of tool_calls"},
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "every call needs a function call output"},
		},
		Run: keepsOneResultPerCall,
	},
	{
		ID:        "record/results-directly-after",
		Level:     trace.Must,
		Text:      "In the transcript the results of a turn are directly after it.",
		Why:       "A provider refuses a conversation that is continued from such a transcript.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a result in the transcript",
		Sources: []rules.Source{
			{URL: anthropicDocs, Says: "nothing is between the tool use and its results"},
			{URL: artDocs, Says: "tool_call_id links to the preceding assistant message"},
			{URL: rules.ChatDocs, Says: "tool messages follow the message with tool_calls"},
		},
		Run: resultsDirectlyAfter,
	},
	{
		ID:        "record/results-in-call-order",
		Level:     trace.Should,
		Text:      "In the transcript the results of a turn are in the order of its calls.",
		Why:       "Repeated ids can only be distinguished by their position.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Transcript, protocol.ParallelCalls},
		Kept:      true,
		Evidence:  "a turn with several calls of different ids and their results in the transcript",
		Sources:   []rules.Source{{URL: "https://github.com/featherless-ai/open-agent-loops/blob/d8ce231b/docs-fuma/content/docs/messages-and-the-wire-format.mdx", Says: "results are in the order of the calls, whatever order the tools finished in"}},
		Run:       keepsCallOrder,
	},
	{
		ID:        "record/result-as-sent",
		Level:     trace.Must,
		MustIn:    openAgentLoops,
		Text:      "A result in the transcript is the one that the model got, or the one that the tool returned.",
		Why:       "Otherwise the transcript does not explain what the model did.",
		Invariant: true,
		Needs:     keepsTranscript,
		Evidence:  "a result in the transcript and in a request",
		Sources: []rules.Source{
			{URL: oalTool, Says: "content, role and tool_call_id cross the wire as they are"},
			{URL: artDocs, Says: "tool_result: the output or the error message of the tool"},
		},
		Run: resultAsSent,
	},
	{
		ID:        "record/result-is-the-tools",
		Level:     trace.Must,
		MustIn:    []string{transcript.OpenAgentLoops, transcript.ART},
		Text:      "A result in the transcript contains what the tool returned, also if it was never sent to the model.",
		Why:       "Otherwise the work of a tool before the end of the run is lost.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Transcript, protocol.Executions},
		Evidence:  "a result in the transcript of a call whose tool returned something, in a run that used tools",
		Sources:   []rules.Source{{URL: oalTool, Says: "carries the tool's output in content"}},
		Run:       resultIsTheTools,
	},
	{
		ID:        "record/tool-named",
		Level:     trace.Must,
		Text:      "The name that a result in the transcript has is that of the tool that was called.",
		Why:       "Stop conditions and user interfaces that use the name confuse two tools.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   []string{transcript.OpenAgentLoops, transcript.ART},
		Evidence:  "a result with a name in the transcript",
		Sources: []rules.Source{
			{URL: oalTool, Says: "toolName: the function name that this result answers"},
			{URL: artDocs, Says: "name: the name of the tool that was executed"},
		},
		Run: toolNamed,
	},
}

// owesResult reports whether a call was answered, or run to its end, so that there is a result to
// be kept. A run that failed at the call, and says so, may have none.
func owesResult(r *rules.Run, k rules.KeptTurn, c rules.CallRun) bool {
	if k.Returned == nil {
		return c.ReturnedBefore(r.Ending.At) && !r.FailedAt(c)
	}
	_, answered := k.Returned.Result(c.N)
	return answered || len(c.Executions) > 0
}

func keepsOneResultPerCall(r *rules.Run) (j rules.CheckResult) {
	eachKeptCall(r, func(k rules.KeptTurn, c rules.CallRun) {
		if !owesResult(r, k, c) {
			return
		}
		j.HasEvidence = true
		if _, ok := k.Result(c.N); !ok && resultElsewhere(r, k, c) == nil {
			findNotKept(&j, k, fmt.Sprintf("the transcript has no result for the call %s", c.Call.As), "a result", "none after "+place(k.Message.Node))
		}
	})
	eachKept(r, func(k rules.KeptTurn) {
		results, _ := k.In.Request.AnswersTo(k.Index)
		ids := rules.CallIDs(*k.Message)
		for i, res := range results {
			if given := count(resultIDs(results[:i+1]), res.CallID); given > count(ids, res.CallID) && slices.Contains(ids, res.CallID) {
				findNotKept(&j, k, "the transcript has more results than calls", "one result for a call", place(res.Node))
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

// resultElsewhere returns a result for a call that is not after its turn, or nil. If an id is
// repeated, this cannot be known.
func resultElsewhere(r *rules.Run, k rules.KeptTurn, c rules.CallRun) *wire.Result {
	call, ok := k.Call(c.N)
	if !ok || rules.IDRepeated(r, c.Call.ID) {
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

func resultsDirectlyAfter(r *rules.Run) (j rules.CheckResult) {
	eachKeptCall(r, func(k rules.KeptTurn, c rules.CallRun) {
		_, ok := k.Result(c.N)
		j.HasEvidence = j.HasEvidence || ok
		if elsewhere := resultElsewhere(r, k, c); !ok && elsewhere != nil {
			findNotKept(&j, k, fmt.Sprintf("the result of the call %s is not after its turn in the transcript", c.Call.As), "directly after "+place(k.Message.Node), place(elsewhere.Node))
		}
	})
	return j
}

func keepsCallOrder(r *rules.Run) (j rules.CheckResult) {
	eachKept(r, func(k rules.KeptTurn) {
		results, _ := k.In.Request.AnswersTo(k.Index)
		ids := rules.CallIDs(*k.Message)
		given := slices.DeleteFunc(resultIDs(results), func(id string) bool { return !slices.Contains(ids, id) })
		if len(ids) < 2 || len(given) < 2 || len(slices.Compact(slices.Sorted(slices.Values(ids)))) < len(ids) {
			return
		}
		j.HasEvidence = true
		place := func(id string) int { return slices.Index(ids, id) }
		if !slices.IsSortedFunc(given, func(a, b string) int { return place(a) - place(b) }) {
			findNotKept(&j, k, "the results of a turn are in another order than its calls in the transcript", rules.List(ids), rules.List(given))
		}
	})
	return j
}

// resultAsSent accepts the tool's result as well as the one that was sent: loops wrap or cut a
// result when they send it, and keep the original. If a result was sent in several forms, any of
// them is accepted.
func resultAsSent(r *rules.Run) (j rules.CheckResult) {
	eachKeptResult(r, func(k rules.KeptTurn, c rules.CallRun, result wire.Result, _ transcript.Mark) {
		if len(c.Executions) > 0 && (c.Executions[0].Image != nil || len(c.Executions[0].Files()) > 0) { // how a record keeps images and files is its own
			return
		}
		sent := sentFor(r, k, c.N)
		if len(sent) == 0 {
			return
		}
		j.HasEvidence = true
		kept := strings.TrimSpace(result.Content.Text)
		verbatim := recordIn(r, transcript.OpenAgentLoops) != nil // its documentation says that the content crosses the wire as it is
		asReturned := !verbatim && returnedInTime(r, c) && kept == strings.TrimSpace(c.Executions[0].Result)
		if !asReturned && !slices.ContainsFunc(sent, func(text string) bool { return strings.TrimSpace(text) == kept }) {
			findNotKept(&j, k, fmt.Sprintf("the result of the call %s is another one in the transcript", c.Call.As), rules.Quote(sent[0]), place(result.Node))
		}
	})
	return j
}

// sentFor returns what was sent as the result of the n-th call of a turn: in the request that
// returned the turn first, and in later ones where it was sent otherwise.
func sentFor(r *rules.Run, k rules.KeptTurn, n int) []string {
	if k.Returned == nil {
		return nil
	}
	first, ok := k.Returned.Result(n)
	if !ok {
		return nil
	}
	sent := []string{first.Content.Text}
	for _, later := range laterEchoes(r, *k.Returned) {
		if res, ok := later.Result(n); ok && !slices.Contains(sent, res.Content.Text) {
			sent = append(sent, res.Content.Text)
		}
	}
	return sent
}

// laterEchoes returns how the requests after the first one return a turn that is known by the id of
// a call, or by its place.
func laterEchoes(r *rules.Run, first rules.ReturnedTurn) []rules.ReturnedTurn {
	var later []rules.ReturnedTurn
	for _, x := range r.Conversation() {
		if x.Number <= first.In.Number {
			continue
		}
		if i, found := placeIn(x.Request, first); found {
			later = append(later, rules.ReturnedTurn{Turn: first.Turn, In: x, Message: &x.Request.Messages[i], Index: i})
		}
	}
	return later
}

// placeIn returns where a request returns a turn: at the place where the first one did, in most
// cases. There the same call is enough, which may have no id.
func placeIn(req *wire.Request, first rules.ReturnedTurn) (int, bool) {
	answer := first.Turn.Answer
	returns := func(m wire.Message) bool { return m.Role == wire.Assistant && rules.SameID(answer, &m) }
	if i := first.Index; i >= 0 && i < len(req.Messages) {
		if m := req.Messages[i]; m.Role == wire.Assistant && (rules.SameID(answer, &m) || rules.SameCall(answer, &m)) {
			return i, true
		}
	}
	i := slices.IndexFunc(req.Messages, returns)
	return i, i >= 0
}

// sentAfterRefusal reports whether a text is what the result of a call was replaced by after the
// provider refused a request: that it was too large, say.
func sentAfterRefusal(r *rules.Run, k rules.KeptTurn, n int, text string) bool {
	if k.Returned == nil {
		return false
	}
	return slices.ContainsFunc(laterEchoes(r, *k.Returned), func(later rules.ReturnedTurn) bool {
		res, ok := later.Result(n)
		return ok && res.Content.Text == text && slices.ContainsFunc(r.Conversation(), func(x *trace.Exchange) bool { return x.Refused() && x.Number < later.In.Number })
	})
}

func resultIsTheTools(r *rules.Run) (j rules.CheckResult) {
	eachKeptResult(r, func(k rules.KeptTurn, c rules.CallRun, result wire.Result, _ transcript.Mark) {
		if !returnedInTime(r, c) || c.Executions[0].Several() || c.Executions[0].Result == "" || len(c.Executions[0].Result) > rules.LongResult {
			return
		}
		if k.Returned != nil {
			if sent, ok := k.Returned.Result(c.N); ok && !rules.ContainsText(sent.Content.Text, c.Executions[0].Result) {
				return // other rules judge what was sent
			}
		}
		j.HasEvidence = true
		if !rules.ContainsText(result.Content.Text, c.Executions[0].Result) && !rules.CleansText(result.Content.Text, c.Executions[0].Result) && !sentAfterRefusal(r, k, c.N, result.Content.Text) {
			findNotKept(&j, k, fmt.Sprintf("the result of the call %s is not what the tool returned", c.Call.As), rules.Quote(c.Executions[0].Result), place(result.Node))
		}
	})
	return j
}

func toolNamed(r *rules.Run) (j rules.CheckResult) {
	eachKeptResult(r, func(k rules.KeptTurn, c rules.CallRun, result wire.Result, mark transcript.Mark) {
		if mark.Tool == nil {
			return
		}
		j.HasEvidence = true
		if mark.Tool.Text() != c.Call.Name {
			findNotKept(&j, k, fmt.Sprintf("the result of the call %s has the name of another tool", c.Call.As), rules.Quote(c.Call.Name), place(result.Node))
		}
	})
	return j
}

// returnedInTime reports whether the tool of a call had returned before the loop sent what came of
// it, or ended.
func returnedInTime(r *rules.Run, c rules.CallRun) bool {
	if on := r.ReturnOf(c.Turn); on != nil {
		return c.ReturnedBefore(on.In.Start)
	}
	return c.ReturnedBefore(r.Ending.At)
}
