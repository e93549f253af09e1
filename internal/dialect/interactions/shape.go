package interactions

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/dialect/stored"
	"github.com/loopproof/loopproof/internal/wire"
)

// Shape is how a provider answers: templates that look like what is sent. The yaml tags are the keys of
// a profile file.
type Shape struct {
	// Answer is an interaction, with the places of [AnswerPlaces]. Usage are the token counts, with
	// those of [UsagePlaces].
	Answer wire.Template `yaml:"answer"`
	Usage  wire.Template `yaml:"usage"`

	// Finish gives the words for the reasons to stop, where they are others.
	Finish map[wire.Finish]string `yaml:"finish"`

	// Thinking says that a model thinks.
	Thinking bool `yaml:"thinking"`

	// Keeps says that the provider keeps interactions for clients that then send only what is new.
	Keeps bool `yaml:"keeps"`
}

// The places that the templates may have.
var (
	AnswerPlaces = []string{"id", "status", "created", "model", "tier", "steps", "usage"}
	UsagePlaces  = []string{"prompt", "completion", "reasoning", "total", "cached"}
)

// The statuses of an interaction.
const (
	inProgress = stored.InProgress
	completed  = stored.Completed
	incomplete = "incomplete"
	waiting    = "requires_action"
)

// finishWords are the statuses for the reasons to stop: of an answer that is as long as it may be,
// https://github.com/LiveBench/LiveBench/pull/476
var finishWords = map[wire.Finish]string{wire.FinishStop: completed, wire.FinishCalls: waiting, wire.FinishLength: incomplete}

// StopAs returns how an answer says that the model stopped for a reason.
func (s *Shape) StopAs(f wire.Finish) (said, word string) {
	return API.Terms.StopWith(wire.FinishWord(f, s.Finish, finishWords))
}

// Clone returns a copy of the shape.
func (s *Shape) Clone() wire.Shape {
	c := *s
	c.Finish = maps.Clone(s.Finish)
	return &c
}

// Traits returns what answers of the provider can show.
func (s *Shape) Traits() wire.Traits {
	return wire.Traits{Reasoning: s.Thinking, ReasoningBlocks: s.Thinking, KeepsThreads: s.Keeps}
}

// Check reports what is wrong in the shape.
func (s *Shape) Check(c wire.ShapeChecker) {
	c.Template("/answer", s.Answer, true, AnswerPlaces)
	c.Template("/usage", s.Usage, true, UsagePlaces)
	for _, finish := range slices.Sorted(maps.Keys(s.Finish)) {
		c.Word("/finish", "reason to stop", string(finish), wire.Words(wire.Finishes()))
	}
}

// step is a step of an answer: whole, and as its beginning and its deltas in a stream.
type step struct {
	whole, start wire.Fields
	deltas       []wire.Fields
}

// typed returns an object with a type.
func typed(kind string) wire.Fields { return wire.Fields{{Key: "type", Value: kind}} }

func (s *Shape) steps(a *wire.Answer, r wire.Reply) (all []step) {
	for _, d := range a.Details {
		all = append(all, thought(a, d, summariesWanted(r.Request)))
	}
	for _, raw := range a.Blocks {
		own := wire.Parsed(raw).AsFields()
		all = append(all, step{whole: own, start: own})
	}
	if text := a.Text + a.Refusal; text != "" {
		one := step{whole: typed(outputStep).With("content", []any{textOf(text)}), start: typed(outputStep)}
		for _, piece := range a.Pieces(text) {
			one.deltas = append(one.deltas, textOf(piece))
		}
		all = append(all, one)
	}
	for _, c := range a.Calls {
		all = append(all, call(a, c))
	}
	return all
}

func textOf(text string) wire.Fields {
	return wire.Fields{{Key: "text", Value: text}, {Key: "type", Value: "text"}}
}

// thought is a step of what the model thinks. In a stream its signature comes in a delta of its own:
// https://github.com/allenhutchison/obsidian-gemini/pull/1269
func thought(a *wire.Answer, d wire.ReasoningBlock, shown bool) step {
	signature := d.Signature + d.Data
	one := step{whole: typed(thoughtStep).With("signature", signature), start: typed(thoughtStep)}
	if shown && d.Text != "" {
		one.whole = one.whole.With("summary", []any{textOf(d.Text)})
		for _, piece := range a.Pieces(d.Text) {
			one.deltas = append(one.deltas, wire.Fields{{Key: "content", Value: textOf(piece)}, {Key: "type", Value: "thought_summary"}})
		}
	}
	one.deltas = append(one.deltas, wire.Fields{{Key: "signature", Value: signature}, {Key: "type", Value: "thought_signature"}})
	return one
}

// call is a step of a call, whose arguments come as pieces of JSON in a stream.
func call(a *wire.Answer, c wire.AnswerCall) step {
	written := wire.Raw("{}") // also for a part of arguments, whose form is not known
	if _, is := wire.ParseObject(c.Arguments); is {
		written = wire.Raw(c.Arguments)
	}
	begin := func(arguments wire.Raw) wire.Fields {
		return typed(callStep).With("id", c.ID).With("name", c.Name).With("arguments", arguments)
	}
	one := step{whole: begin(written), start: begin(wire.Raw("{}"))}
	if !wire.BlankArguments(c.Arguments) {
		for _, piece := range a.Pieces(c.Arguments) {
			one.deltas = append(one.deltas, wire.Fields{{Key: "arguments", Value: piece}, {Key: "type", Value: "arguments_delta"}})
		}
	}
	return one
}

// interaction is the resource in a status, with what is known of it then.
func (s *Shape) interaction(r wire.Reply, status string, more wire.Values) wire.Raw {
	v := wire.Values{"id": r.ID, "model": r.Model, "status": status}
	maps.Copy(v, more)
	return s.Answer.JSON(v)
}

// told is what is said of an interaction from its beginning.
func told(r wire.Reply) wire.Values {
	return wire.Values{"created": time.Unix(r.Created, 0).UTC().Format(time.RFC3339), "tier": "standard"}
}

// ended returns the interaction at its end.
func (s *Shape) ended(a *wire.Answer, r wire.Reply, more wire.Values) wire.Raw {
	maps.Copy(more, told(r))
	more["usage"] = s.Usage.JSON(a.Usage.Values(API.Usage))
	return s.interaction(r, wire.FinishWord(a.Finish, s.Finish, finishWords), more)
}

// Write returns the answer as the body of a response that is not streamed.
func (s *Shape) Write(a *wire.Answer, r wire.Reply) []byte {
	if r.Queued {
		return s.interaction(r, inProgress, told(r))
	}
	all := []any{}
	for _, one := range s.steps(a, r) {
		all = append(all, one.whole)
	}
	return s.ended(a, r, wire.Values{"steps": all})
}

// Stream returns the answer as events: https://ai.google.dev/gemini-api/docs/interactions/streaming.
// Those of one in the background have ids, from which a client goes on.
func (s *Shape) Stream(a *wire.Answer, r wire.Reply) []wire.Event {
	var events []wire.Event
	add := func(kind string, said wire.Fields) {
		said = slices.Clone(said).With("event_type", kind)
		if r.Request != nil && r.Request.Body.Get("background").True() {
			said = said.With("event_id", "event_"+strconv.Itoa(len(events)))
		}
		events = append(events, wire.Event{Lines: []string{"event: " + kind}, Data: said.JSON()})
	}
	add("interaction.created", wire.Fields{{Key: "interaction", Value: s.interaction(r, inProgress, nil)}})
	for i, one := range s.steps(a, r) {
		at := wire.Fields{{Key: "index", Value: i}}
		add("step.start", at.With("step", one.start))
		for _, delta := range one.deltas {
			add("step.delta", at.With("delta", delta))
		}
		add("step.stop", at)
	}
	add("interaction.completed", wire.Fields{{Key: "interaction", Value: s.ended(a, r, wire.Values{})}})
	events[len(events)-1].Finish = true
	return events
}

// done is the payload of the event that ends a stream: https://ai.google.dev/gemini-api/docs/thinking
const done = "[DONE]"

// End returns the event that ends a stream.
func (s *Shape) End() []wire.Event {
	return []wire.Event{{Lines: []string{"event: done"}, Data: []byte(done)}}
}

// Failure returns the event of an error.
func (s *Shape) Failure(payload []byte, _ []wire.Event) []wire.Event {
	return []wire.Event{{Lines: []string{"event: error"}, Data: payload, Failure: true}}
}
