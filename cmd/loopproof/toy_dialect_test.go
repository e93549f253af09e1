package main

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// toy is a made-up wire API: it shows that a dialect is one value. Nothing but this file and the
// profile in testdata/script/toy_dialect.txtar knows it, and all commands serve it, judge loops
// over it and show it.
//
//	{"model": "m", "live": false, "hint": "Be kind.", "talk": [
//		{"by": "user", "says": "How is Oslo?"},
//		{"by": "model", "asks": [{"ref": "r1", "tool": "get_weather", "with": {"city": "Oslo"}}]},
//		{"by": "tool", "ref": "r1", "says": "4 C"}], "tools": [{"tool": "get_weather", "about": "...", "takes": {}}]}
var toy = &wire.Dialect{
	Name:     "toy",
	Title:    "Toy",
	Standard: "toy",
	Endpoint: wire.Endpoint{Paths: wire.Paths{Turns: []string{"/toy/talk"}}, BasePath: "/toy", Env: "TOY"},
	Request: wire.RequestForm{
		Messages:    "talk",
		Role:        "by",
		OutsideList: []string{"hint"},
		ResultID:    "ref",
		Arguments:   wire.Object,
		Roles:       []string{"user", "model", "tool", "hint"},
		Keys:        []string{"model", "live", "hint", "talk", "tools"},
		ToolName:    64,
	},
	Speech:      wire.Speech{ObjectArguments: true, OwnFinishes: true},
	ReadRequest: readToyRequest,
	ReadAnswer:  readToyAnswer,
	EndsStream:  func(payload []byte) bool { n, err := wire.ParseNode(payload); return err == nil && n.Get("why") != nil },
	NewShape:    func() wire.Shape { return new(toyShape) },
}

var toyRoles = map[string]wire.Role{"user": wire.User, "model": wire.Assistant, "tool": wire.Tool}

func readToyRequest(body []byte) (*wire.Request, error) {
	req, err := wire.OpenRequest(body)
	if err != nil {
		return nil, err
	}
	root := req.Body
	req.Stream = root.Get("live").True()
	if hint := root.Get("hint"); hint != nil {
		req.Messages = append(req.Messages, wire.Message{Node: hint, Role: wire.System, RoleWord: "hint", Content: wire.ReadContent(hint)})
	}
	for _, n := range root.Get("talk").All() {
		word := n.Get("by").Text()
		m := wire.Message{Node: n, Role: toyRoles[word], RoleWord: word, Content: wire.ReadContent(n.Get("says"))}
		for _, ask := range n.Get("asks").All() {
			m.Calls = append(m.Calls, wire.Call{
				Node: ask, ID: ask.Get("ref").Text(), Name: ask.Get("tool").Text(), ArgsNode: ask.Get("with"), Arguments: ask.Get("with").TextOrJSON(),
			})
		}
		if m.Role == wire.Tool {
			m.Results = []wire.Result{{Node: n, CallID: n.Get("ref").Text(), IDNode: n.Get("ref"), Content: m.Content}}
		}
		req.Messages = append(req.Messages, m)
	}
	for _, n := range root.Get("tools").All() {
		req.Tools = append(req.Tools, wire.ToolDefinition{
			Node: n, Name: n.Get("tool").Text(), NameNode: n.Get("tool"), Description: n.Get("about").Text(), Parameters: n.Get("takes"),
		})
	}
	return req, nil
}

// toyShape is how a provider writes the toy: one template, with the parts of an answer, for whole
// answers and for the pieces of a stream.
type toyShape struct {
	Answer wire.Template `yaml:"answer"`
}

var toyPlaces = []string{"id", "model", "says", "asks", "why", "in", "out"}

func (s *toyShape) Clone() wire.Shape   { c := *s; return &c }
func (s *toyShape) Traits() wire.Traits { return wire.Traits{} }
func (s *toyShape) StopAs(f wire.Finish) (said, word string) {
	return wire.Terms{Stop: "why"}.StopWith(string(f))
}
func (s *toyShape) Check(c wire.ShapeChecker) { c.Template("/answer", s.Answer, true, toyPlaces) }
func (s *toyShape) End() []wire.Event {
	return []wire.Event{{Lines: []string{"event: end"}, Data: []byte("{}")}}
}
func (s *toyShape) Failure(body []byte, _ []wire.Event) []wire.Event {
	return []wire.Event{{Data: body, Failure: true}}
}

func (s *toyShape) write(r wire.Reply, v wire.Values) wire.Raw {
	v["id"], v["model"] = r.ID, r.Model
	return s.Answer.JSON(v)
}

func toyCall(c wire.AnswerCall) wire.Raw {
	arguments := c.Arguments
	if wire.BlankArguments(arguments) {
		arguments = "{}"
	}
	var with any = arguments // a text where the model was cut off in the middle
	if _, err := wire.ParseNode([]byte(arguments)); err == nil {
		with = wire.Raw(strings.NewReplacer("\r", " ", "\n", " ").Replace(arguments)) // an event has one line of data
	}
	return wire.Fields{{Key: "ref", Value: c.ID}, {Key: "tool", Value: c.Name}, {Key: "with", Value: with}}.JSON()
}

func toyEnd(a *wire.Answer) wire.Values {
	return wire.Values{"why": string(a.Finish), "in": a.Usage.Prompt, "out": a.Usage.Completion}
}

func (s *toyShape) Write(a *wire.Answer, r wire.Reply) []byte {
	v := toyEnd(a)
	if a.Text != "" {
		v["says"] = a.Text
	}
	var asks []any
	for _, c := range a.Calls {
		asks = append(asks, toyCall(c))
	}
	if asks != nil {
		v["asks"] = asks
	}
	return s.write(r, v)
}

func (s *toyShape) Stream(a *wire.Answer, r wire.Reply) []wire.Event {
	var events []wire.Event
	for _, piece := range a.Pieces(a.Text) {
		events = append(events, wire.Event{Data: s.write(r, wire.Values{"says": piece})})
	}
	for _, c := range a.Calls {
		events = append(events, wire.Event{Data: s.write(r, wire.Values{"asks": []any{toyCall(c)}})})
	}
	return append(events, wire.Event{Data: s.write(r, toyEnd(a)), Finish: true})
}

func readToyAnswer(body []byte, streamed bool) (*wire.Answer, error) {
	parts := [][]byte{body}
	if streamed {
		parts = wire.ReadEvents(body)
	}
	a := &wire.Answer{}
	for _, part := range parts {
		n, err := wire.ParseNode(part)
		if err != nil {
			return nil, err
		}
		a.Text += n.Get("says").Text()
		for _, ask := range n.Get("asks").All() {
			a.Calls = append(a.Calls, wire.AnswerCall{ID: ask.Get("ref").Text(), Name: ask.Get("tool").Text(), Arguments: string(ask.Get("with").Raw)})
		}
		if why := n.Get("why"); why != nil {
			a.Finish = wire.Finish(why.Text())
		}
	}
	return a, nil
}
