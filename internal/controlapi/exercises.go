package controlapi

import (
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// exercises are the steps of scripts that have a title, in their order, and what clients did after
// each. The first row is about how conversations begin.
type exercises struct {
	rows []page.Exercise
	of   map[exercise]int // the row of each
}

type exercise struct {
	script string
	step   int // from 0
}

// exercises returns a row for each, or none if no script has a step with a title.
func (c *api) exercises() []page.Exercise {
	x := exercisesOf(c.provider.Scripts())
	if len(x.of) == 0 {
		return nil
	}
	for _, run := range c.provider.ShownRuns() {
		for _, talk := range journal.Conversations(run.Journal.Entries()) {
			x.add(talk)
		}
	}
	return x.rows
}

func exercisesOf(scripts []*scenarios.Scenario) exercises {
	x := exercises{rows: []page.Exercise{{Title: "The first request of a conversation"}}, of: map[exercise]int{}}
	for _, s := range scripts {
		for i, step := range s.Model {
			if step.Title == "" {
				continue
			}
			x.of[exercise{s.ID, i}] = len(x.rows)
			x.rows = append(x.rows, page.Exercise{Title: step.Title, Script: s.ID, Last: step.Ends()})
		}
	}
	return x
}

// add counts what a client did in a conversation. What is wrong with a request belongs to the
// exercise before it, since there the client goes on from its answer.
func (x *exercises) add(talk journal.Conversation) {
	if talk.Entries[0].Unrouted {
		return
	}
	seen := places{}
	before := &x.rows[0]
	before.Played++
	for _, e := range talk.Entries {
		before.After++
		before.Sum = before.Sum.Plus(seen.sum(e))
		if e.Exchange.Turn == nil {
			continue
		}
		if row, ok := x.of[exercise{e.Scenario, e.Exchange.Turn.Number}]; ok {
			before = &x.rows[row]
			before.Played++
		}
	}
}
