// Package bubble is for tests: it runs servers and clients in a bubble of testing/synctest, over a network in memory.
// Time passes there only when everybody waits, so that nothing is waited for, and no time-out depends on how busy the
// machine is.
//
//	bubble.Run(t, func(t *testing.T, b *bubble.Bubble) {
//		server := mockprovider.NewServer(mockprovider.Config{Listen: b.Listen})
//		defer server.Close()
//		client := &http.Client{Transport: b}
//		client.Get(server.URL)
//	})
package bubble

import (
	"context"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/loopproof/loopproof/internal/memnet"
)

// Bubble is where servers listen and clients send requests. It is an [http.RoundTripper].
type Bubble struct {
	network   memnet.Network
	transport *http.Transport
	over      context.Context // ends with the bubble
}

// begin is the time at which all bubbles begin.
var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Run calls f in a bubble of its own, and waits until all that it started has ended.
func Run(t *testing.T, f func(*testing.T, *Bubble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(begin))
		over, end := context.WithCancel(t.Context())
		b := Bubble{over: over}
		b.transport = &http.Transport{DialContext: b.network.DialContext, MaxIdleConnsPerHost: 32}
		defer func() {
			end()
			b.transport.CloseIdleConnections()
		}()
		f(t, &b)
	})
}

// Listen opens a port with an address of its own.
func (b *Bubble) Listen() (net.Listener, error) { return b.network.Listen() }

// RoundTrip sends a request in the bubble. What a client leaves unread when the bubble ends is dropped.
func (b *Bubble) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	context.AfterFunc(b.over, cancel)
	return b.transport.RoundTrip(req.WithContext(ctx))
}
