package pairing

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// idRules are the rules of the area pairing about the ids themselves.
var idRules = []rules.Rule{
	{
		ID:        "pairing/result-carries-its-call-id",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "The result of a call carries the id of that call, not that of a sibling; without ids, results of one tool are in the order of its calls.",
		Why:       "The model reads the weather of Lima as that of Oslo.",
		Needs:     rules.SeesTools,
		Invariant: true,
		Evidence:  "a request with the results of two calls of one turn that differ",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/issues/4936", Says: "a result attached to the wrong call"},
			{URL: "https://github.com/firebase/genkit/issues/3248", Says: "results swapped between calls"},
			{URL: "https://github.com/CherryHQ/cherry-studio/pull/16921", Says: "Gemini 2.5 calls a tool twice without ids: results by name alone are mixed up"},
		},
		Run: resultCarriesItsCallID,
	},
	{
		ID:        "pairing/ids-present",
		ShowsTurn: true,
		Level:     trace.Should,
		Text:      "Every tool call and every tool result carries an id that is not blank.",
		Why:       "The id is required, and OpenAI refuses a request without it. Providers that give no ids need none.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/api-reference/chat/create", Says: "id and tool_call_id are required"},
			{URL: "https://github.com/vercel/ai/issues/2178", Says: "the 400 of OpenAI"},
		},
		Vars:    []string{"at", "index", "call", "key", "found"},
		Request: idsPresent,
	},
	{
		ID:        "pairing/ids-echoed",
		Where:     rules.WithCallIDs,
		ShowsTurn: true,
		Level:     trace.Should,
		Text:      "A call goes back under the id that the model gave it.",
		Why:       "Ids are opaque; a loop with its own ids, such as the name of the tool, soon has two calls with the same id. Not a must: providers only require that a result has the id of its call.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn with tool calls",
		Sources: []rules.Source{
			{URL: "https://github.com/firebase/genkit/issues/3248", Says: "the tool's name sent as the id of the call"},
			{URL: "https://openrouter.ai/docs/features/tool-calling", Says: "the assistant message goes back as it came"},
		},
		Run: idsEchoed,
	},
	{
		ID:        "pairing/ids-distinct",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "Two calls of one turn do not share an id.",
		Why:       "Their results share it, too, and providers refuse the second one.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with two tool calls in one assistant message",
		Sources: []rules.Source{
			{URL: "https://github.com/agno-agi/agno/issues/5116", Says: "the 400 of OpenAI for two results of one id"},
			{URL: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py", Says: "the check of Mistral"},
			{URL: "https://github.com/firebase/genkit/issues/3248", Says: "the tool's name sent as the id of each call"},
		},
		Vars:     []string{"at", "id", "index", "call"},
		Request:  idsDistinct,
		Provider: idsDistinctToProvider,
	},
	{
		ID:        "pairing/repeated-ids-kept-apart",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "When a provider repeats an id in a later turn, each turn keeps its own call and its own result.",
		Why:       "Several providers count from zero in every turn; a loop that keys results by id loses or swaps them.",
		Returned:  true,
		Evidence:  "a request that carries two turns whose calls share an id",
		Sources: []rules.Source{
			{URL: "https://github.com/open-webui/open-webui/issues/28570", Says: "search_web:0 in two rounds"},
			{URL: "https://github.com/sipeed/picoclaw/issues/2528", Says: "call_0 in every turn"},
		},
		Run: repeatedIDsKeptApart,
	},
}

func resultCarriesItsCallID(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.Answered() {
		for n, call := range e.Turn.Answer.Calls {
			res, ok := e.Result(n)
			if !ok {
				continue
			}
			if sibling, ok := showsImageOf(r, e, n, res); ok {
				j.FindAt(e.In, res.Node.Pointer(),
					fmt.Sprintf("the image in the result %s %s is that of %s", whose(call), call.As, sibling.As),
					"the image that the tool returned for "+cmp.Or(call.ID, call.As),
					"the one that it returned for "+cmp.Or(sibling.ID, sibling.As))
				continue
			}
			if !hasSibling(r, e, n) {
				continue
			}
			j.HasEvidence = true
			if sibling, ok := r.MistakenFor(e, n, res.Content.Text); ok {
				j.FindAt(e.In, res.Node.Pointer(),
					fmt.Sprintf("the result %s %s is that of %s", whose(call), call.As, sibling.As),
					fmt.Sprintf("%s for %s", rules.Quote(r.ResultOf(e, n)), cmp.Or(call.ID, call.As)),
					rules.Quote(res.Content.Text))
			}
		}
	}
	return j
}

// showsImageOf returns the call of the same turn whose image a result has, and not the one of its
// own call. It can tell only where the loop sends images as they came.
func showsImageOf(r *rules.Run, e rules.ReturnedTurn, n int, res wire.Result) (wire.AnswerCall, bool) {
	isOf := func(call int) bool {
		if !r.ShowsImage(e, call) {
			return false
		}
		returned := r.CallRun(e, call).Executions[0].Image
		return slices.ContainsFunc(res.Content.Parts, func(p wire.Part) bool {
			sent, ok := e.In.Request.Dialect.ImageIn(p)
			return ok && bytes.Equal(sent.Data, returned.Data)
		})
	}
	for other, sibling := range e.Turn.Answer.Calls {
		if other != n && isOf(other) && !isOf(n) {
			return sibling, true
		}
	}
	return wire.AnswerCall{}, false
}

// whose continues "the result" with how a result is assigned to a call.
func whose(call wire.AnswerCall) string {
	if call.ID == "" {
		return "in the place of"
	}
	return "under the id of"
}

// hasSibling reports whether the result of a call differs from that of another call of its turn.
func hasSibling(r *rules.Run, e rules.ReturnedTurn, n int) bool {
	own := r.ResultOf(e, n)
	for other := range e.Turn.Answer.Calls {
		theirs := r.ResultOf(e, other)
		if other != n && own != "" && (theirs != "" && theirs != own || r.ShowsImage(e, other)) {
			return true
		}
	}
	return false
}

func idsPresent(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	missing := func(n *wire.Node, key string, m wire.Message, call int) {
		j.Find(trace.Finding{
			Pointer:  n.Pointer(),
			Message:  "there is no " + key,
			Expected: "an id that is not blank",
			Actual:   rules.Show(n.Get(key)),
			Vars:     map[string]string{"key": key, "found": rules.KindOf(n.Get(key)), "at": rules.Dotted(n), "index": rules.IndexOf(m), "call": strconv.Itoa(call)},
		})
	}
	for _, m := range req.Messages {
		for c, call := range m.Calls {
			j.HasEvidence = true
			if strings.TrimSpace(call.ID) == "" {
				missing(call.Node, "id", m, c)
			}
		}
		for _, r := range m.Results {
			j.HasEvidence = true
			if strings.TrimSpace(r.CallID) == "" {
				missing(r.Node, rules.ResultIDKey(req), m, 0)
			}
		}
	}
	return j
}

// sharedID returns the values by which a finding names the n-th call of a message and the id that
// it shares with another one.
func sharedID(m wire.Message, n int, id string) map[string]string {
	return map[string]string{"at": rules.Dotted(m.Calls[n].Node), "id": id, "index": rules.IndexOf(m), "call": strconv.Itoa(n)}
}

func idsDistinct(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, m := range req.Messages {
		seen := map[string]int{}
		for n, c := range m.Calls {
			j.HasEvidence = j.HasEvidence || n > 0
			id := EndOf(c.ID, p.Accepts.CallIDEnd)
			if first, again := seen[id]; again && id != "" {
				message := fmt.Sprintf("two calls of one turn share the id %q", id)
				if id != c.ID {
					message = fmt.Sprintf("the ids of two calls of one turn end with %q, and the provider looks at no more of them", id)
				}
				j.Find(trace.Finding{
					Pointer:  c.Node.Pointer() + "/id",
					Message:  message,
					Expected: "an id of its own",
					Actual:   fmt.Sprintf("the id of call %d", first),
					Vars:     sharedID(m, n, id),
				})
			}
			seen[id] = n
		}
	}
	return j
}

// idsDistinctToProvider is what a provider sees where turns have no bounds of their own: one that
// joins the messages of the model in a row looks at all of them, and one that wants distinct ids
// overall at the whole request. That a turn occurs twice in the history is for turns-once to say.
func idsDistinctToProvider(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	form := req.Dialect.Request
	if !form.IDsDistinct && !form.RolesJoin {
		return idsDistinct(p, req)
	}
	seen := map[string]bool{}
	for _, m := range req.Messages {
		if m.Role != wire.Assistant && !form.IDsDistinct {
			clear(seen)
		}
		for n, c := range m.Calls {
			if seen[c.ID] && c.ID != "" {
				j.Find(trace.Finding{Pointer: c.Node.Pointer() + "/id", Message: "an id that comes twice", Vars: sharedID(m, n, c.ID)})
			}
			seen[c.ID] = true
		}
	}
	return j
}

// EndOf returns the last characters of an id; 0 means all of them.
func EndOf(id string, characters int) string {
	if letters := []rune(id); characters > 0 && len(letters) > characters {
		return string(letters[len(letters)-characters:])
	}
	return id
}

func idsEchoed(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		if e.Message == nil || len(e.Message.Calls) != len(e.Turn.Answer.Calls) {
			continue
		}
		for n, call := range e.Turn.Answer.Calls {
			echoed := e.Message.Calls[n]
			if call.ID == "" || rules.IDRepeated(r, call.ID) || echoed.ID == "" || shared(*e.Message, echoed.ID) {
				continue // nothing to keep, good reason not to, or for ids-distinct to say
			}
			j.HasEvidence = true
			switch {
			case slices.Contains(rules.CallIDs(*e.Message), call.ID):
			case echoed.IDNode == nil:
				j.FindAt(e.In, echoed.Node.Pointer(), fmt.Sprintf("the call %s came back without its id", call.As), call.ID, "nothing")
			default:
				j.FindAt(e.In, echoed.IDNode.Pointer(),
					fmt.Sprintf("the call %s came back under another id", call.As),
					call.ID,
					echoed.ID)
			}
		}
	}
	return j
}

func shared(m wire.Message, id string) bool {
	count := 0
	for _, c := range m.Calls {
		if c.ID == id {
			count++
		}
	}
	return count > 1
}

func repeatedIDsKeptApart(r *rules.Run) (j rules.CheckResult) {
	given := map[string]*scenarios.Turn{}
	for _, e := range r.ReturnedCallTurns() {
		for n, call := range e.Turn.Answer.Calls {
			first, again := given[call.ID]
			given[call.ID] = e.Turn
			if !again || first == e.Turn {
				continue
			}
			j.HasEvidence = true
			if problem := lostRepeated(r, e, n); problem != "" {
				j.Find(trace.Finding{
					Request:  e.In.Number,
					Pointer:  e.In.Request.HistoryPointer(),
					Message:  fmt.Sprintf("the call %s has the id of an earlier turn, and %s", call.As, problem),
					Expected: fmt.Sprintf("the call and its own result %s after it", rules.Quote(r.ToolOutput(call))),
					Actual:   rules.Plural(len(e.In.Request.Messages), "message"),
					Calls:    []string{call.ID},
				})
			}
		}
	}
	return j
}

// lostRepeated says what happened to a call whose id was used before, "" when all is well. What its
// result should be is known where the tool was seen to run; a very long one may have been cut, and
// what is between several blocks is for the loop to say.
func lostRepeated(r *rules.Run, e rules.ReturnedTurn, n int) string {
	message, _, ok := e.PlaceOfCall(n)
	if !ok {
		return "its turn did not come back"
	}
	var results []wire.Result
	for i := range e.In.Request.Messages[message+1:] { // a message between is for results-directly-follow
		m := &e.In.Request.Messages[message+1+i]
		if len(m.Calls) > 0 && !ofTheSameTurn(e, m) {
			break
		}
		results = append(results, m.Results...)
	}
	c := r.CallRun(e, n)
	known := c.ReturnedBefore(e.In.Start) && !LastRun(&c).Failed && LastRun(&c).Image == nil && !LastRun(&c).Several() && len(LastRun(&c).Said()) <= rules.LongResult
	switch {
	case len(results) == 0:
		return "its result is missing"
	case !known || slices.ContainsFunc(results, func(res wire.Result) bool { return rules.ContainsText(res.Content.Text, LastRun(&c).Said()) }):
		return ""
	default:
		return "its result is " + rules.Quote(results[0].Content.Text)
	}
}

// ofTheSameTurn reports whether a message has another call of a turn, which some loops write as
// several messages.
func ofTheSameTurn(e rules.ReturnedTurn, m *wire.Message) bool {
	return rules.SameID(e.Turn.Answer, m) && rules.SameCall(e.Turn.Answer, m)
}
