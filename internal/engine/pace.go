package engine

import (
	"net/http"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// dripsPerSecond is how many pieces slow bytes come in each second, where a piece is not less than a byte.
const dripsPerSecond = 20

// cutPause is how long a stream pauses at a cut, so that a client which reads has all before it and nothing after it.
const cutPause = 2 * time.Millisecond

// cutPauses returns the pauses after each write of a stream whose bytes are cut apart; nil for none.
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

// linger waits, and gives the client the time that it has to read what comes then. It reports false when the client has
// gone.
func (p *Provider) linger(control *http.ResponseController, req *http.Request, d time.Duration) bool {
	control.SetWriteDeadline(time.Now().Add(d + patience))
	return p.config.Clock.Sleep(req.Context(), d)
}

// pacer keeps the pauses after the writes of one response. A response that comes at a speed keeps it: what a write or a
// busy machine took longer is taken off the next pauses.
type pacer struct {
	response
	clock Clock
	due   time.Time // of the next write, if the response comes at a speed
}

func (p *Provider) pacerOf(r response) *pacer {
	k := &pacer{response: r, clock: p.config.Clock}
	if r.keepsPace {
		k.due = k.clock.Now()
	}
	return k
}

// after returns how long the response pauses after a write.
func (k *pacer) after(write int) time.Duration {
	pause := k.pause
	if write < len(k.pauses) {
		pause += k.pauses[write]
	}
	if !k.keepsPace {
		return pause
	}
	now := k.clock.Now()
	if now.Before(k.due) { // the clock of a test, which need not move while it sleeps
		k.due = now
	}
	k.due = k.due.Add(pause)
	return k.due.Sub(now)
}

// put writes bytes at the speed of a response, and reports whether the client took them.
func (p *Provider) put(w http.ResponseWriter, req *http.Request, r response, bytes []byte) bool {
	if r.bytesPerSecond == 0 {
		_, err := w.Write(bytes)
		return err == nil
	}
	control := http.NewResponseController(w)
	for drip := range slices.Chunk(bytes, max(1, r.bytesPerSecond/dripsPerSecond)) {
		if !p.linger(control, req, time.Duration(len(drip))*time.Second/time.Duration(r.bytesPerSecond)) {
			return false
		}
		if _, err := w.Write(drip); err != nil || control.Flush() != nil {
			return false
		}
	}
	return true
}
