package messagesrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/finish"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// finishPauseRules are the rules of the area finish about reasons to stop that only the dialect
// messages has.
var finishPauseRules = []rules.Rule{
	{
		ID:       "finish/pause-is-continued",
		Level:    trace.Must,
		Text:     "A turn that ends with pause_turn is sent back unchanged, and the provider continues it. Only a loop that offers tools which the provider runs gets such turns.",
		Why:      "Otherwise an unfinished turn is treated as the answer.",
		Evidence: "what a loop did after a turn that paused",
		Asked:    offersServerTools,
		Sources: []rules.Source{
			{URL: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools", Says: "the loop on the server reached its limit of iterations: it runs only for server tools"},
			{URL: "https://github.com/pydantic/pydantic-ai/issues/3051", Says: "a pause in a request with server tools, as all that were reported"},
			{URL: rules.StopReasonDocs, Says: "pause_turn: pass the response back as-is in a subsequent request"},
			{URL: "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_anthropic", Says: "recorded: a paused turn goes back as the last message"},
		},
		Run: pauseIsContinued,
	},
	{
		ID:       "finish/compaction-is-continued",
		Level:    trace.Must,
		Text:     "An answer that ends with compaction, since the loop asked for a pause behind it, is not reported as the answer: the request goes on with it.",
		Why:      "It has a summary of the conversation, and nothing that the user asked for.",
		Needs:    []protocol.Feature{protocol.ServerCompaction},
		Evidence: "what a loop did after an answer that ended with compaction",
		Asked:    asksForThePause,
		Sources: []rules.Source{
			{URL: "https://platform.claude.com/docs/en/build-with-claude/compaction-threshold", Says: "pause_after_compaction: the response has only the compaction block; continue the request"},
		},
		Run: compactionIsContinued,
	},
	{
		ID:       "finish/full-window-is-not-success",
		Level:    trace.Must,
		Text:     "An answer that was cut off because the context window was full is not reported as complete.",
		Why:      "A partial answer is treated as complete.",
		Evidence: "an outcome after an answer with the reason model_context_window_exceeded",
		Sources:  []rules.Source{{URL: rules.StopReasonDocs, Says: "model_context_window_exceeded: the answer is valid and was limited by the context window"}},
		Run:      func(r *rules.Run) rules.CheckResult { return finish.NotSuccess(r, wire.FinishContextWindow) },
	},
}

// offersServerTools reports whether the loop offers tools that the provider runs, or claims to, so
// that a turn paused or told of their use.
func offersServerTools(r *rules.Run) bool {
	return slices.ContainsFunc(r.Conversation(), func(x *trace.Exchange) bool {
		return x.Request.ServerTools || x.Turn != nil && (x.Turn.Paused() || x.Turn.Answer != nil && len(x.Turn.Answer.Blocks) > 0)
	})
}

// asksForThePause reports whether the loop asks the provider to pause behind what stands for the
// history.
func asksForThePause(r *rules.Run) bool {
	return slices.ContainsFunc(r.Conversation(), func(x *trace.Exchange) bool { return x.Request.Dialect.PausesAtCompaction(x.Request) })
}

// compactionIsContinued leaves open what stands behind the block in the next request: the loop may put
// its newest messages there once more.
func compactionIsContinued(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		if !x.Turn.Whole() || x.Turn.Answer.Finish != wire.FinishCompaction {
			continue
		}
		j.HasEvidence = j.HasEvidence || r.Next(x) != nil
		if r.Next(x) == nil && r.Outcome != nil && r.Outcome.Status == protocol.Completed && !r.AtLimit() {
			j.FindInAnswer(x, "an answer that is a summary alone was reported as the answer", "the request goes on behind the summary", r.DescribeEnd())
		}
	}
	return j
}

func pauseIsContinued(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		if !x.Turn.Whole() || x.Turn.Answer.Finish != wire.FinishPause || r.Outcome == nil && r.Next(x) == nil {
			continue
		}
		next := r.Next(x)
		switch {
		case next == nil && r.AtLimit():
		case next == nil && r.Outcome.Status == protocol.Completed:
			j.Find(trace.Finding{
				Request: x.Number, Answer: x.Number,
				Message:  "a turn that paused was reported as the answer",
				Expected: "the turn goes back, and the provider goes on",
				Actual:   r.DescribeEnd(),
			})
		case next == nil: // it gave up, and says so
		default:
			j.HasEvidence = true
			if last := lastBeside(next.Request, wire.System); last.Role != wire.Assistant { // instructions may be after it
				j.FindAt(next, last.Node.Pointer(),
					"after a turn that paused the request does not end with that turn",
					"the turn as the last message",
					rules.Show(last.Node))
			}
		}
	}
	return j
}

// lastBeside returns the last message of a request that is not of a role, or else the last.
func lastBeside(req *wire.Request, role wire.Role) wire.Message {
	for _, m := range slices.Backward(req.Messages) {
		if m.Role != role {
			return m
		}
	}
	return req.Messages[len(req.Messages)-1]
}
