package record

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
)

// timeRules are the rules about when events say that things happened.
var timeRules = []rules.Rule{
	adkEvent("record/created-once", trace.Must,
		"All events of a call have the same time of creation.",
		"Otherwise equal calls cannot be distinguished.",
		"a call with several events",
		"createdAt: when this tool call was first emitted",
		tellsEvents, createdOnce),
	adkEvent("record/event-times-in-order", trace.Must,
		"A call is created, then updated, then completed, and says when.",
		"Durations become negative.",
		"an event of a call with its times",
		"updatedAt: the most recent update; completedAt: when the call completed",
		tellsEvents, eventTimesInOrder),
	adkEvent("record/equal-calls-told-apart", trace.Info,
		"Equal calls are distinguished by their times.",
		"Their checksum is the same by design, so only the times tell which was first.",
		"events for two equal calls",
		"order or disambiguate repeated calls by createdAt and updatedAt",
		tellsEvents, equalCallsToldApart),
}

func createdOnce(r *rules.Run) (j rules.CheckResult) {
	eachTold(r, func(c rules.ToldCall) {
		first, ok := timeIn(c.Events[0].Created)
		if !ok || len(c.Events) < 2 {
			return
		}
		j.HasEvidence = true
		for _, e := range c.Events[1:] {
			if at, ok := timeIn(e.Created); ok && !at.Equal(first) {
				findMistold(&j, c, "the call %s was created twice", "createdAt "+c.Events[0].Created.Text(), e.Node)
			}
		}
	})
	return j
}

func eventTimesInOrder(r *rules.Run) (j rules.CheckResult) {
	eachTold(r, func(c rules.ToldCall) {
		for _, e := range c.Events {
			created, okCreated := timeIn(e.Created)
			updated, okUpdated := timeIn(e.Updated)
			if !okCreated || !okUpdated {
				continue
			}
			j.HasEvidence = true
			completed, ok := timeIn(e.Finished)
			switch {
			case e.Complete && !ok:
				findMistold(&j, c, "the call %s is done and does not say when", "completedAt", e.Node)
			case updated.Before(created):
				findMistold(&j, c, "the call %s was updated before it was created", "createdAt, then updatedAt", e.Node)
			case ok && completed.Before(updated):
				findMistold(&j, c, "the call %s was completed before it was last updated", "updatedAt, then completedAt", e.Node)
			}
		}
	})
	return j
}

func equalCallsToldApart(r *rules.Run) (j rules.CheckResult) {
	seen := map[string][]string{} // checksum to the times of calls with it
	eachCompletion(r, func(c rules.ToldCall, e transcript.Event) {
		_, created := timeIn(e.Created)
		_, updated := timeIn(e.Updated)
		if !c.HasEqual || !created || !updated {
			return
		}
		sum := transcript.Checksum(c.Call.Name, c.Call.Arguments)
		times := fmt.Sprintf("created %s, updated %s", e.Created.Text(), e.Updated.Text())
		j.HasEvidence = j.HasEvidence || len(seen[sum]) > 0
		if slices.Contains(seen[sum], times) {
			findMistold(&j, c, "nothing tells the call %s from an equal one", "other times than "+times, e.Node)
		}
		seen[sum] = append(seen[sum], times)
	})
	return j
}
