package finish

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// coreRules are the rules about why the model stopped.
var coreRules = []rules.Rule{
	{
		ID:          "finish/cut-call-not-run",
		Level:       trace.Must,
		Text:        "A tool call that was cut off by the token limit is not run.",
		Why:         "A partial command is another command: rm -rf /tmp/x becomes rm -rf /.",
		Needs:       rules.SeesTools,
		AnyDelivery: true,
		Evidence:    "what a loop that used tools did after an answer cut inside a call",
		Sources: []rules.Source{
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/openai", Says: "recorded: length inside a call"},
			{URL: "https://github.com/vercel/ai/issues/19063", Says: "tools run after an unsafe finish"},
			{URL: "https://github.com/ahwurm/localharness/issues/77", Says: "a truncated write executed"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return truncatedNotRun(r, true) },
	},
	{
		ID:       "finish/truncated-turn-not-run",
		Level:    trace.Should,
		Text:     "No call of a truncated or filtered turn is run, not even one that was complete before the cut.",
		Why:      "The model had not finished its turn. Not a must: no provider says that complete calls must not be run, and some loops run them and continue.",
		Needs:    rules.SeesTools,
		Evidence: "what a loop that used tools did after a truncated answer with a whole call",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/pull/19066", Says: "no tools after length or content_filter"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return truncatedNotRun(r, false) },
	},
	{
		ID:       "finish/length-is-not-success",
		Level:    trace.Must,
		Text:     "An answer cut off by the token limit is not reported as completed.",
		Why:      "A partial answer is treated as complete.",
		Evidence: "an outcome after an answer that the token limit cut off, of a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "length: the maximum number of tokens was reached"},
			{URL: rules.ResponseObjectDocs, Says: "incomplete_details.reason: max_output_tokens"},
			{URL: "https://github.com/openai/openai-agents-js/pull/1741", Says: "a truncated completion accepted"},
			{URL: "https://github.com/openai/openai-agents-python/issues/4513", Says: "length returned as a normal answer"},
			{URL: rules.StopReasonDocs, Says: "max_tokens: raise the limit, or continue the response"},
			{URL: rules.GeminiRequestDocs, Says: "MAX_TOKENS: the maximum number of tokens was reached"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return NotSuccess(r, wire.FinishLength) },
	},
	{
		ID:       "finish/cut-is-told",
		Level:    trace.Info,
		Text:     "When the token limit ends a run, the outcome says so, and does not only report a parse error.",
		Why:      "The caller can raise the limit when told; a parse error makes them look for a bug.",
		Evidence: "an outcome, other than completed, after a turn that the token limit cut off, of a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "length: the maximum number of tokens was reached"},
			{URL: "https://github.com/0xPlaygrounds/rig/issues/2359", Says: "a parser's error for a call that the limit cut off"},
		},
		Run: cutIsTold,
	},
	{
		ID:       "finish/content-filter-is-not-success",
		Level:    trace.Must,
		Text:     "An answer that a content filter cut off is not reported as completed.",
		Why:      "The remaining text may mean the opposite.",
		Evidence: "an outcome after an answer that a content filter cut off, of a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "content_filter: content was omitted"},
			{URL: rules.ResponseObjectDocs, Says: "incomplete_details.reason: content_filter"},
			{URL: "https://github.com/openai/openai-agents-python/issues/4188", Says: "content_filter became an empty turn"},
			{URL: rules.StopReasonDocs, Says: "refusal: the model declined; retry on another model"},
			{URL: rules.GeminiRequestDocs, Says: "SAFETY: the content was flagged"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return NotSuccess(r, wire.FinishContentFilter) },
	},
	{
		ID:       "finish/calls-decide",
		Level:    trace.Must,
		Text:     "The calls in an answer decide whether tools are run, not the word for why the model stopped.",
		Why:      "Several providers end a turn with calls as if it were an answer; the tools never run.",
		Evidence: "what a loop did after a turn with calls that ends with the word for an answer",
		Sources: []rules.Source{
			{URL: "https://github.com/crewAIInc/crewAI/tree/main/lib/crewai/tests/cassettes", Says: "recorded: stop with tool_calls from gpt-4o"},
			{URL: "https://github.com/anomalyco/opencode/issues/14972", Says: "stop with calls ended the loop"},
			{URL: "https://github.com/RooCodeInc/Roo-Code/pull/9476", Says: "calls only emitted for tool_calls"},
		},
		Run: callsDecide,
	},
}

func truncatedNotRun(r *rules.Run, cut bool) rules.CheckResult {
	return rules.NotRun(r,
		func(c rules.CallRun) bool { return c.Turn.Truncated() && (c.Trouble == scenarios.NotJSON) == cut },
		func(c rules.CallRun) string { return "its turn ended with " + r.StopAs(c.Turn.Answer.Finish) })
}

// NotSuccess demands that an answer which ended for some reason is not reported as completed
// without that reason.
func NotSuccess(r *rules.Run, word wire.Finish) (j rules.CheckResult) {
	for _, x := range r.Served() {
		if r.Outcome == nil || !x.Turn.Truncated() || x.Turn.Answer.Finish != word {
			continue
		}
		j.HasEvidence = r.UsedTools()
		askedOn := r.Next(x) != nil // for the rest of the answer, or for another one
		if r.Outcome.Status == protocol.Completed && !reportsFinish(r, word) && !askedOn {
			j.FindInAnswer(x,
				fmt.Sprintf("an answer that ended with %s was reported as completed", r.StopAs(word)),
				"an outcome with the status stopped or failed, or with "+r.StopWord(word)+" as its finish reason",
				fmt.Sprintf("status completed with the text %s", rules.Quote(r.Outcome.Text)))
		}
	}
	return j
}

// told are the words, in lower case and without punctuation, with which loops report why the model
// stopped.
var told = map[wire.Finish][]string{
	wire.FinishLength:        {"length", "maxtokens", "maxoutputtokens", "maxlength", "modellength", "tokenlimit", "truncated", "incomplete"},
	wire.FinishContextWindow: {"contextwindow", "modelcontextwindowexceeded", "length", "truncated"},
	wire.FinishContentFilter: {"contentfilter", "contentfiltered", "filtered", "safety", "sensitive", "moderation", "blocked", "refusal"},
}

// reportsFinish reports whether an outcome tells its caller the reason, in whatever spelling.
func reportsFinish(r *rules.Run, word wire.Finish) bool {
	letters := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(r.Outcome.FinishReason))
	return slices.Contains(told[word], letters)
}

// cutWords are words of which one is in any text that tells of a cut.
var cutWords = []string{"length", "token", "limit", "truncat", "incomplete", "cut off", "cut short", "too long"}

func cutIsTold(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || r.Outcome == nil || r.Outcome.Status == protocol.Completed || r.Next(last) != nil || !last.Turn.Truncated() || last.Turn.Answer.Finish != wire.FinishLength {
		return j
	}
	j.HasEvidence = r.UsedTools()
	text := strings.ToLower(r.Outcome.Reason + " " + r.Outcome.Error)
	if !reportsFinish(r, wire.FinishLength) && !slices.ContainsFunc(cutWords, func(w string) bool { return strings.Contains(text, w) }) {
		j.FindInAnswer(last,
			"the token limit ended the run, and the outcome does not say so",
			"an outcome whose reason, error or finish reason tells of the limit",
			r.DescribeEnd())
	}
	return j
}

func callsDecide(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		if t := x.Turn; !t.Asks() || t.Answer.Finish != wire.FinishStop || r.Interrupted(t) || r.Next(x) == nil && (r.Outcome == nil || r.HadToEnd()) {
			continue
		}
		j.HasEvidence = j.HasEvidence || r.Next(x) != nil
		if r.Next(x) == nil && !gaveUpAtCall(r, x) {
			j.FindInAnswer(x,
				"a turn with tool calls and "+r.StopAs(x.Turn.Answer.Finish)+" ended the run",
				"the calls are run and answered: "+rules.DescribeCalls(x.Turn.Answer.Calls),
				r.DescribeEnd())
		}
	}
	return j
}

// gaveUpAtCall reports whether a loop failed at a turn with a call at which it may give up: that
// may be why it ended.
func gaveUpAtCall(r *rules.Run, x *trace.Exchange) bool {
	return r.Outcome.Status == protocol.Failed && slices.ContainsFunc(r.Calls(), func(c rules.CallRun) bool {
		return c.In == x && (c.Refusable || r.MayGiveUpAt(c.Call))
	})
}
