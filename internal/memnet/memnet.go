// Package memnet is a network in memory, for a server and its clients in one process. Nothing in it
// waits for the operating system: writes are cheap, and servers and clients can talk under
// testing/synctest, where the clock advances only when every goroutine waits.
//
//	var network memnet.Network
//	listener, _ := network.Listen()
//	go http.Serve(listener, handler)
//	client := &http.Client{Transport: &http.Transport{DialContext: network.DialContext}}
//	client.Get("http://" + listener.Addr().String())
package memnet

import (
	"context"
	"fmt"
	"net"
	"sync"
	"syscall"
)

// Network connects who dials with who listens. The zero value is ready for use.
type Network struct {
	mu        sync.Mutex
	listeners map[string]*listener
	ports     int
}

// Listen opens a port with an address of its own.
func (n *Network) Listen() (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listeners == nil {
		n.listeners = map[string]*listener{}
	}
	n.ports++
	l := &listener{network: n, addr: addr(fmt.Sprintf("memory:%d", n.ports)), dialled: make(chan net.Conn), closed: make(chan struct{})}
	n.listeners[l.addr.String()] = l
	return l, nil
}

// DialContext connects to a port. It is refused if there is no listener.
func (n *Network) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	n.mu.Lock()
	l := n.listeners[address]
	n.mu.Unlock()
	refused := &net.OpError{Op: "dial", Net: "memory", Addr: addr(address), Err: syscall.ECONNREFUSED}
	if l == nil {
		return nil, refused
	}
	here, there := connect(addr("memory:0"), l.addr)
	select {
	case l.dialled <- there:
		return here, nil
	case <-l.closed:
		return nil, refused
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type listener struct {
	network *Network
	addr    addr
	dialled chan net.Conn

	once   sync.Once
	closed chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.dialled:
		return conn, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "accept", Net: "memory", Addr: l.addr, Err: net.ErrClosed}
	}
}

func (l *listener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		l.network.mu.Lock()
		defer l.network.mu.Unlock()
		delete(l.network.listeners, l.addr.String())
	})
	return nil
}

func (l *listener) Addr() net.Addr { return l.addr }

type addr string

func (addr) Network() string  { return "memory" }
func (a addr) String() string { return string(a) }
