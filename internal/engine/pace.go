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

// pauseBehind pauses after a write of a response.
func (p *Provider) pauseBehind(control *http.ResponseController, req *http.Request, r response, write int) bool {
	pause := r.pause
	if write < len(r.pauses) {
		pause += r.pauses[write]
	}
	return pause <= 0 || p.linger(control, req, pause)
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
