package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// failure are the rules about answers that break or never come.
var failure = slices.Concat(failureAnswers, failureBodies, failureConnections)

// failureAnswers are those about errors in the provider's own words, and answers that break off or say nothing.
var failureAnswers = []Rule{
	{
		ID:          "failure/http-error-reported",
		Level:       Must,
		Text:        "An error of the provider that ends the run is reported as a failure.",
		Why:         "The caller takes an empty answer for the model's.",
		AnyDelivery: true,
		Evidence:    "an outcome after an error status to a request with a tool result",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/error-codes", "API errors and what to do about them"},
			{"https://github.com/TanStack/ai/pull/938", "run errors resolved as success"},
		},
		Run: func(r *Run) Judged {
			return notAnAnswer(r, func(t *scenarios.Turn) bool { return t.Errs() && t.Step.Body == nil }, "an error status")
		},
	},
	{
		ID:       "failure/error-says-why",
		Level:    Should,
		Text:     "The failure that a loop reports carries the provider's message.",
		Why:      "Without it nobody can tell a wrong key from a full context.",
		Evidence: "a failed outcome after an error status",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/error-codes", "the message says what went wrong"},
			{"https://github.com/featherless-ai/open-agent-loops", "a loop whose caller never sees the message of a 400"},
		},
		Run: errorSaysWhy,
	},
	{
		ID:          "failure/cut-stream-reported",
		Level:       Must,
		Text:        "A stream that ends without a finish word is not an answer.",
		Why:         "The first half of an answer passes for the whole.",
		Needs:       streams,
		AnyDelivery: true,
		Evidence:    "an outcome after a stream that was cut",
		Sources: []Source{
			{"https://platform.openai.com/docs/api-reference/chat-streaming", "the last chunk has a finish_reason, the stream ends with [DONE]"},
			{"https://platform.claude.com/docs/en/build-with-claude/streaming", "each stream ends with message_delta, which has the stop_reason, and message_stop"},
			{"https://html.spec.whatwg.org/multipage/server-sent-events.html", "an event without its blank line is discarded at the end of the stream"},
			{"https://github.com/vercel/ai/issues/19165", "a cut stream taken for success"},
			{"https://github.com/AgentsMesh/Loopal/pull/104", "silent truncation ended the turn without an error"},
		},
		Run: func(r *Run) Judged {
			return notAnAnswer(r, func(t *scenarios.Turn) bool {
				return t.Breaks() && t.Step.InBandError == nil
			}, "a stream that was cut")
		},
	},
	{
		ID:          "failure/in-band-error-reported",
		Level:       Must,
		Text:        "An error that comes after the status 200 is an error.",
		Why:         "The part of an answer before it passes for the whole.",
		AnyDelivery: true,
		Evidence:    "an outcome after an error inside an answer",
		Sources: []Source{
			{"https://openrouter.ai/docs/api-reference/errors", "errors in mid-stream come as a chunk"},
			{"https://github.com/mistralai/client-python/issues/74", "an answer of Mistral that ended with the finish word error"},
			{"https://github.com/charmbracelet/fantasy/issues/319", "an error event not seen as one"},
			{"https://github.com/BerriAI/litellm/issues/40578", "an error dropped; the caller got an empty success"},
			{"https://platform.claude.com/docs/en/build-with-claude/streaming", "errors in the event stream of Messages"},
		},
		Run: inBandErrorReported,
	},
	{
		ID:       "failure/blank-completion-reported",
		Level:    Should,
		Text:     "An answer that says nothing is not reported as a completed one.",
		Why:      "The user sees an empty screen, or the text of an earlier turn. No must: models end with nothing to say behind a tool that did all, and some loops hand that on as it is.",
		Evidence: "an outcome after a blank answer",
		Sources: []Source{
			{"https://openrouter.ai/docs/api-reference/errors", "when no content is generated: retry or another model"},
			{"https://github.com/pydantic/pydantic-ai/issues/6403", "a blank answer gave the text of an earlier turn"},
		},
		Run: func(r *Run) Judged { return notAnAnswer(r, (*scenarios.Turn).Blank, "a blank answer") },
	},
	{
		ID:          "failure/broken-turn-not-run",
		Level:       Must,
		Text:        "No tool call of an answer that broke off is run.",
		Why:         "The call may be cut, and its turn never reaches the history: a payment that no one knows of.",
		Needs:       seesTools,
		AnyDelivery: true,
		Evidence:    "what a loop that used tools did after an answer with calls that broke off",
		Sources: []Source{
			{"https://github.com/charmbracelet/fantasy/commit/bbf53dc", "tools started while the stream was running"},
			{"https://github.com/dyad-sh/dyad/pull/2853", "a retried stream ran its tools again"},
		},
		Run: brokenTurnNotRun,
	},
	{
		ID:       "failure/broken-turn-not-kept",
		Level:    Should,
		Text:     "What came of an answer that broke off is not in the history of the next request.",
		Why:      "The model continues from a half sentence, or the provider refuses a call without a result. No must: providers take a beginning of an answer, and some loops go on from it on purpose.",
		Evidence: "a request after an answer that broke off, or an end without one",
		Sources: []Source{
			{"https://github.com/agentscope-ai/agentscope-java/issues/2478", "partial output delivered twice after a retry"},
			{"https://github.com/badlogic/pi-mono/pull/838", "aborted turns replayed, and the 400"},
		},
		Run: brokenTurnNotKept,
	},
}

// inBandErrorReported takes it for a should where the Messages API answers with an error and the status 200 to a request
// without a stream: only events of that kind are documented, and no report shows such a body.
func inBandErrorReported(r *Run) Judged {
	j := notAnAnswer(r, func(t *scenarios.Turn) bool {
		return !t.Fails() && t.Step.InBandError != nil && len(t.Answer.Calls) == 0
	}, "an error inside the answer")
	for i := range j.Findings {
		if r.speech().ErrorsInStreams && !r.Case.Delivery.Streams() {
			j.Findings[i].Level = Should
		}
	}
	return j
}

// notAnAnswer demands that a run whose last turn is of a kind does not end as completed.
func notAnAnswer(r *Run, kind func(*scenarios.Turn) bool, what string) (j Judged) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !kind(last.Turn) || r.Next(last) != nil {
		return j
	}
	j.Seen = r.UsedTools()
	if r.Outcome.Status == protocol.Completed {
		j.Find(Finding{
			Request:  last.Number,
			Answer:   last.Number,
			Message:  fmt.Sprintf("the run ended with %s and was reported as completed", what),
			Expected: "status failed or stopped",
			Actual:   fmt.Sprintf("status completed with the text %s", quote(r.Outcome.Text)),
		})
	}
	return j
}

func errorSaysWhy(r *Run) (j Judged) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !last.Turn.Fails() || r.Outcome.Status == protocol.Completed {
		return j
	}
	message := r.errorMessage(last.Turn)
	if message == "" {
		return j
	}
	return r.reachesCaller(message, "the provider's message", last)
}

// reachesCaller judges whether the error of an outcome has the words that an answer failed with.
func (r *Run) reachesCaller(words, what string, failed *Exchange) (j Judged) {
	j.Seen = r.UsedTools()
	if !contains(r.Outcome.Error+" "+r.Outcome.Reason, words) {
		j.Find(Finding{
			Request:  failed.Number,
			Answer:   failed.Number,
			Message:  what + " does not reach the caller",
			Expected: "an error with " + quote(words),
			Actual:   quote(r.Outcome.Error),
		})
	}
	return j
}

// errorMessage returns the message with which the script let the provider fail, "" where that says none in the
// provider's own envelope.
func (r *Run) errorMessage(t *scenarios.Turn) string {
	if !t.Errs() || t.Step.Body != nil {
		return ""
	}
	if t.Step.Error != nil {
		return t.Step.Error.Message
	}
	return r.Script.Profile.WordsFor(t.Step.Status).Message
}

func brokenTurnNotRun(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		if !c.Turn.Breaks() || !r.wentOn(c) {
			continue
		}
		j.Seen = j.Seen || r.ranBefore(c.In)
		for _, e := range c.Executions {
			j.Find(Finding{
				Request:  c.In.Number,
				Answer:   c.In.Number,
				Message:  fmt.Sprintf("the call %s was run although its answer broke off", c.Call.As),
				Expected: "no run",
				Actual:   fmt.Sprintf("%s run with %s", e.Tool, quote(e.Arguments)),
			})
		}
	}
	return j
}

func brokenTurnNotKept(r *Run) (j Judged) {
	for _, x := range r.Served() {
		next := r.Next(x)
		if x.Turn.Fails() || !x.Turn.Breaks() {
			continue
		}
		if next == nil { // a loop that gives up keeps nothing
			j.Seen = j.Seen || r.UsedTools() && r.Outcome != nil && r.Outcome.Status != protocol.Completed
			continue
		}
		j.Seen = j.Seen || carriesResult(next.Request)
		for i, m := range next.Request.Messages {
			if sent := x.Request.Messages; i < len(sent) && wire.SameExactly(sent[i].Node, m.Node) {
				continue // it was there before
			}
			if m.Role == wire.Assistant && remains(m, x.Turn.Answer) {
				j.Find(Finding{
					Request:  next.Number,
					Pointer:  m.Node.Pointer(),
					Message:  "an answer that broke off is in the history",
					Expected: "no message of it",
					Actual:   show(m.Node),
				})
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
	return anyCall(a, m, func(x wire.AnswerCall, y wire.Call) bool { return x.ID != "" && x.ID == y.ID })
}
