package mockprovider

import (
	"net/http"
	"slices"
	"time"
)

// dripsPerSecond is how many pieces slow bytes come in each second, where a piece is not less than a byte.
const dripsPerSecond = 20

// linger waits, and gives the client the time that it has to read what comes then. It reports false when the client has
// gone.
func (p *Provider) linger(control *http.ResponseController, req *http.Request, d time.Duration) bool {
	control.SetWriteDeadline(time.Now().Add(d + patience))
	return p.config.Clock.Sleep(req.Context(), d)
}

// pauseBehind pauses behind a write of a response.
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
