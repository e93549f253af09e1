package replicas

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
)

// Link is a [Store] that costs one wait when it cannot be reached, and not one for each request:
// from then on it is left alone until [Link.Retry] reaches it again. What would have been written
// meanwhile is written then.
type Link struct {
	store Store

	mu     sync.Mutex
	down   bool
	missed []missedWrite
	size   int // of the records among them, in bytes
	lost   int // how many writes there was no room for
}

// NewLink returns a link to a store.
func NewLink(s Store) *Link { return &Link{store: s} }

// missedWrite is what is to be written when the store can be reached again. One of record, key and
// forget is set.
type missedWrite struct {
	record []byte
	run    string
	key    string // counted in the run
	forget bool   // the attempts of the run
}

// So many writes wait at most, and so many bytes of records.
const (
	maxMissed      = 10_000
	maxMissedBytes = 64 << 20
)

// ErrDown is returned while the store is left alone. That it cannot be reached was told before.
var ErrDown = errors.New("the store is not tried again yet")

// Count counts in the store, and fails at once while that cannot be reached.
func (l *Link) Count(run, key string) (int, error) {
	missed := missedWrite{run: run, key: key}
	if l.defers(missed) {
		return 0, ErrDown
	}
	n, err := l.store.Count(run, key)
	switch {
	case err == nil:
	case isTimeout(err): // a store that hangs has got the command, and executes it when it goes on
		l.isDown()
	default:
		l.isDown(missed)
	}
	return n, err
}

// Forget forgets in the store, or later.
func (l *Link) Forget(run string) error {
	return l.write(missedWrite{run: run, forget: true}, func() error { return l.store.Forget(run) })
}

// Append appends to the log, or later. It may do so twice.
func (l *Link) Append(record []byte) error {
	return l.write(missedWrite{record: record}, func() error { return l.store.Append(record) })
}

func (l *Link) write(w missedWrite, now func() error) error {
	if l.defers(w) {
		return nil
	}
	err := now()
	if err != nil {
		l.isDown(w)
	}
	return err
}

// Read reads from the store, and fails at once while that cannot be reached.
func (l *Link) Read(ctx context.Context, after string, wait bool) ([][]byte, string, error) {
	if l.defers() {
		return nil, after, ErrDown
	}
	records, next, err := l.store.Read(ctx, after, wait)
	if err != nil && ctx.Err() == nil {
		l.isDown()
	}
	return records, next, err
}

// defers reports whether the store is left alone, and keeps writes for later if it is.
func (l *Link) defers(writes ...missedWrite) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		l.add(writes)
	}
	return l.down
}

// isDown leaves the store alone from now on, and keeps writes for later.
func (l *Link) isDown(writes ...missedWrite) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = true
	l.add(writes)
}

func (l *Link) add(writes []missedWrite) {
	for _, w := range writes {
		if len(l.missed) >= maxMissed || l.size+len(w.record) > maxMissedBytes {
			l.lost++
			continue
		}
		l.missed, l.size = append(l.missed, w), l.size+len(w.record)
	}
}

// Retry tries whether the store can be reached again, and writes what it has missed. Until all is
// written, more is kept for later, so that the order stays. The error tells what is lost, once.
func (l *Link) Retry(ctx context.Context) error {
	if !l.defers() {
		return nil
	}
	if _, _, err := l.store.Read(ctx, "", false); err != nil {
		return nil // which was told
	}
	for {
		l.mu.Lock()
		if len(l.missed) == 0 {
			lost := l.lost
			l.down, l.missed, l.size, l.lost = false, nil, 0, 0
			l.mu.Unlock()
			if lost > 0 {
				return fmt.Errorf("the store was away for too long: %d changes are not in it", lost)
			}
			return nil
		}
		next := l.missed[0]
		l.mu.Unlock()
		if err := next.to(l.store); err != nil {
			return nil
		}
		l.mu.Lock()
		l.missed, l.size = l.missed[1:], l.size-len(next.record)
		l.mu.Unlock()
	}
}

// to does to a store what it has missed.
func (w missedWrite) to(s Store) error {
	switch {
	case w.record != nil:
		return s.Append(w.record)
	case w.forget:
		return s.Forget(w.run)
	default:
		_, err := s.Count(w.run, w.key)
		return err
	}
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout() || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded)
}
