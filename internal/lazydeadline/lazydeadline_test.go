package lazydeadline_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/lazydeadline"
)

// pair returns the two ends of a connection: the one with lazy deadlines, and the other one.
func pair(t *testing.T) (lazy, other net.Conn) {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := lazydeadline.Listen(tcp)
	defer l.Close()
	other, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if lazy, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lazy.Close(); other.Close() })
	return lazy, other
}

var longAgo = time.Unix(1, 0) // as net/http ends a read with it

// read reads in the background, and returns what becomes of it.
func read(c net.Conn) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := c.Read(make([]byte, 1))
		done <- err
	}()
	return done
}

// blocked gives a read or write the time to begin, and fails if it ends by itself.
func blocked(t *testing.T, done <-chan error) {
	t.Helper()
	select {
	case err := <-done:
		t.Fatalf("it ended by itself: %v", err)
	case <-time.After(30 * time.Millisecond):
	}
}

func expectTimeout(t *testing.T, err error) {
	t.Helper()
	if timeout := net.Error(nil); !errors.As(err, &timeout) || !timeout.Timeout() || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("got %v, want the error of a deadline", err)
	}
}

func TestADeadlineEndsARead(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after []time.Duration // deadlines that are set before the read and while it goes on; 0: none
	}{
		{"before the read", []time.Duration{20 * time.Millisecond}, nil},
		{"in the past", []time.Duration{-time.Second}, nil},
		{"after a later one", []time.Duration{time.Hour, 20 * time.Millisecond}, nil},
		{"during the read", nil, []time.Duration{-time.Second}},
		{"during a read with a later one", []time.Duration{time.Hour}, []time.Duration{20 * time.Millisecond}},
		{"later than the timer that fires first", []time.Duration{10 * time.Second}, []time.Duration{40 * time.Millisecond, 80 * time.Millisecond}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lazy, _ := pair(t)
			var last time.Time
			set := func(all []time.Duration) {
				for _, d := range all {
					last = time.Now().Add(d)
					lazy.SetReadDeadline(last)
				}
			}
			set(c.before)
			done := read(lazy)
			if c.after != nil {
				blocked(t, done)
				set(c.after)
			}
			expectTimeout(t, <-done)
			if early := time.Until(last); early > 0 {
				t.Errorf("the read ended %v too early", early)
			}
		})
	}
}

func TestAReadGoesOnWhenTheTimerFiresTooEarly(t *testing.T) {
	lazy, other := pair(t)
	lazy.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	done := read(lazy)
	lazy.SetReadDeadline(time.Time{})
	blocked(t, done)
	other.Write([]byte("x"))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestAReadGoesOnAfterOneThatWasEnded(t *testing.T) {
	lazy, other := pair(t)
	done := read(lazy)
	blocked(t, done)
	lazy.SetReadDeadline(longAgo)
	expectTimeout(t, <-done)
	lazy.SetReadDeadline(time.Time{})
	other.Write([]byte("x"))
	if err := <-read(lazy); err != nil {
		t.Fatal(err)
	}
}

// A write that the timer interrupts too early goes on where it was, so that nothing is sent twice or lost.
func TestAWriteGoesOnWhereItWas(t *testing.T) {
	lazy, other := pair(t)
	sent := make([]byte, 16<<20) // more than the buffers of a connection
	for i := range sent {
		sent[i] = byte(i / 1024)
	}
	lazy.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	wrote := make(chan error, 1)
	go func() {
		_, err := lazy.Write(sent)
		wrote <- err
	}()
	blocked(t, wrote)
	lazy.SetWriteDeadline(time.Now().Add(time.Minute))
	time.Sleep(100 * time.Millisecond) // until the timer has fired
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(other, got); err != nil {
		t.Fatal(err)
	}
	if err := <-wrote; err != nil || string(got) != string(sent) {
		t.Fatalf("the bytes are not those that were sent (%v)", err)
	}
}

func TestADeadlineEndsAWrite(t *testing.T) {
	lazy, other := pair(t)
	lazy.SetDeadline(time.Now().Add(time.Hour))
	sent := make([]byte, 64<<20) // more than the buffers of a connection
	written, wrote := 0, make(chan error, 1)
	go func() {
		var err error
		written, err = lazy.Write(sent)
		wrote <- err
	}()
	if err := <-read(other); err != nil {
		t.Fatal(err)
	}
	lazy.SetDeadline(time.Now())
	expectTimeout(t, <-wrote)
	if written == 0 {
		t.Error("what was written before the deadline is not told")
	}
}

// net/http closes only the sending side of a connection whose request it did not read to the end, so that the client
// reads the answer.
func TestAServerClosesTheSendingSideFirst(t *testing.T) {
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
	})}
	go server.Serve(lazydeadline.Listen(tcp))
	defer server.Close()
	c, err := net.Dial("tcp", tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() {
		io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n")
		c.Write(make([]byte, 8<<20))
	}()
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Fatalf("got %v, %v", resp, err)
	}
}
