package hooks

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Request is what the loop is about to ask the model. The fault may change it; the history of the
// loop stays as it is.
type Request struct {
	*neutral.Request
	Number int // of the requests of the task, from 1

	// NextPrompt says that the user has said something since the request before.
	NextPrompt bool

	err   error             // with which the run ends instead
	world http.RoundTripper // through which it is sent
}

// NewRequest returns a request for a fault to change, that is sent through world. It is the number-th
// of its task.
func NewRequest(r *neutral.Request, number int, world http.RoundTripper) *Request {
	return &Request{Request: r, Number: number, world: world}
}

// Aborted reports whether the fault ended the run.
func (r *Request) Aborted() bool { return r.err != nil }

// Abort ends the run as if the loop had given up.
func (r *Request) Abort() { r.err = ErrAborted }

// AskAgain sends the request again, past everything that the loop does with answers.
func (r *Request) AskAgain() {
	dialect := refloop.DialectOf(r.Task)
	body, err := dialect.Write(r.Request)
	if err != nil {
		return
	}
	req, err := http.NewRequest(http.MethodPost, r.Task.BaseURL+dialect.Path(r.Request), bytes.NewReader(body))
	if err != nil {
		return
	}
	req.Header.Set("Content-Type", "application/json")
	dialect.Headers(r.Request, req.Header)
	if resp, err := r.world.RoundTrip(req); err == nil {
		resp.Body.Close()
	}
}

// Round is a turn of the model that called tools, with the results that follow it.
type Round struct {
	Turn    neutral.Message
	Results []*neutral.Result

	decided  []*neutral.Decision // about calls of the provider, which stay behind the turn
	instead  []neutral.Message
	replaced bool
}

// Calls returns the calls of the turn.
func (r *Round) Calls() []*neutral.Call { return r.Turn.Calls() }

// Messages returns the messages of the round as it is.
func (r *Round) Messages() []neutral.Message {
	if len(r.Results) == 0 {
		return []neutral.Message{r.Turn}
	}
	return []neutral.Message{r.Turn, Answering(r.Results...)}
}

// Become replaces the messages of the round.
func (r *Round) Become(messages ...neutral.Message) { r.instead, r.replaced = messages, true }

// KeepParts keeps some parts of the turn.
func (r *Round) KeepParts(keep func(neutral.Part) bool) { r.Turn.Parts = KeepParts(r.Turn.Parts, keep) }

// Answering returns a message with results.
func Answering(results ...*neutral.Result) neutral.Message {
	m := neutral.Message{Role: neutral.Tool}
	for _, r := range results {
		m.Parts = append(m.Parts, r)
	}
	return m
}

// KeepParts returns some of the parts.
func KeepParts(parts []neutral.Part, keep func(neutral.Part) bool) []neutral.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p neutral.Part) bool { return !keep(p) })
}

// IsCall reports whether a part is a call.
func IsCall(p neutral.Part) bool { _, is := p.(*neutral.Call); return is }

// IsText reports whether a part is a text.
func IsText(p neutral.Part) bool { _, is := p.(*neutral.Text); return is }

// IsReasoning reports whether a part is reasoning.
func IsReasoning(p neutral.Part) bool { _, is := p.(*neutral.Reasoning); return is }

// EachRound changes every turn that called tools, and its results.
func (r *Request) EachRound(change func(*Round)) {
	var all []neutral.Message
	for i := 0; i < len(r.Messages); i++ {
		m := r.Messages[i]
		if m.Role != neutral.Assistant || len(m.Calls()) == 0 {
			all = append(all, m)
			continue
		}
		round := &Round{Turn: m}
		for i+1 < len(r.Messages) && r.Messages[i+1].Role == neutral.Tool {
			i++
			round.Results = append(round.Results, r.Messages[i].Results()...)
			round.decided = append(round.decided, neutral.Of[*neutral.Decision](r.Messages[i].Parts)...)
		}
		change(round)
		messages := round.Messages()
		if round.replaced {
			messages = round.instead
		}
		all = append(all, round.withDecisions(messages)...)
	}
	r.Messages = all
}

// withDecisions returns messages of a round with what the user decided about calls of the provider,
// behind its turn.
func (r *Round) withDecisions(messages []neutral.Message) []neutral.Message {
	if len(r.decided) == 0 || len(messages) == 0 {
		return messages
	}
	said := neutral.Message{Role: neutral.Tool}
	for _, d := range r.decided {
		said.Parts = append(said.Parts, d)
	}
	return slices.Insert(slices.Clone(messages), 1, said)
}

// Rounds returns how many turns called tools.
func (r *Request) Rounds() int {
	rounds := 0
	for _, m := range r.Messages {
		if m.Role == neutral.Assistant && len(m.Calls()) > 0 {
			rounds++
		}
	}
	return rounds
}

// Each changes every message of a role.
func (r *Request) Each(role neutral.Role, change func(*neutral.Message)) {
	for i := range r.Messages {
		if r.Messages[i].Role == role {
			change(&r.Messages[i])
		}
	}
}

// EachPart changes every part of a type in the history.
func EachPart[T neutral.Part](r *Request, change func(T)) {
	for _, m := range r.Messages {
		for _, p := range neutral.Of[T](m.Parts) {
			change(p)
		}
	}
}

// Drop drops messages from the history.
func (r *Request) Drop(drop func(neutral.Message) bool) {
	r.Messages = slices.DeleteFunc(slices.Clone(r.Messages), drop)
}

// Add puts messages after the history.
func (r *Request) Add(messages ...neutral.Message) { r.Messages = append(r.Messages, messages...) }

// Say lets the user say something after the history: alongside the results of tools, where these
// are there.
func (r *Request) Say(text string) {
	last := len(r.Messages) - 1
	if last < 0 || r.Messages[last].Role != neutral.Tool {
		r.Add(neutral.Says(neutral.User, text))
		return
	}
	r.Messages[last].Parts = append(r.Messages[last].Parts, &neutral.Text{Text: text})
}

// Begin puts messages before the history.
func (r *Request) Begin(messages ...neutral.Message) {
	r.Messages = slices.Concat(messages, r.Messages)
}

// OnRequest changes what the loop asks the model.
func OnRequest(change func(*Request)) func() Mutation {
	return func() Mutation { return Mutation{Request: change} }
}

// EachRound changes every turn that called tools, and its results.
func EachRound(change func(*Round)) func() Mutation {
	return OnRequest(func(r *Request) { r.EachRound(change) })
}

// EachCall changes every call in the history.
func EachCall(change func(*neutral.Call)) func() Mutation {
	return OnRequest(func(r *Request) { EachPart(r, change) })
}

// EachResult changes every result in the history.
func EachResult(change func(*neutral.Result)) func() Mutation {
	return OnRequest(func(r *Request) { EachPart(r, change) })
}

// EachTurn changes every turn of the model in the history.
func EachTurn(change func(*neutral.Message)) func() Mutation {
	return OnRequest(func(r *Request) { r.Each(neutral.Assistant, change) })
}

// EachPrompt changes what the user said, but for what shows images.
func EachPrompt(change func(r *Request, said *neutral.Text)) func() Mutation {
	return OnRequest(func(r *Request) {
		r.Each(neutral.User, func(m *neutral.Message) {
			if said := neutral.Of[*neutral.Text](m.Parts); len(m.Parts) == 1 && len(said) == 1 {
				change(r, said[0])
			}
		})
	})
}

// EachTool changes every tool that a request offers.
func EachTool(change func(r *Request, t *protocol.Tool)) func() Mutation {
	return OnRequest(func(r *Request) {
		for i := range r.Tools {
			change(r, &r.Tools[i])
		}
	})
}

// BehindResults puts a message of the loop's own after the results of every turn.
func BehindResults(r *Request, m neutral.Message) {
	r.EachRound(func(round *Round) { round.Become(append(round.Messages(), m)...) })
}

// InLongRuns changes the requests of long runs.
func InLongRuns(change func(*Request)) func() Mutation {
	return OnRequest(func(r *Request) {
		if r.Rounds() >= LongRun {
			change(r)
		}
	})
}

// LastInTurns puts the parts of every turn into another order, those of a kind last.
func LastInTurns(last func(neutral.Part) bool) func() Mutation {
	return EachTurn(func(m *neutral.Message) {
		m.Parts = slices.Concat(KeepParts(m.Parts, func(p neutral.Part) bool { return !last(p) }), KeepParts(m.Parts, last))
	})
}

// IsForeign reports whether the loop does not know a part, of a type where one is given.
func IsForeign(p neutral.Part, kind string) bool {
	f, is := p.(*neutral.Foreign)
	return is && (kind == "" || neutral.Keys(f.Raw).Text("type") == kind)
}
