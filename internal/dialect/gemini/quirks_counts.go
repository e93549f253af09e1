package gemini

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// counted is the key of the token counts.
const counted = "usageMetadata"

// countQuirks are about token counts.
func countQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "usage-missing",
			Does:   "sends no token counts",
			Events: wire.EachPayload(func(chunk *wire.Node) { chunk.Remove(counted) }),
			Whole:  wire.InBody(func(body *wire.Node) { body.Remove(counted) }),
		},
		{
			Name:   "usage-in-every-chunk",
			Does:   "counts tokens on in every chunk of a stream",
			Events: countOn,
		},
		{
			Name:   "usage-in-several-deltas",
			Does:   "sends the total token counts in several chunks",
			Events: countAgain(func(nth, all int) bool { return nth >= all-2 }),
		},
		{
			Name:   "usage-three-times",
			Does:   "sends the token counts of a stream in three places",
			Events: countAgain(func(nth, all int) bool { return nth == 0 || nth >= all-2 }),
		},
		{
			Name: "end-usage-output-only",
			Does: "sends no input token count at the end of a stream",
			Events: func(events []wire.Event) []wire.Event {
				return onEnd(events, func(counts *wire.Node) { counts.Remove("promptTokenCount") })
			},
		},
		{
			Name: "end-usage-null",
			Does: "sends null as the input token count at the end of a stream",
			Events: func(events []wire.Event) []wire.Event {
				return onEnd(events, func(counts *wire.Node) { counts.Set("promptTokenCount", nil) })
			},
		},
	}
}

// countAgain says the counts of the end in other chunks, too: of all chunks in those that are in.
func countAgain(in func(nth, all int) bool) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		return onCounts(events, func(nth int, chunk, counts *wire.Node) {
			if in(nth, len(events)) {
				chunk.Set(counted, counts)
			}
		})
	}
}

// onCounts changes each chunk of a stream, knowing the counts at its end.
func onCounts(events []wire.Event, change func(nth int, chunk, counts *wire.Node)) []wire.Event {
	last := wire.Parsed(events[len(events)-1].Data).Path(counted)
	changed := slices.Clone(events)
	for i, e := range events {
		if chunk := wire.Parsed(e.Data); chunk != nil && last != nil {
			change(i, chunk, last.Clone())
			changed[i].Data = chunk.JSON()
		}
	}
	return changed
}

// onEnd changes the counts at the end of a stream.
func onEnd(events []wire.Event, change func(counts *wire.Node)) []wire.Event {
	return onCounts(events, func(nth int, chunk, _ *wire.Node) {
		if nth == len(events)-1 {
			change(chunk.Get(counted))
		}
	})
}

// countOn gives each chunk the counts so far: those of the prompt whole, and of the answer what
// came.
func countOn(events []wire.Event) []wire.Event {
	all := len(events)
	return onCounts(events, func(nth int, chunk, counts *wire.Node) {
		said, _ := counts.Get("candidatesTokenCount").Int()
		total, _ := counts.Get("totalTokenCount").Int()
		so := said * (nth + 1) / all
		counts.Set("candidatesTokenCount", so)
		counts.Set("totalTokenCount", total-said+so)
		chunk.Set(counted, counts)
	})
}
