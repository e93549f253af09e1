package engine_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/replicas"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// memoryStore is a store in memory that can be killed, and can hang: then each command waits, is
// given up, and is executed when the store goes on.
type memoryStore struct {
	mu     sync.Mutex
	killed bool
	hangs  bool
	waits  int // commands that were given up
	counts map[string]int
	log    [][]byte

	dropped int   // records that are remembered no more
	marks   []int // how many records there had been, each time that trim was called
}

func (s *memoryStore) do(command func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.killed:
		return errors.New("connection refused")
	case s.hangs:
		s.waits++
		go func() {
			for {
				time.Sleep(time.Millisecond)
				s.mu.Lock()
				if !s.hangs {
					command()
					s.mu.Unlock()
					return
				}
				s.mu.Unlock()
			}
		}()
		return fmt.Errorf("read tcp: %w", os.ErrDeadlineExceeded)
	}
	command()
	return nil
}

func (s *memoryStore) set(killed, hangs bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.killed, s.hangs = killed, hangs
}

func (s *memoryStore) Count(run, key string) (n int, err error) {
	err = s.do(func() {
		if len(s.counts) >= replicas.MaxCounts {
			clear(s.counts)
		}
		s.counts[run+key]++
		n = s.counts[run+key]
	})
	return n, err
}

func (s *memoryStore) Forget(run string) error { return s.do(func() { clear(s.counts) }) }

func (s *memoryStore) Append(record []byte) error {
	return s.do(func() { s.log = append(s.log, record) })
}

// trim forgets the records that were there when it was called the third time before.
func (s *memoryStore) trim() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.marks = append(s.marks, s.dropped+len(s.log))
	if len(s.marks) > 3 {
		s.log, s.dropped = slices.Clone(s.log[s.marks[0]-s.dropped:]), s.marks[0]
		s.marks = s.marks[1:]
	}
}

// size returns how many bytes the records have.
func (s *memoryStore) size() (total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, record := range s.log {
		total += cap(record)
	}
	return total
}

func (s *memoryStore) Read(ctx context.Context, after string, wait bool) (records [][]byte, next string, err error) {
	if wait {
		time.Sleep(time.Millisecond)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.killed:
		return nil, after, errors.New("connection refused")
	case s.hangs:
		s.waits++
		return nil, after, os.ErrDeadlineExceeded
	}
	from, _ := strconv.Atoi(after)
	from = max(from-s.dropped, 0)
	return slices.Clone(s.log[from:]), strconv.Itoa(s.dropped + len(s.log)), nil
}

// briefClock sleeps for milliseconds where others sleep for seconds.
type briefClock struct{ engine.SystemClock }

func (c briefClock) Sleep(ctx context.Context, d time.Duration) bool {
	return c.SystemClock.Sleep(ctx, d/100)
}

// What is asked while a store cannot be reached costs no wait for each request, and is shared
// afterwards, once.
func TestStoreIsAway(t *testing.T) {
	for name, away := range map[string]func(*memoryStore){
		"killed": func(s *memoryStore) { s.set(true, false) },
		"hangs":  func(s *memoryStore) { s.set(false, true) },
	} {
		t.Run(name, func(t *testing.T) {
			store := &memoryStore{counts: map[string]int{}}
			var replicas []*engine.Provider
			for range 2 {
				srv := engine.NewServer(engine.Config{
					Profile: profile(t, "openai"), Store: store, Clock: briefClock{},
					Scenarios: []*scenarios.Scenario{script(t, "x", "prompt: Go.\nmodel:\n  - {status: 503, times: 4}\n  - text: Gone.\n")},
				})
				t.Cleanup(srv.Close)
				replicas = append(replicas, srv.Provider)
			}
			var statuses []int
			ask := func(p *engine.Provider, text string) {
				w := httptest.NewRecorder()
				body := `{"model":"m","messages":[{"role":"user","content":"` + text + `"}]}`
				p.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
				statuses = append(statuses, w.Code)
			}
			ask(replicas[0], "Go.")
			ask(replicas[1], "Go.")
			away(store)
			for range 9 {
				ask(replicas[0], "Go.")
			}
			if got := fmt.Sprint(statuses[2:]); got != "[503 503 503 200 200 200 200 200 200]" { // the first request was here
				t.Errorf("one server alone gives %s", got)
			}
			for range 9 {
				ask(replicas[1], "Go.")
			}
			store.mu.Lock()
			waits := store.waits
			store.mu.Unlock()
			if most := 30; name == "hangs" && waits > most { // for each server one of its requests, and what looks for the store again and again
				t.Errorf("%d commands were waited for, and there were 18 requests, of which each has three", waits)
			}
			store.set(false, false)
			for _, p := range replicas {
				for deadline := time.Now().Add(20 * time.Second); p.Journal().Count() < 20 && time.Now().Before(deadline); {
					time.Sleep(time.Millisecond)
				}
			}
			for range 5 {
				ask(replicas[0], "Go.")
			}
			if got := fmt.Sprint(statuses[20:]); got != "[200 200 200 200 200]" {
				t.Errorf("afterwards it gives %s", got)
			}
			for i, p := range replicas {
				for deadline := time.Now().Add(20 * time.Second); p.Journal().Count() < 25 && time.Now().Before(deadline); {
					time.Sleep(time.Millisecond)
				}
				if n := p.Journal().Count(); n != 25 {
					t.Errorf("server %d knows of %d requests, and there were 25", i+1, n)
				}
			}
		})
	}
}
