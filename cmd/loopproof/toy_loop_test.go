package main

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// toyHalf is the reference loop's half of the toy.
type toyHalf struct {
	neutral.KeepsNothing
	neutral.DelaysInHeaders
}

func (toyHalf) Name() string                          { return "toy" }
func (toyHalf) Traits() neutral.Trait                 { return neutral.ResultMessages | neutral.WholeCalls }
func (toyHalf) Transcript() string                    { return "open-agent-loops" }
func (toyHalf) Path(*neutral.Request) string          { return "/talk" }
func (toyHalf) Headers(*neutral.Request, http.Header) {}
func (toyHalf) Word(f neutral.Finish) string          { return toyFinishes[f] }
func (toyHalf) Stream() neutral.Stream                { return toyHalf{} }
func (toyHalf) End() ([]neutral.Piece, error)         { return nil, neutral.ErrBroken }

// toyFinishes are the words of the toy for the reasons to stop.
var toyFinishes = [neutral.Other + 1]string{neutral.Stop: "stop", neutral.Calls: "calls", neutral.Length: "length", neutral.Filter: "content-filter"}

type (
	toyAsk struct {
		Ref  string          `json:"ref"`
		Tool string          `json:"tool"`
		With json.RawMessage `json:"with"`
	}
	toyTurn struct {
		By   string   `json:"by"`
		Says string   `json:"says,omitempty"`
		Ref  string   `json:"ref,omitempty"`
		Asks []toyAsk `json:"asks,omitempty"`
		Why  string   `json:"why,omitempty"`
		Cost toyCost  `json:"cost,omitzero"`
	}
	toyCost struct{ In, Out *int }
	toyTool struct {
		Tool  string          `json:"tool"`
		About string          `json:"about"`
		Takes json.RawMessage `json:"takes"`
	}
	toyRequest struct {
		Model string    `json:"model"`
		Live  bool      `json:"live"`
		Hint  string    `json:"hint,omitempty"`
		Talk  []toyTurn `json:"talk"`
		Tools []toyTool `json:"tools,omitempty"`
	}
)

func (toyHalf) Echo(_ protocol.Task, t *neutral.Turn) []neutral.Message {
	return []neutral.Message{{Role: neutral.Assistant, Parts: t.Parts}}
}

func (toyHalf) Answer(_ protocol.Task, results []*neutral.Result) (all []neutral.Message) {
	for _, r := range results {
		all = append(all, neutral.Message{Role: neutral.Tool, Parts: []neutral.Part{r}})
	}
	return all
}

func (toyHalf) Write(r *neutral.Request) ([]byte, error) {
	body := toyRequest{Model: r.Model, Live: r.Stream, Hint: r.System}
	for _, m := range r.Messages {
		for _, result := range m.Results() {
			body.Talk = append(body.Talk, toyTurn{By: "tool", Ref: result.CallID, Says: result.Text})
		}
		turn := toyTurn{By: "user", Says: m.Text()}
		if m.Role == neutral.Assistant {
			turn.By = "model"
		}
		for _, c := range m.Calls() {
			turn.Asks = append(turn.Asks, toyAsk{c.ID, c.Name, toyArguments(c.Arguments)})
		}
		if m.Role != neutral.Tool {
			body.Talk = append(body.Talk, turn)
		}
	}
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, toyTool{t.Name, t.Description, t.Parameters})
	}
	return neutral.JSON(body)
}

// toyArguments returns the arguments of a call as they go back: what is not JSON goes back as a
// text.
func toyArguments(written string) json.RawMessage {
	if json.Valid([]byte(written)) {
		return json.RawMessage(written)
	}
	text, _ := json.Marshal(written) // a text can always be written
	return text
}

func (toyHalf) Read(document []byte) ([]neutral.Piece, error) {
	pieces, done, err := toyHalf{}.Event("", document)
	if err == nil && !done {
		err = neutral.ErrBroken
	}
	return pieces, err
}

// Event reads a piece of a stream, or a whole answer. The last piece says why the model stopped.
func (toyHalf) Event(_ string, data []byte) (pieces []neutral.Piece, done bool, err error) {
	var turn toyTurn
	if err := json.Unmarshal(data, &turn); err != nil {
		return nil, false, err
	}
	if turn.Says != "" {
		pieces = append(pieces, neutral.Piece{Part: &neutral.Text{Text: turn.Says}})
	}
	for _, ask := range turn.Asks {
		var text string // arguments that are not JSON
		if json.Unmarshal(ask.With, &text) == nil {
			ask.With = []byte(text)
		}
		pieces = append(pieces, neutral.Piece{Part: &neutral.Call{ID: ask.Ref, Name: ask.Tool, Arguments: string(ask.With)}})
	}
	if turn.Why == "" {
		return pieces, false, nil
	}
	finish := neutral.Other
	if known := slices.Index(toyFinishes[1:], turn.Why); known >= 0 {
		finish = neutral.Finish(known + 1)
	}
	return append(pieces, neutral.Piece{Finish: finish, Word: turn.Why, Usage: &neutral.Usage{Input: turn.Cost.In, Output: turn.Cost.Out}}), true, nil
}
