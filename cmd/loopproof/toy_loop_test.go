package main

import (
	"encoding/json"
	"net/http"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// toyHalf is the reference loop's half of a toy.
type toyHalf struct {
	neutral.AdoptsPlain
	neutral.KeepsNothing
	neutral.TakesAsItCame
	neutral.DelaysInHeaders
	neutral.GoesBackWhole
	name string
}

// toyFramings are how the streams of the toys are framed, by their names.
var toyFramings = map[string]neutral.Trait{"toy-lines": neutral.Lines, "toy-frames": neutral.AWSFrames}

func (h toyHalf) Name() string { return h.name }
func (h toyHalf) Traits() neutral.Trait {
	return neutral.ResultMessages | neutral.WholeCalls | toyFramings[h.name]
}
func (toyHalf) Transcript() string                       { return "open-agent-loops" }
func (toyHalf) Path(*neutral.Request) string             { return "/talk" }
func (toyHalf) Headers(*neutral.Request, http.Header)    {}
func (toyHalf) Word(f neutral.Finish) string             { return toyWords[f] }
func (toyHalf) Stream() neutral.Stream                   { return toyHalf{} }
func (toyHalf) End() ([]neutral.Piece, error)            { return nil, neutral.ErrBroken }
func (toyHalf) Read(doc []byte) ([]neutral.Piece, error) { return neutral.ReadWhole(toyHalf{}, doc) }

var toyWords = neutral.Words{neutral.Stop: "stop", neutral.Calls: "calls", neutral.Length: "length", neutral.Filter: "content-filter"}

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
			turn.Asks = append(turn.Asks, toyAsk{c.ID, c.Name, neutral.ObjectArguments(c.Arguments)})
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
		pieces = append(pieces, neutral.Piece{Part: &neutral.Call{ID: ask.Ref, Name: ask.Tool, Arguments: neutral.WrittenArguments(ask.With)}})
	}
	if turn.Why == "" {
		return pieces, false, nil
	}
	return append(pieces, neutral.Piece{Finish: toyWords.Finish(turn.Why), Word: turn.Why, Usage: &neutral.Usage{Input: turn.Cost.In, Output: turn.Cost.Out}}), true, nil
}
