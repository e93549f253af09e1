package compaction

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var compaction = []protocol.Feature{protocol.Compaction}

// coreRules are the rules about what every way to make a history shorter owes.
var coreRules = []rules.Rule{
	{
		ID:        "compaction/conversation-goes-on",
		Level:     trace.Must,
		Text:      "A conversation that is longer than the limit of tokens goes on: the loop makes its history shorter, and comes to the model's answer.",
		Why:       "Otherwise every long task ends with a 400, and so does each further request of its session.",
		Needs:     compaction,
		Invariant: true,
		Evidence:  "a history that was made shorter, or a request that was refused for its length",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "context_limit: how many tokens a request may have"},
			{URL: "https://github.com/anthropics/claude-code/issues/8211", Says: "the compaction itself was too long, and the session was lost"},
			{URL: "https://github.com/openclaw/openclaw/issues/8596", Says: "no compaction before the context is full, and then no way out"},
		},
		Run: goesOn,
	},
	{
		ID:        "compaction/limit-kept",
		Level:     trace.Should, // some loops wait for the refusal, on purpose
		Text:      "No request is longer than the limit of tokens that the loop was told.",
		Why:       "The provider refuses it, and some cut it without a word.",
		Needs:     compaction,
		Invariant: true,
		Evidence:  "a history that was made shorter, or a request that was refused for its length",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "context_limit: how many tokens a request may have"},
			{URL: "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts", Says: "how providers refuse it, and that Ollama cuts the request instead"},
		},
		Run: limitKept,
	},
	{
		ID:        "compaction/shorter-after-refusal",
		Level:     trace.Must,
		Text:      "After a request was refused since it is too long, the next one is shorter.",
		Why:       "A request of the same length is refused again, and the loop never gets out of it.",
		Needs:     compaction,
		Invariant: true,
		Evidence:  "a request that was refused for its length, and what came after it",
		Sources: []rules.Source{
			{URL: "https://github.com/openclaw/openclaw/issues/10613", Says: "the request after the compaction is too long again, and so on"},
			{URL: "https://github.com/openclaw/openclaw/issues/150447", Says: "three compactions that removed nothing"},
		},
		Run: shorterAfterRefusal,
	},
	{
		ID:        "compaction/ends",
		Level:     trace.Must,
		Text:      "Requests for a summary end: after ten of them at most the conversation goes on.",
		Why:       "Each of them costs as much as the whole history, and the task never ends.",
		Needs:     compaction,
		Invariant: true,
		Unending:  true,
		Evidence:  "a request for a summary",
		Sources: []rules.Source{
			{URL: "https://github.com/anthropics/claude-code/issues/24179", Says: "211 compactions of one session"},
			{URL: "https://github.com/anthropics/claude-code/issues/13379", Says: "each compaction triggered the next one, until all credits were spent"},
		},
		Asked: func(r *rules.Run) bool {
			return slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool { return x.Summary })
		},
		Run: ends,
	},
	{
		ID:        "compaction/prompt-stays",
		Level:     trace.Must,
		Text:      "A request of a history that was made shorter still says the prompt that is being answered. Where a summary is in its place, that only breaks a should: it may say what the user wants.",
		Why:       "The model does not know what it works for any more.",
		Needs:     compaction,
		Invariant: true,
		Evidence:  "a history that was made shorter",
		Sources: []rules.Source{
			{URL: "https://github.com/docker/docker-agent/issues/1863", Says: "a window of the newest items cut off the prompt"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/compaction", Says: "everything before the summary is dropped; the summary says what was asked"},
		},
		Run: promptStays,
	},
}

// isRefusedForLength reports whether the provider refused a request since it is too long.
func isRefusedForLength(x *trace.Exchange) bool { return x.Turn != nil && x.Turn.Step.TooLong }

// isTooLong reports whether a request was longer than the limit, and not only refused by the
// script.
func isTooLong(x *trace.Exchange) bool { return isRefusedForLength(x) && x.Turn.Number < 0 }

// outgrew reports whether the history outgrew the limit: some request was refused for its length,
// or is shorter than the one before and the results that came after that.
func outgrew(r *rules.Run) bool {
	all := r.Conversation()
	for i, x := range all {
		if isRefusedForLength(x) || i > 0 && scenarios.Tokens(x.Request) < tokensWithResults(r, all[i-1]) {
			return true
		}
	}
	return false
}

// tokensWithResults returns how many tokens a request has at least that repeats another one and adds
// the results of the calls that answered it.
func tokensWithResults(r *rules.Run, x *trace.Exchange) int {
	tokens := scenarios.Tokens(x.Request)
	if x.Turn != nil && x.Turn.Asks() {
		for _, c := range x.Turn.Answer.Calls {
			tokens += len(r.ToolOutput(c)) / scenarios.BytesPerToken
		}
	}
	return tokens
}

func goesOn(r *rules.Run) (j rules.CheckResult) {
	if r.Task.ContextLimit == 0 || r.Outcome == nil {
		return j
	}
	last := r.Last()
	if n := len(r.Exchanges); n > 0 && isTooLong(r.Exchanges[n-1]) { // a request for a summary, too
		last = r.Exchanges[n-1]
	}
	if last == nil || r.EndedByCancel() {
		return j
	}
	j.HasEvidence = outgrew(r)
	if r.Outcome.Status != protocol.Completed && isTooLong(last) {
		j.FindInAnswer(last,
			"the conversation ended where its history was too long",
			fmt.Sprintf("a history of less than %d tokens, and a request that goes on with it", r.Task.ContextLimit),
			r.DescribeEnd())
	}
	return j
}

func limitKept(r *rules.Run) (j rules.CheckResult) {
	if r.Task.ContextLimit == 0 {
		return j
	}
	j.HasEvidence = outgrew(r)
	for _, x := range r.Exchanges {
		if isTooLong(x) && x.Number < len(r.Exchanges) { // conversation-goes-on looks at the last one
			j.Find(trace.Finding{
				Request:  x.Number,
				Message:  "the request is longer than the limit that the loop was told",
				Expected: fmt.Sprintf("at most %d tokens", r.Task.ContextLimit),
				Actual:   fmt.Sprintf("%d tokens", scenarios.Tokens(x.Request)),
			})
		}
	}
	return j
}

// shorterAfterRefusal compares requests where the tools of the task ran. The scenario also refuses a
// history with the results of other tools, which may be shorter than any summary.
func shorterAfterRefusal(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Conversation() {
		if !isRefusedForLength(x) {
			continue
		}
		next := r.Next(x)
		j.HasEvidence = j.HasEvidence || next != nil || r.Outcome != nil
		if next == nil {
			continue
		}
		if was, now := scenarios.Tokens(x.Request), scenarios.Tokens(next.Request); now >= was && len(r.Executions) > 0 {
			j.Find(trace.Finding{
				Request:  next.Number,
				Answer:   x.Number,
				Message:  fmt.Sprintf("request %d was refused since it is too long, and the next one is no shorter", x.Number),
				Expected: fmt.Sprintf("less than %d tokens", was),
				Actual:   fmt.Sprintf("%d tokens", now),
			})
		}
	}
	return j
}

// mostSummaries is how many requests for a summary may come in a row. A loop that summarises a long
// history in parts sends several.
const mostSummaries = 10

func ends(r *rules.Run) (j rules.CheckResult) {
	inRow := 0
	for _, x := range r.Exchanges {
		if !x.Summary {
			inRow = 0
			continue
		}
		j.HasEvidence = true
		if inRow++; inRow == mostSummaries+1 {
			j.Find(trace.Finding{
				Request:  x.Number,
				Message:  "the loop asks for one summary after the other",
				Expected: fmt.Sprintf("at most %d requests for a summary in a row", mostSummaries),
				Actual:   "one more, and the conversation does not go on",
			})
		}
	}
	return j
}

func promptStays(r *rules.Run) (j rules.CheckResult) {
	if r.Task.ContextLimit == 0 || len(r.Task.Prompts) == 0 {
		return j
	}
	j.HasEvidence = outgrew(r) && r.UsedTools()
	answered := 0
	for _, x := range r.Conversation() {
		prompt := r.Task.Prompts[min(answered, len(r.Task.Prompts)-1)]
		if x.Turn != nil && x.Turn.Final() {
			answered++
		}
		if says(x.Request, prompt) {
			continue
		}
		f := trace.Finding{
			Request:  x.Number,
			Pointer:  x.Request.HistoryPointer(),
			Message:  "the prompt that is being answered is not in the request",
			Expected: rules.Quote(prompt),
			Actual:   rules.Plural(len(x.Request.Messages), "message") + " without it",
		}
		if says(x.Request, r.Script.Scenario.SummaryText()) {
			f.Level = trace.Should
		}
		j.Find(f)
	}
	return j
}

// says reports whether a text is in what is said in a request, by whomever.
func says(req *wire.Request, text string) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool { return rules.ContainsText(m.Content.Text, text) })
}
