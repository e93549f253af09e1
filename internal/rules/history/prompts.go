package history

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var promptRules = []rules.Rule{
	{
		ID:          "history/prompts-sent",
		Level:       trace.Must,
		Text:        "The prompts of the user reach the model unchanged and in order, whatever the loop adds. To leave out letters that nobody sees, or to write line ends otherwise, breaks a should.",
		Why:         "Otherwise the model answers another question.",
		Needs:       wholeHistory,
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request of the task",
		OverAPIs:    true,
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/conversation-state", Says: "the whole history goes with every request"},
			{URL: "https://github.com/coder/coder/pull/23525", Says: "a loop that removes invisible letters from prompts, by design"},
			{URL: "https://github.com/microsoft/agent-framework/pull/4716", Says: "a repeated message of the user, such as yes, was dropped as a duplicate"},
			{URL: rules.WorkingDocs, Says: "Messages is stateless: the whole history goes with every request"},
			{URL: rules.GeminiRequestDocs, Says: "contents: of several turns, the history and the latest request"},
		},
		Run: promptsSent,
	},
	{
		ID:          "history/prompts-alone",
		Level:       trace.Should,
		Text:        "A prompt is a separate message, or a separate part of one: no date, tag, context or other prompt is in the same text.",
		Why:         "The model treats text of the loop as text of the user.",
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request of the task",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/conversation-state", Says: "each turn of the user is a message"},
			{URL: "https://github.com/langchain-ai/langchain/blob/master/libs/core/langchain_core/messages/utils.py", Says: "merge_message_runs joins messages of one role, on purpose: so no must"},
		},
		Run: promptsAlone,
	},
}

// promptsSent looks for each prompt in what the user says, in their order. A loop may say more in
// the user's name, and join what the user says, but not change the words.
func promptsSent(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Conversation() {
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request) && x.Kept() == 0
		var at spot
		for _, prompt := range due(r, x) {
			next, found := find(x.Request, at, prompt)
			if !found {
				f := missingPrompt(x, at.behind(), prompt)
				if _, said := find(x.Request, spot{}, prompt); !said && rules.Cleaned(x.Request, prompt, wire.User) {
					f.Level = trace.Should
				}
				j.Find(f)
				break
			}
			at = next
		}
	}
	if len(j.Findings) == 0 {
		j.Add(promptsForgotten(r))
	}
	return j
}

// promptsForgotten looks for prompts that were never sent in a run that is said to be done.
func promptsForgotten(r *rules.Run) (j rules.CheckResult) {
	if len(r.Conversation()) == 0 || r.Outcome == nil || r.Outcome.Status != protocol.Completed || r.NeverResumed() {
		return j
	}
	if last := r.Last(); last != nil && r.HungUp(last) { // it may have been tried
		return j
	}
	due := map[string]int{}
	for _, prompt := range r.Task.Prompts {
		if due[prompt]++; timesSent(r, prompt) < due[prompt] {
			f := trace.Finding{
				Message:  "the run was reported as completed, and a prompt was never sent",
				Expected: rules.Quote(prompt) + again(due[prompt]),
				Actual:   r.DescribeEnd(),
			}
			if s := r.Steering; s != nil && r.Task.Prompts[s.Prompt] == prompt && saidInResult(r, prompt) {
				f.Level = trace.Should
			}
			j.Find(f)
		}
	}
	return j
}

// saidInResult reports whether a prompt is part of the result of a tool, where some loops put what
// the user says while tools run. The model may take it for words of the tool.
func saidInResult(r *rules.Run, prompt string) bool {
	return slices.ContainsFunc(r.Conversation(), func(x *trace.Exchange) bool {
		return slices.ContainsFunc(x.Request.Messages, func(m wire.Message) bool {
			return slices.ContainsFunc(m.Results, func(res wire.Result) bool { return rules.ContainsText(res.Content.Text, prompt) })
		})
	})
}

// again says how often a prompt is in the task so far, if it is not the first of its words.
func again(times int) string {
	if times == 1 {
		return ""
	}
	return " " + rules.Plural(times, "time")
}

// timesSent returns how often a loop sent a prompt: as often as a request has it, or, for a loop
// that forgets, as often as it began with it anew behind an answer.
func timesSent(r *rules.Run, prompt string) (times int) {
	anew, answered := 0, true
	for _, x := range r.Conversation() {
		said := 0
		for at, found := find(x.Request, spot{}, prompt); found; at, found = find(x.Request, at, prompt) {
			said++
		}
		if said > 0 && answered {
			anew++
		}
		times = max(times, said)
		answered = x.Turn == nil || !x.Turn.Asks()
	}
	return max(times, anew)
}

// spot is a place in what the user says in a request: after so many bytes of a message.
type spot struct{ message, offset int }

// after returns the index of the message that comes next.
func (s spot) behind() int {
	if s.offset > 0 {
		return s.message + 1
	}
	return s.message
}

// find returns the place after a prompt in what the user says from a place on, and false when it is
// not said there.
func find(req *wire.Request, from spot, prompt string) (spot, bool) {
	prompt = strings.TrimSpace(prompt)
	for i := from.message; i < len(req.Messages); i++ {
		m := req.Messages[i]
		if m.Role != wire.User {
			continue
		}
		offset := 0
		if i == from.message {
			offset = from.offset
		}
		if at := strings.Index(m.Content.Text[offset:], prompt); at >= 0 {
			return spot{i, offset + at + len(prompt)}, true
		}
	}
	return from, false
}

// promptsAlone looks at the prompts that promptsSent finds.
func promptsAlone(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Conversation() {
		var at spot
		left := textsOfUser(x.Request)
		for _, prompt := range due(r, x) {
			next, found := find(x.Request, at, prompt)
			if !found {
				break
			}
			at = next
			j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request) && x.Kept() == 0
			alone := slices.IndexFunc(left, func(t userText) bool { return t.is(prompt) })
			if m := x.Request.Messages[at.message]; alone < 0 && !besideUnanswered(r, x, m) {
				j.FindAt(x, m.Node.Get("content").Pointer(),
					"a prompt of the user has other words alongside it",
					rules.Quote(prompt)+" in a text of its own",
					rules.Quote(m.Content.Text))
				break
			}
			if alone < 0 {
				left = slices.DeleteFunc(left, func(t userText) bool { return t.message <= at.message })
				continue
			}
			left = left[alone+1:]
		}
	}
	return j
}

// userText is a text that stands by itself in what the user says: a part of a message, or all of
// it.
type userText struct {
	message int // its index
	text    string
}

func (t userText) is(text string) bool { return strings.TrimSpace(t.text) == strings.TrimSpace(text) }

// textsOfUser returns these texts of a request, in their order. Where the roles have to take turns,
// several prompts are parts of one message.
func textsOfUser(req *wire.Request) (texts []userText) {
	for i, m := range req.Messages {
		if m.Role != wire.User {
			continue
		}
		whole := userText{i, m.Content.Text}
		known := false
		for _, p := range m.Content.Parts {
			texts = append(texts, userText{i, p.Text})
			known = known || whole.is(p.Text)
		}
		if !known {
			texts = append(texts, whole)
		}
	}
	return texts
}

// besideUnanswered reports whether a message has a prompt in it that got no answer: where the roles
// have to take turns, the next one can be nowhere else.
func besideUnanswered(r *rules.Run, x *trace.Exchange, m wire.Message) bool {
	for n, prompt := range r.Task.Prompts {
		if r.Unanswered(n, x) && strings.Contains(m.Content.Text, prompt) {
			return true
		}
	}
	return false
}

// due returns the prompts that a request has to carry: one more than it returns answers, as far as
// there are any. One that got no answer may be there or not once the user has continued. It is
// undefined what has to be between a cancel and the next prompt.
func due(r *rules.Run, x *trace.Exchange) []string {
	if forgotTheStart(r, x) {
		return nil
	}
	returned := map[int]bool{} // the messages that return an answer: one that was asked for again, since it could not be read, is there once
	for _, y := range r.Served() {
		if y.Number >= x.Number || !y.Turn.Final() {
			continue
		}
		for i := range x.Request.Messages {
			if m := &x.Request.Messages[i]; m.Role == wire.Assistant && !returned[i] && rules.SameAnswerText(y.Turn.Answer, m) {
				returned[i] = true
				break
			}
		}
	}
	due := 1 + len(returned)
	var owed []string
	for n, prompt := range r.Task.Prompts {
		if r.Unanswered(n, x) {
			continue
		}
		if len(owed) == due || cancelledBefore(r, n, x) {
			break
		}
		owed = append(owed, prompt)
	}
	return owed
}

// cancelledBefore reports whether the user had cancelled a prompt when a request was made.
func cancelledBefore(r *rules.Run, prompt int, x *trace.Exchange) bool {
	return r.Cancel != nil && x.Number > r.Cancel.Request && r.PromptOf(r.Exchange(r.Cancel.Request)) == prompt
}

// forgotTheStart reports whether a request begins with a later prompt than the first one that was
// answered, and without the answer to it. That answers-come-back says; what was said to the model
// before, it was told then.
func forgotTheStart(r *rules.Run, x *trace.Exchange) bool {
	first := 0
	for first < len(r.Task.Prompts)-1 && r.Unanswered(first, x) {
		first++
	}
	prompt := r.Task.Prompts[first]
	return !x.Request.UserSays(prompt) && slices.ContainsFunc(r.Served(), func(y *trace.Exchange) bool {
		return y.Number < x.Number && y.Turn.Final() && y.Request.UserSays(prompt)
	})
}

// missingPrompt shows the message that most likely was to be the prompt: one that has it in it, or
// else the first of the user after the prompts that were found.
func missingPrompt(x *trace.Exchange, from int, prompt string) trace.Finding {
	var said []string
	var instead *wire.Message
	for i, m := range x.Request.Messages {
		if m.Role != wire.User || len(m.Results) > 0 && m.Content.Text == "" {
			continue
		}
		said = append(said, rules.Quote(m.Content.Text))
		if i >= from && (instead == nil || strings.Contains(m.Content.Text, prompt)) {
			instead = &x.Request.Messages[i]
		}
	}
	if instead == nil {
		return trace.Finding{
			Request:  x.Number,
			Pointer:  x.Request.HistoryPointer(),
			Message:  "a prompt of the user is missing, or not in its place",
			Expected: rules.Quote(prompt),
			Actual:   "the user says " + rules.List(said),
		}
	}
	return trace.Finding{
		Request:  x.Number,
		Pointer:  instead.Node.Get("content").Pointer(),
		Message:  "the words of the user are other ones",
		Expected: rules.Quote(prompt),
		Actual:   rules.Quote(instead.Content.Text),
	}
}
