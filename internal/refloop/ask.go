package refloop

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"
)

// failure is a request that gave no turn.
type failure struct {
	err   error
	again bool          // another attempt may succeed
	after time.Duration // when the provider says how long to wait
	part  *turn         // what had arrived of an answer
	code  string        // the provider's word for it, if any
}

func (f *failure) Error() string { return f.err.Error() }

// ask gets the next turn of the model. A request has no effect on the world, so it is repeated when it fails for a
// reason that may pass; nothing of a failed attempt is kept.
func (c *conversation) ask(ctx context.Context) (*turn, error) {
	body, err := c.history.request()
	if err != nil {
		return nil, err
	}
	wait := c.loop.Backoff
	for attempt := 1; ; attempt++ {
		t, err := c.attempt(ctx, body)
		var f *failure
		if errors.As(err, &f) && c.history.beginAgain(f) {
			if body, err = c.history.request(); err != nil {
				return nil, err
			}
			continue
		}
		if err == nil || f == nil || !f.again || attempt == c.loop.Attempts || f.after > c.loop.Longest {
			return t, err
		}
		if err := c.loop.Wait(ctx, max(wait, f.after)); err != nil {
			return nil, err
		}
		wait *= 2
	}
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

func (c *conversation) attempt(ctx context.Context, body []byte) (*turn, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.task.BaseURL+c.history.path(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	c.history.sign(req.Header)
	resp, err := c.loop.Client.Do(req)
	if err != nil {
		return nil, &failure{err: err, again: ctx.Err() == nil}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, statusError(resp)
	}
	// What an answer is shows in its first byte. Its content type is not always right, and a gateway that does not
	// stream answers a request for a stream with plain JSON.
	answer := bufio.NewReader(resp.Body)
	if streams(answer) {
		return c.history.readStream(answer)
	}
	return c.history.readWhole(answer)
}

// streams reports whether an answer is a stream of events and not one document.
func streams(answer *bufio.Reader) bool {
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
