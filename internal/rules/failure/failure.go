package failure

import (
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// answerRules are those about errors in the provider's own words, and answers that break off or say
// nothing.
var answerRules = []rules.Rule{
	{
		ID:          "failure/http-error-reported",
		Level:       trace.Must,
		Text:        "An error of the provider that ends the run is reported as a failure.",
		Why:         "The caller treats an empty answer as that of the model.",
		AnyDelivery: true,
		Evidence:    "an outcome after an error status to a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/error-codes", Says: "API errors and what to do about them"},
			{URL: "https://github.com/TanStack/ai/pull/938", Says: "run errors resolved as success"},
			{URL: rules.AnthropicErrorDocs, Says: "the errors of Messages, by status"},
			{URL: rules.GeminiErrorDocs, Says: "the errors of Gemini, and what to do about them"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return notAnAnswer(r, func(t *scenarios.Turn) bool { return t.Errs() && t.Step.Body == nil }, "an error status")
		},
	},
	{
		ID:       "failure/error-says-why",
		Level:    trace.Should,
		Text:     "The error that a loop reports contains the provider's message.",
		Why:      "Without it the caller cannot distinguish a wrong key from a full context.",
		Evidence: "a failed outcome after an error status, of a loop that used tools",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/error-codes", Says: "the message says what went wrong"},
			{URL: "https://github.com/featherless-ai/open-agent-loops", Says: "a loop whose caller never sees the message of a 400"},
		},
		Run: errorSaysWhy,
	},
	{
		ID:          "failure/cut-stream-reported",
		Level:       trace.Must,
		Text:        "A stream that ends before it says why the model stopped is not an answer.",
		Why:         "Otherwise the first part of an answer is treated as complete.",
		Needs:       rules.Streams,
		AnyDelivery: true,
		Evidence:    "an outcome after a stream that was cut",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/api-reference/chat-streaming", Says: "the last chunk has a finish_reason, the stream ends with [DONE]"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/streaming", Says: "each stream ends with message_delta, which has the stop_reason, and message_stop"},
			{URL: "https://platform.openai.com/docs/api-reference/responses-streaming", Says: "the last event is response.completed, response.incomplete or response.failed"},
			{URL: "https://ai.google.dev/api/generate-content#Candidate", Says: "finishReason: while it is empty, the model has not stopped"},
			{URL: "https://html.spec.whatwg.org/multipage/server-sent-events.html", Says: "an event without its blank line is discarded at the end of the stream"},
			{URL: "https://github.com/vercel/ai/issues/19165", Says: "a cut stream treated as success"},
			{URL: "https://github.com/AgentsMesh/Loopal/pull/104", Says: "silent truncation ended the turn without an error"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return notAnAnswer(r, func(t *scenarios.Turn) bool {
				return t.Breaks() && t.Step.InBandError == nil && !damaged(t)
			}, "a stream that was cut")
		},
	},
	{
		ID:          "failure/in-band-error-reported",
		Level:       trace.Must,
		Text:        "An error after the status 200 is reported as an error.",
		Why:         "Otherwise the part of the answer before it is treated as complete.",
		AnyDelivery: true,
		Evidence:    "an outcome after an error inside an answer",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/api-reference/errors", Says: "errors in mid-stream come as a chunk"},
			{URL: "https://github.com/mistralai/client-python/issues/74", Says: "an answer of Mistral that ended with the finish reason error"},
			{URL: "https://github.com/charmbracelet/fantasy/issues/319", Says: "an error event not seen as one"},
			{URL: "https://github.com/BerriAI/litellm/issues/40578", Says: "an error dropped; the caller got an empty success"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/streaming", Says: "errors in the event stream of Messages"},
		},
		Run: inBandErrorReported,
	},
	{
		ID:       "failure/blank-completion-reported",
		Level:    trace.Should,
		Text:     "An answer without text and calls is not reported as completed.",
		Why:      "The user sees an empty screen, or the text of an earlier turn. Not a must: some models end with an empty text after a tool did everything, and some loops pass that on.",
		Evidence: "an outcome after a blank answer",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/api-reference/errors", Says: "when no content is generated: retry or another model"},
			{URL: "https://github.com/pydantic/pydantic-ai/issues/6403", Says: "a blank answer gave the text of an earlier turn"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return notAnAnswer(r, (*scenarios.Turn).Blank, "a blank answer") },
	},
	{
		ID:          "failure/broken-turn-not-run",
		Level:       trace.Must,
		Text:        "No tool call of an incomplete answer is run.",
		Why:         "The call may be incomplete, and its turn never reaches the history: a payment may be made without a trace.",
		Needs:       rules.SeesTools,
		AnyDelivery: true,
		Evidence:    "what a loop that used tools did after an answer with calls that broke off",
		Sources: []rules.Source{
			{URL: "https://github.com/charmbracelet/fantasy/commit/bbf53dc", Says: "tools started while the stream was running"},
			{URL: "https://github.com/dyad-sh/dyad/pull/2853", Says: "a retried stream ran its tools again"},
		},
		Run: brokenTurnNotRun,
	},
	{
		ID:       "failure/broken-turn-not-kept",
		Level:    trace.Should,
		Text:     "The part of an incomplete answer is not in the history of the next request.",
		Why:      "The model continues from a partial sentence, or the provider refuses a call without a result. Not a must: providers accept the beginning of an answer, and some loops continue from it on purpose.",
		Evidence: "a request after an answer that broke off, or an end without one",
		Sources: []rules.Source{
			{URL: "https://github.com/agentscope-ai/agentscope-java/issues/2478", Says: "partial output delivered twice after a retry"},
			{URL: "https://github.com/badlogic/pi-mono/pull/838", Says: "aborted turns replayed, and the 400"},
		},
		Run: brokenTurnNotKept,
	},
}

// inBandErrorReported takes it for a should where the Messages API answers with an error and the
// status 200 to a request without a stream: only events of that kind are documented, and no report
// shows such a body.
func inBandErrorReported(r *rules.Run) rules.CheckResult {
	j := notAnAnswer(r, func(t *scenarios.Turn) bool {
		return !t.Fails() && t.Step.InBandError != nil && len(t.Answer.Calls) == 0
	}, "an error inside the answer")
	for i := range j.Findings {
		if r.Dialect().Errors.InStreamsAlone && !r.Case.Delivery.Streams() {
			j.Findings[i].Level = trace.Should
		}
	}
	return j
}

// notAnAnswer demands that a run whose last turn is of a kind does not end as completed.
func notAnAnswer(r *rules.Run, kind func(*scenarios.Turn) bool, what string) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !kind(last.Turn) || r.Next(last) != nil {
		return j
	}
	return notCompleted(r, last, r.UsedTools(), "the run ended with "+what+" and was reported as completed")
}

// notCompleted demands that a run which ended at an exchange without an answer is not reported as
// completed.
func notCompleted(r *rules.Run, last *trace.Exchange, evidence bool, message string) (j rules.CheckResult) {
	j.HasEvidence = evidence
	if r.Outcome.Status == protocol.Completed {
		j.FindInAnswer(last, message, "status failed or stopped", "status completed with the text "+rules.Quote(r.Outcome.Text))
	}
	return j
}

func errorSaysWhy(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !last.Turn.Fails() || r.Interrupted(last.Turn) || r.Outcome.Status == protocol.Completed {
		return j
	}
	message := errorMessage(r, last.Turn)
	if message == "" {
		return j
	}
	return reachesCaller(r, message, "the provider's message", last)
}

// reachesCaller judges whether the error of an outcome has the words that an answer failed with.
func reachesCaller(r *rules.Run, words, what string, failed *trace.Exchange) (j rules.CheckResult) {
	j.HasEvidence = r.UsedTools()
	if !rules.ContainsText(r.Outcome.Error+" "+r.Outcome.Reason, words) {
		j.FindInAnswer(failed, what+" does not reach the caller", "an error with "+rules.Quote(words), rules.Quote(r.Outcome.Error))
	}
	return j
}

// errorMessage returns the message with which the script let the provider fail, "" where that says
// none in the provider's own envelope.
func errorMessage(r *rules.Run, t *scenarios.Turn) string {
	if !t.Errs() || t.Step.Body != nil {
		return ""
	}
	return t.ErrorWords(r.Script.Profile).Message
}

func brokenTurnNotRun(r *rules.Run) rules.CheckResult {
	return rules.NotRun(r,
		func(c rules.CallRun) bool { return c.Turn.Breaks() && !damaged(c.Turn) },
		func(rules.CallRun) string { return "its answer broke off" })
}

// brokenTurnNotKept leaves the text alone that is in the history of the next prompt: what the user
// has seen of an answer is part of the conversation for some loops.
func brokenTurnNotKept(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		next := r.Next(x)
		if x.Turn.Fails() || !x.Turn.Breaks() || damaged(x.Turn) { // of which a loop that has taken it knows nothing
			continue
		}
		if next == nil { // a loop that gives up keeps nothing
			j.HasEvidence = j.HasEvidence || r.UsedTools() && r.Outcome != nil && r.Outcome.Status != protocol.Completed
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(next.Request)
		for i, m := range next.Request.Messages {
			if sent := x.Request.Messages; i < len(sent) && wire.SameExactly(sent[i].Node, m.Node) {
				continue // it was there before
			}
			if m.Role == wire.Assistant && remains(m, x.Turn.Answer) && (len(m.Calls) > 0 || r.ResumedBy(next) == nil) {
				j.FindAt(next, m.Node.Pointer(), "an answer that broke off is in the history", "no message of it", rules.Show(m.Node))
			}
		}
	}
	return j
}

// remains reports whether an assistant message holds a part of an answer.
func remains(m wire.Message, a *wire.Answer) bool {
	text := strings.TrimSpace(m.Content.Text)
	if len(text) > 3 && strings.HasPrefix(a.Text, text) {
		return true
	}
	return rules.AnyCall(a, &m, func(x wire.AnswerCall, y wire.Call) bool { return x.ID != "" && x.ID == y.ID })
}
