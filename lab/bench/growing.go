package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A conversation grows by so many turns, as that of an agent does, and is sent so often.
const (
	growingTurns  = 300
	growingRounds = 20
)

var growing = workload{Name: "growing", api: chatCompletions, body: longBody(growingTurns, growingTurns*1000)}

// growingRow is the processor time that a server used for each third of growing conversations.
type growingRow struct {
	Server string
	Turns  int
	Bytes  [3]int // of requests
	CPU    [3]time.Duration
}

// times is how much longer the last third took than the first one. In both, as much is new.
func (row *growingRow) times() float64 {
	return row.CPU[2].Seconds() / max(row.CPU[0], time.Millisecond).Seconds()
}

// measureGrowing sends conversations from their first turn to their last. The servers take turns.
func (b *bench) measureGrowing(ctx context.Context) error {
	started, stop, err := b.startAll(ctx, func(s *server) bool { return s.Name == "floor" || s.Name == "Loopproof" })
	defer stop()
	if err != nil {
		return err
	}
	rows := make([]*growingRow, len(started))
	for i, r := range started {
		rows[i] = &growingRow{Server: r.server.Name, Turns: growingTurns}
	}
	for n := range growingRounds {
		for i, r := range started {
			if err := r.grow(ctx, n, rows[i]); err != nil {
				return err
			}
		}
	}
	b.results.Growing = rows
	return nil
}

// grow sends one conversation, and adds what it took.
func (r *running) grow(ctx context.Context, number int, row *growingRow) error {
	turns := longTurns(growingTurns, growingTurns*1000)
	for third := range row.CPU {
		before, err := r.cpu()
		if err != nil {
			return err
		}
		for n := third * len(turns) / 3; n < (third+1)*len(turns)/3; n++ {
			body := strings.Replace(conversation(turns[:n+1]), numberPlace, fmt.Sprintf("%016d", number), 1)
			if _, err := r.send(ctx, growing, body); err != nil {
				return err
			}
			row.Bytes[third] += len(body)
		}
		after, err := r.cpu()
		if err != nil {
			return err
		}
		row.CPU[third] += after - before
	}
	return nil
}

// So many conversations are kept by the server, each of so many turns that name the answer before.
const (
	chains     = 1500
	chainTurns = 100
)

// chainsRow is the memory of a server that keeps conversations.
type chainsRow struct {
	Chains, Turns    int
	First, End, Most int64 // bytes before the first request, at the end, and at most
}

// measureChains lets the mock provider keep conversations of the Responses API, each turn of which
// sends its own text and the id of the answer before.
func (b *bench) measureChains(ctx context.Context) error {
	started, stop, err := b.startAll(ctx, func(s *server) bool { return s.Name == "Loopproof" })
	defer stop()
	if err != nil {
		return err
	}
	r, row := started[0], &chainsRow{Chains: chains, Turns: chainTurns}
	if row.First, _, err = r.memory(); err != nil {
		b.results.missing("chains: %v", err)
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	left := make(chan int)
	var all sync.WaitGroup
	for range b.connections {
		all.Go(func() {
			for n := range left {
				if err := r.chain(ctx, n); err != nil {
					cancel(err)
				}
			}
		})
	}
	for n := range chains {
		left <- n
	}
	close(left)
	all.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	row.End, row.Most, err = r.memory()
	b.results.Chains = row
	return err
}

// chain sends the turns of one conversation.
func (r *running) chain(ctx context.Context, number int) error {
	before := ""
	for n := range chainTurns {
		answer, err := r.send(ctx, workload{api: responsesAPI}, fmt.Sprintf(`{"model":"loopproof","store":true,%s"input":"Say hello to number %d for the %d. time."}`, before, number, n))
		if err != nil {
			return err
		}
		var said struct{ ID string }
		if err := json.Unmarshal(answer, &said); err != nil {
			return err
		}
		before = fmt.Sprintf(`"previous_response_id":%q,`, said.ID)
	}
	return nil
}

// send sends a body over a connection that is kept, and returns the answer.
func (r *running) send(ctx context.Context, w workload, body string) ([]byte, error) {
	return r.askOver(ctx, keeping, w, body)
}

var keeping = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
