package responses

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Stream returns the answer as the events of a stream: the response without its output, then each
// item from its beginning to its end, then the whole response, which ends the stream.
func (s *Shape) Stream(a *wire.Answer, r wire.Reply) []wire.Event {
	w := newWriter(s, a, r, true)
	e := &events{}
	begun := wire.Fields{{Key: "response", Value: w.response(inProgress, []any{})}}
	if r.Queued { // recorded in github.com/pydantic/pydantic-ai (test_background_mode_streaming_starting_after_vcr)
		waiting := wire.Fields{{Key: "response", Value: w.response(queued, []any{})}}
		e.add("response.created", waiting)
		e.add("response.queued", waiting)
	} else {
		e.add("response.created", begun)
	}
	e.add("response.in_progress", begun)
	if a.Interleaved {
		e.interleaved(w.items)
	} else {
		for n, i := range w.items {
			e.begin(n, i)
			e.about(n, i, i.pieces)
			e.end(n, i)
		}
	}
	status := w.status()
	e.add("response."+status, wire.Fields{{Key: "response", Value: w.response(status, w.output())}})
	e.all[len(e.all)-1].Finish = true
	return s.departed(e.all)
}

// events are those of one stream, which are counted.
type events struct{ all []wire.Event }

// add adds an event. Its keys are in the order of their names after the type, as OpenAI sends them.
func (e *events) add(kind string, rest wire.Fields) {
	payload := append(slices.Clone(rest), wire.Field{Key: "sequence_number", Value: len(e.all)})
	slices.SortStableFunc(payload, func(a, b wire.Field) int { return strings.Compare(a.Key, b.Key) })
	payload = append(wire.Fields{{Key: "type", Value: kind}}, payload...)
	e.all = append(e.all, wire.Event{Lines: []string{"event: " + kind}, Data: payload.JSON()})
}

func (e *events) begin(index int, i item) {
	e.add("response.output_item.added", wire.Fields{{Key: "item", Value: i.added}, {Key: "output_index", Value: index}})
}

// about adds events that name the item which they are about.
func (e *events) about(index int, i item, parts []part) {
	for _, p := range parts {
		e.add(p.kind, append(slices.Clone(p.rest), wire.Field{Key: "item_id", Value: i.id}, wire.Field{Key: "output_index", Value: index}))
	}
}

func (e *events) end(index int, i item) {
	e.about(index, i, i.last)
	e.add("response.output_item.done", wire.Fields{{Key: "item", Value: i.whole}, {Key: "output_index", Value: index}})
}

// interleaved mixes the pieces of the items that begin with the first call.
func (e *events) interleaved(items []item) {
	first := slices.IndexFunc(items, func(i item) bool { return len(i.last) > 0 })
	if first < 0 {
		first = len(items)
	}
	for n, i := range items[:first] {
		e.begin(n, i)
		e.about(n, i, i.pieces)
		e.end(n, i)
	}
	most := 0
	for n, i := range items[first:] {
		e.begin(first+n, i)
		most = max(most, len(i.pieces))
	}
	for round := range most {
		for n, i := range items[first:] {
			if round < len(i.pieces) {
				e.about(first+n, i, i.pieces[round:round+1])
			}
		}
	}
	for n, i := range items[first:] {
		e.end(first+n, i)
	}
}

// Done is the payload by which some providers end a stream, as in other dialects.
const Done = "[DONE]"

// End returns the mark that ends a stream, where there is one after the response.
func (s *Shape) End() []wire.Event {
	if !s.DoneMark {
		return nil
	}
	return []wire.Event{{Data: []byte(Done)}}
}

// Failure returns the event of an error in the middle of a stream and, where a response had begun,
// the one by which it failed.
func (s *Shape) Failure(payload []byte, sent []wire.Event) []wire.Event {
	e := &events{all: slices.DeleteFunc(slices.Clone(sent), func(e wire.Event) bool { return e.Data == nil })}
	before := len(e.all)
	problem := wire.Parsed(payload)
	problem.Set("sequence_number", before)
	e.all = append(e.all, wire.Event{Lines: []string{"event: error"}, Data: problem.JSON(), Failure: true})
	if before > 0 {
		response := wire.Parsed(e.all[0].Data).Path("response")
		response.Set("status", failed)
		response.Set("error", wire.Fields{{Key: "code", Value: "server_error"}, {Key: "message", Value: messageOf(problem)}})
		e.add("response.failed", wire.Fields{{Key: "response", Value: wire.Raw(response.JSON())}})
		e.all[before+1].Failure = true
	}
	return s.departed(e.all[before:])
}

// messageOf returns what an error event says, which has it within an object or at its top.
func messageOf(problem *wire.Node) string {
	if message := problem.Path("error", "message"); message != nil {
		return message.Text()
	}
	return problem.Path("message").Text()
}
