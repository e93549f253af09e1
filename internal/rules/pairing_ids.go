package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// pairingIDs are the rules of the area pairing about the ids themselves.
var pairingIDs = []Rule{
	{
		ID:        "pairing/result-carries-its-call-id",
		Level:     Must,
		Text:      "The result of a call carries the id of that call, not that of a sibling.",
		Why:       "The model reads the weather of Lima as that of Oslo.",
		Needs:     seesTools,
		Invariant: true,
		Evidence:  "a request with the results of two calls of one turn that differ",
		Sources: []Source{
			{"https://github.com/vercel/ai/issues/4936", "a result attached to the wrong call"},
			{"https://github.com/firebase/genkit/issues/3248", "results swapped between calls"},
		},
		Run: resultCarriesItsCallID,
	},
	{
		ID:        "pairing/ids-present",
		Level:     Should,
		Text:      "Every tool call and every tool result carries an id that is not blank.",
		Why:       "The id is a required parameter, and OpenAI refuses a request without it; who gives no ids takes none back.",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []Source{
			{"https://platform.openai.com/docs/api-reference/chat/create", "id and tool_call_id are required"},
			{"https://github.com/vercel/ai/issues/2178", "the 400 of OpenAI"},
		},
		Vars:    []string{"at", "index", "call", "key", "found"},
		Request: idsPresent,
	},
	{
		ID:        "pairing/ids-echoed",
		Level:     Should,
		Text:      "A call goes back under the id that the model gave it.",
		Why:       "Ids are opaque; a loop that makes up its own, such as the name of the tool, soon has two calls of one id. No must: providers only want a result to have the id of its call.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn with tool calls",
		Sources: []Source{
			{"https://github.com/firebase/genkit/issues/3248", "the tool's name sent as the id of the call"},
			{"https://openrouter.ai/docs/features/tool-calling", "the assistant message goes back as it came"},
		},
		Run: idsEchoed,
	},
	{
		ID:        "pairing/ids-distinct",
		Level:     Must,
		Text:      "Two calls of one turn do not share an id.",
		Why:       "Their results share it too, and providers refuse the second one.",
		Invariant: true,
		Evidence:  "a request with two tool calls in one assistant message",
		Sources: []Source{
			{"https://github.com/agno-agi/agno/issues/5116", "the 400 of OpenAI for two results of one id"},
			{"https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py", "the check of Mistral"},
			{"https://github.com/firebase/genkit/issues/3248", "the tool's name sent as the id of each call"},
		},
		Vars:     []string{"at", "id", "index", "call"},
		Request:  idsDistinct,
		Provider: idsDistinctOverall,
	},
	{
		ID:       "pairing/repeated-ids-kept-apart",
		Level:    Must,
		Text:     "When a provider gives the same id in a later turn again, each turn keeps its own call and its own result.",
		Why:      "Several providers count from zero in every turn; a loop that keys results by id loses or swaps them.",
		Returned: true,
		Evidence: "a request that carries two turns whose calls share an id",
		Sources: []Source{
			{"https://github.com/open-webui/open-webui/issues/28570", "search_web:0 in two rounds"},
			{"https://github.com/sipeed/picoclaw/issues/2528", "call_0 in every turn"},
		},
		Run: repeatedIDsKeptApart,
	},
}

func resultCarriesItsCallID(r *Run) (j Judged) {
	for _, e := range r.Answered() {
		for n, call := range e.Turn.Answer.Calls {
			res, ok := e.Result(n)
			if !ok || !r.hasSibling(e, n) {
				continue
			}
			j.Seen = true
			if sibling, ok := r.mistaken(e, n, res.Content.Text); ok {
				j.Find(Finding{
					Request:  e.In.Number,
					Pointer:  res.Node.Pointer(),
					Message:  fmt.Sprintf("the result under the id of %s is that of %s", call.As, sibling.As),
					Expected: fmt.Sprintf("%s for %s", quote(r.returnedBy(e, n)), call.ID),
					Actual:   quote(res.Content.Text),
				})
			}
		}
	}
	return j
}

// hasSibling reports whether the result of a call could be told from that of a sibling.
func (r *Run) hasSibling(e Echo, n int) bool {
	own := r.returnedBy(e, n)
	for other := range e.Turn.Answer.Calls {
		theirs := r.returnedBy(e, other)
		if other != n && own != "" && (theirs != "" && theirs != own || r.showsImage(e, other)) {
			return true
		}
	}
	return false
}

// mistaken returns the call of the same turn whose result was sent for the n-th. What stands there for a call that
// failed, or was never run, is the loop's own wording, and a very long result may have been cut: neither can be told.
func (r *Run) mistaken(e Echo, n int, sent string) (wire.AnswerCall, bool) {
	own := r.returnedBy(e, n)
	if own == "" || r.failed(e, n) || len(own) > long || contains(sent, own) {
		return wire.AnswerCall{}, false
	}
	for other, sibling := range e.Turn.Answer.Calls {
		if other == n || repeated(r, sibling.ID) {
			continue
		}
		theirs := r.returnedBy(e, other)
		if theirs != "" && contains(sent, theirs) || r.showsImage(e, other) && e.says(other, own) {
			return sibling, true
		}
	}
	return wire.AnswerCall{}, false
}

// showsImage reports whether the tool returned an image to the n-th call of a turn: what is said beside it is the loop's
// own wording.
func (r *Run) showsImage(e Echo, n int) bool {
	c := r.callRun(e, n)
	return len(c.Executions) > 0 && c.Executions[0].Image != nil
}

// says reports whether the result of the n-th call has a text in it.
func (e Echo) says(n int, text string) bool {
	res, ok := e.Result(n)
	return ok && contains(res.Content.Text, text)
}

// returnedBy returns what the tool said to the n-th call of a turn: in its run or, in a loop whose tools nobody sees,
// as the scenario has it. It is "" for a call that was not run, or cannot be.
func (r *Run) returnedBy(e Echo, n int) string {
	call := e.Turn.Answer.Calls[n]
	switch c := r.callRun(e, n); {
	case c.returnedBefore(e.In.Start):
		return c.Executions[0].Result
	case len(r.Executions) > 0 || c.Refusable || r.Script.Scenario.Trouble(call) != scenarios.NoTrouble:
		return ""
	default:
		return r.output(call)
	}
}

// failed reports whether the tool failed for the n-th call of a turn.
func (r *Run) failed(e Echo, n int) bool {
	if c := r.callRun(e, n); len(c.Executions) > 0 {
		return c.Executions[0].Failed
	}
	return r.fails(CallRun{Call: e.Turn.Answer.Calls[n]})
}

// output returns what the scenario's tool says to a call, "" when there is no such tool or no result that fits.
func (r *Run) output(c wire.AnswerCall) string {
	tool := r.Script.Scenario.Tool(c.Scripted())
	if tool == nil {
		return ""
	}
	if result, ok := tool.Answer(orNone(c.Arguments)); ok {
		return result.Output()
	}
	return ""
}

// repeated reports whether the script gives an id to more than one call.
func repeated(r *Run, id string) bool {
	count := 0
	for _, t := range r.Script.Turns {
		if t.Answer == nil {
			continue
		}
		for _, c := range t.Answer.Calls {
			if c.ID == id {
				count++
			}
		}
	}
	return count > 1
}

func idsPresent(_ *profiles.Profile, req *wire.Request) (j Judged) {
	missing := func(n *wire.Node, key string, m wire.Message, call int) {
		j.Find(Finding{
			Pointer:  n.Pointer(),
			Message:  "there is no " + key,
			Expected: "an id that is not blank",
			Actual:   show(n.Get(key)),
			Vars:     map[string]string{"key": key, "found": kindOf(n.Get(key)), "at": dotted(n), "index": placeOf(m), "call": strconv.Itoa(call)},
		})
	}
	for _, m := range req.Messages {
		for c, call := range m.Calls {
			j.Seen = true
			if strings.TrimSpace(call.ID) == "" {
				missing(call.Node, "id", m, c)
			}
		}
		for _, r := range m.Results {
			j.Seen = true
			if strings.TrimSpace(r.CallID) == "" {
				missing(r.Node, resultIDKey(req), m, 0)
			}
		}
	}
	return j
}

func idsDistinct(p *profiles.Profile, req *wire.Request) (j Judged) {
	for _, m := range req.Messages {
		seen := map[string]int{}
		for n, c := range m.Calls {
			j.Seen = j.Seen || n > 0
			id := endOf(c.ID, p.Accepts.CallIDEnd)
			if first, again := seen[id]; again && id != "" {
				message := fmt.Sprintf("two calls of one turn share the id %q", id)
				if id != c.ID {
					message = fmt.Sprintf("the ids of two calls of one turn end with %q, and the provider looks at no more of them", id)
				}
				j.Find(Finding{
					Pointer:  c.Node.Pointer() + "/id",
					Message:  message,
					Expected: "an id of its own",
					Actual:   fmt.Sprintf("the id of call %d", first),
					Vars:     map[string]string{"at": dotted(c.Node), "id": id, "index": placeOf(m), "call": strconv.Itoa(n)},
				})
			}
			seen[id] = n
		}
	}
	return j
}

// idsDistinctOverall is what Anthropic sees, which wants the ids of a whole request to be distinct. That a turn stands twice
// in the history is for turns-once to say.
func idsDistinctOverall(p *profiles.Profile, req *wire.Request) (j Judged) {
	if !req.Dialect.Request.IDsDistinct {
		return idsDistinct(p, req)
	}
	seen := map[string]bool{}
	eachCall(req, func(c wire.Call, vars map[string]string) {
		if seen[c.ID] && c.ID != "" {
			vars["id"] = c.ID
			j.Find(Finding{Pointer: c.Node.Pointer() + "/id", Message: "an id that comes twice", Vars: vars})
		}
		seen[c.ID] = true
	})
	return j
}

// endOf returns the last characters of an id; 0 means all of them.
func endOf(id string, characters int) string {
	if letters := []rune(id); characters > 0 && len(letters) > characters {
		return string(letters[len(letters)-characters:])
	}
	return id
}

func idsEchoed(r *Run) (j Judged) {
	for _, e := range r.AskingEchoes() {
		if e.Message == nil || len(e.Message.Calls) != len(e.Turn.Answer.Calls) {
			continue
		}
		for n, call := range e.Turn.Answer.Calls {
			echoed := e.Message.Calls[n]
			if call.ID == "" || repeated(r, call.ID) || echoed.ID == "" || shared(*e.Message, echoed.ID) {
				continue // nothing to keep, good reason not to, or for ids-distinct to say
			}
			j.Seen = true
			if !slices.Contains(callIDs(*e.Message), call.ID) {
				j.Find(Finding{
					Request:  e.In.Number,
					Pointer:  echoed.Node.Pointer() + "/id",
					Message:  fmt.Sprintf("the call %s came back under another id", call.As),
					Expected: call.ID,
					Actual:   echoed.ID,
				})
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

func repeatedIDsKeptApart(r *Run) (j Judged) {
	given := map[string]*scenarios.Turn{}
	for _, e := range r.AskingEchoes() {
		for n, call := range e.Turn.Answer.Calls {
			first, again := given[call.ID]
			given[call.ID] = e.Turn
			if !again || first == e.Turn {
				continue
			}
			j.Seen = true
			if problem := lostTwin(r, e, n); problem != "" {
				j.Find(Finding{
					Request:  e.In.Number,
					Pointer:  e.In.Request.HistoryPointer(),
					Message:  fmt.Sprintf("the call %s has the id of an earlier turn, and %s", call.As, problem),
					Expected: fmt.Sprintf("the call and its own result %s behind it", quote(r.output(call))),
					Actual:   plural(len(e.In.Request.Messages), "message"),
					Calls:    []string{call.ID},
				})
			}
		}
	}
	return j
}

// lostTwin says what became of a call whose id was used before, "" when all is well. What its result should be is known
// where the tool was seen to run.
func lostTwin(r *Run, e Echo, n int) string {
	if e.Message == nil || n >= len(e.Message.Calls) {
		return "its turn did not come back"
	}
	var results []wire.Result
	for _, m := range e.In.Request.Messages[e.Index+1:] { // a message between is for results-directly-follow
		if len(m.Calls) > 0 {
			break
		}
		results = append(results, m.Results...)
	}
	c := r.callRun(e, n)
	known := c.returnedBefore(e.In.Start) && !c.lastRun().Failed
	switch {
	case len(results) == 0:
		return "its result is missing"
	case !known || slices.ContainsFunc(results, func(res wire.Result) bool { return contains(res.Content.Text, c.lastRun().Said()) }):
		return ""
	default:
		return "its result is " + quote(results[0].Content.Text)
	}
}
