package refloop

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// failure is a request that gave no turn.
type failure struct {
	err   error
	again bool          // another attempt may succeed
	after time.Duration // when the provider says how long to wait
	part  *neutral.Turn // what had arrived of an answer, but for its calls, which may be cut
	lost  neutral.Loss  // of the history that the provider keeps

	tooLong bool // the provider takes no request of that length
}

func (f *failure) Error() string { return f.err.Error() }

// ask gets the next turn of the model. A request has no effect on the world, so it is repeated when
// it fails for a reason that may pass; nothing of a failed attempt is kept.
func (c *conversation) ask(ctx context.Context) (*neutral.Turn, error) {
	if err := c.takeTools(ctx); err != nil {
		return nil, err
	}
	if err := c.makeRoom(ctx); err != nil {
		return nil, err
	}
	if c.loop.FirstAgain && c.task.FallbackModel != "" {
		c.use(c.task.Model)
	}
	wait := c.loop.Backoff
	for attempt := 1; ; attempt++ {
		t, err := c.attempt(ctx, c.request())
		var f *failure
		if errors.As(err, &f) && c.history.beginAgain(f.lost) || c.shorter(ctx, err) {
			continue
		}
		if err == nil || f == nil {
			return t, err
		}
		if f.again && attempt >= c.loop.AttemptsBeforeFallback && c.fallBack() {
			attempt, wait = 0, c.loop.Backoff
			continue
		}
		if !f.again || attempt == c.loop.Attempts || f.after > c.loop.Longest {
			return t, err
		}
		if err := c.loop.Wait(ctx, max(wait, f.after)); err != nil {
			return nil, err
		}
		wait *= 2
	}
}

// fallBack reports whether there is another model, which is asked from now on.
func (c *conversation) fallBack() bool {
	second := c.task.FallbackModel
	if second == "" || c.model == second {
		return false
	}
	c.use(second)
	return true
}

// ByTheClock waits for as long as is said, or until the context ends, whose error it returns then.
func ByTheClock(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *conversation) attempt(ctx context.Context, r *neutral.Request) (*neutral.Turn, error) {
	if c.loop.Hooks.Request != nil {
		r = r.Clone()
		if err := c.loop.Hooks.Request(r); err != nil {
			return nil, err
		}
	}
	req, err := c.newRequest(ctx, r)
	if err != nil {
		return nil, err
	}
	resp, err := c.send(req)
	if err != nil {
		return nil, &failure{err: err, again: ctx.Err() == nil}
	}
	defer resp.Body.Close()
	a := c.read(resp)
	if c.loop.Hooks.Answer != nil {
		c.loop.Hooks.Answer(a)
	}
	if a.Status != http.StatusOK {
		return nil, statusError(a)
	}
	t := a.Turn()
	if a.Err != nil {
		c.closeSocket() // the rest of the answer may still come over it
		t.Parts = withoutCalls(t.Parts)
		return nil, &failure{err: a.Err, again: true, part: t}
	}
	if c.loop.Hooks.Turn != nil {
		c.loop.Hooks.Turn(t)
	}
	return t, nil
}

func (c *conversation) newRequest(ctx context.Context, r *neutral.Request) (*http.Request, error) {
	body, err := c.dialect.Write(r)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.task.BaseURL+c.dialect.Path(r), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	c.dialect.Headers(r, req.Header)
	return req, nil
}

func withoutCalls(parts []neutral.Part) []neutral.Part {
	var rest []neutral.Part
	for _, p := range parts {
		if _, is := p.(*neutral.Call); !is {
			rest = append(rest, p)
		}
	}
	return rest
}

// read reads an answer to its end. What it is shows in its first byte: its content type is not
// always right, and a gateway that does not stream answers a request for a stream with plain JSON.
func (c *conversation) read(resp *http.Response) *neutral.Answer {
	a := &neutral.Answer{Dialect: c.dialect, Status: resp.StatusCode, Header: resp.Header}
	if a.Status != http.StatusOK {
		a.Body, _ = io.ReadAll(io.LimitReader(resp.Body, 1<<20))
		return a
	}
	body := bufio.NewReader(resp.Body)
	if a.Streamed = c.streams(resp.Header, body); a.Streamed {
		a.Pieces, a.Err = readStream(c.dialect.Stream(), c.frames(resp.Header, body))
		return a
	}
	data, err := io.ReadAll(body)
	if err != nil {
		a.Err = fmt.Errorf("%w: %v", neutral.ErrBroken, err)
		return a
	}
	a.Body = data
	a.Pieces, a.Err = c.dialect.Read(data)
	return a
}

// frames takes the events of a stream out of its bytes. At the end of the stream it returns io.EOF.
type frames interface {
	next() (name string, payload []byte, err error)
}

// frames returns what reads the streams of the wire API. A cloud has messages of AWS in place of
// another framing, and in them the events of the API.
func (c *conversation) frames(header http.Header, body *bufio.Reader) frames {
	switch {
	case strings.HasPrefix(header.Get("Content-Type"), "application/vnd.amazon.eventstream") && c.dialect.Traits()&neutral.AWSFrames == 0:
		return awsChunks{awsReader{body}}
	case c.dialect.Traits()&neutral.Lines != 0:
		return jsonLines{body}
	case c.dialect.Traits()&neutral.AWSFrames != 0:
		return awsReader{body}
	default:
		return &eventReader{lines: newLineReader(body)}
	}
}

func readStream(stream neutral.Stream, events frames) ([]neutral.Piece, error) {
	var all []neutral.Piece
	for {
		name, data, err := events.next()
		if err == io.EOF {
			pieces, err := stream.End()
			return append(all, pieces...), err
		}
		if err != nil {
			return all, fmt.Errorf("%w: %w", neutral.ErrBroken, err)
		}
		pieces, done, err := stream.Event(name, data)
		all = append(all, pieces...)
		if done || err != nil {
			return all, err
		}
	}
}

// streams reports whether an answer is a stream of events and not one document. One document is a
// line, too.
func (c *conversation) streams(header http.Header, answer *bufio.Reader) bool {
	if c.dialect.Traits()&neutral.Lines != 0 {
		return c.task.Stream || strings.HasPrefix(header.Get("Content-Type"), "application/x-ndjson")
	}
	for {
		first, err := answer.ReadByte()
		switch {
		case err != nil:
			return false
		case first == ' ' || first == '\t' || first == '\r' || first == '\n':
			continue
		}
		answer.UnreadByte()
		return first != '{' && first != '[' && first != '<'
	}
}
