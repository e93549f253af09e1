package controlapi

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const (
	// settle is how long changes are collected before they are reported together.
	settle = 100 * time.Millisecond

	// heartbeat is how often something is sent when nothing happens, so that a connection that is
	// dead is noticed.
	heartbeat = 15 * time.Second

	// patience is how long a client may take to read what was written.
	patience = 10 * time.Second

	// maxState is how long the name of a state may be. That of thousands of runs is a sum of it.
	maxState = 1000
)

// events is a stream of server-sent events that tells whenever something has changed, and not what.
func (c *api) events(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("run")
	if id != "" {
		if _, ok := c.provider.ShownRun(id); !ok {
			c.refuseUnknownRun(w, id)
			return
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	state := ""
	for {
		changed := c.provider.Changes().Next()
		text := ": nothing new\n\n"
		if now := c.state(id); now != state {
			state = now
			text = fmt.Sprintf("event: changed\ndata: %q\n\n", state)
		}
		control.SetWriteDeadline(time.Now().Add(patience)) // not all writers have one
		if _, err := w.Write([]byte(text)); err != nil || control.Flush() != nil {
			return
		}
		if !c.next(r, changed) {
			return
		}
	}
}

// next waits for a change, or for the next heartbeat. It returns false when the client is gone.
func (c *api) next(r *http.Request, changed <-chan struct{}) bool {
	pulse := time.NewTimer(heartbeat)
	defer pulse.Stop()
	select {
	case <-changed:
		return c.provider.Sleep(r.Context(), settle)
	case <-pulse.C:
		return true
	case <-r.Context().Done():
		return false
	case <-c.provider.Done():
		return false
	}
}

// state is an identifier of the state of a run, or of all runs. It changes whenever they do.
func (c *api) state(run string) string {
	var parts []string
	for _, r := range c.provider.ShownRuns() {
		if run == "" || run == r.ID {
			parts = append(parts, fmt.Sprintf("%s:%d", r.ID, r.Journal.Revision()))
		}
	}
	text := strings.Join(parts, " ")
	if len(text) > maxState {
		return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	}
	return text
}
