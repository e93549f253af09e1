package responsesrules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const mcpGuide = "https://platform.openai.com/docs/guides/tools-connectors-mcp"

var approves = []protocol.Feature{protocol.Approvals}

// approvals are the rules about calls of a server of MCP about which the provider asks the user.
var approvals = []rules.Rule{
	{
		ID:       "pairing/approvals-answered",
		Level:    trace.Must,
		Needs:    approves,
		Text:     "The request after a turn with approval requests answers each of them once.",
		Why:      "Without an answer the provider does not make the call: the run hangs, or ends as if there had been no request.",
		Evidence: "what a loop did after a turn with an approval request",
		Sources: []rules.Source{
			{URL: mcpGuide, Says: "respond to an mcp_approval_request with an mcp_approval_response item"},
			{URL: responsesSchemas, Says: "MCPApprovalResponse"},
		},
		Run: approvalsAnswered,
	},
	{
		ID:       "pairing/approvals-name-their-question",
		Level:    trace.Must,
		Needs:    approves,
		Text:     "An approval response names an approval request of the provider, by the id of its item.",
		Why:      "The provider refuses a response to no request.",
		Evidence: "a request with an approval response",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "MCPApprovalResponse: approval_request_id, the ID of the approval request being answered"},
		},
		Run: eachApproval(func(r *rules.Run, x *trace.Exchange, answer *wire.Node) (trace.Finding, bool) {
			id := answer.Get("approval_request_id")
			_, known := questionBefore(r, x, id.Text())
			return trace.Finding{Message: "an answer names no question of the provider", Expected: "the id of a question", Actual: rules.Show(id)}, !known
		}),
	},
	{
		ID:       "execution/approval-as-the-user-said",
		Level:    trace.Must,
		Needs:    approves,
		Text:     "An approval request is answered as the user decided: a call that was not allowed is denied.",
		Why:      "The provider books, buys or deletes what nobody allowed.",
		Evidence: "a request with an approval response",
		Sources: []rules.Source{
			{URL: mcpGuide, Says: "approvals: review what is shared before it happens"},
		},
		Run: eachApproval(func(r *rules.Run, x *trace.Exchange, answer *wire.Node) (f trace.Finding, wrong bool) {
			asked, known := questionBefore(r, x, answer.Get("approval_request_id").Text())
			said := answer.Get("approve")
			if !known || !said.Is(wire.Bool) {
				return f, false
			}
			return trace.Finding{
				Message:  fmt.Sprintf("the question about %s is answered otherwise than the user would", asked.Name),
				Expected: fmt.Sprint(!asked.Denied), Actual: rules.Show(said),
			}, said.True() == asked.Denied
		}),
	},
	{
		ID:       "egress/approval-form",
		Level:    trace.Must,
		Needs:    approves,
		Text:     "The approve of an approval response is true or false, and its reason, if it has one, is a string.",
		Why:      "The provider refuses a string in place of the flag, and a response without it.",
		Evidence: "a request with an approval response",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "MCPApprovalResponse: required are type, approve, approval_request_id"},
		},
		Run: eachApproval(func(_ *rules.Run, _ *trace.Exchange, answer *wire.Node) (trace.Finding, bool) {
			said, reason := answer.Get("approve"), answer.Get("reason")
			wrong := !said.Is(wire.Bool) || isGiven(reason) && !reason.Is(wire.String)
			return trace.Finding{Message: "an approval response does not have the form that the provider takes", Expected: `"approve":true or "approve":false`, Actual: rules.Show(answer)}, wrong
		}),
	},
}

// approvalsAnswered counts the answers in the request after the question.
func approvalsAnswered(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		if !x.Turn.AsksApproval() {
			continue
		}
		next := r.Next(x)
		if next == nil && (r.Outcome == nil || r.EndedByCancel()) {
			continue
		}
		j.HasEvidence = true
		for _, asked := range x.Turn.Answer.Approvals() {
			f := trace.Finding{Request: x.Number, Expected: "one mcp_approval_response for " + asked.ID}
			if next == nil {
				f.Message, f.Actual = "the loop ended at a question of the provider", r.DescribeEnd()
				j.Find(f)
				break
			}
			times := 0
			eachItem(next.Request, func(item *wire.Node, kind string) {
				if kind == approvalResponse && item.Get("approval_request_id").Text() == asked.ID {
					times++
				}
			})
			if answersNothingAsked(r, next) || times == 1 {
				continue
			}
			f.Request, f.Pointer = next.Number, "/input"
			f.Message, f.Actual = fmt.Sprintf("the question about %s is answered %d times", asked.Name, times), rules.Plural(times, "answer")
			j.Find(f)
		}
	}
	return j
}

const approvalResponse = "mcp_approval_response"

// answersNothingAsked reports whether a request has an answer that names no question, for which
// there is another rule.
func answersNothingAsked(r *rules.Run, x *trace.Exchange) (is bool) {
	eachItem(x.Request, func(item *wire.Node, kind string) {
		if kind == approvalResponse {
			_, known := questionBefore(r, x, item.Get("approval_request_id").Text())
			is = is || !known
		}
	})
	return is
}

// questionBefore returns the question of an id that the provider asked before a request.
func questionBefore(r *rules.Run, before *trace.Exchange, id string) (wire.ProviderItem, bool) {
	for _, answer := range answersBefore(r, before) {
		asked := answer.Approvals()
		if i := slices.IndexFunc(asked, func(p wire.ProviderItem) bool { return p.ID == id }); i >= 0 {
			return asked[i], true
		}
	}
	return wire.ProviderItem{}, false
}

// eachApproval judges every answer to a question.
func eachApproval(wrong func(r *rules.Run, x *trace.Exchange, answer *wire.Node) (trace.Finding, bool)) func(*rules.Run) rules.CheckResult {
	return func(r *rules.Run) (j rules.CheckResult) {
		for _, x := range r.Conversation() {
			eachItem(x.Request, func(item *wire.Node, kind string) {
				if kind != approvalResponse {
					return
				}
				j.HasEvidence = true
				if f, is := wrong(r, x, item); is {
					f.Request, f.Pointer = x.Number, item.Pointer()
					j.Find(f)
				}
			})
		}
		return j
	}
}
