package faults

import (
	"bytes"
	"iter"
	"net/http"
	"reflect"
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Most faults change nothing in most tasks, since what they look for never passes by. To see that,
// no loop has to run: what passed the places at which a fault gets in is kept with the recording,
// and the fault is shown that.

// moment is what passed one place: one of these, or a passage of a request.
type moment struct {
	request *neutral.Request
	answer  *neutral.Answer
	turn    *neutral.Turn
	passage *passage
}

// witness returns a mutation that changes nothing, and keep what passes.
func (r *recording) witness() hooks.Mutation {
	return hooks.Mutation{
		Request: func(q *hooks.Request) { r.keep(moment{request: q.Request.Clone()}) },
		Answer:  func(a *hooks.Answer) { r.keep(moment{answer: cloneAnswer(a.Answer)}) },
		Turn:    func(t *neutral.Turn) { r.keep(moment{turn: cloneTurn(t)}) },
	}
}

func (r *recording) keep(m moment) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.moments = append(r.moments, m)
}

// effect is what a fault does to what was recorded.
type effect int

const (
	mayChange   effect = iota // only a rehearsal tells whether it changes anything
	changesIt                 // it asks the model for something else
	leavesAlone               // it changes nothing of what passes
)

// effectOf shows a recording to the mutation of a fault.
func (r *recording) effectOf(c hooks.Mutation) (e effect) {
	elsewhere := c.Loop != nil || c.Tool != nil || c.Send != nil || c.Lost != nil || c.Split != nil || c.Shorten != nil || c.Shortened != nil || c.Waits || c.Timing
	if elsewhere || c.Restored != nil || r.brokenOff || r.delegates() {
		return mayChange
	}
	defer func() {
		if recover() != nil { // some faults panic
			e = mayChange
		}
	}()
	d := &display{recording: r, mutation: c}
	if c.Around == nil {
		d.showAll()
	} else {
		d.showAround()
	}
	switch {
	case !d.changed:
		return leavesAlone
	case d.asksOtherwise && c.OnlySends():
		return changesIt
	}
	return mayChange
}

// display shows a recording to a fault, and notes whether it changes anything.
type display struct {
	recording *recording
	mutation  hooks.Mutation
	asked     int // requests of the loop
	sent      int // of these as JSON

	changed       bool
	asksOtherwise bool
}

// RoundTrip is asked for what the reference loop did not ask for.
func (s *display) RoundTrip(*http.Request) (*http.Response, error) {
	s.changed = true
	return nil, errDeparted
}

// showAround shows all of a recording to a fault that gets in around the whole task.
func (s *display) showAround() {
	task, shown := s.recording.task, false
	task.PromptContext = nil
	outcome := s.mutation.Around(task, func(given protocol.Task) protocol.Outcome {
		s.changed = s.changed || shown || !reflect.DeepEqual(given, task)
		shown = true
		s.showAll()
		return cloneOutcome(s.recording.outcome)
	})
	s.changed = s.changed || !shown || !reflect.DeepEqual(outcome, s.recording.outcome)
}

func (s *display) showAll() {
	for _, m := range s.recording.moments {
		if s.changed {
			return
		}
		switch {
		case m.request != nil:
			s.request(m.request)
		case m.answer != nil && s.mutation.Answer != nil:
			shown := cloneAnswer(m.answer)
			s.mutation.Answer(&hooks.Answer{Answer: shown})
			s.changed = s.changed || !reflect.DeepEqual(shown, m.answer)
		case m.turn != nil && s.mutation.Turn != nil:
			shown := cloneTurn(m.turn)
			s.mutation.Turn(shown)
			s.changed = s.changed || !reflect.DeepEqual(shown, m.turn)
		case m.passage != nil && m.passage.sent != "" && !m.passage.byTool:
			s.rawRequest(m.passage)
			if m.passage.response != nil {
				s.bytes(m.passage)
				s.rawAnswer(m.passage)
			}
		}
	}
}

func (s *display) request(asked *neutral.Request) {
	s.asked++
	if s.mutation.Request == nil {
		return
	}
	shown := hooks.NewRequest(asked.Clone(), s.asked, s)
	s.mutation.Request(shown)
	s.changed = s.changed || shown.Aborted() || !reflect.DeepEqual(shown.Request, asked)
}

func (s *display) rawRequest(p *passage) {
	s.sent++
	if s.mutation.RawRequest == nil {
		return
	}
	shown := &raw.Request{Body: p.sent, Number: s.sent, Task: s.recording.task}
	s.mutation.RawRequest(shown)
	s.asksOtherwise = s.asksOtherwise || shown.Body != p.sent
	s.changed = s.changed || s.asksOtherwise
}

func (s *display) bytes(p *passage) {
	if !p.streamed(s.recording.task) {
		return
	}
	if s.mutation.Reads != nil {
		for at, n := range p.eachRead() {
			read := p.body[at:][:n]
			s.changed = s.changed || !bytes.Equal(s.mutation.Reads(bytes.Clone(read)), read)
		}
	}
	if s.mutation.Bytes != nil {
		over := &replay{}
		data, _ := raw.ReadToDone(p.speaker(over))
		s.changed = s.changed || over.departed || !bytes.Equal(s.mutation.Bytes(bytes.Clone(data)), data)
	}
}

func (s *display) rawAnswer(p *passage) {
	if s.mutation.RawAnswer == nil {
		return
	}
	shown, kept := p.read(s.recording.task), p.read(s.recording.task)
	if shown == nil {
		s.changed = true
		return
	}
	s.mutation.RawAnswer(shown)
	s.changed = s.changed || !reflect.DeepEqual(shown, kept)
}

// streamed reports whether the answer came as a stream.
func (p *passage) streamed(task protocol.Task) bool {
	kind := p.response.Header.Get("Content-Type")
	return hooks.IsStream(kind, task)
}

// eachRead yields where each read of the body began and what it brought.
func (p *passage) eachRead() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		at := 0
		for _, n := range p.reads {
			if !yield(at, n) {
				return
			}
			at += n
		}
	}
}

// read returns the answer as a fault is shown it, or nil where more of it would be read than was
// recorded.
func (p *passage) read(task protocol.Task) *raw.Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.raw == nil {
		over, resp := &replay{}, *p.response
		resp.Body = p.speaker(over)
		p.raw = raw.Read(&resp, p.streamed(task))
		p.further = over.departed
	}
	if p.further {
		return nil
	}
	a := *p.raw
	a.Header, a.Payloads = a.Header.Clone(), slices.Clone(a.Payloads)
	return &a
}

func cloneTurn(t *neutral.Turn) *neutral.Turn {
	c := *t
	c.Parts = neutral.Message{Parts: t.Parts}.Clone().Parts
	return &c
}

func cloneAnswer(a *neutral.Answer) *neutral.Answer {
	c := *a
	c.Header, c.Body, c.Pieces = a.Header.Clone(), bytes.Clone(a.Body), slices.Clone(a.Pieces)
	for i := range c.Pieces {
		p := &c.Pieces[i]
		if p.Part != nil {
			p.Part = neutral.Message{Parts: []neutral.Part{p.Part}}.Clone().Parts[0]
		}
		p.Begins, p.Usage = clonePointer(p.Begins), clonePointer(p.Usage)
		if p.Usage != nil {
			p.Usage.Input, p.Usage.Output = clonePointer(p.Usage.Input), clonePointer(p.Usage.Output)
		}
	}
	return &c
}

func cloneOutcome(o protocol.Outcome) protocol.Outcome {
	o.Transcript, o.Events = bytes.Clone(o.Transcript), bytes.Clone(o.Events)
	o.Usage = clonePointer(o.Usage)
	return o
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// thatChangeNothing returns a mutation with the same hooks that changes nothing.
func thatChangeNothing(c hooks.Mutation) hooks.Mutation {
	var same hooks.Mutation
	if c.Request != nil {
		same.Request = func(*hooks.Request) {}
	}
	if c.Answer != nil {
		same.Answer = func(*hooks.Answer) {}
	}
	if c.Turn != nil {
		same.Turn = func(*neutral.Turn) {}
	}
	if c.RawRequest != nil {
		same.RawRequest = func(*raw.Request) {}
	}
	if c.RawAnswer != nil {
		same.RawAnswer = func(*raw.Answer) {}
	}
	if c.Bytes != nil {
		same.Bytes = func(b []byte) []byte { return b }
	}
	if c.Reads != nil {
		same.Reads = func(b []byte) []byte { return b }
	}
	return same
}
