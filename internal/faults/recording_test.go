package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// recording is what passed between a loop and the world in one task. It is the way to the world
// while it is made.
type recording struct {
	world     http.RoundTripper // while it is made
	task      protocol.Task
	outcome   protocol.Outcome
	brokenOff bool // by the end of a context, or a WebSocket: what a loop does of its own when time is up is not recorded

	mu        sync.Mutex
	passages  []*passage
	moments   []moment
	waits     []time.Duration
	questions []question // whether calls may be run
}

// question is what the user was asked about calls, and what came of it.
type question struct {
	calls     string // as JSON
	decisions []protocol.Decision
	err       error
}

// asking returns the task with a user whose decisions are recorded.
func (r *recording) asking(task protocol.Task) protocol.Task {
	ask := task.Decide
	if ask == nil {
		return task
	}
	task.Decide = func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
		q := question{calls: asJSON(calls)}
		q.decisions, q.err = ask(ctx, calls...)
		r.mu.Lock()
		r.questions = append(r.questions, q)
		r.mu.Unlock()
		if q.err != nil {
			r.note(q.err)
		}
		return q.decisions, q.err
	}
	return task
}

func asJSON(calls []protocol.PendingCall) string {
	text, err := json.Marshal(calls)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// passage is a request and what came of it.
type passage struct {
	request  string // all of it that can differ
	sent     string // its body
	byTool   bool   // it asks a tool, and not the model
	response *http.Response
	err      error // instead of a response

	mu      sync.Mutex
	body    []byte
	reads   []int // how many bytes each read of it brought
	bodyErr error // with which the body ended, or nil if it was closed before its end

	raw     *raw.Answer // as a fault is shown it, once it was read so
	further bool        // more than was recorded would be read then
}

func (r *recording) RoundTrip(req *http.Request) (*http.Response, error) {
	p := &passage{byTool: strings.Contains(req.URL.Path, "/tools/")}
	p.request, p.sent = everything(req)
	r.mu.Lock()
	r.passages, r.moments = append(r.passages, p), append(r.moments, moment{passage: p})
	r.mu.Unlock()
	resp, err := r.world.RoundTrip(req)
	if err != nil {
		p.err = err
		r.note(err)
		return nil, err
	}
	if resp.StatusCode == http.StatusSwitchingProtocols { // what passes over a WebSocket is not recorded: the task is played
		r.mu.Lock()
		r.brokenOff = true
		r.mu.Unlock()
		return resp, nil
	}
	kept := *resp
	kept.Body, kept.Request = nil, nil // which hold the connection
	p.response = &kept
	resp.Body = &listener{ReadCloser: resp.Body, recording: r, passage: p}
	return resp, nil
}

func (r *recording) note(err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.brokenOff = true
	}
}

func (r *recording) wait(ctx context.Context, d time.Duration) error {
	r.mu.Lock()
	r.waits = append(r.waits, d)
	r.mu.Unlock()
	return refloop.ByTheClock(ctx, d)
}

// listener is a body that is kept while it is read.
type listener struct {
	io.ReadCloser
	recording *recording
	passage   *passage
}

func (l *listener) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	l.passage.mu.Lock()
	defer l.passage.mu.Unlock()
	l.passage.body, l.passage.reads = append(l.passage.body, p[:n]...), append(l.passage.reads, n)
	if err != nil {
		l.passage.bodyErr = err
		l.recording.note(err)
	}
	return n, err
}

// everything writes all of a request that can differ, but for where it is sent, and returns its
// body as well.
func everything(req *http.Request) (all, body string) {
	var b strings.Builder
	b.WriteString(req.Method + " " + req.URL.RequestURI() + "\n")
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		for _, value := range req.Header[name] {
			b.WriteString(name + ": " + value + "\n")
		}
	}
	head := b.Len()
	if req.Body != nil {
		io.Copy(&b, req.Body) // it is in memory
		req.Body.Close()
		req.Body = io.NopCloser(strings.NewReader(b.String()[head:]))
	}
	return b.String(), b.String()[head:]
}

// replay plays a recording back to a loop, and notes when the loop departs from it.
type replay struct {
	recording *recording

	mu        sync.Mutex
	left      map[string][]*passage
	departed  bool
	waits     []time.Duration
	questions []question // that are left
}

func newReplay(r *recording) *replay {
	left := map[string][]*passage{}
	for _, p := range r.passages {
		left[p.request] = append(left[p.request], p)
	}
	return &replay{recording: r, left: left, questions: slices.Clone(r.questions)}
}

// decide is the user of the recording.
func (r *replay) decide(_ context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
	asked := asJSON(calls)
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(r.questions, func(q question) bool { return q.calls == asked })
	if at < 0 {
		r.departed = true
		return nil, errDeparted
	}
	q := r.questions[at]
	r.questions = slices.Delete(r.questions, at, at+1)
	return slices.Clone(q.decisions), q.err
}

var errDeparted = errors.New("this was not recorded")

func (r *replay) RoundTrip(req *http.Request) (*http.Response, error) {
	request, _ := everything(req)
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.left[request]
	if len(next) == 0 {
		r.departed = true
		return nil, errDeparted
	}
	p := next[0]
	r.left[request] = next[1:]
	if p.err != nil {
		return nil, p.err
	}
	resp := *p.response
	resp.Header = resp.Header.Clone()
	resp.Request = req
	resp.Body = p.speaker(r)
	return &resp, nil
}

// speaker returns the body of the answer, as it came.
func (p *passage) speaker(to *replay) *speaker {
	return &speaker{Reader: bytes.NewReader(p.body), reads: slices.Clone(p.reads), replay: to, passage: p}
}

func (r *replay) wait(_ context.Context, d time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waits = append(r.waits, d)
	return nil
}

func (r *replay) depart() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.departed = true
}

// differs reports whether the loop departed from the recording: it asked for something else, less
// of it, or waited otherwise.
func (r *replay) differs() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, left := range r.left {
		if len(left) > 0 {
			return true
		}
	}
	return r.departed || len(r.questions) > 0 || !slices.Equal(r.waits, r.recording.waits)
}

// watch notes as well when a fault changes the outcome, down to the times in it.
func (r *replay) watch(c hooks.Mutation) hooks.Mutation {
	around := c.Around
	if around == nil {
		return c
	}
	c.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
		var before protocol.Outcome
		after := around(task, func(task protocol.Task) protocol.Outcome {
			before = run(task)
			return before
		})
		if !reflect.DeepEqual(before, after) {
			r.depart()
		}
		return after
	}
	return c
}

// speaker is a recorded body. The loop departs when it reads on where the recorded one stopped.
type speaker struct {
	*bytes.Reader
	reads   []int // that are left
	replay  *replay
	passage *passage
}

func (s *speaker) Read(p []byte) (int, error) {
	if len(s.reads) > 0 {
		p = p[:min(len(p), max(1, s.reads[0]))]
	}
	n, err := s.Reader.Read(p)
	if len(s.reads) > 0 {
		if s.reads[0] -= n; s.reads[0] <= 0 {
			s.reads = s.reads[1:]
		}
	}
	if err == io.EOF {
		err = s.passage.bodyErr
	}
	if n == 0 && err == nil && len(p) > 0 {
		s.replay.depart()
		err = errDeparted
	}
	return n, err
}

func (s *speaker) Close() error { return nil }

// times are milliseconds since the epoch, of today and of simulated time, and times of day.
var times = regexp.MustCompile(`\b1[0-9]{12}\b|\b9[0-9]{11}\b|\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)`)

func timeless(raw json.RawMessage) json.RawMessage { return times.ReplaceAll(raw, []byte("0")) }
