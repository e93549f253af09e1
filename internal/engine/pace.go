package engine

import (
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// dripsPerSecond is how many pieces slow bytes come in each second, where a piece is not less than
// a byte.
const dripsPerSecond = 20

// cutPause is how long a stream pauses at a cut, so that a client which reads has all before it and
// nothing after it.
const cutPause = 2 * time.Millisecond

// cutPauses returns the pauses after each write of a stream whose bytes are cut apart; nil for
// none.
func cutPauses(d wire.Delivery, writes [][]byte) []time.Duration {
	at := d.Pauses(writes)
	if len(at) == 0 {
		return nil
	}
	pauses := make([]time.Duration, at[len(at)-1]+1)
	for _, i := range at {
		pauses[i] = cutPause
	}
	return pauses
}

// allow gives the client the time to read what is written within d. The deadline is moved now and
// then, not with every event of a stream.
func (s *sending) allow(d time.Duration) {
	needed := time.Now().Add(d + patience)
	if !needed.After(s.until) {
		return
	}
	if !s.until.IsZero() {
		needed = needed.Add(patience / 2)
	}
	s.until = needed
	s.control.SetWriteDeadline(needed) // not all writers have one
}

// linger waits, and gives the client the time that it has to read what comes then. It reports false
// when the client has gone.
func (s *sending) linger(d time.Duration) bool {
	s.allow(d)
	return s.clock.Sleep(s.ctx, d)
}

// after returns how long the response pauses after a write. A response that comes at a speed keeps
// it: what a write or a busy machine took longer is taken off the next pauses.
func (s *sending) after(write int) time.Duration {
	pause := s.pause
	if write < s.writes.Len()-1 {
		pause += s.spread
	}
	if write < len(s.pauses) {
		pause += s.pauses[write]
	}
	if !s.keepsPace {
		return pause
	}
	now := s.clock.Now()
	if now.Before(s.due) { // the clock of a test, which need not move while it sleeps
		s.due = now
	}
	s.due = s.due.Add(pause)
	return s.due.Sub(now)
}

// put writes bytes at the speed of a response, and reports whether the client took them.
func (s *sending) put(bytes []byte) bool {
	if s.bytesPerSecond == 0 {
		return s.push(bytes)
	}
	for drip := range slices.Chunk(bytes, max(1, s.bytesPerSecond/dripsPerSecond)) {
		if !s.linger(time.Duration(len(drip)) * time.Second / time.Duration(s.bytesPerSecond)) {
			return false
		}
		if !s.push(drip) || s.control.Flush() != nil {
			return false
		}
	}
	return true
}

// push writes bytes at once, counts them, and reports whether the client took them.
func (s *sending) push(bytes []byte) bool {
	if s.last != nil && s.written+len(bytes) >= s.size() { // before the client has all, and asks again
		s.last()
	}
	n, err := s.w.Write(bytes)
	s.written += n
	return err == nil
}
