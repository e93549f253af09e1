package memnet

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// buffered is how many bytes may be on their way in one direction, as in the buffers of an
// operating system. Who writes more waits until the other end reads.
const buffered = 256 << 10

// kept is the size up to which a buffer is used again. Most messages fit in.
const kept = 64 << 10

// connect returns the two ends of a connection between two addresses.
func connect(a, b addr) (atA, atB *conn) {
	toA, toB := newStream(), newStream()
	return &conn{in: toA, out: toB, local: a, remote: b}, &conn{in: toB, out: toA, local: b, remote: a}
}

// conn is one end of a connection.
type conn struct {
	in, out       *stream
	local, remote addr

	mu     sync.Mutex
	resets bool
}

func (c *conn) Read(p []byte) (int, error)  { return c.in.read(p) }
func (c *conn) Write(p []byte) (int, error) { return c.out.write(p) }
func (c *conn) LocalAddr() net.Addr         { return c.local }
func (c *conn) RemoteAddr() net.Addr        { return c.remote }

// SetLinger decides, as that of a net.TCPConn, what happens on Close: with 0 seconds the connection
// is reset. As on Linux, the other end can still read what has arrived.
func (c *conn) SetLinger(sec int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resets = sec == 0
	return nil
}

func (c *conn) Close() error {
	c.mu.Lock()
	resets := c.resets
	c.mu.Unlock()
	end := error(io.EOF)
	if resets {
		end = syscall.ECONNRESET
	}
	c.out.end(end, net.ErrClosed)
	c.in.end(net.ErrClosed, syscall.EPIPE)
	return nil
}

func (c *conn) SetDeadline(t time.Time) error {
	c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}

func (c *conn) SetReadDeadline(t time.Time) error {
	c.in.setDeadline(&c.in.reading, t)
	return nil
}

func (c *conn) SetWriteDeadline(t time.Time) error {
	c.out.setDeadline(&c.out.writing, t)
	return nil
}

// stream is one direction of a connection.
type stream struct {
	mu      sync.Mutex
	changed *sync.Cond
	data    []byte // what is on its way
	buffer  []byte // of which data is a part; it is used again when all was read

	readEnd, writeEnd error // what the reader finds after the data, and the writer at once, or nil if the stream is open
	reading, writing  deadline
}

// deadline is a time at which waiting ends.
type deadline struct {
	over  bool
	timer *time.Timer
}

func newStream() *stream {
	s := &stream{}
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *stream) read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.reading.over:
			return 0, os.ErrDeadlineExceeded
		case s.readEnd != nil && (s.readEnd == net.ErrClosed || len(s.data) == 0):
			return 0, s.readEnd
		case len(s.data) > 0 || len(p) == 0:
			n := copy(p, s.data)
			s.data = s.data[n:]
			if len(s.data) == 0 {
				s.data = s.buffer[:0]
			}
			s.changed.Broadcast()
			return n, nil
		}
		s.changed.Wait()
	}
}

func (s *stream) write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	written := 0
	for {
		switch {
		case s.writeEnd != nil:
			return written, s.writeEnd
		case s.writing.over:
			return written, os.ErrDeadlineExceeded
		}
		n := min(len(p)-written, buffered-len(s.data))
		s.data = append(s.data, p[written:written+n]...)
		if size := cap(s.data); size > cap(s.buffer) && size <= kept {
			s.buffer = s.data[:0]
		}
		written += n
		s.changed.Broadcast()
		if written == len(p) {
			return written, nil
		}
		s.changed.Wait()
	}
}

// end ends the stream for its reader and its writer. The first end counts for each of them, but for
// a reset and for one who closed it themselves.
func (s *stream) end(reader, writer error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readEnd == nil || reader == net.ErrClosed {
		s.readEnd = reader
	}
	if s.writeEnd == nil || writer == net.ErrClosed {
		s.writeEnd = writer
	}
	s.reading.stop()
	s.writing.stop()
	s.changed.Broadcast()
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

func (s *stream) setDeadline(d *deadline, t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.stop()
	d.over = !t.IsZero() && !t.After(time.Now())
	if !t.IsZero() && !d.over && s.readEnd == nil {
		var timer *time.Timer
		timer = time.AfterFunc(time.Until(t), func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if d.timer == timer { // it was not set again meanwhile
				d.over = true
				s.changed.Broadcast()
			}
		})
		d.timer = timer
	}
	s.changed.Broadcast()
}
