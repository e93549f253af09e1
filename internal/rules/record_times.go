package rules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/record"
)

// recordTimes are the rules about when events say that things happened.
var recordTimes = []Rule{
	adkEvent("record/created-once", Must,
		"All events of a call have the same time of creation.",
		"Equal calls cannot be told apart any more.",
		"a call with several events",
		"createdAt: when this tool call was first emitted",
		tellsEvents, createdOnce),
	adkEvent("record/event-times-in-order", Must,
		"A call is created, then updated, then completed, and says when.",
		"Durations come out negative.",
		"an event of a call with its times",
		"updatedAt: the most recent update; completedAt: when the call completed",
		tellsEvents, eventTimesInOrder),
	adkEvent("record/equal-calls-told-apart", Info,
		"Equal calls are told apart by their times.",
		"Their checksum is the same by design, so only the times tell which was first.",
		"two equal calls that are told of",
		"order or disambiguate repeated calls by createdAt and updatedAt",
		tellsEvents, equalCallsToldApart),
}

func createdOnce(r *Run) (j Judged) {
	r.eachTold(func(c toldCall) {
		first, ok := timeIn(c.events[0].Created)
		if !ok || len(c.events) < 2 {
			return
		}
		j.Seen = true
		for _, e := range c.events[1:] {
			if at, ok := timeIn(e.Created); ok && !at.Equal(first) {
				j.mistold(c, "the call %s was created twice", "createdAt "+c.events[0].Created.Text(), e.Node)
			}
		}
	})
	return j
}

func eventTimesInOrder(r *Run) (j Judged) {
	r.eachTold(func(c toldCall) {
		for _, e := range c.events {
			created, okCreated := timeIn(e.Created)
			updated, okUpdated := timeIn(e.Updated)
			if !okCreated || !okUpdated {
				continue
			}
			j.Seen = true
			completed, ok := timeIn(e.Finished)
			switch {
			case e.Complete && !ok:
				j.mistold(c, "the call %s is done and does not say when", "completedAt", e.Node)
			case updated.Before(created):
				j.mistold(c, "the call %s was updated before it was created", "createdAt, then updatedAt", e.Node)
			case ok && completed.Before(updated):
				j.mistold(c, "the call %s was completed before it was last updated", "updatedAt, then completedAt", e.Node)
			}
		}
	})
	return j
}

func equalCallsToldApart(r *Run) (j Judged) {
	seen := map[string][]string{} // checksum to the times of calls with it
	r.eachCompletion(func(c toldCall, e record.Event) {
		_, created := timeIn(e.Created)
		_, updated := timeIn(e.Updated)
		if !c.twin || !created || !updated {
			return
		}
		sum := record.Checksum(c.Call.Name, c.Call.Arguments)
		times := fmt.Sprintf("created %s, updated %s", e.Created.Text(), e.Updated.Text())
		j.Seen = j.Seen || len(seen[sum]) > 0
		if slices.Contains(seen[sum], times) {
			j.mistold(c, "nothing tells the call %s from an equal one", "other times than "+times, e.Node)
		}
		seen[sum] = append(seen[sum], times)
	})
	return j
}
