package hooks

import (
	"context"
	"errors"
	"net/http"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Answer is an answer of the model as it has been read. The fault may change its pieces, or how it
// ended.
type Answer struct{ *neutral.Answer }

// OK reports whether the answer has the status 200.
func (a *Answer) OK() bool { return a.Status == http.StatusOK }

// Text returns the text of the whole answer.
func (a *Answer) Text() string { return a.Turn().Said() }

// Calls returns the tool calls of the answer.
func (a *Answer) Calls() []*neutral.Call { return a.Turn().Calls() }

// Usage returns the tokens that the answer says it cost.
func (a *Answer) Usage() protocol.Usage {
	t := a.Turn()
	return protocol.Usage{InputTokens: t.InputTokens, OutputTokens: t.OutputTokens}
}

// Finish returns why the model stopped.
func (a *Answer) Finish() neutral.Finish { return a.Turn().Finish }

// SetFinish changes why the model stopped, wherever that is said.
func (a *Answer) SetFinish(f neutral.Finish) {
	for i := range a.Pieces {
		if a.Pieces[i].Finish != neutral.NoReason {
			a.Pieces[i].Finish, a.Pieces[i].Word = f, a.Dialect.Word(f)
		}
	}
}

// Complete ends an answer that broke off as if it had ended.
func (a *Answer) Complete(f neutral.Finish) {
	a.Pieces = append(a.Pieces, neutral.Piece{Finish: f, Word: a.Dialect.Word(f)})
	a.Err = nil
}

// SetCalls replaces all tool calls by others, which are where the first one was.
func (a *Answer) SetCalls(calls ...*neutral.Call) {
	places := map[string]bool{}
	var kept []neutral.Piece
	for _, p := range a.Pieces {
		if _, is := p.Part.(*neutral.Call); is {
			if places[p.At] = true; calls != nil {
				for _, c := range calls {
					kept = append(kept, neutral.Piece{At: "set " + c.ID, Part: c})
				}
				calls = nil
			}
		}
		if p.At == "" || !places[p.At] {
			kept = append(kept, p)
		}
	}
	a.Pieces = kept
}

// Become turns the answer into a whole one that says a text.
func (a *Answer) Become(text string) {
	a.Err = nil
	a.Pieces = []neutral.Piece{
		{At: "text", Part: &neutral.Text{Text: text}},
		{Finish: neutral.Stop, Word: a.Dialect.Word(neutral.Stop)},
	}
}

// Fail lets the reading of the answer end with an error.
func (a *Answer) Fail(message string) { a.Pieces, a.Err = nil, errors.New(message) }

// Failed reports whether the provider sent an error after the status 200.
func (a *Answer) Failed() bool { return errors.Is(a.Err, neutral.ErrReported) }

// Cancelled reports whether the answer broke off since the user cancelled.
func (a *Answer) Cancelled() bool { return errors.Is(a.Err, context.Canceled) }

// BrokeOff reports whether an answer began well and did not end, for another reason than the
// user's.
func (a *Answer) BrokeOff() bool { return a.OK() && a.Err != nil && !a.Cancelled() }

// EachPiece changes the pieces of an answer. change returns whether a piece is kept.
func (a *Answer) EachPiece(change func(*neutral.Piece) bool) {
	var kept []neutral.Piece
	for _, p := range a.Pieces {
		if change(&p) {
			kept = append(kept, p)
		}
	}
	a.Pieces = kept
}

// OnAnswer changes answers as they have been read, before they are put together.
func OnAnswer(change func(*Answer)) func() Mutation {
	return func() Mutation { return Mutation{Answer: change} }
}

// OnTurn changes answers that are whole, put together.
func OnTurn(change func(*neutral.Turn)) func() Mutation {
	return func() Mutation { return Mutation{Turn: change} }
}

// OnStreamed changes answers that are streamed.
func OnStreamed(change func(*Answer)) func() Mutation {
	return OnAnswer(func(a *Answer) {
		if a.Streamed {
			change(a)
		}
	})
}

// IsEnvelope reports whether a body is an error in the form that most providers use.
func IsEnvelope(body []byte) bool {
	if !gjson.ValidBytes(body) {
		return false
	}
	said := gjson.ParseBytes(body)
	alone := said.Get("error").Type == gjson.String && len(said.Map()) == 1 // as Ollama has it
	return alone || said.Get("error").IsObject() || said.Get("message").Exists()
}
