package engine_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
)

// The server gives a client 30 s to read, and 10 s to send the head of a request.
const (
	longerThanPatience = 40 * time.Second
	longerThanHead     = 15 * time.Second
)

// misbehave lets clients behave badly, each again and again, until all is over.
func (e *enduring) misbehave(t *testing.T, all *sync.WaitGroup) {
	again := func(client func() error) {
		all.Go(func() {
			for !e.isOver() {
				if err := client(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 3 {
		again(e.leaveUnread)
		again(e.sendSlowly)
	}
	again(e.sendHeadSlowly)
}

// within waits for so long, and reports false if all was over before.
func (e *enduring) within(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-e.over:
		return false
	case <-timer.C:
		return true
	}
}

func (e *enduring) isOver() bool {
	select {
	case <-e.over:
		return true
	default:
		return false
	}
}

func (e *enduring) dial() (net.Conn, error) {
	return net.Dial("tcp", strings.TrimPrefix(e.URL, "http://"))
}

// smallBuffers is a listener whose connections hold little, so that a server soon waits for a
// client that does not read.
type smallBuffers struct{ net.Listener }

func listenWithSmallBuffers() (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	return smallBuffers{l}, err
}

func (l smallBuffers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(32 << 10)
	}
	return c, err
}

// leaveUnread asks for a stream that no buffer holds, and reads none of it until the server has
// given up.
func (e *enduring) leaveUnread() error {
	c, err := e.dial()
	if err != nil {
		return err
	}
	defer c.Close()
	c.(*net.TCPConn).SetReadBuffer(4 << 10)
	body := `{"model":"m","stream":true,"messages":[{"role":"user","content":"Say much."}]}`
	e.sent.Add(1)
	io.WriteString(c, request(http.MethodPost, "/v1/chat/completions", body))
	if !e.within(longerThanPatience) {
		return nil
	}
	if got, _ := io.ReadAll(c); bytes.Contains(got, []byte("[DONE]")) {
		return fmt.Errorf("a client that did not read for %v still gets all %d bytes of its answer", longerThanPatience, len(got))
	}
	return nil
}

// sendSlowly sends a request of which each byte takes a second, the rest of it when all is over,
// and gets its answer.
func (e *enduring) sendSlowly() error {
	c, err := e.dial()
	if err != nil {
		return err
	}
	defer c.Close()
	text := request(http.MethodPost, "/v1/chat/completions", fmt.Sprintf(mixed["/v1/chat/completions"], false, "the slow"))
	text = strings.Replace(text, "\r\n", "\r\nConnection: close\r\n"+engine.BehaviourHeader+": faults: []\r\n", 1)
	head, body, _ := strings.Cut(text, "{")
	e.sent.Add(1)
	io.WriteString(c, head+"{")
	for i := range body {
		if !e.within(time.Second) {
			io.WriteString(c, body[i:])
			break
		}
		io.WriteString(c, body[i:i+1])
	}
	if got, err := io.ReadAll(c); err != nil || !bytes.HasPrefix(got, []byte("HTTP/1.1 200 ")) {
		return fmt.Errorf("a slow client gets %.300q, %v", got, err)
	}
	return nil
}

// sendHeadSlowly sends a byte of the head of a request a second, until the server closes the
// connection.
func (e *enduring) sendHeadSlowly() error {
	c, err := e.dial()
	if err != nil {
		return err
	}
	defer c.Close()
	began := time.Now()
	for _, b := range []byte("POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nX-Slow: " + strings.Repeat("a", 100)) {
		if _, err := c.Write([]byte{b}); err != nil || !e.within(time.Second) {
			return nil
		}
		if time.Since(began) > 4*longerThanHead { // a busy machine has its time
			return fmt.Errorf("a client may send a head for %v", time.Since(began))
		}
	}
	return nil
}

// vanish opens many connections, and closes all at once: in the middle of a head, of a body, or of
// an answer.
func (e *enduring) vanish(t *testing.T) {
	var open []net.Conn
	for i := range vanishers() {
		c, err := e.dial()
		if err != nil {
			t.Error(err)
			break
		}
		open = append(open, c)
		text := request(http.MethodPost, "/v1/chat/completions", fmt.Sprintf(mixed["/v1/chat/completions"], true, fmt.Sprint("vanisher ", i)))
		text = strings.Replace(text, "\r\n", "\r\n"+engine.BehaviourHeader+": first-token: 1h\r\n", 1)
		switch i % 3 {
		case 0:
			text = text[:20]
		case 1:
			e.sent.Add(1)
			text = text[:len(text)-20]
		case 2:
			e.sent.Add(1)
		}
		io.WriteString(c, text)
	}
	for _, c := range open {
		c.Close()
	}
}
