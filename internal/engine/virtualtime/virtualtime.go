// Package virtualtime is for tests: it runs servers and clients under testing/synctest, over a
// network in memory. The clock advances only when every goroutine waits, so tests do not sleep, and
// no timeout depends on how busy the machine is.
//
//	virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
//		server := mockprovider.NewServer(mockprovider.Config{Listen: n.Listen})
//		defer server.Close()
//		client := &http.Client{Transport: n}
//		client.Get(server.URL)
//	})
package virtualtime

import (
	"context"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/loopproof/loopproof/internal/memnet"
)

// Network is where servers listen and clients send requests. It is an [http.RoundTripper].
type Network struct {
	memory    memnet.Network
	transport *http.Transport
	ctx       context.Context // ends with the test function
}

// start is the time that the clock shows when a test begins.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Run calls f with a clock and a network of its own, and waits until every goroutine that it
// started has ended.
func Run(t *testing.T, f func(*testing.T, *Network)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(start))
		ctx, cancel := context.WithCancel(t.Context())
		n := Network{ctx: ctx}
		// Few connections are kept: with an Idempotency-Key, Go sends a request again over each
		// that turns out to be lost.
		n.transport = &http.Transport{DialContext: n.memory.DialContext, MaxIdleConnsPerHost: 4}
		defer func() {
			cancel()
			n.transport.CloseIdleConnections()
		}()
		f(t, &n)
	})
}

// Listen opens a port with an address of its own.
func (n *Network) Listen() (net.Listener, error) { return n.memory.Listen() }

// RoundTrip sends a request. When the test function returns, what a client has not read yet is
// dropped.
func (n *Network) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	context.AfterFunc(n.ctx, cancel)
	return n.transport.RoundTrip(req.WithContext(ctx))
}
