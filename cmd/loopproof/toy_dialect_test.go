package main

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// toys are a made-up wire API over three framings: they show that a dialect is one value, and that its
// framing is one field of it. Nothing but this file and the profiles in testdata/script/toy*.txtar
// knows them, and all commands serve them, judge loops over them and show them.
//
//	{"model": "m", "live": false, "hint": "Be kind.", "talk": [
//		{"by": "user", "says": "How is Oslo?"},
//		{"by": "model", "asks": [{"ref": "r1", "tool": "get_weather", "with": {"city": "Oslo"}}]},
//		{"by": "tool", "ref": "r1", "says": "4 C"}], "tools": [{"tool": "get_weather", "about": "...", "takes": {}}]}
var toys = []*wire.Dialect{toyOver("toy", wire.SSE), toyOver("toy-lines", wire.NDJSON), toyOver("toy-frames", wire.AWSEventStream)}

func toyOver(name string, by *wire.Framer) *wire.Dialect {
	return &wire.Dialect{
		Name: name, Title: "Toy", Standard: name, Framer: by,
		Endpoint: wire.Endpoint{Paths: wire.Paths{Turns: []string{"/" + name + "/talk"}}, BasePath: "/" + name, Env: "TOY"},
		Request: wire.RequestForm{
			Messages: "talk", Role: "by", OutsideList: []string{"hint"}, ResultID: "ref", Arguments: wire.Object, ToolName: 64,
			Roles: []string{"user", "model", "tool", "hint"},
		},
		Abilities: wire.MixedTurns | wire.FinishWords | wire.FilterFinish | wire.CallPieces | wire.StreamComments, Terms: wire.Terms{OwnStops: true},
		ReadRequest: readToyRequest,
		ReadAnswer:  func(body []byte, streamed bool) (*wire.Answer, error) { return readToyAnswer(by, body, streamed) },
		EndsStream:  func(payload []byte) bool { return wire.Parsed(payload).Get("why") != nil },
		NewShape:    func() wire.Shape { return new(toyShape) },
	}
}

var toyRoles = map[string]wire.Role{"user": wire.User, "model": wire.Assistant, "tool": wire.Tool}

func readToyRequest(req *wire.Request) {
	req.Stream = req.Body.Get("live").True()
	if hint := req.Body.Get("hint"); hint != nil {
		req.Messages = append(req.Messages, wire.Message{Node: hint, Role: wire.System, RoleWord: "hint", Content: wire.ReadContent(hint)})
	}
	for _, n := range req.Body.Get("talk").All() {
		word := n.Get("by").Text()
		m := wire.Message{Node: n, Role: toyRoles[word], RoleWord: word, Content: wire.ReadContent(n.Get("says"))}
		for _, ask := range n.Get("asks").All() {
			c := wire.Call{Node: ask, ID: ask.Get("ref").Text(), Name: ask.Get("tool").Text(), ArgsNode: ask.Get("with"), Arguments: ask.Get("with").TextOrJSON()}
			m.Calls = append(m.Calls, c)
		}
		if m.Role == wire.Tool {
			m.Results = []wire.Result{{Node: n, CallID: n.Get("ref").Text(), IDNode: n.Get("ref"), Content: m.Content}}
		}
		req.Messages = append(req.Messages, m)
	}
	for _, n := range req.Body.Get("tools").All() {
		t := wire.ToolDefinition{Node: n, Name: n.Get("tool").Text(), NameNode: n.Get("tool"), Description: n.Get("about").Text(), Parameters: n.Get("takes")}
		req.Tools = append(req.Tools, t)
	}
}

// toyShape is how a provider writes the toy: one template, with the parts of an answer, for whole
// answers and for the pieces of a stream.
type toyShape struct {
	Answer wire.Template `yaml:"answer"`
}

var toyPlaces = []string{"id", "model", "says", "asks", "why", "in", "out"}

func (s *toyShape) Clone() wire.Shape   { c := *s; return &c }
func (s *toyShape) Traits() wire.Traits { return wire.Traits{} }
func (s *toyShape) StopAs(f wire.Finish) (_, _ string) {
	return wire.Terms{Stop: "why"}.StopWith(string(f))
}
func (s *toyShape) Check(c wire.ShapeChecker) { c.Template("/answer", s.Answer, true, toyPlaces) }
func (s *toyShape) End() []wire.Event         { return nil }
func (s *toyShape) Failure(body []byte, _ []wire.Event) []wire.Event {
	return []wire.Event{{Data: body, Failure: true}}
}

// piece returns a part of an answer: a text, calls, and in the last one why the model stopped.
func (s *toyShape) piece(r wire.Reply, text string, calls []wire.AnswerCall, end *wire.Answer) wire.Raw {
	v := wire.Values{"id": r.ID, "model": r.Model}
	if text != "" {
		v["says"] = text
	}
	var asks []any
	for _, c := range calls {
		asks = append(asks, toyCall(c))
	}
	if asks != nil {
		v["asks"] = asks
	}
	if end != nil {
		v["why"], v["in"], v["out"] = string(end.Finish), end.Usage.Prompt, end.Usage.Completion
	}
	return s.Answer.JSON(v)
}

func toyCall(c wire.AnswerCall) wire.Raw {
	with := any(c.Arguments) // a text where the model was cut off in the middle
	if wire.BlankArguments(c.Arguments) {
		with = wire.Fields{}
	} else if wire.Parsed([]byte(c.Arguments)) != nil {
		with = wire.Raw(strings.NewReplacer("\r", " ", "\n", " ").Replace(c.Arguments)) // an event may have one line of data
	}
	return wire.Fields{{Key: "ref", Value: c.ID}, {Key: "tool", Value: c.Name}, {Key: "with", Value: with}}.JSON()
}

func (s *toyShape) Write(a *wire.Answer, r wire.Reply) []byte { return s.piece(r, a.Text, a.Calls, a) }

func (s *toyShape) Stream(a *wire.Answer, r wire.Reply) (events []wire.Event) {
	for _, text := range a.Pieces(a.Text) {
		events = append(events, wire.Event{Data: s.piece(r, text, nil, nil)})
	}
	for _, c := range a.Calls {
		events = append(events, wire.Event{Data: s.piece(r, "", []wire.AnswerCall{c}, nil)})
	}
	return append(events, wire.Event{Data: s.piece(r, "", nil, a), Finish: true})
}

func readToyAnswer(by *wire.Framer, body []byte, streamed bool) (*wire.Answer, error) {
	parts := [][]byte{body}
	if streamed {
		parts = by.Payloads(body)
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
